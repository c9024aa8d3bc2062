// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/agent.hpp"

#include "common/base/log.hpp"
#include "common/base/thread.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/cluster.hpp"
#include "common/cluster/followed_key.hpp"
#include "common/link/cards/interfaces.hpp"
#include "common/media/pixel_kernels.hpp"
#include "common/metrics/metrics_server.hpp"
#include "common/metrics/metrics_text.hpp"
#include "node/agent/commands.hpp"
#include "node/agent/mailbox.hpp"
#include "node/agent/node_parts.hpp"
#include "node/agent/show_follower.hpp"
#include "node/agent/telemetry_publisher.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace submix::agent {
namespace {

constexpr std::chrono::milliseconds kNamesakePatience(500);
// The former life of this node may end slower than this one starts.
constexpr std::chrono::milliseconds kLastLifePatience(2000);
constexpr std::chrono::milliseconds kNamePause(50);

/// A second node with the same name would take over the first node's streams. If NATS does not
/// answer, the check is impossible; the two nodes report the conflict once they meet. A node that
/// ends and is restarted at once still answers for a while, so the check is repeated.
Result<void> check_name_is_free(const std::string& name, const cluster::BusSettings& settings) {
  auto bus = cluster::Bus::connect(settings);
  if (!bus) return {};
  cluster::Cluster cluster(**bus);
  const auto deadline = std::chrono::steady_clock::now() + kLastLifePatience;
  for (; std::chrono::steady_clock::now() < deadline; std::this_thread::sleep_for(kNamePause)) {
    if (!cluster.is_there(name, kNamesakePatience)) return {};
  }
  return fail(
      "a node with the name \"{}\" is in the show of {} already; give this one another --name",
      name, settings.url);
}

/// Also measures the kernels now, so that no stream's first frame waits for the measurement.
void log_pixel_kernels() {
  const auto& chosen = media::chosen_pixel_kernels();
  log::info("this CPU packs pixels by {} and unpacks them by {}", chosen.pack.name,
            chosen.unpack.name);
}

void log_endpoints(const NodeParts& parts) {
  for (const auto& card : link::list_interfaces()) {
    log::info("card {}: {}/{}, {}", card.name, card.address, card.prefix_length,
              card.is_up ? "up" : "down");
  }
  for (const auto& endpoint : parts.data_plane->endpoints())
    log::info("streams come in at {} port {}", endpoint.address, endpoint.port);
  if (!parts.options.key) log::info("no key: this machine only; `submix join` joins a desk");
}

std::string_view words_of(io::OutputState state) {
  if (state.is_black) return "black";
  if (state.has_test_card) return "test cards";
  return state.is_frozen ? "frozen" : "live";
}

// The log says why a node's windows are black although its show runs.
void follow_output(io::OutputState wanted, io::OutputControl& output) {
  if (wanted == output.state()) return;
  log::info("output windows: {}", words_of(wanted));
  output.set(wanted);
}

}  // namespace

/// A node that runs: its parts, and the two threads that keep them going.
class Agent::RunningNode {
 public:
  RunningNode(const NodeOptions& options, std::shared_ptr<cluster::FollowedKey> key,
              std::unique_ptr<cluster::Bus> bus, std::shared_ptr<Mailbox> mailbox)
      : key_(std::move(key)),
        parts_(options, std::move(bus), std::move(mailbox)),
        follower_(parts_),
        telemetry_(parts_) {}
  ~RunningNode();
  RunningNode(const RunningNode&) = delete;
  RunningNode& operator=(const RunningNode&) = delete;

  [[nodiscard]] Result<void> start();
  [[nodiscard]] bool has_progressed();
  [[nodiscard]] const NodeParts& parts() const { return parts_; }

 private:
  [[nodiscard]] Result<void> read_identity();
  void follow_key();
  void subscribe();
  void ask_net();
  [[nodiscard]] Result<void> offer_metrics();
  [[nodiscard]] Result<cluster::Reply> answer_command(const cluster::Command& command);

  const std::shared_ptr<cluster::FollowedKey> key_;  // null: the key stays as it is
  NodeParts parts_;
  ShowFollower follower_;
  TelemetryPublisher telemetry_;
  std::vector<std::unique_ptr<cluster::Subscription>> subscriptions_;
  std::jthread agent_thread_;
  std::jthread telemetry_thread_;
  std::unique_ptr<metrics::MetricsServer> metrics_;  // null: not wanted
};

Agent::RunningNode::~RunningNode() {
  if (key_) key_->watch({});
  metrics_.reset();
  agent_thread_ = {};
  parts_.end();
  if (parts_.options.wants_trace_at_end && parts_.streams)
    parts_.trace.write_at_end(parts_.streams->readings());
}

