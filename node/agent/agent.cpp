// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/agent.hpp"

#include "common/base/file_state.hpp"
#include "common/base/files.hpp"
#include "common/base/log.hpp"
#include "common/base/thread.hpp"
#include "common/base/version.hpp"
#include "common/cluster/cluster.hpp"
#include "common/link/data_plane.hpp"
#include "common/link/interfaces.hpp"
#include "common/media/pixel_kernels.hpp"
#include "common/show/macros.hpp"
#include "common/show/parse.hpp"
#include "node/agent/cards_in_use.hpp"
#include "node/agent/commands.hpp"
#include "node/agent/ended_nodes.hpp"
#include "node/agent/epoch_clock.hpp"
#include "node/agent/good_show.hpp"
#include "node/agent/machine_probe.hpp"
#include "node/agent/mailbox.hpp"
#include "node/agent/missing_files.hpp"
#include "node/agent/node_events.hpp"
#include "node/agent/node_share.hpp"
#include "node/agent/node_trace.hpp"
#include "node/agent/process_reading.hpp"
#include "node/agent/realtime_watch.hpp"
#include "node/agent/slow_work.hpp"
#include "node/agent/streams.hpp"
#include "node/agent/submixes.hpp"
#include "node/agent/trace_shelf.hpp"
#include "node/decode/remote_source.hpp"
#include "node/host/host_keeper.hpp"
#include "node/host/hosted_plugin.hpp"
#include "node/host/library_probe.hpp"
#include "node/host/memory_probe.hpp"
#include "node/io/io_plugins.hpp"
#include "node/io/still.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace submix::agent {
namespace {

constexpr std::chrono::milliseconds kTelemetryPeriod(100);
constexpr std::chrono::milliseconds kAgentPatience(1000);
// Commands round a node's silence to this period.
constexpr std::chrono::seconds kSignOfLifePeriod(2);
constexpr std::chrono::milliseconds kChangePatience(10);  // while a change or a move is under way
// Nodes whose reports are kept: everybody with the key may invent names.
constexpr std::size_t kNodesMax = 1024;
constexpr std::chrono::milliseconds kNamesakePatience(500);
// The former life of this node may end slower than this one starts.
constexpr std::chrono::milliseconds kLastLifePatience(2000);
constexpr std::chrono::milliseconds kNamePause(50);
constexpr std::chrono::seconds kProbeNoticePatience(
    1);  // then an event says what the show waits for
// Between two log lines about an unreachable NATS.
constexpr std::chrono::seconds kComplaintPeriod(5);

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

/// Memory that frames may use: nine tenths of the free memory.
std::size_t memory_for_frames() {
  const auto available = memory_available_bytes();
  return available == 0 ? std::numeric_limits<std::size_t>::max() : available / 10 * 9;
}

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

Result<std::unique_ptr<host::HostKeeper>> open_host_keeper() {
  auto keeper = host::HostKeeper::open(host::host_program_beside_this());
  if (!keeper) log::warning("no plugin runs in a process of its own: {}", keeper.error().message);
  return keeper;
}

io::MediaFolders media_folders(const NodeOptions& options) {
  return {options.media_folder, options.recordings_folder, options.allows_any_file};
}

/// Files are decoded in this process only if it cannot start a decoder process.
io::SourceOpener source_opener(const Result<std::unique_ptr<host::HostKeeper>>& hosts) {
  return hosts ? decode::open_in_decoders(**hosts) : io::SourceOpener();
}

plugin::Catalog& fill(plugin::Catalog& catalog, const NodeOptions& options, Streams& streams,
                      const Result<std::unique_ptr<host::HostKeeper>>& hosts,
                      const std::stop_token& stop) {
  plugin::add_built_ins(catalog);
  catalog.host_with(
      [&hosts](const plugin::Description& description, const std::filesystem::path& file,
               const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
        SUBMIX_TRY(hosts);
        return host::make_hosted_plugin(**hosts, description, file, setup);
      });
  catalog.probe_with([stop](const std::filesystem::path& file) {
    return host::probe_memory(host::host_program_beside_this(), file, stop);
  });
  catalog.describe_with([stop](const std::vector<std::filesystem::path>& files) {
    return host::library_prober(host::host_program_beside_this(), files, host::kProbePatience,
                                stop);
  });
  io::add_io_plugins(catalog, media_folders(options), source_opener(hosts));
  streams.add_plugins(catalog);
  return catalog;
}

}  // namespace

