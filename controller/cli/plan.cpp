// SPDX-License-Identifier: GPL-3.0-or-later
// submix plan
#include "common/base/files.hpp"
#include "common/show/parse.hpp"
#include "common/show/text.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/plan_text.hpp"
#include "controller/cli/size_text.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "controller/model/plan/planner.hpp"
#include "controller/session/node_check.hpp"

#include <fmt/format.h>

#include <memory>
#include <ostream>

namespace submix::cli {
namespace {

Result<show::Show> read_file(const std::string& name) {
  const auto text = read_text_or_pipe(name);
  SUBMIX_TRY(text);
  auto show = show::parse(*text, name);
  if (!show) return fail("{}", to_string(show.error()));
  return *std::move(show);
}

Result<void> assign(show::Show& show, const std::string& assignment) {
  const auto sign = assignment.find('=');
  if (sign == std::string::npos)
    return fail("\"{}\" does not assign a submix; write SUBMIX=NODE, or SUBMIX= for nobody",
                assignment);
  const model::Edit edit =
      model::AssignSubmix{assignment.substr(0, sign), assignment.substr(sign + 1)};
  return model::apply(show, edit);
}

// The show in the file, or the cluster's, changed by the options.
Result<show::Show> wanted_show(const model::ClusterView& view, const PlanOptions& options) {
  if (options.file.empty() && !view.show_error.empty()) return fail("{}", view.show_error);
  if (options.file.empty() && view.show == nullptr) return fail("no show is applied; name a file");
  auto show = options.file.empty() ? Result<show::Show>(*view.show) : read_file(options.file);
  if (!show) return show;
  for (const auto& assignment : options.assignments) {
    SUBMIX_TRY(assign(*show, assignment));
  }
  if (!options.size.empty()) {
    const auto size = parse_size(options.size);
    SUBMIX_TRY(size);
    show->size = *size;
  }
  if (!options.rate.empty()) {
    const auto rate = show::parse_frame_rate(options.rate);
    SUBMIX_TRY(rate);
    show->rate = *rate;
  }
  return show;
}

}  // namespace

int run_plan(Context& context, const PlanOptions& options) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  const auto view = (*observer)->measured_view();
  const auto wanted = wanted_show(view, options);
  if (!wanted) return failed(context, wanted.error().message);
  const model::Edit edit = model::ReplaceShow{std::make_shared<const show::Show>(*wanted), "plan"};
  const auto change = model::plan_change(view, edit);
  if (!change) return failed(context, change.error().message);
  context.out << (context.is_json ? plan_json(change->plan) + "\n" : plan_text(change->plan))
              << std::flush;
  const auto check = session::check_whole_show((*observer)->cluster(), *wanted);
  for (const auto& line : check.absent)
    warn(context, line);
  if (const auto verdict = check.verdict(); !verdict)
    return failed(context, verdict.error().message);
  return change->plan.outlook == model::Outlook::refused ? kFailed : kOk;
}

}  // namespace submix::cli
