// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/cluster_model.hpp"

#include "controller/model/rates.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace submix::model {
namespace {

constexpr std::chrono::seconds kRepeatWindow{30};  // events: "again" rather than "new"
constexpr std::chrono::minutes kForgetAfter{10};   // nodes that left a show for good
constexpr std::size_t kPluginsMax = 4096;

bool is_same(const cluster::Event& a, const cluster::Event& b) {
  return a.node == b.node && a.severity == b.severity && a.about == b.about && a.text == b.text;
}

// The version most nodes run; of several equally common ones the greatest.
std::string common_version(const std::vector<NodeView>& nodes) {
  std::map<std::string, int> counts;
  for (const auto& node : nodes) {
    if (!node.version.empty()) ++counts[node.version];
  }
  const auto most = std::ranges::max_element(counts, [](const auto& a, const auto& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  });
  return most == counts.end() ? std::string() : most->first;
}

SubmixState state_of(const show::Submix& submix, Health health, const cluster::SubmixReport* report) {
  if (submix.node.empty()) return SubmixState::unassigned;
  const bool is_away = health == Health::absent || health == Health::silent || health == Health::gone;
  if (report == nullptr || is_away) return SubmixState::waiting;
  switch (report->state) {
    case cluster::SubmixState::starting:
      return SubmixState::starting;
    case cluster::SubmixState::running:
      return SubmixState::running;
    case cluster::SubmixState::failed:
      return SubmixState::failed;
  }
  return SubmixState::waiting;
}

bool is_final(const show::Show& show, std::string_view submix) {
  return std::ranges::none_of(show.streams, [&](const auto& stream) { return stream.from.submix == submix; });
}

double slowest_final_fps(const std::vector<SubmixView>& submixes) {
  std::optional<double> slowest;
  for (const auto& submix : submixes) {
    if (submix.is_final && !submix.node.empty()) slowest = std::min(slowest.value_or(submix.fps), submix.fps);
  }
  return slowest.value_or(0);
}

// Only the receiver finds it; it is the link's all the same.
void add_damage(StreamEndView& sender, const StreamEndView& receiver) {
  for (auto& link : sender.links) {
    for (const auto& far : receiver.links) {
      if (far.index == link.index) link.stripes_damaged = far.stripes_damaged;
    }
  }
}

}  // namespace

void ClusterModel::set_connection(Connection connection, std::string text, LocalTime now) {
  if (connection == Connection::connected && connection_ != connection) listening_since_ = now;
  if (connection_ != connection) connection_since_ = now;
  connection_ = connection;
  connection_text_ = std::move(text);
}

NodeTrack* ClusterModel::track_of(const std::string& node) {
  if (node.empty()) return nullptr;
  if (!nodes_.contains(node) && nodes_.size() >= kNodesMax) return nullptr;
  return &nodes_[node];
}

void ClusterModel::accept(cluster::NodeReport report, LocalTime now) {
  if (auto* track = track_of(report.node)) track->accept(std::move(report), now);
}

void ClusterModel::accept(telemetry::NodeReading reading, LocalTime now) {
  if (auto* track = track_of(reading.node)) track->accept(std::move(reading), now);
}

void ClusterModel::accept(cluster::Event event, LocalTime now) {
  const auto again = std::find_if(events_.rbegin(), events_.rend(), [&](const EventView& known) {
    return now - known.at < kRepeatWindow && is_same(known.event, event);
  });
  EventView entry{.id = next_event_id_++, .at = now, .count = 1, .event = std::move(event)};
  if (again != events_.rend()) {
    entry.count = again->count + 1;
    events_.erase(std::next(again).base());
  }
  events_.push_back(std::move(entry));
  if (events_.size() > kEventsMax) events_.pop_front();
}

void ClusterModel::set_show(std::shared_ptr<const show::Show> show, std::uint64_t revision,
                            std::string author, std::string error) {
  show_ = std::move(show);
  show_revision_ = revision;
  show_author_ = std::move(author);
  show_error_ = std::move(error);
}

void ClusterModel::add_plugins(const std::vector<cluster::PluginSummary>& plugins) {
  auto merged = *plugins_;
  for (const auto& plugin : plugins) {
    if (merged.size() < kPluginsMax) merged.insert_or_assign(plugin.id, plugin);
  }
  plugins_ = std::make_shared<const PluginMap>(std::move(merged));
}

bool ClusterModel::is_in_show(std::string_view node) const {
  if (show_ == nullptr) return false;
  return std::ranges::any_of(show_->nodes, [&](const auto& named) { return named.name == node; }) ||
         std::ranges::any_of(show_->submixes, [&](const auto& submix) { return submix.node == node; });
}