/// All parts of a node, in the order of their dependencies: the last made is the first to end.
class Agent::Parts {
 public:
  Parts(const NodeOptions& options, std::unique_ptr<cluster::Bus> bus,
        std::shared_ptr<Mailbox> mailbox)
      : options_(options),
        mailbox_(std::move(mailbox)),
        bus_(std::move(bus)),
        cluster_(*bus_),
        events_(options.name, cluster_),
        node_trace_(options.name, options.traces_folder, events_, clock_) {}
  ~Parts();
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  [[nodiscard]] Result<void> open_data_plane();
  void run();

 private:
  /// A show to be followed.
  struct NextShow {
    show::Show show;
    show::Show share;  // this node's part, expanded
    std::uint64_t revision = 0;
    std::uint64_t answered = 0;  // revision to report: later revisions may have been unreadable
    std::uint64_t probe = 0;     // number of the plugin probe that it waits for
    LocalTime since{};
    bool is_told = false;  // an event has said that the show waits
  };

  void log_endpoints() const;
  void follow_control_plane(std::stop_token stop);
  [[nodiscard]] bool is_there(const std::string& node);
  void take(const Mailbox::News& news);
  void take_show(const cluster::Revisioned<cluster::DesiredShow>& desired);
  void follow_when_known(NextShow next);
  [[nodiscard]] bool probe_plugins(NextShow& next);
  void follow(NextShow next);
  void follow_again(const std::set<std::string>& plugins);
  void tell_of_waiting_show();
  void post_chores();
  void retry_plugin();
  void recall_good_show(const show::Show& show);
  void keep_good_show();
  void take_report(const cluster::NodeReport& report, std::uint64_t revision);
  void check_for_namesake(const cluster::NodeReport& report, std::uint64_t revision);
  void hear_epoch(const cluster::NodeReport& report);
  void report();
  void complain_of_lost_nats();
  void publish_telemetry(std::stop_token stop);
  [[nodiscard]] telemetry::NodeReading reading(std::uint64_t sequence);

  const NodeOptions options_;
  const std::string instance_ = new_instance();
  const SteadyClock clock_;
  const LocalTime started_ = clock_.now();

  std::shared_ptr<Mailbox> mailbox_;
  std::unique_ptr<cluster::Bus> bus_;
  cluster::Cluster cluster_;
  NodeEvents events_;
  NodeTrace node_trace_;
  engine::Transport transport_;
  EpochClock epochs_;
  std::unique_ptr<link::DataPlane> data_plane_;
  std::unique_ptr<Streams> streams_;
  Result<std::unique_ptr<host::HostKeeper>> hosts_ = open_host_keeper();
  std::stop_source probing_;  // stops the probes of plugin libraries, which may hang
  plugin::Catalog catalog_;
  std::unique_ptr<Submixes> submixes_;
  TraceShelf trace_shelf_{
      [this](auto look_back) { return node_trace_.text(look_back, streams_->readings()); }};

  // Agent's thread only.
  std::uint64_t show_revision_ = 0;
  std::optional<NextShow> waiting_show_;  // until its plugins are known
  std::optional<NextShow> followed_;
  std::uint64_t probes_ = 0;
  GoodShow good_show_{options_.name};
  cluster::NodeReport reported_;
  std::uint64_t reported_revision_ = 0;  // revision of this node's last report; 0: none yet
  LocalTime complained_{};
  LocalTime next_sign_of_life_{};
  std::set<std::string> nodes_;  // nodes that have reported
  bool has_met_namesake_ = false;
  bool has_heard_absurd_epoch_ = false;

  // Telemetry's thread only.
  MachineProbe machine_probe_;
  RealtimeWatch realtime_{options_.name, events_};

