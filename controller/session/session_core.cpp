// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/session_core.hpp"

#include "common/show/parse.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/follow_on.hpp"

#include <utility>

namespace submix::session {
namespace {

constexpr std::chrono::milliseconds kAlertsPeriod{200};

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

void SessionCore::on(RightsUpdate& update, LocalTime) {
  rights_ = update.rights;
  gap_to_desk_.clear();  // the new connection's server reports it again
}

void SessionCore::on(VersionUpdate& update, LocalTime) {
  gap_to_desk_ = std::move(update.gap);
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

// A show that cannot be parsed comes from a newer version: there is no good show to return to.
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

// Requests.

std::vector<Request> SessionCore::take_requests(LocalTime now) {
  model_.advance(now);
  if (is_connected_) follow_on(now);
  observe(now);

  if (auto autosave = file_.autosave(now)) write_file(*std::move(autosave));
  if (auto search = file_.search()) file_requests_.emplace_back(*std::move(search));
  if (auto note = file_.note(show_revision_)) write_file(*std::move(note));
  auto requests = std::exchange(file_requests_, {});
  if (auto trace = trace_.next_request()) requests.push_back(*std::move(trace));
  if (!is_connected_) return requests;

  add_show_writes(requests, now);
  add_questions(requests, now);
  add_chores(requests);
  return requests;
}

void SessionCore::observe(LocalTime now) {
  observed_ = observed(now);
  verdicts_.add(*observed_->bottleneck, now);
  if (now < next_alerts_) return;
  next_alerts_ = now + kAlertsPeriod;
  alerts_.update(*observed_, now);
  proven_shows_.update(*observed_, !editor_.view().is_writing, now);
}

void SessionCore::add_show_writes(std::vector<Request>& requests, LocalTime now) {
  auto write = now >= show_retry_ ? editor_.next_write() : std::nullopt;
  if (write) {
    const auto after = std::make_shared<const show::Show>(std::move(write->show));
    requests.push_back(WriteShow{
        {show::to_toml(*after), author_}, write->expected_revision, write->before, after});
  }
  if (auto transport = transport_.next_write())
    requests.push_back(WriteTransport{*std::move(transport)});
}

void SessionCore::add_questions(std::vector<Request>& requests, LocalTime now) {
  const auto& known = *observed_;
  schedule_.follow(known);
  for (auto& picture : take_picture_requests(now))
    requests.push_back(std::move(picture));
  for (auto& node : plugins_.due(known, now))
    requests.push_back(ListPlugins{std::move(node)});
  for (auto& request : media_.take_requests(known))
    requests.push_back(std::move(request));
  if (auto effect = effects_.next_request(known, now)) requests.emplace_back(*std::move(effect));
}

void SessionCore::add_chores(std::vector<Request>& requests) {
  if (auto copy = copies_.next_request()) requests.emplace_back(*std::move(copy));
  for (auto& node : std::exchange(nodes_to_forget_, {}))
    requests.push_back(ForgetNode{std::move(node)});
  auto seen = alerts_.take_changes();
  if (!seen.is_empty() && !is_read_only()) requests.push_back(ShareSeenAlerts{std::move(seen)});
}

void SessionCore::follow_on(LocalTime now) {
  const auto draft = editor_.draft();
  const bool can_follow =
      draft != nullptr && !is_read_only() && !editor_.view().is_writing && clock_offset_;
  if (!can_follow) return;
  const FollowOnNow moment{.show_time = now.time_since_epoch() + *clock_offset_,
                           .is_own = own_revision_ != 0 && own_revision_ == show_revision_,
                           .keeps_structure = keeps_structure_};
  if (is_follow_on_held(*draft, moment, now)) return;
  const auto step = due_follow_on(*draft, model_.plugins().get(), moment);
  if (!step) return;
  if (!*step) return stop_following(step->error().message, now);
  editor_.set_plugins(model_.plugins());
  if (const auto done = editor_.edit_without_step((*step)->edit); !done)
    return stop_following(done.error().message, now);
  say_left_out((*step)->left_out, now);
  show_draft(ShowCause::edited_here);
  if ((*step)->is_paused) on(SetPaused{*(*step)->is_paused}, now);
}

bool SessionCore::is_follow_on_held(const show::Show& show, const FollowOnNow& moment,
                                    LocalTime now) {
  const bool waits = transport_.now().is_paused && model::waits_while_paused(show);
  const auto state = held_follow_on_.look(
      {.due = show.following,
       .waits = waits,
       .show_time = moment.show_time,
       .patience = moment.is_own ? std::chrono::milliseconds(0) : model::kFollowOthersWait});
  if (state.new_due) {
    say("cue", editor_.edit_without_step(model::SetFollowing{state.new_due}), now);
    show_draft(ShowCause::edited_here);
  }
  return state.is_held;
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

bool SessionCore::is_settled() const {
  const bool has_requests = !file_requests_.empty() || !nodes_to_forget_.empty();
  return files_under_way_ == 0 && !has_requests && !editor_.view().is_writing &&
         !transport_.has_wish();
}

model::ClusterView SessionCore::observed(LocalTime now) const {
  auto view = model_.view(now);
  view.gap_to_desk = gap_to_desk_;
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
  view.is_read_only = is_read_only();
  view.is_limited = rights_ != cluster::Rights::everything && !is_read_only_;
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
