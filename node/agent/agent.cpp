// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/agent.hpp"

#include "common/base/log.hpp"
#include "common/base/thread.hpp"
#include "common/base/version.hpp"
#include "common/cluster/cluster.hpp"
#include "common/link/data_plane.hpp"
#include "common/link/interfaces.hpp"
#include "common/media/pixel_kernels.hpp"
#include "common/show/parse.hpp"
#include "node/agent/commands.hpp"
#include "node/agent/mailbox.hpp"
#include "node/agent/node_events.hpp"
#include "node/agent/node_share.hpp"
#include "node/agent/process_reading.hpp"
#include "node/agent/streams.hpp"
#include "node/agent/submixes.hpp"
#include "node/host/host_keeper.hpp"
#include "node/host/hosted_plugin.hpp"
#include "node/io/io_plugins.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

namespace submix::agent {
namespace {

constexpr std::chrono::milliseconds kTelemetryPeriod(100);
constexpr std::chrono::milliseconds kAgentPatience(1000);
constexpr std::chrono::milliseconds kNamesakePatience(500);
constexpr std::chrono::seconds kComplaintPeriod(5);  // of an unreachable NATS, in the log

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string new_instance() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{:x}-{}", std::chrono::duration_cast<std::chrono::microseconds>(now).count(),
                     ::getpid());
}

/// A second node of a name would take the first one's streams over. Where NATS does not answer, nobody can
/// be asked: should there be one all the same, both say so once they meet.
Result<void> check_name_is_free(const std::string& name, const cluster::BusSettings& settings) {
  auto bus = cluster::Bus::connect(settings);
  if (!bus || !cluster::Cluster(**bus).request_plugins(name, kNamesakePatience)) return {};
  return fail("a node with the name \"{}\" is in the show of {} already; give this one another --name", name,
              settings.url);
}

/// Also measures them now, so that no stream's first frame waits for it.
void log_pixel_kernels() {
  const auto& chosen = media::chosen_pixel_kernels();
  log::info("this CPU packs pixels by {} and unpacks them by {}", chosen.pack.name, chosen.unpack.name);
}

Result<std::unique_ptr<host::HostKeeper>> open_host_keeper() {
  auto keeper = host::HostKeeper::open(host::host_program_beside_this());
  if (!keeper) log::warning("no plugin runs in a process of its own: {}", keeper.error().message);
  return keeper;
}

plugin::Catalog& fill(plugin::Catalog& catalog, const NodeOptions& options, Streams& streams,
                      const Result<std::unique_ptr<host::HostKeeper>>& hosts) {
  plugin::add_built_ins(catalog);
  catalog.host_with([&hosts](const plugin::Description& description, const std::filesystem::path& file,
                             const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
    if (!hosts) return tl::unexpected(hosts.error());
    return host::make_hosted_plugin(**hosts, description, file, setup);
  });
  io::add_io_plugins(catalog, {options.media_folder, options.recordings_folder});
  streams.add_plugins(catalog);
  return catalog;
}

}  // namespace

/// All of a node, in the order in which the parts need each other: the last made is the first to end.
class Agent::Parts {
 public:
  Parts(const NodeOptions& options, std::unique_ptr<cluster::Bus> bus, std::shared_ptr<Mailbox> mailbox)
      : options_(options),
        mailbox_(std::move(mailbox)),
        bus_(std::move(bus)),
        cluster_(*bus_),
        events_(options.name, cluster_) {}

  [[nodiscard]] Result<void> open_data_plane();
  void run();

 private:
  void log_reach() const;
  void follow_control_plane(std::stop_token stop);
  void take(const Mailbox::News& news);
  void take_show(const cluster::Revisioned<cluster::DesiredShow>& desired);
  void take_report(const cluster::NodeReport& report);
  void report();
  void complain_of_lost_nats();
  void publish_telemetry(std::stop_token stop);
  [[nodiscard]] telemetry::NodeReading reading(std::uint64_t sequence) const;

  const NodeOptions options_;
  const std::string instance_ = new_instance();
  const SteadyClock clock_;
  const LocalTime started_ = clock_.now();

  std::shared_ptr<Mailbox> mailbox_;
  std::unique_ptr<cluster::Bus> bus_;
  cluster::Cluster cluster_;
  NodeEvents events_;
  engine::Transport transport_;
  std::unique_ptr<link::DataPlane> data_plane_;
  std::unique_ptr<Streams> streams_;
  Result<std::unique_ptr<host::HostKeeper>> hosts_ = open_host_keeper();
  plugin::Catalog catalog_;
  std::unique_ptr<Submixes> submixes_;

  // Agent's thread only.
  std::uint64_t show_revision_ = 0;
  cluster::NodeReport reported_;
  LocalTime complained_{};
  bool has_met_namesake_ = false;

  std::vector<std::unique_ptr<cluster::Subscription>> subscriptions_;
  std::jthread agent_thread_;
  std::jthread telemetry_thread_;
};

Result<void> Agent::Parts::open_data_plane() {
  link::DataPlaneOptions options;
  options.node = options_.name;
  options.addresses = options_.data_addresses;
  options.port = options_.data_port;
  if (options_.key) options.key = options_.key->stream_key();
  options.events = &events_;
  options.on_endpoints = [mailbox = mailbox_] { mailbox->wake(); };  // to be reported at once
  auto data_plane = link::DataPlane::start(std::move(options));
  if (!data_plane) return tl::unexpected(data_plane.error());
  data_plane_ = std::move(*data_plane);
  return {};
}

