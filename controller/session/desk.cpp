// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/desk.hpp"

#include "common/show/parse.hpp"

#include <algorithm>
#include <utility>

namespace submix::session {
namespace {

constexpr std::chrono::seconds kWriteRetry{1};     // after a write that nobody answered
constexpr std::chrono::seconds kPluginsRetry{10};  // a node that has just got new plugins is asked again

}  // namespace

void Desk::handle(Update update, LocalTime now) {
  std::visit([&](auto& part) { on(part, now); }, update);
}
void Desk::handle(const Action& action, LocalTime now) {
  std::visit([&](const auto& part) { on(part, now); }, action);
}
void Desk::handle(Reply reply, LocalTime now) {
  std::visit([&](auto& part) { on(part, now); }, reply);
}

// ---- what the cluster says ---------------------------------------------------------------------------

void Desk::on(ConnectionUpdate& update, LocalTime now) {
  const bool is_connected = update.connection == model::Connection::connected;
  if (is_connected && !is_connected_) editor_.begin_connection();
  is_connected_ = is_connected;
  model_.set_connection(update.connection, std::move(update.text), now);
}

void Desk::on(ShowUpdate& update, LocalTime now) {
  auto parsed = show::parse(update.show.toml, "desired show");
  show_revision_ = update.revision;
  show_author_ = update.show.author;
  show_error_ = parsed ? std::string() : show::to_string(parsed.error());
  editor_.set_desired(parsed ? std::make_shared<const show::Show>(std::move(*parsed)) : nullptr,
                      update.revision);
  for (auto& conflict : editor_.take_conflicts())
    say(Severity::warning, "show", std::move(conflict), now);
  show_draft();
}

void Desk::on(TransportUpdate& update, LocalTime) {
  transport_ = update.transport;
  if (!transport_wanted_) model_.set_transport(transport_);
}

// ---- what people want --------------------------------------------------------------------------------

bool Desk::can_write(const char* what, LocalTime now) {
  if (!is_connected_) say(Severity::warning, what, "not done: NATS is out of reach", now);
  return is_connected_;
}

void Desk::on(const EditShow& action, LocalTime now) {
  if (!can_write("show", now)) return;
  say("show", editor_.edit(action.edit, action.gesture), now);
  show_draft();
}

void Desk::on(const Undo&, LocalTime now) {
  if (editor_.view().undo_title.empty() || !can_write("undo", now)) return;
  say("undo", editor_.undo(), now);
  show_draft();
}

void Desk::on(const Redo&, LocalTime now) {
  if (editor_.view().redo_title.empty() || !can_write("redo", now)) return;
  say("redo", editor_.redo(), now);
  show_draft();
}

void Desk::on(const SetPaused& action, LocalTime now) {
  if (!can_write(action.is_paused ? "pause" : "resume", now)) return;
  auto transport = transport_wanted_.value_or(transport_);
  transport.is_paused = action.is_paused;
  want_transport(std::move(transport));
}

void Desk::on(const Step&, LocalTime now) {
  if (!can_write("step", now)) return;
  auto transport = transport_wanted_.value_or(transport_);
  if (!transport.is_paused) return say(Severity::note, "step", "not done: pause first", now);
  ++transport.steps;
  want_transport(std::move(transport));
}

void Desk::on(const WatchPictures& action, LocalTime) {
  schedule_.watch(action.keys);
  std::erase_if(pictures_, [&](const auto& item) { return !schedule_.is_watched(item.first); });
}

// ---- answers -----------------------------------------------------------------------------------------

void Desk::on(ShowWritten& reply, LocalTime now) {
  switch (reply.outcome.kind) {
    case WriteOutcome::Kind::accepted:
      editor_.write_accepted(reply.outcome.revision);
      show_revision_ = std::max(show_revision_, reply.outcome.revision);
      break;
    case WriteOutcome::Kind::refused:
      editor_.write_refused();
      break;
    case WriteOutcome::Kind::failed:
      editor_.write_failed();
      show_retry_ = now + kWriteRetry;
      say(Severity::warning, "show", "not written yet, trying again: " + reply.outcome.error, now);
      break;
  }
  for (auto& conflict : editor_.take_conflicts())
    say(Severity::warning, "show", std::move(conflict), now);
  show_draft();
}

void Desk::on(TransportWritten& reply, LocalTime now) {
  is_transport_under_way_ = false;
  if (reply.result) {
    transport_ = reply.transport;
    if (transport_wanted_ == transport_) transport_wanted_.reset();
  } else {
    transport_wanted_.reset();  // a pause that comes late surprises; let the person press again
    say("transport", reply.result, now);
  }
  model_.set_transport(transport_wanted_.value_or(transport_));
}

void Desk::on(PictureTaken& reply, LocalTime now) {
  schedule_.finished(reply.key, reply.result.has_value(), now);
  if (reply.result && schedule_.is_watched(reply.key)) {
    pictures_[reply.key] = std::make_shared<const cluster::Snapshot>(std::move(*reply.result));
  }
}

void Desk::on(PluginsListed& reply, LocalTime) {
  if (reply.result) model_.add_plugins(*reply.result);
}

// ---- what is asked -----------------------------------------------------------------------------------

std::vector<Request> Desk::take_requests(LocalTime now) {
  model_.advance(now);
  std::vector<Request> requests;
  if (!is_connected_) return requests;
  if (now >= show_retry_) {
    if (auto write = editor_.next_write()) {
      requests.push_back(WriteShow{{show::to_toml(write->show), author_}, write->expected_revision});
    }
  }
  if (transport_wanted_ && !is_transport_under_way_) {
    is_transport_under_way_ = true;
    requests.push_back(WriteTransport{*transport_wanted_});
  }
  const auto known = view(now);
  for (auto& picture : schedule_.take_due(known, now))
    requests.push_back(std::move(picture));
  for (auto& node : nodes_to_ask_for_plugins(known, now))
    requests.push_back(ListPlugins{std::move(node)});
  return requests;
}

// Only nodes that run something whose parameters nobody has described yet.
std::vector<std::string> Desk::nodes_to_ask_for_plugins(const model::ClusterView& known, LocalTime now) {
  std::vector<std::string> nodes;
  if (known.show == nullptr) return nodes;
  for (const auto& submix : known.show->submixes) {
    const auto* node = known.find_node(submix.node);
    if (node == nullptr || node->health != model::Health::healthy) continue;
    const bool all_known = std::ranges::all_of(
        submix.slots, [&](const auto& slot) { return known.find_plugin(slot.plugin) != nullptr; });
    const auto asked = plugins_asked_.find(node->name);
    if (all_known || (asked != plugins_asked_.end() && now - asked->second < kPluginsRetry)) continue;
    plugins_asked_[node->name] = now;
    nodes.push_back(node->name);
  }
  return nodes;
}

model::ClusterView Desk::view(LocalTime now) const {
  auto view = model_.view(now);
  view.edit = editor_.view();
  return view;
}

void Desk::want_transport(cluster::DesiredTransport transport) {
  transport.author = author_;
  model_.set_transport(transport);
  transport_wanted_ = std::move(transport);
}

void Desk::show_draft() {
  model_.set_show(editor_.draft(), show_revision_, show_author_, show_error_);
}

void Desk::say(Severity severity, std::string about, std::string text, LocalTime now) {
  model_.accept(cluster::Event{{}, severity, std::move(about), std::move(text)}, now);
}

void Desk::say(const char* about, const Result<void>& result, LocalTime now) {
  if (!result) say(Severity::warning, about, result.error().message, now);
}

}  // namespace submix::session
