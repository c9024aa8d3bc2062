// SPDX-License-Identifier: GPL-3.0-or-later
// submix clip
#include "common/show/text.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/performing_commands.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/model/edit/clip_beats.hpp"
#include "controller/model/view/clip_report.hpp"

#include <optional>
#include <string_view>

namespace submix::cli {
namespace {

constexpr std::string_view kOff = "off";

using MakeClipEdit = Result<model::Edit> (*)(const show::Show&, const show::Port&,
                                             std::optional<double>, const model::ClipReport&);

int run_clip_edit(Context& context, const ClipBeatsOptions& options, MakeClipEdit make) {
  const auto clip = show::parse_port(options.slot);
  if (!clip) return failed(context, clip.error().message);
  std::optional<double> beats;
  if (!options.beats.empty() && options.beats != kOff) {
    const auto parsed = show::parse_beats(options.beats);
    if (!parsed) return failed(context, parsed.error().message);
    beats = *parsed;
  }
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  const auto report = model::clip_report((*observer)->measured_view(), *clip);
  const auto edit = [&](const show::Show& show) { return make(show, *clip, beats, report); };
  return run_edit(context, (*observer)->cluster(),
                  {.make = edit, .command = "clip", .submix = clip->submix, .is_at_once = true});
}

}  // namespace

int run_clip_loop(Context& context, const ClipBeatsOptions& options) {
  return run_clip_edit(context, options,
                       [](const auto& show, const auto& clip, auto beats, const auto& report) {
                         return beats ? model::loop_beats(show, clip, *beats, report)
                                      : model::end_loop(show, clip, report);
                       });
}

int run_clip_sync(Context& context, const ClipBeatsOptions& options) {
  if (options.beats == kOff)
    return run_clip_edit(context, options,
                         [](const auto& show, const auto& clip, auto, const auto&) {
                           return model::end_sync(show, clip);
                         });
  return run_clip_edit(context, options, model::sync_to_beats);
}

}  // namespace submix::cli