void Agent::Parts::run() {
  streams_ = std::make_unique<Streams>(options_.name, *data_plane_, transport_, events_);
  submixes_ = std::make_unique<Submixes>(
      engine::PatchEnvironment{fill(catalog_, options_, *streams_, hosts_), events_, clock_, transport_});
  log_pixel_kernels();
  log_reach();

  subscriptions_.push_back(cluster_.watch_show([this](const auto& show) { mailbox_->put(show); }));
  subscriptions_.push_back(cluster_.watch_reports([this](const auto& report) { mailbox_->put(report); }));
  subscriptions_.push_back(cluster_.watch_transport(
      [this](const auto& desired) { transport_.follow(desired.is_paused, desired.steps); }));
  subscriptions_.push_back(cluster_.serve_commands(
      options_.name, [this](const auto& command) { return answer(command, *submixes_, catalog_); }));
  agent_thread_ = start_thread("agent", [this](std::stop_token stop) { follow_control_plane(stop); });
  telemetry_thread_ = start_thread("telemetry", [this](std::stop_token stop) { publish_telemetry(stop); });
}

void Agent::Parts::log_reach() const {
  for (const auto& card : link::list_interfaces()) {
    log::info("card {}: {}/{}, {}", card.name, card.address, card.prefix_length, card.is_up ? "up" : "down");
  }
  for (const auto& endpoint : data_plane_->endpoints())
    log::info("streams come in at {} port {}", endpoint.address, endpoint.port);
  if (!options_.key)
    log::info("no key: this machine only; `submix key new FILE` makes one to join others with");
}

void Agent::Parts::follow_control_plane(std::stop_token stop) {
  while (!stop.stop_requested()) {
    take(mailbox_->take_for(kAgentPatience, stop));
    submixes_->tend();
    report();
    complain_of_lost_nats();
  }
}

void Agent::Parts::take(const Mailbox::News& news) {
  if (news.is_reconnected) reported_ = {};  // the server may have lost it: say it again
  for (const auto& [node, report] : news.reports)
    take_report(report);
  if (news.show) take_show(*news.show);
}

void Agent::Parts::take_show(const cluster::Revisioned<cluster::DesiredShow>& desired) {
  const auto show = show::parse(desired.value.toml, "show of " + desired.value.author);
  show_revision_ = desired.revision;
  if (!show) {
    events_.report(Severity::fault, "show", show::to_string(show.error()) + "\nwhat ran before goes on");
    return;
  }
  const auto share = share_of(*show, options_.name);
  streams_->follow(*show);
  submixes_->converge(share);
}

void Agent::Parts::take_report(const cluster::NodeReport& report) {
  streams_->set_endpoints(report.node, report.endpoints, report.local_door);
  const bool is_namesake = report.node == options_.name && report.instance != instance_;
  // Before the first own report, a namesake's is only what this node's last life left behind.
  if (!is_namesake || reported_.instance.empty() || has_met_namesake_) return;
  has_met_namesake_ = true;
  events_.report(
      Severity::fault, options_.name,
      fmt::format("another node with this name runs on {}; give one of them another --name", report.host));
}

void Agent::Parts::report() {
  cluster::NodeReport report;
  report.node = options_.name;
  report.host = host_name();
  report.version = version();
  report.instance = instance_;
  report.cores = static_cast<int>(std::thread::hardware_concurrency());
  report.show_revision = show_revision_;
  report.interfaces = link::list_interfaces();
  link::add_speeds(report.interfaces);
  report.endpoints = data_plane_->endpoints();
  link::add_speeds(report.endpoints, report.interfaces);
  report.local_door = data_plane_->local_door();
  report.submixes = submixes_->reports();
  if (report == reported_ || !bus_->is_connected()) return;
  if (cluster_.put_report(report)) reported_ = std::move(report);
}

void Agent::Parts::complain_of_lost_nats() {
  if (bus_->is_connected() || clock_.now() - complained_ < kComplaintPeriod) return;
  complained_ = clock_.now();
  log::warning("{}; what runs goes on, still trying", bus_->last_error());
}

void Agent::Parts::publish_telemetry(std::stop_token stop) {
  auto next = clock_.now();
  for (std::uint64_t sequence = 0; !stop.stop_requested(); ++sequence) {
    cluster_.publish(reading(sequence));
    next = std::max(next + kTelemetryPeriod, clock_.now());
    std::this_thread::sleep_until(next);
  }
}

telemetry::NodeReading Agent::Parts::reading(std::uint64_t sequence) const {
  telemetry::NodeReading reading;
  reading.node = options_.name;
  reading.instance = instance_;
  reading.sequence = sequence;
  reading.uptime = clock_.now() - started_;
  reading.is_paused = transport_.state().is_paused;
  read_process(reading);
  reading.submixes = submixes_->readings();
  reading.streams = streams_->readings();
  return reading;
}

Agent::Agent(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Agent::~Agent() = default;

Result<std::unique_ptr<Agent>> Agent::start(const NodeOptions& options) {
  auto mailbox = std::make_shared<Mailbox>();
  cluster::BusSettings settings;
  settings.url = options.nats_url;
  settings.name = "submix-node " + options.name;
  settings.key = options.key;
  if (auto is_free = check_name_is_free(options.name, settings); !is_free)
    return tl::unexpected(is_free.error());
  auto bus = cluster::Bus::start(settings, [mailbox](cluster::Bus::State state) {
    log::info("control plane: {}", state == cluster::Bus::State::connected ? "connected" : "connection lost");
    if (state == cluster::Bus::State::connected) mailbox->put_reconnected();
  });
  if (!bus) return tl::unexpected(bus.error());
  auto parts = std::make_unique<Parts>(options, std::move(*bus), std::move(mailbox));
  if (auto opened = parts->open_data_plane(); !opened) return tl::unexpected(opened.error());
  parts->run();
  return std::unique_ptr<Agent>(new Agent(std::move(parts)));
}

}  // namespace submix::agent