void ClusterModel::advance(LocalTime now) {
  if (now < next_sample_) return;
  // After a long sleep the missed samples are left out rather than made up.
  next_sample_ = std::max(next_sample_ + kHistoryPeriod, now - kHistoryPeriod);
  for (auto& [name, track] : nodes_)
    track.sample(now);
  std::erase_if(nodes_, [&](const auto& entry) {
    const auto& [name, track] = entry;
    return connection_ == Connection::connected && !is_in_show(name) &&
           track.silence(now, listening_since_) > kForgetAfter;
  });
}

ClusterView ClusterModel::view(LocalTime now) const {
  ClusterView view;
  view.now = now;
  view.connection = connection_;
  view.connection_since = connection_since_;
  view.connection_text = connection_text_;
  view.show = show_;
  view.show_revision = show_revision_;
  view.show_author = show_author_;
  view.show_error = show_error_;
  view.transport = transport_;
  view.events.assign(events_.begin(), events_.end());
  view.plugins = plugins_;
  view.messages_dropped = messages_dropped_;
  view.nodes = node_views(now);
  if (show_ == nullptr) return view;
  for (const auto& submix : show_->submixes)
    view.submixes.push_back(submix_view(submix, view));
  for (const auto& stream : show_->streams)
    view.streams.push_back(stream_view(stream, view));
  view.master_fps = slowest_final_fps(view.submixes);
  return view;
}

std::vector<NodeView> ClusterModel::node_views(LocalTime now) const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  if (show_ != nullptr) {
    for (const auto& node : show_->nodes)
      add(node.name);
    for (const auto& submix : show_->submixes)
      add(submix.node);
  }
  for (const auto& [name, track] : nodes_)
    add(name);
  std::vector<NodeView> views;
  for (const auto& name : names) {
    const auto found = nodes_.find(name);
    NodeView view = found == nodes_.end() ? NodeView() : found->second.view();
    view.name = name;
    if (found != nodes_.end()) {
      view.silence = found->second.silence(now, listening_since_);
      view.health = found->second.health(now, listening_since_);
    }
    if (connection_ != Connection::connected) view.health = Health::unknown;
    views.push_back(std::move(view));
  }
  const auto usual = common_version(views);
  for (auto& view : views)
    view.is_other_version = !view.version.empty() && view.version != usual;
  return views;
}

// While the control plane is away the last figures stand, and the window says how old they are. A node
// that is silent by itself has none.
ReadingPair ClusterModel::trusted_readings(const NodeTrack& track, Health health) const {
  auto pair = track.readings();
  if (health != Health::healthy && health != Health::unknown) pair.before = nullptr;
  return pair;
}

SubmixView ClusterModel::submix_view(const show::Submix& submix, const ClusterView& view) const {
  SubmixView result;
  result.name = submix.name;
  result.node = submix.node;
  result.is_final = is_final(*show_, submix.name);
  const auto* node = view.find_node(submix.node);
  const auto track = nodes_.find(submix.node);
  if (node == nullptr || track == nodes_.end()) {
    result.state = state_of(submix, Health::absent, nullptr);
    return result;
  }
  const auto* report = track->second.find_submix(submix.name);
  result.state = state_of(submix, node->health, report);
  if (report != nullptr) result.error = report->error;
  measure(trusted_readings(track->second, node->health), result);
  return result;
}

StreamView ClusterModel::stream_view(const show::Stream& stream, const ClusterView& view) const {
  StreamView result{.name = stream.name,
                    .from = stream.from,
                    .to = stream.to,
                    .policy = stream.policy,
                    .sender = {},
                    .receiver = {}};
  for (const bool is_sender : {true, false}) {
    auto& end = is_sender ? result.sender : result.receiver;
    const auto* submix = view.find_submix(is_sender ? stream.from.submix : stream.to.submix);
    const auto* node = submix == nullptr ? nullptr : view.find_node(submix->node);
    const auto track = node == nullptr ? nodes_.end() : nodes_.find(node->name);
    if (track == nodes_.end()) continue;
    const auto pair = trusted_readings(track->second, node->health);
    if (pair.after == nullptr) continue;
    for (const auto& reading : pair.after->streams) {
      if (reading.stream != stream.name || reading.is_sender != is_sender) continue;
      end = stream_end_view(pair, reading);
      end.is_current = node->health == Health::healthy;
      for (auto& link : end.links)
        link.history = track->second.history(reading, link.index);
    }
  }
  add_damage(result.sender, result.receiver);
  return result;
}

}  // namespace submix::model
