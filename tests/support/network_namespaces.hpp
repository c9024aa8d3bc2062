// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace submix::testing {

/// How the cards of one cable are joined.
enum class Wiring {
  switches,  ///< by a switch (bridge) for each cable: any number of hosts
  direct,    ///< card to card: two hosts
};

struct NetworkOptions {
  int cables = 2;  ///< 0 (each host has its loopback only) to 8
  Wiring wiring = Wiring::switches;
};

/// Simulated PCs: each host is a network namespace with a card for every cable. The first host has
/// 198.18.0.1 on the first cable and 198.18.1.1 on the second. The second host has 198.18.0.2 and
/// 198.18.1.2, and so on.
///
/// Owner    The names of the namespaces contain this process's number. The destructor removes them.
///          The next constructor removes the namespaces of killed processes.
/// Threads  Compatible.
/// Errors   is_ready(): false without root, or if ip makes no namespace, bridge or veth; problem()
///          says why.
class NetworkNamespaces {
 public:
  static constexpr int kCables = NetworkOptions{}.cables;  ///< by default
  static constexpr int kCablesMax = 8;
  /// Bytes that a limited card may send at once after a pause. This is a little more than TCP's
  /// largest segment (64 KiB and a header for each packet in it). The limiter cuts larger segments
  /// into packets, which was measured to cost 20 times the CPU time.
  static constexpr int kBurstBytes = 72 * 1024;

  explicit NetworkNamespaces(std::vector<std::string> hosts, NetworkOptions options = {});
  ~NetworkNamespaces();
  NetworkNamespaces(const NetworkNamespaces&) = delete;
  NetworkNamespaces& operator=(const NetworkNamespaces&) = delete;

  [[nodiscard]] bool is_ready() const { return is_ready_; }
  /// Reason why the network is not ready, for people; else empty.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// Text for GTEST_SKIP().
  static constexpr const char* kNeeds =
      "needs root, and ip and tc (iproute2) with namespaces, bridges and veth";

  /// Address of a host on a cable, such as "198.18.1.2".
  [[nodiscard]] std::string address(const std::string& host, int cable) const;
  /// Name of the cable's card on each host, such as "card1".
  [[nodiscard]] static std::string card(int cable);
  /// The command line that runs `command` on a host. The process that starts the command stays its
  /// parent.
  [[nodiscard]] std::vector<std::string> command_on(const std::string& host,
                                                    const std::vector<std::string>& command) const;
  /// Runs a shell command on a host to its end. Returns its error output; empty after success. A
  /// stop signal that arrives meanwhile is delivered afterwards; std::system() would discard the
  /// signal.
  [[nodiscard]] std::string complaint_of(const std::string& host, const std::string& command) const;
  /// Runs `body` on a thread of a host. Threads and sockets that `body` makes stay on this host.
  void run_on(const std::string& host, const std::function<void()>& body) const;

  /// Waits until every card has its carrier. The kernel announces a carrier up to a second after it
  /// has made a card; a list of cards made earlier lacks some. The constructor waits for its own
  /// cards. Returns the card that still has no carrier when `patience` ends, else an empty text.
  [[nodiscard]] std::string wait_for_carriers(
      std::chrono::milliseconds patience = std::chrono::seconds(5)) const;

  /// Bytes that a host's card has sent since it was made, as the kernel counts.
  [[nodiscard]] std::uint64_t bytes_sent(const std::string& host, int cable) const;

  /// Limits the rate at which a host sends over a cable. A call while data flows keeps the queued
  /// data.
  [[nodiscard]] bool shape(const std::string& host, int cable, int mbit) const;
  [[nodiscard]] bool limit_rate(const std::string& host, int cable,
                                std::uint64_t bits_per_second) const;
  /// Switches a cable off or on. On a switched cable every card loses its carrier. A direct cable
  /// is taken down at the second host, so the first host's card loses its carrier.
  [[nodiscard]] bool set_up(int cable, bool is_up) const;

 private:
  [[nodiscard]] std::string full_name(const std::string& host) const { return prefix_ + host; }
  [[nodiscard]] std::string inside(const std::string& host) const;
  [[nodiscard]] std::string check_options() const;
  void run(const std::string& command);  // does nothing more after a failure
  void make_switches();
  void make_host(const std::string& host);
  void plug_into_switch(const std::string& host, int cable);
  void join_directly(int cable);
  void give_address(const std::string& host, int cable);

  const std::string prefix_;
  const std::vector<std::string> hosts_;
  const NetworkOptions options_;
  std::string problem_;
  bool is_ready_ = false;
};

}  // namespace submix::testing