  MissingFiles missing_files_{[folders = media_folders(options_)](const std::string& file) {
    return io::state_of_media(folders, file);
  }};
  EndedNodes ended_nodes_{[this](const std::string& node) { return is_there(node); }};
  std::atomic<std::uint64_t> probed_ = 0;             // the last finished NextShow::probe
  std::optional<SlowWork> slow_work_{std::in_place};  // declared last: uses all above

  std::vector<std::unique_ptr<cluster::Subscription>> subscriptions_;
  std::jthread agent_thread_;
  std::jthread telemetry_thread_;
};

Agent::Parts::~Parts() {
  agent_thread_ = {};
  probing_.request_stop();
  slow_work_.reset();
  if (options_.wants_trace_at_end && streams_) node_trace_.write_at_end(streams_->readings());
}

Result<void> Agent::Parts::open_data_plane() {
  link::DataPlaneOptions options;
  options.node = options_.name;
  options.addresses = options_.data_addresses;
  options.port = options_.data_port;
  if (options_.key) options.key = options_.key->stream_key();
  options.events = &events_;
  options.trace = &node_trace_.trace();
  // So that the endpoints are reported at once.
  options.on_endpoints = [mailbox = mailbox_] { mailbox->wake(); };
  auto data_plane = link::DataPlane::start(std::move(options));
  SUBMIX_TRY(data_plane);
  data_plane_ = std::move(*data_plane);
  return {};
}

void Agent::Parts::run() {
  const StandbyPictures::Files pictures{
      [folders = media_folders(options_)](const std::string& file) {
        return io::state_of_media(folders, file);
      },
      [folders = media_folders(options_), opener = source_opener(hosts_)](const std::string& file,
                                                                          Size size) {
        auto opened = io::open_media(folders, file);
        return opened ? io::load_still(std::move(*opened), size, opener)
                      : tl::unexpected(opened.error());
      }};
  streams_ = std::make_unique<Streams>(
      options_.name,
      Streams::Dependencies{*data_plane_, transport_, events_, clock_, epochs_, pictures});
  submixes_ = std::make_unique<Submixes>(
      engine::PatchEnvironment{fill(catalog_, options_, *streams_, hosts_, probing_.get_token()),
                               events_, clock_, transport_, &node_trace_.trace(),
                               memory_for_frames},
      epochs_, [this](const std::string& submix) { return streams_->peers_ready(submix); },
      [this](const std::string& submix) { return streams_->other_node_of(submix); });
  log_pixel_kernels();
  log_endpoints();

  // Reports are watched first: epochs should be known before a stream begins.
  subscriptions_.push_back(
      cluster_.watch_revisioned_reports([this](const auto& report) { mailbox_->put(report); }));
  subscriptions_.push_back(cluster_.watch_show([this](const auto& show) { mailbox_->put(show); }));
  subscriptions_.push_back(cluster_.watch_transport(
      [this](const auto& desired) { transport_.follow(desired.is_paused, desired.steps); }));
  subscriptions_.push_back(
      cluster_.serve_commands(options_.name, [this](const auto& command) -> Result<cluster::Reply> {
        auto reply = answer(command, {options_.name, *submixes_, catalog_}, trace_shelf_);
        // No library was probed after the stop.
        if (probing_.stop_requested()) return fail("node {} stops", options_.name);
        return reply;
      }));
  agent_thread_ =
      start_thread("agent", [this](std::stop_token stop) { follow_control_plane(stop); });
  telemetry_thread_ =
      start_thread("telemetry", [this](std::stop_token stop) { publish_telemetry(stop); });
}

void Agent::Parts::log_endpoints() const {
  for (const auto& card : link::list_interfaces()) {
    log::info("card {}: {}/{}, {}", card.name, card.address, card.prefix_length,
              card.is_up ? "up" : "down");
  }
  for (const auto& endpoint : data_plane_->endpoints())
    log::info("streams come in at {} port {}", endpoint.address, endpoint.port);
  if (!options_.key)
    log::info("no key: this machine only; `submix key new FILE` makes one to join others with");
}

void Agent::Parts::follow_control_plane(std::stop_token stop) {
  while (!stop.stop_requested()) {
    const bool is_changing = streams_->is_changing() || submixes_->is_handing_over();
    take(mailbox_->take_for(is_changing ? kChangePatience : kAgentPatience, stop));
    submixes_->tend([this](const std::string& submix) { return streams_->has_taken_over(submix); });
    for (const auto& output : streams_->tend())
      submixes_->renew(output);
    post_chores();
    tell_of_waiting_show();
    report();
    keep_good_show();
    complain_of_lost_nats();
  }
}

