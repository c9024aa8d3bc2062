// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace submix::testing {

/// PCs on two networks of their own: a network namespace for each host, two cards in each, and a switch for
/// each cable. The first host has 198.18.0.1 and 198.18.1.1, the second 198.18.0.2 and 198.18.1.2, and so on.
///
/// Owner    Its namespaces bear this process's number; all go at the end of the scope, and what a killed
///          process left behind goes when the next one begins.
/// Threads  Compatible.
/// Errors   is_ready(): false without root, or where ip makes no namespace, bridge or veth.
class NetworkNamespaces {
 public:
  static constexpr int kCables = 2;

  explicit NetworkNamespaces(std::vector<std::string> hosts);
  ~NetworkNamespaces();
  NetworkNamespaces(const NetworkNamespaces&) = delete;
  NetworkNamespaces& operator=(const NetworkNamespaces&) = delete;

  [[nodiscard]] bool is_ready() const { return is_ready_; }
  /// For GTEST_SKIP().
  static constexpr const char* kNeeds =
      "needs root, and ip and tc (iproute2) with namespaces, bridges and veth";

  /// Such as "198.18.1.2".
  [[nodiscard]] std::string address(const std::string& host, int cable) const;
  /// `command` as it runs on that host; it keeps the process that starts it as its parent.
  [[nodiscard]] std::vector<std::string> command_on(const std::string& host,
                                                    const std::vector<std::string>& command) const;
  /// Runs `body` on a thread of that host; threads and sockets made in it stay there.
  void run_on(const std::string& host, const std::function<void()>& body) const;

  /// What a host's card has sent since it was made, as the kernel counts.
  [[nodiscard]] std::uint64_t bytes_sent(const std::string& host, int cable) const;

  /// Limits what a host can send over a cable.
  [[nodiscard]] bool shape(const std::string& host, int cable, int mbit) const;
  /// Switches a cable's switch off or on: every card on it loses its carrier.
  [[nodiscard]] bool set_up(int cable, bool is_up) const;

 private:
  [[nodiscard]] std::string full_name(const std::string& host) const { return prefix_ + host; }
  [[nodiscard]] std::string inside(const std::string& host) const;
  [[nodiscard]] bool make_switches() const;
  [[nodiscard]] bool make_host(const std::string& host) const;

  const std::string prefix_;
  const std::vector<std::string> hosts_;
  bool is_ready_ = false;
};

}  // namespace submix::testing
