// SPDX-License-Identifier: GPL-3.0-or-later
// submix undo, submix redo
#include "common/show/parse.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/show_copies.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/model/edit/show_editor.hpp"

#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <utility>

namespace submix::cli {
namespace {

using Direction = StepLog::Direction;
using SharedShow = std::shared_ptr<const show::Show>;

Result<SharedShow> parse(const std::string& toml) {
  auto show = show::parse(toml, "the step's show");
  if (!show) return fail("{}", to_string(show.error()));
  return std::make_shared<const show::Show>(*std::move(show));
}

/// A person's edits with the window's rules, written at once.
class UndoEditor {
 public:
  explicit UndoEditor(SharedShow show) { editor_.set_desired(std::move(show), ++revision_); }

  Result<void> make(const model::Edit& edit) {
    auto made = editor_.edit(edit);
    write();
    return made;
  }
  Result<model::Edit> step(Direction direction) {
    auto done = direction == Direction::undo ? editor_.undo() : editor_.redo();
    write();
    return done;
  }
  void others_made(SharedShow show) { editor_.set_desired(std::move(show), ++revision_); }

 private:
  void write() {
    if (editor_.next_write()) editor_.write_accepted(++revision_);
  }

  model::ShowEditor editor_;
  std::uint64_t revision_ = 0;
};

/// The edit that undoes or redoes a step, and the step to log afterwards.
struct ReversedStep {
  model::Edit edit;
  ShowStep step;
};

// Replaces whole shows. Only possible while the present show is the step's result. The present show
// is kept for the way back.
Result<ReversedStep> reverse_whole(const ShowStep& step, Direction direction,
                                   const show::Show& now) {
  const bool is_undo = direction == Direction::undo;
  const auto wanted = parse(is_undo ? step.before : step.after);
  SUBMIX_TRY(wanted);
  const auto expected = parse(is_undo ? step.after : step.before);
  SUBMIX_TRY(expected);
  if (now.name != (*expected)->name) {
    return fail(
        "{} of \"{}\" left out: it is about show \"{}\", and the present one is \"{}\"; to have "
        "another show in its place: submix show copies, then submix apply FILE",
        is_undo ? "undo" : "redo", step.title, (*expected)->name, now.name);
  }
  auto turned = step;
  if (now != **expected) (is_undo ? turned.after : turned.before) = show::to_toml(now);
  return ReversedStep{model::ReplaceShow{*wanted, step.title}, std::move(turned)};
}

// Repeats the step, then the others' changes, in an editor: the window's rules decide whether it
// may be taken back.
Result<ReversedStep> reverse_part(const ShowStep& step, Direction direction,
                                  const show::Show& now) {
  const auto before = parse(step.before);
  SUBMIX_TRY(before);
  const auto after = parse(step.after);
  SUBMIX_TRY(after);
  UndoEditor edits(*before);
  SUBMIX_TRY(edits.make(model::difference(**before, **after, step.title)));
  if (direction == Direction::redo) {
    SUBMIX_TRY(edits.step(Direction::undo));
  }
  edits.others_made(std::make_shared<const show::Show>(now));
  auto edit = edits.step(direction);
  SUBMIX_TRY(edit);
  return ReversedStep{*std::move(edit), step};
}

void keep_what_gives_way(Context& context, const show::Show& show) {
  if (const auto kept = keep_snapshot(show::to_toml(show)); !kept)
    warn(context, kept.error().message);
}

void print_steps(Context& context, const StepLog& log) {
  const auto redo = log.titles(Direction::redo);
  for (auto title = redo.rbegin(); title != redo.rend(); ++title)
    context.out << "redo: " << *title << '\n';
  const auto undo = log.titles(Direction::undo);
  for (const auto& title : undo)
    context.out << "undo: " << title << '\n';
  if (undo.empty() && redo.empty()) context.out << "nothing to undo or redo\n";
  context.out << std::flush;
}

std::string verb_of(Direction direction) {
  return direction == Direction::undo ? "undo" : "redo";
}

/// Undoes or redoes one step of the log, and updates the log.
class StepReversal {
 public:
  StepReversal(Context& context, const StepLog::StepFile& entry, Direction direction)
      : context_(context), entry_(entry), direction_(direction), reversed_(entry.step) {}

  int run(cluster::Cluster& cluster, StepLog& log) {
    const auto title_prefix = verb_of(direction_) + ": ";
    const ShowChange change{.make = [this](const show::Show& show) { return make_edit(show); },
                            .command = verb_,
                            .is_at_once = true,
                            .is_step = false,
                            .verb = title_prefix};
    const int status = run_edit(context_, cluster, change);
    if (status != kOk && !is_impossible_) return status;

    const auto noted = note(log);
    return noted ? status : failed(context_, noted.error().message);
  }

 private:
  Result<model::Edit> make_edit(const show::Show& show) {
    const auto& step = entry_.step;
    auto reversed = step.is_whole ? reverse_whole(step, direction_, show)
                                  : reverse_part(step, direction_, show);
    is_impossible_ = !reversed;
    if (is_impossible_)
      return fail("{}; the next {} is about the step before it", reversed.error().message, verb_);

    if (step.is_whole) keep_what_gives_way(context_, show);
    reversed_ = std::move(reversed->step);
    return std::move(reversed->edit);
  }

  [[nodiscard]] Result<void> note(StepLog& log) {
    if (is_impossible_) return log.put_last(entry_, direction_);
    return log.turn({entry_.file, std::move(reversed_)}, direction_);
  }

  Context& context_;
  const StepLog::StepFile& entry_;
  const Direction direction_;
  const std::string verb_ = verb_of(direction_);
  ShowStep reversed_;
  bool is_impossible_ = false;  // now: the step waits behind all others
};

int run_step_of(Context& context, const UndoOptions& options, Direction direction) {
  auto log = step_log(context);
  if (!log) return failed(context, log.error().message);
  if (options.is_list) {
    print_steps(context, *log);
    return kOk;
  }

  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);

  const auto entry = log->newest(direction);
  if (!entry) return failed(context, entry.error().message);
  if (!*entry) {
    return failed(context, fmt::format("nothing to {}: only your own commands on this machine, for "
                                       "the show at {}, are known",
                                       verb_of(direction), context.url));
  }

  return StepReversal(context, **entry, direction).run(connection->cluster(), *log);
}

}  // namespace

int run_undo(Context& context, const UndoOptions& options) {
  return run_step_of(context, options, Direction::undo);
}

int run_redo(Context& context, const UndoOptions& options) {
  return run_step_of(context, options, Direction::redo);
}

}  // namespace submix::cli