void Agent::Parts::post_chores() {
  if (const auto late = node_trace_.find_late(submixes_->readings())) {
    slow_work_->post(Chore::trace, [this, late = *late](const auto&) {
      node_trace_.write_late(late, streams_->readings());
    });
  }
  if (catalog_.is_retry_due())
    slow_work_->post(Chore::retry, [this](const auto&) { retry_plugin(); });
  if (followed_ && missing_files_.watch(followed_->share, submixes_->reports(), clock_.now())) {
    slow_work_->post(Chore::files, [this](const auto&) {
      // The plugin's submix is built again.
      for (const auto& plugin : missing_files_.probe())
        mailbox_->put_plugin(plugin);
    });
  }
  if (ended_nodes_.watch(submixes_->awaited_nodes(), clock_.now()))
    slow_work_->post(Chore::nodes, [this](const auto& stop) { ended_nodes_.probe(stop); });
  if (clock_.now() >= next_sign_of_life_) {
    next_sign_of_life_ = clock_.now() + kSignOfLifePeriod;
    slow_work_->post(Chore::sign_of_life, [this](const auto&) {
      static_cast<void>(cluster_.put_sign_of_life(options_.name));  // the next one may be written
    });
  }
  if (!streams_->pictures().is_empty())
    slow_work_->post(Chore::pictures, [this](const auto&) { streams_->pictures().load(); });
}

// Runs on `slow`. One plugin at a time, so that a person's edit goes before the next retry.
void Agent::Parts::retry_plugin() {
  if (auto id = catalog_.retry_one()) {
    mailbox_->put_plugin(std::move(*id));
  } else if (catalog_.is_retry_due()) {
    mailbox_->wake();
  }
}

void Agent::Parts::take(const Mailbox::News& news) {
  if (news.is_reconnected) reported_ = {};  // the server may have lost the report: send it again
  for (const auto& [node, report] : news.reports)
    take_report(report.value, report.revision);
  if (news.show) take_show(*news.show);
  if (waiting_show_ && probed_.load(std::memory_order_acquire) == waiting_show_->probe)
    follow(*std::exchange(waiting_show_, std::nullopt));
  follow_again(news.plugins);
  for (const auto& node : ended_nodes_.take())
    streams_->set_running(node, {});
}

// Without NATS, no node can be asked; running submixes continue.
bool Agent::Parts::is_there(const std::string& node) {
  return !bus_->is_connected() || cluster_.is_there(node, kNamesakePatience) ||
         !bus_->is_connected();
}

void Agent::Parts::take_show(const cluster::Revisioned<cluster::DesiredShow>& desired) {
  auto show = show::parse(desired.value.toml, "show of " + desired.value.author);
  if (!show) {
    show_revision_ = desired.revision;
    for (auto* before : {&waiting_show_, &followed_}) {
      if (*before) (*before)->answered = desired.revision;
    }
    events_.report(Severity::fault, "show",
                   show::to_string(show.error()) + "\nwhat ran before goes on");
    return;
  }
  waiting_show_.reset();
  NextShow next{.show = std::move(*show),
                .share = {},
                .revision = desired.revision,
                .answered = desired.revision};
  next.share = share_of(show::expand(next.show), options_.name);
  follow_when_known(std::move(next));
}

void Agent::Parts::follow_when_known(NextShow next) {
  if (!probe_plugins(next)) return follow(std::move(next));
  next.since = clock_.now();
  waiting_show_ = std::move(next);
}

// Builds submixes that failed because these plugins were missing. The plugins' memory may have to
// be probed first. A waiting show is followed soon and does the same.
void Agent::Parts::follow_again(const std::set<std::string>& plugins) {
  if (!followed_ || waiting_show_) return;
  const auto used = plugins_of(followed_->share).all;
  if (std::none_of(used.begin(), used.end(), [&](const auto& id) { return plugins.contains(id); }))
    return;
  auto again = *followed_;
  again.is_told = true;  // not a change by a person
  follow_when_known(std::move(again));
}

