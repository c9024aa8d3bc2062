// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/network_namespaces.hpp"

#include <ifaddrs.h>
#include <net/if.h>

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>
#include <utility>

namespace submix::testing {
namespace {

constexpr const char* kFolder = "/run/netns";
constexpr const char* kPrefix = "submix-";
constexpr const char* kSwitch = "switch";  // the namespace that holds the switches

// Runs a command. Returns its output if it fails, else an empty text.
std::string shell_complaint_of(const std::string& command) {
  std::FILE* pipe = ::popen(("(" + command + ") 2>&1").c_str(), "re");
  if (pipe == nullptr) return "cannot be started";
  std::string said;
  std::array<char, 256> text{};
  while (const auto count = std::fread(text.data(), 1, text.size(), pipe))
    said.append(text.data(), count);
  if (::pclose(pipe) == 0) return {};
  said.erase(said.find_last_not_of('\n') + 1);
  return said.empty() ? "fails without a word" : said;
}

bool succeeds(const std::string& command) {
  return shell_complaint_of(command).empty();
}

// Removes namespaces named "submix-PROCESS-HOST" whose process has ended.
void remove_leftovers() {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder, error)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    const int process = std::atoi(name.c_str() + std::string(kPrefix).size());
    if (process > 0 && ::kill(process, 0) != 0 && errno == ESRCH) succeeds("ip netns del " + name);
  }
}

// Cards of the calling thread's host.
bool has_carrier(const std::string& card) {
  ifaddrs* raw = nullptr;
  if (::getifaddrs(&raw) != 0) return false;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all(raw, &::freeifaddrs);
  for (const auto* each = all.get(); each != nullptr; each = each->ifa_next) {
    if (card == each->ifa_name) return (each->ifa_flags & IFF_RUNNING) != 0;
  }
  return false;
}

}  // namespace

NetworkNamespaces::NetworkNamespaces(std::vector<std::string> hosts, NetworkOptions options)
    : prefix_(kPrefix + std::to_string(::getpid()) + "-"),
      hosts_(std::move(hosts)),
      options_(options),
      problem_(check_options()) {
  if (!problem_.empty()) return;
  remove_leftovers();
  if (options_.wiring == Wiring::switches) make_switches();
  for (const auto& host : hosts_)
    make_host(host);
  for (int cable = 0; cable < options_.cables; ++cable) {
    if (options_.wiring == Wiring::direct) join_directly(cable);
    for (const auto& host : hosts_) {
      if (options_.wiring == Wiring::switches) plug_into_switch(host, cable);
      give_address(host, cable);
    }
  }
  if (problem_.empty()) problem_ = wait_for_carriers();
  is_ready_ = problem_.empty();
}

NetworkNamespaces::~NetworkNamespaces() {
  if (::geteuid() != 0) return;
  for (const auto& host : hosts_)
    succeeds("ip netns del " + full_name(host));
  if (options_.wiring == Wiring::switches) succeeds("ip netns del " + full_name(kSwitch));
}

std::string NetworkNamespaces::check_options() const {
  if (options_.cables < 0 || options_.cables > kCablesMax) {
    return std::to_string(options_.cables) + " cables are not within 0 to " +
           std::to_string(kCablesMax);
  }
  if (options_.wiring == Wiring::direct && hosts_.size() != 2)
    return "a direct cable joins two hosts";
  if (::geteuid() != 0) return "network namespaces need root: run it with sudo";
  return {};
}

void NetworkNamespaces::run(const std::string& command) {
  if (!problem_.empty()) return;
  const auto complaint = shell_complaint_of(command);
  if (!complaint.empty()) problem_ = "`" + command + "`: " + complaint;
}

void NetworkNamespaces::make_switches() {
  run("ip netns add " + full_name(kSwitch));
  for (int cable = 0; cable < options_.cables; ++cable) {
    const auto name = "switch" + std::to_string(cable);
    run(inside(kSwitch) + "link add " + name + " type bridge");
    run(inside(kSwitch) + "link set " + name + " up");
  }
}

void NetworkNamespaces::make_host(const std::string& host) {
  run("ip netns add " + full_name(host));
  run(inside(host) + "link set lo up");
}

