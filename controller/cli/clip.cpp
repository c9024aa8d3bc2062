// SPDX-License-Identifier: GPL-3.0-or-later
// submix clip
#include "common/show/text.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/performing_commands.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/model/edit/clip_beats.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace submix::cli {
namespace {

constexpr std::string_view kOff = "off";

// A silent node has told nothing; the edit then says so.
model::ClipReport report_of(const model::ClusterView& view, const show::Port& clip) {
  const auto* submix = view.find_submix(clip.submix);
  const auto* stage = submix == nullptr ? nullptr : submix->find_stage(clip.slot);
  if (stage == nullptr) return {};
  return {.playing = std::max<std::size_t>(1, stage->counter("clip")),
          .position = static_cast<double>(stage->counter("position_ms")) / 1000,
          .end = static_cast<double>(stage->counter("end_ms")) / 1000};
}

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
  const auto report = report_of((*observer)->measured_view(), *clip);
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