void Agent::Parts::tell_of_waiting_show() {
  if (!waiting_show_ || waiting_show_->is_told ||
      clock_.now() - waiting_show_->since < kProbeNoticePatience)
    return;
  waiting_show_->is_told = true;
  std::vector<std::string> unknown;
  for (const auto& id : plugins_of(waiting_show_->share).all) {
    if (!catalog_.is_known({id})) unknown.push_back(id);
  }
  events_.report(
      Severity::note, "show",
      fmt::format("the latest change waits until it is known what its plugins are ({}): what ran "
                  "before goes on",
                  unknown.empty() ? "what they keep of their frames"
                                  : fmt::format("{}", fmt::join(unknown, ", "))));
}

// Probing a plugin may take seconds. Meanwhile running submixes are tended, and a show that needs
// no probe is followed.
bool Agent::Parts::probe_plugins(NextShow& next) {
  auto plugins = plugins_of(next.share);
  const bool is_known =
      catalog_.is_known(plugins.all) &&
      std::all_of(plugins.helped.begin(), plugins.helped.end(),
                  [this](const auto& id) { return catalog_.is_memory_known(id); });
  if (is_known) return false;
  next.probe = ++probes_;
  slow_work_->post(Chore::plugins, [this, plugins = std::move(plugins),
                                    probe = next.probe](const std::stop_token& stop) {
    catalog_.look_at(plugins.all);
    for (const auto& id : plugins.helped) {
      if (stop.stop_requested()) return;
      // A failure is reported by the submix that needs the plugin.
      [[maybe_unused]] const auto memory = catalog_.memory(id);
    }
    probed_.store(probe, std::memory_order_release);
    mailbox_->wake();
  });
  return true;
}

void Agent::Parts::follow(NextShow next) {
  show_revision_ = next.answered;
  if (!followed_) recall_good_show(next.show);
  good_show_.follow(next.show, next.answered);
  streams_->follow(next.show, next.revision);
  submixes_->converge(next.share, running_elsewhere(next.show, options_.name));
  followed_ = std::move(next);
}

// The good show of an earlier life of this node. Submixes of another show are unrelated.
void Agent::Parts::recall_good_show(const show::Show& show) {
  const auto text = read_text_file(options_.good_show_file);
  if (!text) return;  // no good show yet
  const auto good = show::parse(*text, options_.good_show_file.string());
  if (!good) return log::warning("{}", show::to_string(good.error()));
  if (good->name == show.name)
    submixes_->remember_good(share_of(show::expand(*good), options_.name).submixes);
}

void Agent::Parts::keep_good_show() {
  const auto now = clock_.now();
  if (auto text = good_show_.take_for_disk(now)) {
    slow_work_->post(Chore::good_show, [file = options_.good_show_file,
                                        text = *std::move(text)](const auto& stop) {
      std::error_code ignored;  // a failure is reported by the write
      std::filesystem::create_directories(file.parent_path(), ignored);
      if (const auto kept = write_file_atomically(file, text, 0600, stop); !kept)
        log::warning("the last good show is not kept for a restart: {}", kept.error().message);
    });
  }
  if (const auto text = good_show_.take_for_cluster(now); text && bus_->is_connected())
    cluster_.keep_good_show({*text, "submix-node " + options_.name});
}

void Agent::Parts::take_report(const cluster::NodeReport& report, std::uint64_t revision) {
  if (!nodes_.contains(report.node) && nodes_.size() >= kNodesMax) return;
  nodes_.insert(report.node);
  good_show_.hear(report);
  streams_->set_endpoints(report.node, report.endpoints, report.local_endpoint);
  streams_->set_running(report.node, report.submixes);
  hear_epoch(report);
  if (!has_met_namesake_)
    streams_->set_epoch_report(report.node, {report.epoch, report.show_revision});
  check_for_namesake(report, revision);
}