void NetworkNamespaces::plug_into_switch(const std::string& host, int cable) {
  const auto number = std::to_string(cable);
  const auto port = host + number;
  run(inside(host) + "link add " + card(cable) + " type veth peer name " + port + " netns " +
      full_name(kSwitch));
  run(inside(kSwitch) + "link set " + port + " master switch" + number + " up");
}

void NetworkNamespaces::join_directly(int cable) {
  run(inside(hosts_[0]) + "link add " + card(cable) + " type veth peer name " + card(cable) +
      " netns " + full_name(hosts_[1]));
}

void NetworkNamespaces::give_address(const std::string& host, int cable) {
  // The kernel announces an automatic IPv6 address a second or two later, in the middle of a
  // measurement.
  succeeds(inside(host) + "link set " + card(cable) + " addrgenmode none");
  run(inside(host) + "addr add " + address(host, cable) + "/24 dev " + card(cable));
  run(inside(host) + "link set " + card(cable) + " up");
}

std::string NetworkNamespaces::card(int cable) {
  return "card" + std::to_string(cable);
}

std::string NetworkNamespaces::inside(const std::string& host) const {
  return "ip -n " + full_name(host) + " ";
}

std::string NetworkNamespaces::address(const std::string& host, int cable) const {
  const auto index = std::find(hosts_.begin(), hosts_.end(), host) - hosts_.begin();
  return "198.18." + std::to_string(cable) + "." + std::to_string(index + 1);
}

std::vector<std::string> NetworkNamespaces::command_on(
    const std::string& host, const std::vector<std::string>& command) const {
  std::vector<std::string> whole{"ip", "netns", "exec", full_name(host)};
  whole.insert(whole.end(), command.begin(), command.end());
  return whole;
}

std::string NetworkNamespaces::complaint_of(const std::string& host,
                                            const std::string& command) const {
  std::string complaint;
  run_on(host, [&] { complaint = shell_complaint_of(command); });
  return complaint;
}

void NetworkNamespaces::run_on(const std::string& host, const std::function<void()>& body) const {
  std::thread([&] {
    const int descriptor =
        ::open((std::string(kFolder) + "/" + full_name(host)).c_str(), O_RDONLY | O_CLOEXEC);
    if (::setns(descriptor, CLONE_NEWNET) == 0) body();
    ::close(descriptor);
  }).join();
}

std::string NetworkNamespaces::wait_for_carriers(std::chrono::milliseconds patience) const {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + patience;
  std::string without;
  for (const auto& host : hosts_) {
    run_on(host, [&] {
      for (int cable = 0; cable < options_.cables; ++cable) {
        while (!has_carrier(card(cable)) && Clock::now() < deadline)
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (!has_carrier(card(cable)))
          without = card(cable) + " of host " + host + " has no carrier";
      }
    });
  }
  return without;
}

std::uint64_t NetworkNamespaces::bytes_sent(const std::string& host, int cable) const {
  std::uint64_t sent = 0;
  run_on(host, [&] {
    std::ifstream table("/proc/thread-self/net/dev");
    for (std::string word; table >> word;) {
      if (word != card(cable) + ":") continue;
      constexpr int kReceiveColumns = 8;
      for (int i = 0; i < kReceiveColumns; ++i)
        table >> word;
      table >> sent;
    }
  });
  return sent;
}

bool NetworkNamespaces::shape(const std::string& host, int cable, int mbit) const {
  return limit_rate(host, cable, static_cast<std::uint64_t>(mbit) * 1'000'000);
}

bool NetworkNamespaces::limit_rate(const std::string& host, int cable,
                                   std::uint64_t bits_per_second) const {
  return succeeds("tc -n " + full_name(host) + " qdisc replace dev " + card(cable) +
                  " root tbf rate " + std::to_string(bits_per_second) + "bit burst " +
                  std::to_string(kBurstBytes) + " latency 50ms");
}

bool NetworkNamespaces::set_up(int cable, bool is_up) const {
  const std::string state = is_up ? " up" : " down";
  if (options_.wiring == Wiring::direct)
    return succeeds(inside(hosts_[1]) + "link set " + card(cable) + state);
  return std::all_of(hosts_.begin(), hosts_.end(), [&](const auto& host) {
    return succeeds(inside(kSwitch) + "link set " + host + std::to_string(cable) + state);
  });
}

}  // namespace submix::testing
