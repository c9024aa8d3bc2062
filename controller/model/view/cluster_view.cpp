// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/cluster_view.hpp"

#include <algorithm>

namespace submix::model {
namespace {

template <typename Item>
const Item* find_by_name(const std::vector<Item>& items, std::string_view name) {
  const auto found = std::ranges::find(items, name, &Item::name);
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

std::optional<double> CardView::share() const {
  if (speed_mbit <= 0) return std::nullopt;
  constexpr double kBitsPerByte = 8;
  return std::min(1.0,
                  std::max(received_mb_per_second, sent_mb_per_second) * kBitsPerByte / speed_mbit);
}

double NodeView::busiest_core_share() const {
  const auto busiest = std::ranges::max_element(core_shares);
  return busiest == core_shares.end() ? 0 : *busiest;
}

double LinkView::best_mb_per_second() const {
  double best = greatest_mb_per_second;
  for (const float sample : history)
    best = std::max(best, static_cast<double>(sample));
  return best;
}

double LinkView::queue_fill() const {
  if (queue_limit_bytes == 0) return 0;
  return std::min(1.0, static_cast<double>(queue_bytes) / static_cast<double>(queue_limit_bytes));
}

const telemetry::EpochReading* StreamEndView::running_epoch() const {
  return epoch != 0 && !epochs.empty() && epochs.back().epoch == epoch ? &epochs.back() : nullptr;
}

std::string_view StreamView::privacy() const {
  const auto is_encrypted = [](const LinkView& link) {
    return link.is_open() && is_cipher(link.protection);
  };
  if (std::ranges::any_of(links(), &LinkView::is_in_clear)) return "in the clear";
  return std::ranges::any_of(links(), is_encrypted) ? "encrypted" : "";
}

const std::vector<LinkView>& StreamView::links() const {
  const bool has_sender = !sender.links.empty() && (sender.is_current || receiver.links.empty());
  return has_sender ? sender.links : receiver.links;
}

double StreamView::mb_per_second() const {
  double sum = 0;
  for (const auto& link : links())
    sum += link.mb_per_second;
  return sum;
}

std::uint64_t StageView::counter(std::string_view name) const {
  return telemetry::counter_of(counters, name);
}

const StageView* SubmixView::find_stage(std::string_view slot) const {
  const auto found = std::ranges::find(stages, slot, &StageView::slot);
  return found == stages.end() ? nullptr : &*found;
}

bool SubmixView::is_read(std::string_view slot) const {
  return std::ranges::any_of(stages, [&](const StageView& other) {
    return std::ranges::any_of(other.queues, [&](const auto& queue) { return queue.from == slot; });
  });
}

bool SubmixView::is_output(std::string_view slot) const {
  if (!is_final) return false;
  return outputs.empty() ? !is_read(slot) : std::ranges::find(outputs, slot) != outputs.end();
}

bool ClusterView::is_known_now() const {
  return connection == ConnectionState::connected &&
         std::ranges::find(nodes, Health::unknown, &NodeView::health) == nodes.end();
}

const NodeView* ClusterView::find_node(std::string_view name) const {
  return find_by_name(nodes, name);
}

const NodeView* ClusterView::find_healthy_node(std::string_view name) const {
  const auto* node = find_node(name);
  return node != nullptr && node->health == Health::healthy ? node : nullptr;
}

const NodeView* ClusterView::find_present_node(std::string_view name) const {
  const auto* node = find_node(name);
  return node != nullptr && node->is_present() ? node : nullptr;
}

const SubmixView* ClusterView::find_submix(std::string_view name) const {
  return find_by_name(submixes, name);
}

const StreamView* ClusterView::find_stream(std::string_view name) const {
  return find_by_name(streams, name);
}

const StreamView* ClusterView::find_stream_to(const show::Port& input) const {
  const auto found = std::ranges::find(streams, input, &StreamView::to);
  return found == streams.end() ? nullptr : &*found;
}

const std::vector<cluster::PluginSummary>* ClusterView::find_plugin_list(
    std::string_view node) const {
  if (plugin_lists == nullptr) return nullptr;
  const auto found = plugin_lists->find(node);
  return found == plugin_lists->end() ? nullptr : &found->second;
}

const cluster::PluginSummary* ClusterView::find_plugin(std::string_view id) const {
  if (plugins == nullptr) return nullptr;
  const auto found = plugins->find(id);
  return found == plugins->end() ? nullptr : &found->second;
}

std::map<std::string, std::uint64_t> ClusterView::checker_counters() const {
  std::map<std::string, std::uint64_t> sums;
  for (const auto& submix : submixes) {
    for (const auto& stage : submix.stages) {
      if (stage.plugin != "checker") continue;
      for (const auto& [name, count] : stage.counters)
        sums[name] += count;
    }
  }
  return sums;
}

std::string_view to_string(ConnectionState connection) {
  switch (connection) {
    case ConnectionState::connecting:
      return "connecting";
    case ConnectionState::connected:
      return "connected";
    case ConnectionState::lost:
      return "lost";
  }
  return "";
}

std::string_view to_string(Health health) {
  switch (health) {
    case Health::absent:
      return "not started";
    case Health::starting:
      return "starting";
    case Health::healthy:
      return "healthy";
    case Health::silent:
      return "silent";
    case Health::gone:
      return "gone";
    case Health::unheard:
      return "unheard";
    case Health::unknown:
      return "unknown";
  }
  return "";
}

std::string_view to_string(SubmixState state) {
  switch (state) {
    case SubmixState::unassigned:
      return "unassigned";
    case SubmixState::in_others:
      return "in others";
    case SubmixState::waiting:
      return "waiting";
    case SubmixState::starting:
      return "starting";
    case SubmixState::running:
      return "running";
    case SubmixState::failed:
      return "failed";
  }
  return "";
}

}  // namespace submix::model
