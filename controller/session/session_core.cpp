// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/session_core.hpp"

#include "common/show/parse.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/clip_deck.hpp"
#include "controller/model/plan/planner.hpp"
#include "controller/model/verdict/ledger.hpp"
#include "controller/session/due_follow_on.hpp"
#include "controller/session/ledger_export.hpp"

#include <algorithm>
#include <utility>

namespace submix::session {
namespace {

constexpr std::chrono::seconds kWriteRetry{1};  // after a write without an answer
constexpr std::chrono::milliseconds kAlertsPeriod{200};
ShowCause cause_of(const model::Edit& edit) {
  return std::holds_alternative<model::ReplaceShow>(edit) ? ShowCause::replaced_here
                                                          : ShowCause::edited_here;
}

// The edit that plays a copied file. Empty: nothing is to play it.
std::optional<Result<model::Edit>> edit_of_copy(const CopyMedia& copied, const show::Show& show,
                                                const model::PluginMap& plugins) {
  if (const auto* clip = std::get_if<show::Port>(&copied.then))
    return model::play_in_clip(*clip, copied.name);
  if (const auto* bank = std::get_if<BankOfClip>(&copied.then))
    return model::add_to_bank(show, bank->clip, copied.name);
  if (const auto* layer = std::get_if<model::NewLayer>(&copied.then))
    return model::add_layer(show, plugins, *layer);
  return std::nullopt;
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
  transport_.set(update.transport);
  model_.set_transport(transport_.now());
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
  return files_under_way_ == 0 && !editor_.view().is_writing && !transport_.has_wish();
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

// Replies to requests.

void SessionCore::on(ShowWritten& reply, LocalTime now) {
  switch (reply.outcome.kind) {
    case WriteOutcome::Kind::accepted:
      editor_.write_accepted(reply.outcome.revision, std::move(reply.outcome.announced));
      show_revision_ = std::max(show_revision_, reply.outcome.revision);
      own_revision_ = reply.outcome.revision;
      for (const auto& line : reply.outcome.warnings) {
        if (auto text = notices_.once(line, line, now))
          say(Severity::warning, "show", *std::move(text), now);
      }
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
  if (reply.result) {
    transport_.written(reply.transport);
  } else {
    transport_.write_failed();
  }
  say("transport", reply.result, now);
  model_.set_transport(transport_.now());
}

void SessionCore::on(PictureTaken& reply, LocalTime now) {
  schedule_.finished(reply.key, reply.result.has_value(), now);
  if (reply.result && schedule_.is_watched(reply.key)) {
    pictures_[reply.key] = std::make_shared<const cluster::Snapshot>(std::move(*reply.result));
  }
}

void SessionCore::on(PluginsListed& reply, LocalTime now) {
  plugins_.answered(reply.node, reply.result ? std::string() : reply.result.error().message);
  if (reply.result) model_.add_plugins(reply.node, *std::move(reply.result));
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
  const auto* opening = copied ? std::get_if<OpeningShow>(&copied->then) : nullptr;
  if (opening != nullptr) return end_copy_for_opening(opening->number, reply.result, now);
  if (copied && reply.result) play(*copied, now);
}

void SessionCore::end_copy_for_opening(std::uint64_t number, const Result<void>& result,
                                       LocalTime now) {
  if (opening_.end_copy(number, result)) copies_.stop_for_opening();
  finish_opening(now);
}

void SessionCore::play(const CopyMedia& copied, LocalTime now) {
  const auto draft = editor_.draft();
  if (draft == nullptr) return;
  const bool is_layer = std::holds_alternative<model::NewLayer>(copied.then);
  if (is_layer && keeps_structure_) {
    return say(Severity::note, "file",
               fmt::format("{} has {} now; no layer was added in the perform mode: + Layer adds it "
                           "in the edit mode",
                           copied.node, copied.name),
               now);
  }
  const auto edit = edit_of_copy(copied, *draft, *model_.plugins());
  if (!edit) return;
  if (!*edit) return say(Severity::warning, "show", edit->error().message, now);
  on(EditShow{**edit}, now);
}

void SessionCore::on(FileRead& reply, LocalTime now) {
  auto search = opening_.take(reply, healthy_nodes(now));
  if (!search) return say(Severity::warning, "open", search.error().message, now);
  if (*search) file_requests_.emplace_back(**std::move(search));
  finish_opening(now);
}

void SessionCore::on(MissingMediaFound& reply, LocalTime now) {
  opening_.take(reply);
  finish_opening(now);
}

void SessionCore::finish_opening(LocalTime now) {
  auto opened = opening_.take();
  if (!opened || !can_write("open", now)) return;
  const auto name = std::filesystem::path(opened->path).filename().string();
  if (keeps_structure_)
    return say(Severity::note, "open",
               fmt::format("{}: not opened: a person performs; open it in the edit mode", name),
               now);
  if (!replace_show(opened->to_be_shown, "open " + name, now)) return;
  file_.opened(opened->path, std::move(opened->in_file), std::move(opened->text));
  opened_values_.begin(std::move(opened->to_be_shown));
  judge_opened(now);
}

void SessionCore::judge_opened(LocalTime now) {
  for (const auto& fault : opened_values_.new_faults(model_.plugins().get()))
    say(Severity::warning, "open", fault + "; it will be left out", now);
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
  if (auto transport = transport_.next_write())
    requests.push_back(WriteTransport{*std::move(transport)});
  schedule_.follow(known);
  for (auto& picture : take_picture_requests(now))
    requests.push_back(std::move(picture));
  for (auto& node : plugins_.due(known, now))
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

void SessionCore::follow_on(LocalTime now) {
  const auto draft = editor_.draft();
  const bool can_follow =
      draft != nullptr && !is_read_only_ && !editor_.view().is_writing && clock_offset_;
  if (!can_follow) return;
  const auto step = due_follow_on(*draft, model_.plugins().get(),
                                  {.show_time = now.time_since_epoch() + *clock_offset_,
                                   .is_own = own_revision_ != 0 && own_revision_ == show_revision_,
                                   .keeps_structure = keeps_structure_});
  if (!step) return;
  if (!*step) return stop_following(step->error().message, now);
  editor_.set_plugins(model_.plugins());
  if (const auto done = editor_.edit_without_step((*step)->edit); !done)
    return stop_following(done.error().message, now);
  say_left_out((*step)->left_out, now);
  show_draft(ShowCause::edited_here);
  if ((*step)->is_paused) on(SetPaused{*(*step)->is_paused}, now);
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
  view.file.opening = opening_.path_under_way();
  view.open_question = opening_.question();
  view.folder = folder_;
  view.plugin_errors = plugins_.errors();
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
  transport_.want(std::move(transport));
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
