// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/network_namespaces.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

namespace submix::testing {
namespace {

constexpr const char* kFolder = "/run/netns";
constexpr const char* kPrefix = "submix-";
constexpr const char* kSwitch = "switch";  // the namespace that holds the switches

bool run(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

std::string card(int cable) {
  return "card" + std::to_string(cable);
}

// Named "submix-PROCESS-HOST": removes those of processes that are gone.
void remove_leftovers() {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder, error)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    const int process = std::atoi(name.c_str() + std::string(kPrefix).size());
    if (process > 0 && ::kill(process, 0) != 0 && errno == ESRCH) run("ip netns del " + name);
  }
}

}  // namespace

NetworkNamespaces::NetworkNamespaces(std::vector<std::string> hosts)
    : prefix_(kPrefix + std::to_string(::getpid()) + "-"), hosts_(std::move(hosts)) {
  if (::geteuid() != 0) return;
  remove_leftovers();
  is_ready_ = make_switches() &&
              std::all_of(hosts_.begin(), hosts_.end(), [this](const auto& host) { return make_host(host); });
}

NetworkNamespaces::~NetworkNamespaces() {
  if (::geteuid() != 0) return;
  for (const auto& host : hosts_)
    run("ip netns del " + full_name(host));
  run("ip netns del " + full_name(kSwitch));
}

bool NetworkNamespaces::make_switches() const {
  bool is_made = run("ip netns add " + full_name(kSwitch));
  for (int cable = 0; cable < kCables; ++cable) {
    const auto name = "switch" + std::to_string(cable);
    is_made = is_made && run(inside(kSwitch) + "link add " + name + " type bridge") &&
              run(inside(kSwitch) + "link set " + name + " up");
  }
  return is_made;
}

bool NetworkNamespaces::make_host(const std::string& host) const {
  bool is_made = run("ip netns add " + full_name(host)) && run(inside(host) + "link set lo up");
  for (int cable = 0; cable < kCables; ++cable) {
    const auto port = host + std::to_string(cable);
    const auto number = std::to_string(cable);
    is_made = is_made &&
              run(inside(host) + "link add " + card(cable) + " type veth peer name " + port + " netns " +
                  full_name(kSwitch)) &&
              run(inside(host) + "addr add " + address(host, cable) + "/24 dev " + card(cable)) &&
              run(inside(host) + "link set " + card(cable) + " up") &&
              run(inside(kSwitch) + "link set " + port + " master switch" + number + " up");
  }
  return is_made;
}

std::string NetworkNamespaces::inside(const std::string& host) const {
  return "ip -n " + full_name(host) + " ";
}

std::string NetworkNamespaces::address(const std::string& host, int cable) const {
  const auto index = std::find(hosts_.begin(), hosts_.end(), host) - hosts_.begin();
  return "198.18." + std::to_string(cable) + "." + std::to_string(index + 1);
}

std::vector<std::string> NetworkNamespaces::command_on(const std::string& host,
                                                       const std::vector<std::string>& command) const {
  std::vector<std::string> whole{"ip", "netns", "exec", full_name(host)};
  whole.insert(whole.end(), command.begin(), command.end());
  return whole;
}

void NetworkNamespaces::run_on(const std::string& host, const std::function<void()>& body) const {
  std::thread([&] {
    const int descriptor =
        ::open((std::string(kFolder) + "/" + full_name(host)).c_str(), O_RDONLY | O_CLOEXEC);
    if (::setns(descriptor, CLONE_NEWNET) == 0) body();
    ::close(descriptor);
  }).join();
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
  return run("tc -n " + full_name(host) + " qdisc replace dev " + card(cable) + " root tbf rate " +
             std::to_string(mbit) + "mbit burst 64kb latency 50ms");
}

bool NetworkNamespaces::set_up(int cable, bool is_up) const {
  return std::all_of(hosts_.begin(), hosts_.end(), [&](const auto& host) {
    return run(inside(kSwitch) + "link set " + host + std::to_string(cable) + (is_up ? " up" : " down"));
  });
}

}  // namespace submix::testing