// A report older than this node's own last report may stem from this node's earlier life. The
// namesake learns of this node from this node's report, which is sent again.
void Agent::Parts::check_for_namesake(const cluster::NodeReport& report, std::uint64_t revision) {
  const bool is_namesake = report.node == options_.name && report.instance != instance_;
  const bool is_newer = reported_revision_ != 0 && revision > reported_revision_;
  if (!is_namesake || !is_newer || has_met_namesake_) return;
  has_met_namesake_ = true;
  reported_ = {};
  events_.report(
      Severity::fault, options_.name,
      fmt::format("another node with this name runs on {}; give one of them another --name",
                  report.host));
}

void Agent::Parts::hear_epoch(const cluster::NodeReport& report) {
  epochs_.hear(report.epoch);
  if (epochs_.is_believable(report.epoch) || std::exchange(has_heard_absurd_epoch_, true)) return;
  log::warning(
      "the report of node \"{}\" has epoch {}, far ahead of this machine's clock: this epoch is "
      "ignored, and "
      "others like it; is its clock right?",
      report.node, report.epoch);
}

void Agent::Parts::report() {
  cluster::NodeReport report;
  report.node = options_.name;
  report.host = host_name();
  report.version = version();
  report.instance = instance_;
  report.cores = static_cast<int>(std::thread::hardware_concurrency());
  report.show_revision = show_revision_;
  const auto in_use = addresses_in_use(streams_->readings());
  report.interfaces = link::list_interfaces();
  keep_most_used(report.interfaces, in_use);
  link::add_speeds(report.interfaces);
  report.endpoints = data_plane_->endpoints();
  keep_most_used(report.endpoints, in_use);
  link::add_speeds(report.endpoints, report.interfaces);
  report.local_endpoint = data_plane_->local_endpoint();
  report.submixes = submixes_->reports();
  const auto moved = submixes_->reports_of_moved();
  report.submixes.insert(report.submixes.end(), moved.begin(), moved.end());
  epochs_.meet(streams_->greatest_epoch_met());
  report.epoch = epochs_.to_be_told();
  if (report == reported_ || !bus_->is_connected()) return;
  const auto put = cluster_.put_report(report);
  if (!put) return;
  reported_ = std::move(report);
  reported_revision_ = *put;
}

void Agent::Parts::complain_of_lost_nats() {
  const auto error = bus_->last_error();
  if (error.empty() || clock_.now() - complained_ < kComplaintPeriod) return;
  complained_ = clock_.now();
  log::warning("{}; what runs goes on, still trying", error);
}

void Agent::Parts::publish_telemetry(std::stop_token stop) {
  auto next = clock_.now();
  for (std::uint64_t sequence = 0; !stop.stop_requested(); ++sequence) {
    cluster_.publish(reading(sequence));
    next = std::max(next + kTelemetryPeriod, clock_.now());
    std::this_thread::sleep_until(next);
  }
}

telemetry::NodeReading Agent::Parts::reading(std::uint64_t sequence) {
  telemetry::NodeReading reading;
  reading.node = options_.name;
  reading.instance = instance_;
  reading.sequence = sequence;
  reading.uptime = clock_.now() - started_;
  reading.is_paused = transport_.state().is_paused;
  read_process(reading);
  if (hosts_) reading.cpu += (*hosts_)->cpu_time();
  reading.submixes = submixes_->readings();
  reading.streams = streams_->readings();
  reading.machine = machine_probe_.read(reading.streams);
  reading.realtime =
      realtime_.read(hosts_ ? (*hosts_)->tend_rights(std::chrono::steady_clock::now())
                            : std::vector<std::string>());
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
  SUBMIX_TRY(check_name_is_free(options.name, settings));
  auto bus = cluster::Bus::start(settings, [mailbox](cluster::Bus::State state) {
    if (state != cluster::Bus::State::store_silent)  // the bus itself reports this state
      log::info("control plane: {}",
                state == cluster::Bus::State::connected ? "connected" : "connection lost");
    if (state == cluster::Bus::State::connected) mailbox->put_reconnected();
  });
  SUBMIX_TRY(bus);
  auto parts = std::make_unique<Parts>(options, std::move(*bus), std::move(mailbox));
  SUBMIX_TRY(parts->open_data_plane());
  parts->run();
  return std::unique_ptr<Agent>(new Agent(std::move(parts)));
}

}  // namespace submix::agent
