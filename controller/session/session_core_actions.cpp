// SPDX-License-Identifier: GPL-3.0-or-later
// Actions of people.
#include "controller/model/plan/planner.hpp"
#include "controller/model/verdict/ledger.hpp"
#include "controller/session/ledger_export.hpp"
#include "controller/session/session_core.hpp"

#include <fmt/format.h>

#include <utility>

namespace submix::session {
namespace {

ShowCause cause_of(const model::Edit& edit) {
  return std::holds_alternative<model::ReplaceShow>(edit) ? ShowCause::replaced_here
                                                          : ShowCause::edited_here;
}

}  // namespace

bool SessionCore::can_write(const char* what, LocalTime now) {
  if (is_read_only_) {
    say(Severity::note, what,
        "not done: this controller is read-only; start another one without --read-only", now);
  } else if (!gap_to_desk_.empty()) {
    say(Severity::warning, what, "not done: " + gap_to_desk_, now);
  } else if (is_read_only()) {
    say(Severity::warning, what, "not done: " + cluster::refusal(rights_), now);
  } else if (!is_connected_) {
    say(Severity::warning, what, "not done: NATS is out of reach", now);
  }
  return is_connected_ && !is_read_only();
}

void SessionCore::on(const EditShow& action, LocalTime now) {
  if (!can_write("show", now)) return;
  editor_.set_plugins(model_.plugins());
  say_left_out(action.left_out, now);
  const auto done = action.is_undoable ? editor_.edit(action.edit, action.gesture)
                                       : editor_.edit_without_step(action.edit);
  auto notice =
      done ? notices_.undescribed(action.edit, editor_.draft().get(), model_.plugins().get(), now)
           : notices_.refused(action, done.error(), now);
  if (notice) say(Severity::warning, "show", *std::move(notice), now);
  show_draft(cause_of(action.edit));
}

void SessionCore::say_left_out(const std::vector<std::string>& values, LocalTime now) {
  for (auto& text : notices_.left_out(values, now))
    say(Severity::warning, "show", std::move(text), now);
}

void SessionCore::on(const Undo& action, LocalTime now) {
  if (action.step != 0 && action.step != editor_.view().undo_step) return;
  if (editor_.view().undo_title.empty() || !can_write("undo", now)) return;
  step("undo", editor_.undo(), now);
}

void SessionCore::on(const Redo&, LocalTime now) {
  if (editor_.view().redo_title.empty() || !can_write("redo", now)) return;
  step("redo", editor_.redo(), now);
}

void SessionCore::step(const char* verb, const Result<model::Edit>& done, LocalTime now) {
  if (!done) return say(Severity::warning, verb, done.error().message, now);
  const auto cause = cause_of(*done);
  if (cause == ShowCause::replaced_here) keep_snapshot();  // of the show that is replaced
  show_draft(cause);
}

void SessionCore::on(const SetPaused& action, LocalTime now) {
  set_transport(action.is_paused ? "pause" : "resume", &cluster::DesiredTransport::is_paused,
                action.is_paused, now);
}

void SessionCore::on(const SetBlack& action, LocalTime now) {
  set_transport("black-out", &cluster::DesiredTransport::is_black, action.is_black, now);
}

void SessionCore::on(const SetFrozen& action, LocalTime now) {
  set_transport("freeze", &cluster::DesiredTransport::is_frozen, action.is_frozen, now);
}

void SessionCore::on(const SetTestCards& action, LocalTime now) {
  set_transport("test cards", &cluster::DesiredTransport::has_test_cards, action.has_test_cards,
                now);
}

void SessionCore::set_transport(const char* verb, bool cluster::DesiredTransport::* field,
                                bool value, LocalTime now) {
  if (!can_write(verb, now)) return;
  auto transport = transport_.now();
  transport.*field = value;
  want_transport(std::move(transport));
}

void SessionCore::on(const Step&, LocalTime now) {
  if (!can_write("step", now)) return;
  auto transport = transport_.now();
  if (!transport.is_paused) return say(Severity::note, "step", "not done: pause first", now);
  ++transport.steps;
  want_transport(std::move(transport));
}

void SessionCore::on(const OpenShow& action, LocalTime now) {
  if (!can_write("open", now)) return;
  copies_.stop_for_opening();
  file_requests_.emplace_back(opening_.begin(action.path));
}

void SessionCore::on(const OpenWithMedia& action, LocalTime now) {
  if (!can_write("open", now)) return;
  const auto copies = opening_.answer(action.choices);
  if (!copies) return;
  for (const auto& copy : *copies)
    copies_.add(copy);
  finish_opening(now);
}

void SessionCore::on(const CancelOpen&, LocalTime) {
  copies_.stop_for_opening();
  opening_.cancel();
}

void SessionCore::on(const BeginShow& action, LocalTime now) {
  if (!can_write("new show", now)) return;
  if (replace_show(action.show, "new show", now)) file_.begun();
}

void SessionCore::on(const SaveShow& action, LocalTime now) {
  auto request = file_.save(action);
  if (!request) return say(Severity::warning, "save", request.error().message, now);
  if (*request) write_file(**std::move(request));
}

void SessionCore::on(const CancelSaves&, LocalTime now) {
  const auto count = file_.cancel_waiting();
  if (count > 0)
    say(Severity::note, "save", fmt::format("{} that waited for the disk given up", count), now);
}

void SessionCore::on(const KeepSnapshot&, LocalTime now) {
  if (editor_.draft() == nullptr)
    return say(Severity::warning, "snapshot", "there is no show", now);
  keep_snapshot();
}

void SessionCore::on(const ListFolder& action, LocalTime) {
  file_requests_.emplace_back(action);
}

bool SessionCore::replace_show(std::shared_ptr<const show::Show> show, std::string title,
                               LocalTime now) {
  const model::Edit edit = model::ReplaceShow{std::move(show), std::move(title)};
  const auto plan = model::plan_change(view(now), edit);
  editor_.set_plugins(model_.plugins());
  const auto edited = editor_.edit(edit);
  say("show", edited, now);
  if (edited) keep_snapshot();  // of the show that is replaced; a refused one replaces nothing
  if (edited && plan && plan->outlook >= model::Outlook::warning)
    say(Severity::warning, "show", plan->sentence + "; undo brings the show before back", now);
  show_draft(ShowCause::replaced_here);
  return edited.has_value();
}

void SessionCore::keep_snapshot() {
  if (auto snapshot = file_.snapshot()) return write_file(*std::move(snapshot));
  if (unreadable_show_.empty() || state_folder_.empty()) return;
  write_file({.purpose = WriteFile::Purpose::snapshot,
              .path = (state_folder_ / "snapshots" / "unreadable").string(),
              .text = unreadable_show_});
}

void SessionCore::write_file(WriteFile request) {
  ++files_under_way_;
  file_requests_.emplace_back(std::move(request));
}

void SessionCore::on(const AskPlugins& action, LocalTime) {
  plugins_.want(action.node);
}

void SessionCore::on(const AskMedia& action, LocalTime) {
  media_.ask(action.node);
}

void SessionCore::on(const CopyMedia& action, LocalTime now) {
  if (can_write("file", now)) copies_.add(action);
}

void SessionCore::on(const KeepStructure& action, LocalTime) {
  keeps_structure_ = action.is_kept;
}

void SessionCore::on(const StopCopies&, LocalTime) {
  copies_.stop();
  opening_.stop_copies();
}

void SessionCore::on(const WatchMediaPictures& action, LocalTime) {
  media_.watch(action.keys);
}

void SessionCore::on(const WatchEffectPictures& action, LocalTime) {
  effects_.watch(action.keys);
}

void SessionCore::on(const ForgetPlugins& action, LocalTime) {
  plugins_.forget(action.node);
}

void SessionCore::on(const WatchPictures& action, LocalTime) {
  schedule_.watch(action.keys, action.large);
  std::erase_if(pictures_, [&](const auto& item) { return !schedule_.is_watched(item.first); });
}

void SessionCore::on(const Say& action, LocalTime now) {
  say(action.severity, action.about, action.text, now);
}

void SessionCore::on(const WatchFigures& action, LocalTime) {
  figures_watched_ = action.streams;
}

void SessionCore::on(const TakeTrace& action, LocalTime now) {
  if (!is_connected_)
    return say(Severity::warning, "trace", "not taken: NATS is out of reach", now);
  trace_.start(healthy_nodes(now), action.seconds);
}

std::vector<std::string> SessionCore::healthy_nodes(LocalTime now) const {
  std::vector<std::string> nodes;
  for (auto& node : model_.view(now).nodes) {
    if (node.health == model::Health::healthy) nodes.push_back(std::move(node.name));
  }
  return nodes;
}

void SessionCore::on(const CancelTrace&, LocalTime) {
  trace_.cancel();
}

void SessionCore::on(const SaveTrace& action, LocalTime now) {
  auto write = trace_.save(action.path);
  if (!write) return say(Severity::warning, "trace", write.error().message, now);
  write->given_up = exports_.get_token();
  file_requests_.emplace_back(std::move(*write));
}

void SessionCore::on(const SaveLedger& action, LocalTime now) {
  const auto known = view(now);
  if (known.show == nullptr)
    return say(Severity::warning, "ledger", "not saved: no show is applied", now);
  const auto ledger = model::make_ledger(known);
  auto text = action.form == SaveLedger::Form::csv ? ledger_csv(ledger) : ledger_json(ledger);
  ledger_file_ = {.path = action.path, .is_saving = true, .error = {}};
  file_requests_.emplace_back(WriteText{WriteText::Purpose::ledger, action.path,
                                        std::make_shared<const std::string>(std::move(text)),
                                        exports_.get_token()});
}

void SessionCore::on(const CancelExports&, LocalTime) {
  exports_.request_stop();
  exports_ = {};
}

void SessionCore::on(const AcknowledgeAlert& action, LocalTime) {
  if (action.id == 0) return alerts_.acknowledge_all();
  alerts_.acknowledge(action.id);
}

void SessionCore::on(const ForgetNode& action, LocalTime now) {
  if (can_write("forget", now)) nodes_to_forget_.push_back(action.node);
}

}  // namespace submix::session
