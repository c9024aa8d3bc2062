// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/cluster_model.hpp"

#include "common/show/macros.hpp"
#include "common/show/recorded_note.hpp"
#include "common/show/validate.hpp"
#include "controller/model/view/rates.hpp"
#include "controller/model/view/show_nodes.hpp"
#include "controller/model/view/shown_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace submix::model {
namespace {

constexpr std::chrono::seconds kRepeatWindow{30};  // a repeated event is counted within this time
constexpr std::chrono::minutes kForgetAfter{1};    // for ended nodes outside the show
constexpr std::size_t kPluginsMax = 4096;

bool is_same(const cluster::Event& a, const cluster::Event& b) {
  return a.node == b.node && a.severity == b.severity && a.about == b.about && a.text == b.text;
}

// The version of most nodes; of equally common ones the greatest.
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

SubmixState state_of(const show::Submix& submix, Health health,
                     const cluster::SubmixReport* report) {
  if (submix.node.empty()) return SubmixState::unassigned;
  const bool is_away =
      health == Health::absent || health == Health::silent || health == Health::gone;
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

double slowest_final_fps(const std::vector<SubmixView>& submixes) {
  std::optional<double> slowest;
  for (const auto& submix : submixes) {
    if (submix.is_final && !submix.node.empty())
      slowest = std::min(slowest.value_or(submix.fps), submix.fps);
  }
  return slowest.value_or(0);
}

// Clears old measurements, which do not describe the present.
void forget_figures(NodeView& node) {
  node.cpu_cores = node.page_faults_per_second = node.allocations_per_second = 0;
  node.memory_bytes = node.machine_memory_bytes = node.machine_memory_available_bytes = 0;
  node.measured_seconds = 0;
  node.uptime = std::chrono::nanoseconds(0);
  node.core_shares.clear();
  for (auto& card : node.cards)
    card.received_mb_per_second = card.sent_mb_per_second = 0;
}

bool is_silent(Health health) {
  return health == Health::silent || health == Health::gone;
}

double sum_of_rates(const std::vector<LinkView>& links) {
  double sum = 0;
  for (const auto& link : links)
    sum += link.mb_per_second;
  return sum;
}

// Traffic that other nodes receive from the node and send to it.
double carried_unheard(const ClusterView& view, const std::string& node) {
  double sum = 0;
  for (const auto& stream : view.streams) {
    const auto* from = view.find_submix(stream.from.submix);
    const auto* to = view.find_submix(stream.to.submix);
    const bool is_sender = from != nullptr && from->node == node;
    const bool is_receiver = to != nullptr && to->node == node;
    if (is_sender && stream.receiver.is_current && stream.receiver.fps > 0)
      sum += sum_of_rates(stream.receiver.links);
    if (is_receiver && stream.sender.is_current && stream.sender.fps > 0)
      sum += sum_of_rates(stream.sender.links);
  }
  return sum;
}

// A silent submix shows the frames that others still send to it.
void show_what_is_sent(const ClusterView& view, SubmixView& submix) {
  for (const auto& stream : view.streams) {
    if (stream.to.submix != submix.name || !stream.sender.is_current || stream.sender.fps <= 0)
      continue;
    submix.fps = submix.fps > 0 ? std::min(submix.fps, stream.sender.fps) : stream.sender.fps;
    submix.still_for = std::chrono::milliseconds(0);
  }
}

// Only the receiver finds damage; the sender's link shows it, too.
void add_damage(StreamEndView& sender, const StreamEndView& receiver) {
  for (auto& link : sender.links) {
    for (const auto& far : receiver.links) {
      if (far.index == link.index) link.stripes_damaged = far.stripes_damaged;
    }
  }
}

}  // namespace

void ClusterModel::set_connection(ConnectionState connection, std::string text, LocalTime now) {
  if (connection == ConnectionState::connected && connection_ != connection) listening_since_ = now;
  if (connection_ != connection) connection_since_ = now;
  connection_ = connection;
  connection_text_ = std::move(text);
}

NodeTrack* ClusterModel::track_of(const std::string& node) {
  if (node.empty()) return nullptr;
  if (!nodes_.contains(node) && nodes_.size() >= kNodesMax) return nullptr;
  return &nodes_[node];
}

// NATS's kept signs of life arrive at once; the node may have ended long ago.
void ClusterModel::accept_sign_of_life(const std::string& node, LocalTime at) {
  const auto found = nodes_.find(node);
  if (found != nodes_.end()) found->second.lived_at(at);
}

void ClusterModel::accept(cluster::NodeReport report, LocalTime now) {
  auto* track = track_of(report.node);
  if (track == nullptr) return;
  const bool is_kept = now - listening_since_ < kSilentAfter;
  track->accept(std::move(report), is_kept ? listening_since_ : now, is_kept);
}

void ClusterModel::accept(telemetry::NodeReading reading, LocalTime now) {
  auto* track = track_of(reading.node);
  if (track != nullptr && show_ != nullptr) track->set_rate_window(rate_window(show_->rate));
  if (track != nullptr && track->accept(std::move(reading), now))
    figures_.add(track->newest_step(), now);
}

void ClusterModel::accept(cluster::Event event, LocalTime now) {
  keep_recorded(event);
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

void ClusterModel::keep_recorded(const cluster::Event& event) {
  auto path = show::path_in_recorded_note(event.text);
  if (!path) return;
  std::erase_if(recorded_, [&](const RecordedFile& known) {
    return known.node == event.node && known.slot == event.about;
  });
  recorded_.push_front({event.node, event.about, *std::move(path)});
  if (recorded_.size() > kRecordedMax) recorded_.pop_back();
}

void ClusterModel::set_show(std::shared_ptr<const show::Show> show, std::uint64_t revision,
                            std::string author, std::string error) {
  show_ = std::move(show);
  show_revision_ = revision;
  show_author_ = std::move(author);
  show_error_ = std::move(error);
  const bool is_sound = show_ != nullptr && show::validate(*show_).empty();
  expanded_ = is_sound ? show::expand(*show_) : show_ != nullptr ? *show_ : show::Show();
  describe_macros();
}

void ClusterModel::add_plugins(const std::string& node,
                               std::vector<cluster::PluginSummary> plugins) {
  for (const auto& plugin : plugins) {
    const bool is_usable = plugin.refused_because.empty();
    if (is_usable && node_plugins_.size() < kPluginsMax)
      node_plugins_.insert_or_assign(plugin.id, plugin);
  }
  std::ranges::sort(plugins, {}, &cluster::PluginSummary::id);
  const auto repeated = std::ranges::unique(plugins, {}, &cluster::PluginSummary::id);
  plugins.erase(repeated.begin(), repeated.end());
  std::map<std::string, std::vector<cluster::PluginSummary>, std::less<>> lists;
  if (plugin_lists_ != nullptr) lists = *plugin_lists_;
  lists.insert_or_assign(node, std::move(plugins));
  plugin_lists_ = std::make_shared<const decltype(lists)>(std::move(lists));
  describe_macros();
}

void ClusterModel::describe_macros() {
  plugins_ =
      std::make_shared<const PluginMap>(show_ ? with_macros(node_plugins_, *show_) : node_plugins_);
}

bool ClusterModel::is_in_show(std::string_view node) const {
  return show_ != nullptr && model::is_in_show(*show_, node);
}

void ClusterModel::advance(LocalTime now) {
  if (now < next_sample_) return;
  // After a long sleep the missed samples are skipped, not invented.
  next_sample_ = std::max(next_sample_ + kHistoryPeriod, now - kHistoryPeriod);
  for (auto& [name, track] : nodes_)
    track.sample(now);
  figures_.forget_old(now);
  std::erase_if(nodes_, [&](const auto& entry) {
    const auto& [name, track] = entry;
    return connection_ == ConnectionState::connected && !is_in_show(name) &&
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
  view.is_store_silent = is_store_silent_ && connection_ == ConnectionState::connected;
  view.show_error = show_error_;
  if (view.show_error.empty() && show_ == nullptr && view.is_store_silent)
    view.show_error =
        fmt::format("NATS at {}: {}; {}", connection_text_, kSilentStoreCause, kSilentStoreRemedy);
  view.transport = transport_;
  view.events.assign(events_.begin(), events_.end());
  view.recorded.assign(recorded_.begin(), recorded_.end());
  view.plugins = plugins_;
  view.plugin_lists = plugin_lists_;
  view.messages_dropped = messages_dropped_;
  view.nodes = node_views(now);
  if (show_ == nullptr) return view;
  for (const auto& submix : show_->submixes)
    view.submixes.push_back(submix_view(submix, view));
  for (const auto& stream : show_->streams)
    view.streams.push_back(stream_view(stream, view));
  add_former_senders(view);
  mark_shown_parts(expanded_, view);
  trust_other_ends(view);
  view.master_fps = slowest_final_fps(view.submixes);
  return view;
}

// A node without readings may still run: the other ends of its streams tell.
void ClusterModel::trust_other_ends(ClusterView& view) const {
  for (auto& node : view.nodes) {
    if (node.health != Health::silent && node.health != Health::gone) continue;
    node.unheard_mb_per_second = carried_unheard(view, node.name);
    if (node.unheard_mb_per_second <= 0) continue;
    node.health = Health::unheard;
    const auto track = nodes_.find(node.name);
    for (auto& submix : view.submixes) {
      if (submix.node != node.name || track == nodes_.end()) continue;
      const auto* wish = show_->find_submix(submix.name);
      if (wish != nullptr)
        submix.state = state_of(*wish, Health::healthy, track->second.find_submix(submix.name));
      if (submix.is_final) show_what_is_sent(view, submix);
    }
  }
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
    const auto* track = found == nodes_.end() ? nullptr : &found->second;
    NodeView view = track == nullptr ? NodeView() : track->view();
    view.name = name;
    if (track != nullptr) {
      view.silence = track->whole_silence(now, listening_since_);
      view.is_silence_complete = track->is_silence_known(listening_since_);
    }
    view.health = health_of(track, now);
    const bool are_figures_old =
        is_silent(view.health) || (view.health == Health::unknown && is_store_silent_);
    if (are_figures_old) forget_figures(view);
    views.push_back(std::move(view));
  }
  const auto usual = common_version(views);
  for (auto& view : views)
    view.is_other_version = !view.version.empty() && view.version != usual;
  return views;
}

// A node cannot report through a silent store, and its telemetry waits behind its reports.
Health ClusterModel::health_of(const NodeTrack* track, LocalTime now) const {
  if (connection_ != ConnectionState::connected) return Health::unknown;
  const auto health = track == nullptr ? Health::absent : track->health(now, listening_since_);
  const bool is_unheard = health == Health::absent || is_silent(health);
  return is_unheard && is_store_silent_ ? Health::unknown : health;
}

// While NATS is away, the last figures stay, and the window shows their age. A node that is silent
// by itself has no figures.
ReadingPair ClusterModel::trusted_readings(const NodeTrack& track, Health health) const {
  auto pair = track.readings();
  const bool is_view_frozen = connection_ != ConnectionState::connected;
  if (health != Health::healthy && !is_view_frozen) pair.before = nullptr;
  return pair;
}

SubmixView ClusterModel::submix_view(const show::Submix& submix, const ClusterView& view) const {
  SubmixView result;
  result.name = submix.name;
  result.node = submix.node;
  if (submix.node.empty() && show::stands_in_others(*show_, submix.name)) {
    result.state = SubmixState::in_others;
    return result;
  }
  const auto* node = view.find_node(submix.node);
  const auto track = nodes_.find(submix.node);
  if (node == nullptr || track == nodes_.end()) {
    result.state = state_of(submix, Health::absent, nullptr);
    look_at_former_node(result, view);
    return result;
  }
  const auto* report = track->second.find_submix(submix.name);
  result.state = state_of(submix, node->health, report);
  if (report != nullptr) result.error = report->error;
  measure(trusted_readings(track->second, node->health), result);
  track->second.add_stillness(result, view.now);
  if (result.stages.empty()) look_at_former_node(result, view);
  return result;
}

// A moved submix runs on its former node until the new node has taken over.
void ClusterModel::look_at_former_node(SubmixView& submix, const ClusterView& view) const {
  for (const auto& node : view.nodes) {
    const auto track = nodes_.find(node.name);
    if (track == nodes_.end() || node.name == submix.node || node.health != Health::healthy)
      continue;
    const auto* report = track->second.find_submix(submix.name);
    if (report == nullptr || report->state != cluster::SubmixState::running) continue;
    measure(trusted_readings(track->second, node.health), submix);
    if (submix.stages.empty()) continue;

    track->second.add_stillness(submix, view.now);
    submix.runs_on = node.name;
    if (submix.state != SubmixState::failed) submix.state = SubmixState::running;
    const bool is_missing = view.find_healthy_node(submix.node) == nullptr;
    if (submix.error.empty() && is_missing) {
      submix.error = fmt::format("node \"{}\" is not there to run it; node \"{}\" goes on with it",
                                 submix.node, node.name);
    }
    return;
  }
}

StreamView ClusterModel::stream_view(const show::Stream& stream, const ClusterView& view) const {
  StreamView result{.name = stream.name,
                    .from = stream.from,
                    .to = stream.to,
                    .policy = stream.policy,
                    .sender = {},
                    .receiver = {}};
  for (const bool is_sender : {true, false})
    add_ends(result, is_sender, view);
  add_histories(result);
  add_damage(result.sender, result.receiver);
  return result;
}

// A former patch's end is the running one, while it exists.
void ClusterModel::add_ends(StreamView& stream, bool is_sender, const ClusterView& view) const {
  const auto* submix = view.find_submix(is_sender ? stream.from.submix : stream.to.submix);
  const auto* node = submix == nullptr ? nullptr : view.find_node(submix->running_node());
  const auto track = node == nullptr ? nodes_.end() : nodes_.find(node->name);
  if (track == nodes_.end()) return;
  const auto pair = trusted_readings(track->second, node->health);
  if (pair.after == nullptr) return;
  StreamEndView former;
  StreamEndView latest;
  for (const auto& reading : pair.after->streams) {
    if (reading.stream != stream.name || reading.is_sender != is_sender) continue;
    auto& end = reading.is_former ? former : latest;
    end = stream_end_view(pair, reading);
    end.is_current = node->health == Health::healthy;
  }
  auto& runs = is_sender ? stream.sender : stream.receiver;
  auto& next = is_sender ? stream.next_sender : stream.next_receiver;
  if (!former.node.empty()) next = std::exchange(latest, std::move(former));
  runs = std::move(latest);
}

// Hundreds of samples for a link: filled in only for the end whose links are shown.
void ClusterModel::add_histories(StreamView& stream) const {
  const bool is_sender = stream.are_links_of_sender();
  auto& end = is_sender ? stream.sender : stream.receiver;
  const auto track = nodes_.find(end.node);
  if (track == nodes_.end()) return;
  for (auto& link : end.links)
    link.history = track->second.history(stream.name, is_sender, link.index);
}

// After a move of a submix, its former node's frames are part of the stream's count. The last
// reading of a missing node is too old to compare.
void ClusterModel::add_former_senders(ClusterView& view) const {
  std::unordered_map<std::string_view, StreamView*> streams;
  for (auto& stream : view.streams)
    streams.emplace(stream.name, &stream);
  for (const auto& node : view.nodes) {
    const auto track = nodes_.find(node.name);
    const auto* reading = track == nodes_.end() ? nullptr : track->second.readings().after;
    if (reading == nullptr || node.health != Health::healthy) continue;
    for (const auto& end : reading->streams) {
      const auto found = end.is_sender ? streams.find(end.stream) : streams.end();
      if (found == streams.end() || found->second->sender.node == node.name) continue;
      auto& stream = *found->second;
      if (end.epoch != 0) stream.is_handing_over = true;
      stream.former_senders.insert(stream.former_senders.end(), end.epochs.begin(),
                                   end.epochs.end());
    }
  }
}

}  // namespace submix::model
