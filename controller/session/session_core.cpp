// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/session_core.hpp"

#include "common/show/edit.hpp"
#include "common/show/parse.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/follow_on.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/model/edit/value_gate.hpp"
#include "controller/model/plan/planner.hpp"
#include "controller/model/verdict/ledger.hpp"
#include "controller/session/ledger_export.hpp"

#include <algorithm>
#include <utility>

namespace submix::session {
namespace {

constexpr std::chrono::seconds kWriteRetry{1};  // after a write without an answer
constexpr std::chrono::milliseconds kAlertsPeriod{200};
// A fader that moves again later gets the notice again.
constexpr std::chrono::seconds kSaidPause{10};
// A node with newly installed plugins is asked again.
constexpr std::chrono::seconds kPluginsRetry{10};

ShowCause cause_of(const model::Edit& edit) {
  return std::holds_alternative<model::ReplaceShow>(edit) ? ShowCause::replaced_here
                                                          : ShowCause::edited_here;
}

}  // namespace

void SessionCore::handle(Update update, LocalTime now) {
  observed_.reset();
  std::visit([&](auto& part) { on(part, now); }, update);
}
void SessionCore::handle(const Action& action, LocalTime now) {
  observed_.reset();
  std::visit([&](const auto& part) { on(part, now); }, action);
}
void SessionCore::handle(Reply reply, LocalTime now) {
  observed_.reset();
  std::visit([&](auto& part) { on(part, now); }, reply);
}

// Updates of the cluster.

void SessionCore::on(ConnectionUpdate& update, LocalTime now) {
  const bool is_connected = update.connection == model::ConnectionState::connected;
  if (is_connected && !is_connected_) editor_.begin_connection();
  is_connected_ = is_connected;
  model_.set_connection(update.connection, std::move(update.text), now);
  model_.set_store_silent(update.is_store_silent);
}

void SessionCore::on(ShowUpdate& update, LocalTime now) {
  auto parsed = show::parse(update.show.toml, "desired show");
  show_revision_ = update.revision;
  show_author_ = update.show.author;
  show_error_ = parsed ? std::string() : show::to_string(parsed.error());
  unreadable_show_ = parsed ? std::string() : std::move(update.show.toml);
  editor_.set_desired(parsed ? std::make_shared<const show::Show>(std::move(*parsed)) : nullptr,
                      update.revision);
  for (auto& conflict : editor_.take_conflicts())
    say(Severity::warning, "show", std::move(conflict), now);
  show_draft(ShowCause::elsewhere);
}

// A show that cannot be parsed is of a newer version: then there is no good show to return to.
void SessionCore::on(GoodShowUpdate& update, LocalTime) {
  auto parsed = show::parse(update.show.toml, "last good show");
  good_show_ = parsed ? std::make_shared<const show::Show>(std::move(*parsed)) : nullptr;
}

void SessionCore::on(AlertsSeenUpdate& update, LocalTime now) {
  alerts_.set_seen(update.seen.things, now);
}

void SessionCore::on(ClockUpdate& update, LocalTime) {
  clock_offset_ = update.offset;
}

void SessionCore::on(TransportUpdate& update, LocalTime) {
  transport_ = update.transport;
  if (!transport_wanted_) model_.set_transport(transport_);
}

// Actions of people.

bool SessionCore::can_write(const char* what, LocalTime now) {
  if (is_read_only_) {
    say(Severity::note, what,
        "not done: this controller is read-only; start another one without --read-only", now);
  } else if (!is_connected_) {
    say(Severity::warning, what, "not done: NATS is out of reach", now);
  }
  return is_connected_ && !is_read_only_;
}

void SessionCore::on(const EditShow& action, LocalTime now) {
  if (!can_write("show", now)) return;
  editor_.set_plugins(model_.plugins());
  say_left_out(action.left_out, now);
  const auto done = action.is_undoable ? editor_.edit(action.edit, action.gesture)
                                       : editor_.edit_without_step(action.edit);
  if (!done) say_refused(action, done.error(), now);
  if (done) say_undescribed(action.edit, now);
  show_draft(cause_of(action.edit));
}

// A moving fader gets the notice once.
void SessionCore::say_once(const std::string& about, std::string text, LocalTime now) {
  std::erase_if(said_, [&](const auto& known) { return now - known.second > kSaidPause; });
  const bool is_new = said_.insert_or_assign(about, now).second;
  if (is_new) say(Severity::warning, "show", std::move(text), now);
}

// A reason begins with its place, "left.clip.in: …"; the rest may change with each movement.
void SessionCore::say_left_out(const std::vector<std::string>& values, LocalTime now) {
  for (const auto& value : values)
    say_once("left out " + value.substr(0, value.find(": ")), "left out: " + value, now);
}

// A fader repeats the same fault sixty times a second.
void SessionCore::say_refused(const EditShow& action, const Error& error, LocalTime now) {
  const auto* value = std::get_if<model::SetParameter>(&action.edit);
  const bool is_fader = value != nullptr && !action.is_undoable;
  if (!is_fader) return say(Severity::warning, "show", error.message, now);
  say_once(fmt::format("refused {}.{}", show::to_string(value->slot), value->name), error.message,
           now);
}

// A value that no plugin description covers is accepted.
void SessionCore::say_undescribed(const model::Edit& edit, LocalTime now) {
  const auto* value = std::get_if<model::SetParameter>(&edit);
  if (value == nullptr || !value->value || editor_.draft() == nullptr) return;
  const auto* slot = editor_.draft()->find_slot(value->slot);
  const auto plugins = model_.plugins();
  if (slot == nullptr || (plugins != nullptr && plugins->contains(slot->plugin))) return;
  const auto place = fmt::format("{}.{}", show::to_string(value->slot), value->name);
  say_once(
      "undescribed " + place,
      fmt::format(
          "{}: not checked: no node that is here describes the plugin \"{}\"; its own node checks "
          "the value once it is here",
          place, slot->plugin),
      now);
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
  auto transport = transport_wanted_.value_or(transport_);
  transport.*field = value;
  want_transport(std::move(transport));
}

void SessionCore::on(const Step&, LocalTime now) {
  if (!can_write("step", now)) return;
  auto transport = transport_wanted_.value_or(transport_);
  if (!transport.is_paused) return say(Severity::note, "step", "not done: pause first", now);
  ++transport.steps;
  want_transport(std::move(transport));
}

void SessionCore::on(const OpenShow& action, LocalTime now) {
  if (!can_write("open", now)) return;
  opening_ = action.path;
  file_requests_.emplace_back(ReadFile{action.path});
}

void SessionCore::on(const CancelOpen&, LocalTime) {
  opening_.clear();
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
  keep_snapshot();
  const model::Edit edit = model::ReplaceShow{std::move(show), std::move(title)};
  const auto plan = model::plan_change(view(now), edit);
  editor_.set_plugins(model_.plugins());
  const auto edited = editor_.edit(edit);
  say("show", edited, now);
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

bool SessionCore::is_settled() const {
  return files_under_way_ == 0 && !editor_.view().is_writing && !transport_wanted_;
}

void SessionCore::on(const AskPlugins& action, LocalTime) {
  plugins_wanted_.insert(action.node);
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
}

void SessionCore::on(const WatchMediaPictures& action, LocalTime) {
  media_.watch(action.keys);
}

void SessionCore::on(const WatchEffectPictures& action, LocalTime) {
  effects_.watch(action.keys);
}

void SessionCore::on(const ForgetPlugins& action, LocalTime) {
  plugins_wanted_.erase(action.node);
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
  std::vector<std::string> nodes;
  for (auto& node : model_.view(now).nodes) {
    if (node.health == model::Health::healthy) nodes.push_back(std::move(node.name));
  }
  trace_.start(std::move(nodes), action.seconds);
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

// Replies to requests.

void SessionCore::on(ShowWritten& reply, LocalTime now) {
  switch (reply.outcome.kind) {
    case WriteOutcome::Kind::accepted:
      editor_.write_accepted(reply.outcome.revision, std::move(reply.outcome.announced));
      show_revision_ = std::max(show_revision_, reply.outcome.revision);
      own_revision_ = reply.outcome.revision;
      for (const auto& line : reply.outcome.warnings)
        say_once(line, line, now);
      break;
    case WriteOutcome::Kind::refused:
      editor_.write_refused();
      break;
    case WriteOutcome::Kind::declined:
      editor_.write_declined(reply.outcome.error);
      break;
    case WriteOutcome::Kind::failed:
      editor_.write_failed();
      show_retry_ = now + kWriteRetry;
      say(Severity::warning, "show", "not written yet, trying again: " + reply.outcome.error, now);
      break;
  }
  for (auto& conflict : editor_.take_conflicts())
    say(Severity::warning, "show", std::move(conflict), now);
  show_draft(ShowCause::elsewhere);
}

void SessionCore::on(TransportWritten& reply, LocalTime now) {
  is_transport_under_way_ = false;
  if (reply.result) {
    transport_ = reply.transport;
    if (transport_wanted_ == transport_) transport_wanted_.reset();
  } else {
    transport_wanted_.reset();  // a late pause would surprise; the person can press again
    say("transport", reply.result, now);
  }
  model_.set_transport(transport_wanted_.value_or(transport_));
}

void SessionCore::on(PictureTaken& reply, LocalTime now) {
  schedule_.finished(reply.key, reply.result.has_value(), now);
  if (reply.result && schedule_.is_watched(reply.key)) {
    pictures_[reply.key] = std::make_shared<const cluster::Snapshot>(std::move(*reply.result));
  }
}

void SessionCore::on(PluginsListed& reply, LocalTime now) {
  auto errors = plugin_errors_ == nullptr ? PluginErrors() : *plugin_errors_;
  if (reply.result) {
    errors.erase(reply.node);
    model_.add_plugins(reply.node, *std::move(reply.result));
  } else {
    errors[reply.node] = reply.result.error().message;
  }
  plugin_errors_ =
      errors.empty() ? nullptr : std::make_shared<const PluginErrors>(std::move(errors));
  judge_opened(now);
}

void SessionCore::on(MediaListed& reply, LocalTime) {
  media_.take(reply);
}

void SessionCore::on(MediaPictureTaken& reply, LocalTime) {
  media_.take(reply);
}

void SessionCore::on(EffectPictureTaken& reply, LocalTime now) {
  effects_.take(reply, now);
}

void SessionCore::on(MediaCopied& reply, LocalTime now) {
  media_.ask(reply.node);
  const auto copied = copies_.end();
  say("file", reply.result, now);
  if (copied && reply.result) play(*copied, now);
}

void SessionCore::play(const CopyMedia& copied, LocalTime now) {
  const auto draft = editor_.draft();
  const auto* clip = std::get_if<show::Port>(&copied.then);
  const auto* layer = std::get_if<model::NewLayer>(&copied.then);
  if (draft == nullptr || (clip == nullptr && layer == nullptr)) return;
  if (layer != nullptr && keeps_structure_) {
    return say(Severity::note, "file",
               fmt::format("{} has {} now; no layer was added in the perform mode: + Layer adds it "
                           "in the edit mode",
                           copied.node, copied.name),
               now);
  }
  const auto edit = clip != nullptr ? Result<model::Edit>(model::play_in_clip(*clip, copied.name))
                                    : model::add_layer(*draft, *model_.plugins(), *layer);
  if (!edit) return say(Severity::warning, "show", edit.error().message, now);
  on(EditShow{*edit}, now);
}

// A cancelled export gets no notice, nor does a file after which another was chosen.
void SessionCore::on(FileRead& reply, LocalTime now) {
  if (reply.path != opening_) return;
  opening_.clear();
  if (!reply.text) return say(Severity::warning, "open", reply.text.error().message, now);
  auto parsed = show::parse(*reply.text, reply.path);
  if (!parsed) return say(Severity::warning, "open", show::to_string(parsed.error()), now);
  if (!can_write("open", now)) return;
  show::forget_fades(*parsed);
  const auto opened = std::make_shared<const show::Show>(std::move(*parsed));
  const auto name = std::filesystem::path(reply.path).filename().string();
  if (!replace_show(opened, "open " + name, now)) return;
  file_.opened(reply.path, opened, std::move(*reply.text));
  opened_ = opened;
  opened_faults_.clear();
  judge_opened(now);
}

// Knobs, cues and presets skip values that no plugin accepts, and a file may contain such values.
// Values of plugins that no node has described yet are judged once a node has.
void SessionCore::judge_opened(LocalTime now) {
  if (opened_ == nullptr) return;
  const auto known = model_.plugins();
  const auto plugins = known == nullptr ? model::PluginMap() : model::with_macros(*known, *opened_);
  auto slots_only = *opened_;
  slots_only.knobs.clear();
  slots_only.cues.clear();
  slots_only.presets.clear();
  for (const auto& value : model::new_values(&slots_only, *opened_)) {
    const auto fault = model::fault_of(value, *opened_, plugins);
    if (!fault.empty() && opened_faults_.insert(fault).second)
      say(Severity::warning, "open", fault + "; it will be left out", now);
  }
  if (model::undescribed(&slots_only, *opened_, plugins).empty()) opened_.reset();
}

void SessionCore::on(FileWritten& reply, LocalTime now) {
  --files_under_way_;
  if (auto next = file_.written(reply)) write_file(*std::move(next));
  if (reply.request.purpose == WriteFile::Purpose::autosave) return say_autosaved(reply.copy, now);
  if (!reply.copy) return say(Severity::warning, "save", reply.copy.error().message, now);
  say(Severity::note, "save",
      reply.copy->empty()
          ? "written: " + reply.request.path
          : fmt::format("written: {}; the one before, with its comments, is kept as {}",
                        reply.request.path, *reply.copy),
      now);
}

// Autosaves happen every ten seconds; a lasting fault is reported once.
void SessionCore::say_autosaved(const Result<std::string>& written, LocalTime now) {
  const auto before =
      std::exchange(autosave_fault_, written ? std::string() : written.error().message);
  if (!written && before != autosave_fault_)
    say(Severity::warning, "autosave", autosave_fault_, now);
}

void SessionCore::on(FolderListed& reply, LocalTime) {
  folder_ = std::make_shared<const model::FolderView>(std::move(reply.folder));
}

void SessionCore::on(TextWritten& reply, LocalTime now) {
  if (reply.purpose == WriteText::Purpose::trace) {
    trace_.on(reply);
  } else {
    ledger_file_ = {reply.path, false, reply.result ? std::string() : reply.result.error().message};
  }
  if (!reply.result) return say(Severity::warning, "save", reply.result.error().message, now);
  say(Severity::note, "save", "written: " + reply.path, now);
}

void SessionCore::on(TraceTold& reply, LocalTime) {
  trace_.on(reply);
}

void SessionCore::on(TracesMerged& reply, LocalTime) {
  trace_.on(reply);
}

void SessionCore::on(SeenAlertsShared& reply, LocalTime now) {
  if (!reply.result)
    say(Severity::warning, "alerts", "seen in this window only: " + reply.result.error().message,
        now);
}

void SessionCore::on(NodeForgotten& reply, LocalTime now) {
  if (!reply.result) return say(Severity::warning, "forget", reply.result.error().message, now);
  model_.forget_node(reply.node);
  say(Severity::note, "forget", fmt::format("node \"{}\" is forgotten", reply.node), now);
}

// Requests.

std::vector<Request> SessionCore::take_requests(LocalTime now) {
  model_.advance(now);
  if (is_connected_) follow_on(now);
  observed_ = observed(now);
  const auto& known = *observed_;
  verdicts_.add(*known.bottleneck, now);
  if (now >= next_alerts_) {
    next_alerts_ = now + kAlertsPeriod;
    alerts_.update(known, now);
    proven_shows_.update(known, !editor_.view().is_writing, now);
  }
  if (auto autosave = file_.autosave(now)) write_file(*std::move(autosave));
  auto requests = std::exchange(file_requests_, {});
  if (auto trace = trace_.next_request()) requests.push_back(*std::move(trace));
  if (!is_connected_) return requests;
  if (now >= show_retry_) {
    if (auto write = editor_.next_write()) {
      const auto after = std::make_shared<const show::Show>(std::move(write->show));
      requests.push_back(WriteShow{
          {show::to_toml(*after), author_}, write->expected_revision, write->before, after});
    }
  }
  if (transport_wanted_ && !is_transport_under_way_) {
    is_transport_under_way_ = true;
    requests.push_back(WriteTransport{*transport_wanted_});
  }
  schedule_.follow(known);
  for (auto& picture : take_picture_requests(now))
    requests.push_back(std::move(picture));
  for (auto& node : nodes_to_ask_for_plugins(known, now))
    requests.push_back(ListPlugins{std::move(node)});
  for (auto& request : media_.take_requests(known))
    requests.push_back(std::move(request));
  if (auto effect = effects_.next_request(known, now)) requests.emplace_back(*std::move(effect));
  if (auto copy = copies_.next_request()) requests.emplace_back(*std::move(copy));
  for (auto& node : std::exchange(nodes_to_forget_, {}))
    requests.push_back(ForgetNode{std::move(node)});
  auto seen = alerts_.take_changes();
  if (!seen.is_empty() && !is_read_only_) requests.push_back(ShareSeenAlerts{std::move(seen)});
  return requests;
}

// Every controller sees the time at which the next cue follows. The one that has written the show
// last acts first; the others act if it is gone. Their edits start from that time, not from their
// own clocks, so they are equal: where two act at once, the fence lets one in, and the other finds
// its edit done.
void SessionCore::follow_on(LocalTime now) {
  const auto draft = editor_.draft();
  if (draft == nullptr || !draft->following || is_read_only_ || editor_.view().is_writing ||
      !clock_offset_)
    return;
  const auto due = *draft->following;
  const auto late = now.time_since_epoch() + *clock_offset_ - due;
  const bool is_own = own_revision_ != 0 && own_revision_ == show_revision_;
  if (late < (is_own ? std::chrono::milliseconds(0) : model::kFollowOthersWait)) return;
  if (late > model::kFollowLateMax) return stop_following("it is overdue; GO performs it", now);

  model::RunningState running{.time = due, .plugins = {}};
  if (const auto plugins = model_.plugins()) running.plugins = model::with_macros(*plugins, *draft);
  const auto step = model::go(*draft, running);
  if (!step) return stop_following(step.error().message, now);
  if (keeps_structure_ && model::is_structural(step->edit))
    return stop_following(
        "it changes what runs where, and a person performs; in the edit mode GO performs it", now);
  editor_.set_plugins(model_.plugins());
  if (const auto done = editor_.edit_without_step(step->edit); !done)
    return stop_following(done.error().message, now);
  say_left_out(step->left_out, now);
  show_draft(ShowCause::edited_here);
  if (step->is_paused) on(SetPaused{*step->is_paused}, now);
}

void SessionCore::stop_following(const std::string& reason, LocalTime now) {
  const auto stopped = editor_.edit_without_step(model::SetFollowing{});
  say(Severity::warning, "cue", "the next cue does not follow by itself: " + reason, now);
  say("cue", stopped, now);
  show_draft(ShowCause::edited_here);
}

std::vector<Request> SessionCore::take_picture_requests(LocalTime now) {
  std::vector<Request> requests;
  if (!is_connected_) return requests;
  for (auto& picture : schedule_.take_due(now))
    requests.emplace_back(std::move(picture));
  return requests;
}

// Asks only nodes that run a plugin whose parameters no node has described, or any others while
// such a node is absent, and nodes that a person wants to choose from.
std::vector<std::string> SessionCore::nodes_to_ask_for_plugins(const model::ClusterView& known,
                                                               LocalTime now) {
  std::vector<std::string> nodes;
  if (known.show == nullptr) return nodes;
  const auto ask = [&](const std::string& name) {
    const auto* node = known.find_node(name);
    if (node == nullptr || node->health != model::Health::healthy) return;
    const auto asked = plugins_asked_.find(name);
    if (asked != plugins_asked_.end() && now - asked->second < kPluginsRetry) return;
    plugins_asked_[name] = now;
    nodes.push_back(name);
  };
  for (const auto& submix : known.show->submixes) {
    const auto is_known = [&](const auto& slot) {
      return known.find_plugin(slot.plugin) != nullptr;
    };
    if (std::ranges::all_of(submix.slots, is_known)) continue;
    const auto* own = known.find_node(submix.node);
    if (own != nullptr && own->health == model::Health::healthy) {
      ask(submix.node);
    } else {  // most plugins are the same on all nodes
      for (const auto& node : known.nodes) {
        if (known.find_plugin_list(node.name) == nullptr) ask(node.name);
      }
    }
  }
  for (const auto& name : plugins_wanted_) {
    if (known.find_plugin_list(name) == nullptr) ask(name);
  }
  return nodes;
}

void SessionCore::set_messages_dropped(std::uint64_t count) {
  model_.set_messages_dropped(count);
  if (observed_) observed_->messages_dropped = count;
}

model::ClusterView SessionCore::observed(LocalTime now) const {
  auto view = model_.view(now);
  view.bottleneck = std::make_shared<const model::Bottleneck>(model::find_bottleneck(view));
  return view;
}

model::ClusterView SessionCore::view(LocalTime now) {
  const bool is_known = observed_ && observed_->now == now;
  auto view = is_known ? *std::exchange(observed_, std::nullopt) : observed(now);
  view.clock_offset = clock_offset_;
  view.edit = editor_.view();
  view.edit.is_own = own_revision_ != 0 && own_revision_ == show_revision_;
  view.good_show = good_show_;
  view.proven_shows = proven_shows_.shows();
  view.verdicts = verdicts_.spans();
  view.trace = trace_.view();
  view.ledger_file = ledger_file_;
  view.alerts = alerts_.alerts();
  if (!figures_watched_.empty())
    view.figures =
        std::make_shared<const model::FigureMap>(model_.figures().series_of(figures_watched_));
  view.file = file_.view();
  view.file.opening = opening_;
  view.folder = folder_;
  view.plugin_errors = plugin_errors_;
  view.media = media_.lists();
  view.media_pictures = media_.pictures();
  view.effect_pictures = effects_.pictures();
  view.media_copies = copies_.views();
  view.is_read_only = is_read_only_;
  return view;
}

void SessionCore::want_transport(cluster::DesiredTransport transport) {
  transport.author = author_;
  model_.set_transport(transport);
  transport_wanted_ = std::move(transport);
}

void SessionCore::show_draft(ShowCause cause) {
  file_.set_show(editor_.draft(), cause);
  model_.set_show(editor_.draft(), show_revision_, show_author_, show_error_);
}

void SessionCore::say(Severity severity, std::string about, std::string text, LocalTime now) {
  model_.accept(cluster::Event{{}, severity, std::move(about), std::move(text)}, now);
}

void SessionCore::say(const char* about, const Result<void>& result, LocalTime now) {
  if (!result) say(Severity::warning, about, result.error().message, now);
}

}  // namespace submix::session