Result<void> Agent::RunningNode::start() {
  SUBMIX_TRY(read_identity());
  SUBMIX_TRY(parts_.open());
  log_pixel_kernels();
  log_endpoints(parts_);
  follow_key();
  subscribe();
  agent_thread_ = start_thread("agent", [this](std::stop_token stop) { follower_.run(stop); });
  telemetry_thread_ =
      start_thread("telemetry", [this](std::stop_token stop) { telemetry_.run(stop); });
  ask_net();
  return offer_metrics();
}

Result<void> Agent::RunningNode::read_identity() {
  if (!key_) return {};
  auto identity = key_->identity();
  SUBMIX_TRY(identity);
  parts_.identity = *std::move(identity);
  return {};
}

// Links follow the show's key at once; the bus does so by itself.
void Agent::RunningNode::follow_key() {
  if (!key_) return;
  key_->watch([plane = parts_.data_plane.get()](const cluster::FollowedKey::Keys& keys) {
    std::optional<wire::Key> offered;
    if (keys.offered) offered = keys.offered->stream_key();
    plane->set_keys(keys.used.stream_key(), offered);
  });
}

Result<void> Agent::RunningNode::offer_metrics() {
  if (!parts_.options.metrics) return {};
  auto server = metrics::MetricsServer::start(*parts_.options.metrics, [this] {
    std::vector<metrics::KnownNode> nodes;
    if (auto reading = telemetry_.newest()) nodes.push_back({.reading = std::move(reading)});
    return metrics::metrics_text(nodes);
  });
  SUBMIX_TRY(server);
  metrics_ = *std::move(server);
  log::info("metrics are at {}", metrics_->url());
  return {};
}

// `net` has no regular work: it is asked each time.
bool Agent::RunningNode::has_progressed() {
  if (!parts_.loops.have_all_gone_round()) return false;
  ask_net();
  return true;
}

void Agent::RunningNode::ask_net() {
  parts_.data_plane->post([&loops = parts_.loops] { loops.note(LoopWatch::Loop::net); });
}

// Reports are watched first: epochs should be known before a stream begins.
void Agent::RunningNode::subscribe() {
  auto& mailbox = *parts_.mailbox;
  auto& cluster = parts_.cluster;
  subscriptions_.push_back(
      cluster.watch_revisioned_reports([&mailbox](const auto& report) { mailbox.put(report); }));
  subscriptions_.push_back(cluster.watch_show([&mailbox](const auto& show) { mailbox.put(show); }));
  subscriptions_.push_back(cluster.watch_transport([&parts = parts_](const auto& desired) {
    follow_output({desired.is_black, desired.is_frozen, desired.has_test_cards}, *parts.output);
    parts.transport.follow(desired.is_paused, desired.steps);
  }));
  subscriptions_.push_back(
      cluster.subscribe_sound([&sound = parts_.sound](const auto& heard) { sound.hear(heard); }));
  subscriptions_.push_back(cluster.serve_commands(
      parts_.options.name, [this](const auto& command) { return answer_command(command); }));
}

Result<cluster::Reply> Agent::RunningNode::answer_command(const cluster::Command& command) {
  auto reply = answer(command,
                      {parts_.options.name, *parts_.submixes, parts_.catalog, parts_.folders,
                       parts_.opener, parts_.copies, parts_.hosts},
                      parts_.trace_shelf);
  // After a stop, probes of plugins end early, so the reply may be incomplete.
  if (parts_.probing.stop_requested()) return fail("node {} stops", parts_.options.name);
  return reply;
}

Agent::Agent(std::unique_ptr<RunningNode> node) : node_(std::move(node)) {}
Agent::~Agent() = default;

bool Agent::has_progressed() {
  return node_->has_progressed();
}

bool Agent::is_idle() const {
  return node_->parts().submixes->readings().empty();
}

bool Agent::has_server() const {
  return node_->parts().bus->is_connected();
}

Result<std::unique_ptr<Agent>> Agent::start(const NodeOptions& options) {
  auto mailbox = std::make_shared<Mailbox>();
  cluster::BusSettings settings;
  settings.url = options.nats_url;
  settings.name = "submix-node " + options.name;
  settings.key = options.key;
  settings.followed = cluster::FollowedKey::of(options.key_file, settings.name);
  SUBMIX_TRY(check_name_is_free(options.name, settings));

  auto bus = cluster::Bus::start(settings, [mailbox](cluster::Bus::State state) {
    if (state != cluster::Bus::State::store_silent)  // the bus itself reports this state
      log::info("control plane: {}",
                state == cluster::Bus::State::connected ? "connected" : "connection lost");
    if (state == cluster::Bus::State::connected) mailbox->put_reconnected();
  });
  SUBMIX_TRY(bus);

  auto node = std::make_unique<RunningNode>(options, settings.followed, std::move(*bus),
                                            std::move(mailbox));
  SUBMIX_TRY(node->start());
  return std::unique_ptr<Agent>(new Agent(std::move(node)));
}

}  // namespace submix::agent
