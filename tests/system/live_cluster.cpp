// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/system/live_cluster.hpp"

#include "common/base/files.hpp"
#include "controller/session/nats_access.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace submix::testing {
namespace {

constexpr std::chrono::milliseconds kLook(50);

template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

/// All counts that grow while frames flow.
std::vector<std::uint64_t> motion_of(const model::ClusterView& view) {
  std::vector<std::uint64_t> counts;
  for (const auto& submix : view.submixes) {
    for (const auto& stage : submix.stages)
      counts.push_back(stage.frames);
  }
  for (const auto& stream : view.streams) {
    counts.insert(counts.end(), {stream.sender.frames, stream.sender.frames_produced,
                                 stream.receiver.frames, stream.receiver.frames_produced});
  }
  return counts;
}

rlim_t lowest_free_descriptor(pid_t process) {
  const auto folder = "/proc/" + std::to_string(process) + "/fd/";
  rlim_t lowest = 0;
  while (std::filesystem::is_symlink(folder + std::to_string(lowest)))
    ++lowest;
  return lowest;
}

// Only the soft limit, because it can be raised again.
void set_limit(pid_t process, __rlimit_resource resource, rlim_t value) {
  rlimit limit{};
  if (::prlimit(process, resource, nullptr, &limit) != 0) throw std::runtime_error("no prlimit");
  limit.rlim_cur = std::min(value, limit.rlim_max);
  if (::prlimit(process, resource, &limit, nullptr) != 0) throw std::runtime_error("no prlimit");
}

/// Bytes of address space that a process has mapped.
rlim_t mapped_bytes(pid_t process) {
  std::ifstream statm("/proc/" + std::to_string(process) + "/statm");
  rlim_t pages = 0;
  if (!(statm >> pages)) throw std::runtime_error("no statm");
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

LiveCluster::LiveCluster() {
  ::setenv("XDG_STATE_HOME", folder_.path().c_str(), 1);  // the command line keeps its state there
  start_nats();
  bus_ = must(cluster::Bus::connect(
      {.url = nats_url_, .name = "system test", .patience = std::chrono::seconds(30)}));
  cluster_ = std::make_unique<cluster::Cluster>(*bus_);
  session_ =
      std::make_unique<session::Session>(std::make_unique<session::NatsAccess>(cluster::BusSettings{
                                             .url = nats_url_, .name = "system test session"}),
                                         clock_, session::SessionSettings{.author = "system test"});
}

LiveCluster::~LiveCluster() {
  if (!::testing::Test::HasFailure()) return;
  for (const auto& [name, process] : nodes_)
    std::fprintf(stderr, "---- log of node %s\n%s\n", name.c_str(), log_of(name).c_str());
}

void LiveCluster::start_node(const std::string& name,
                             const std::vector<std::string>& more_arguments) {
  std::vector<std::string> command{SUBMIX_NODE,
                                   "--name",
                                   name,
                                   "--nats",
                                   nats_url_,
                                   "--recordings",
                                   folder_.path().string(),
                                   "--traces",
                                   folder_.path().string()};
  const auto is_told = [&](const char* option) {
    return std::ranges::find(more_arguments, option) != more_arguments.end();
  };
  if (!is_told("--media")) command.insert(command.end(), {"--media", folder_.path().string()});
  if (!is_told("--data-address"))
    command.insert(command.end(), {"--data-address", "127.0.0.1", "--data-address", "127.0.0.2"});
  command.insert(command.end(), more_arguments.begin(), more_arguments.end());
  nodes_.erase(name);
  ended_.erase(name);
  nodes_.emplace(name, must(ChildProcess::start(command, folder_ / (name + ".log"))));
}

void LiveCluster::end_node(const std::string& name, int signal) {
  auto& process = nodes_.at(name);
  process.send_signal(signal);
  process.terminate();
  ended_.insert(name);
}

void LiveCluster::freeze_node(const std::string& name) {
  nodes_.at(name).send_signal(SIGSTOP);
}

void LiveCluster::thaw_node(const std::string& name) {
  nodes_.at(name).send_signal(SIGCONT);
}

void LiveCluster::exhaust_descriptors_of(const std::string& name) {
  // The node opens some files for a moment. One that it closes would leave a descriptor free.
  constexpr int kQuietLooks = 60;
  constexpr std::chrono::milliseconds kApart(10);
  const auto pid = nodes_.at(name).pid();
  auto limit = lowest_free_descriptor(pid);
  set_limit(pid, RLIMIT_NOFILE, limit);
  for (int quiet = 0; quiet < kQuietLooks; ++quiet) {
    std::this_thread::sleep_for(kApart);
    const auto lowest_free = lowest_free_descriptor(pid);
    if (lowest_free >= limit) continue;
    limit = lowest_free;
    set_limit(pid, RLIMIT_NOFILE, limit);
    quiet = 0;
  }
}

void LiveCluster::lift_descriptor_limit_of(const std::string& name) {
  constexpr rlim_t kPlenty = 1024;
  set_limit(nodes_.at(name).pid(), RLIMIT_NOFILE, kPlenty);
}

void LiveCluster::limit_memory_of(const std::string& name, std::size_t megabytes) {
  constexpr rlim_t kMegabyte = 1'000'000;
  const auto pid = nodes_.at(name).pid();
  set_limit(pid, RLIMIT_AS, mapped_bytes(pid) + megabytes * kMegabyte);
}

bool LiveCluster::is_node_alive(const std::string& name) {
  return !nodes_.at(name).exit_status();
}

std::string LiveCluster::log_of(const std::string& name) const {
  return read_text_file(folder_ / (name + ".log")).value_or("");
}

void LiveCluster::kill_nats() {
  nats_->process().send_signal(SIGKILL);
  nats_.reset();
}

void LiveCluster::start_nats() {
  nats_ = must(local::NatsServer::start({.folder = folder_ / "nats", .port = nats_port_}));
  nats_port_ = nats_->port();
  nats_url_ = nats_->url();
}

void LiveCluster::apply(const std::string& toml) {
  const auto written = cluster_->put_show({toml, "system test"}, std::nullopt);
  if (!written) throw std::runtime_error(written.error().message);
}

void LiveCluster::set_paused(bool is_paused) {
  write_transport([&](cluster::DesiredTransport& transport) { transport.is_paused = is_paused; });
}

void LiveCluster::step() {
  write_transport([](cluster::DesiredTransport& transport) { ++transport.steps; });
}

void LiveCluster::write_transport(const std::function<void(cluster::DesiredTransport&)>& change) {
  auto transport = must(cluster_->transport());
  change(transport.value);
  const auto written = cluster_->put_transport(transport.value, transport.revision);
  if (!written) throw std::runtime_error(written.error().message);
}

std::shared_ptr<const model::ClusterView> LiveCluster::view() const {
  return session_->view();
}

std::shared_ptr<const model::ClusterView> LiveCluster::view_of_now() const {
  constexpr std::chrono::milliseconds kTwoReadings(200);
  std::map<std::string, std::chrono::nanoseconds> uptimes;
  for (const auto& node : view()->nodes)
    uptimes[node.name] = node.uptime;
  EXPECT_TRUE(wait_until([&](const model::ClusterView& view) {
    return std::ranges::all_of(view.nodes, [&](const auto& node) {
      return node.uptime >= uptimes[node.name] + kTwoReadings;
    });
  }));
  return view();
}

bool LiveCluster::wait_until(const std::function<bool(const model::ClusterView&)>& is_so,
                             std::chrono::seconds patience) const {
  const auto deadline = clock_.now() + patience;
  while (clock_.now() < deadline) {
    const auto now = view();
    if (now != nullptr && is_so(*now)) return true;
    std::this_thread::sleep_for(kLook);
  }
  return false;
}

bool LiveCluster::wait_until_all_run() const {
  return wait_until([](const model::ClusterView& view) {
    return !view.submixes.empty() &&
           std::all_of(view.submixes.begin(), view.submixes.end(),
                       [](const model::SubmixView& submix) {
                         return submix.state == model::SubmixState::running && submix.fps > 0;
                       });
  });
}

// A node without readings for a while does not count as still; a dead node does.
bool LiveCluster::wait_until_still() const {
  constexpr std::chrono::seconds kStillFor(1);  // ten readings
  std::vector<std::uint64_t> last;
  LocalTime since = clock_.now();
  std::map<std::string, std::chrono::nanoseconds> uptimes;
  return wait_until([&](const model::ClusterView& view) {
    auto motion = motion_of(view);
    if (motion != last) {
      since = clock_.now();
      uptimes.clear();
    }
    last = std::move(motion);
    const bool have_said = std::ranges::all_of(view.nodes, [&](const model::NodeView& node) {
      const auto before = uptimes.try_emplace(node.name, node.uptime).first->second;
      return ended_.contains(node.name) || node.uptime - before >= kStillFor;
    });
    return have_said && clock_.now() - since > kStillFor;
  });
}

std::optional<std::uint64_t> counter_of(const model::ClusterView& view, std::string_view submix,
                                        std::string_view slot, std::string_view counter) {
  const auto* found = view.find_submix(submix);
  if (found == nullptr) return std::nullopt;
  for (const auto& stage : found->stages) {
    if (stage.slot != slot) continue;
    for (const auto& [name, count] : stage.counters) {
      if (name == counter) return count;
    }
  }
  return std::nullopt;
}

std::uint64_t frames_of(const model::ClusterView& view, std::string_view submix,
                        std::string_view slot) {
  const auto* found = view.find_submix(submix);
  if (found == nullptr) return 0;
  for (const auto& stage : found->stages) {
    if (stage.slot == slot) return stage.frames;
  }
  return 0;
}

bool is_by_shared_memory(const model::ClusterView& view) {
  return std::all_of(view.streams.begin(), view.streams.end(), [](const model::StreamView& stream) {
    const auto& links = stream.sender.links;
    return links.size() == 1 && links[0].local == "shared memory" &&
           links[0].state == telemetry::LinkState::open;
  });
}

}  // namespace submix::testing
