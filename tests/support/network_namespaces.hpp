// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace submix::testing {

/// What joins the cards of one cable.
enum class Wiring {
  switches,  ///< a switch (bridge) for each cable: any number of hosts
  direct,    ///< card to card, nothing in between: two hosts
};

struct NetworkOptions {
  int cables = 2;  ///< 0 (each host has its loopback only) to 8
  Wiring wiring = Wiring::switches;
};

/// PCs on networks of their own: a network namespace for each host, and a card in each for every cable. The
/// first host has 198.18.0.1 on the first cable and 198.18.1.1 on the second, the second host 198.18.0.2 and
/// 198.18.1.2, and so on.
///
/// Owner    Its namespaces bear this process's number; all go at the end of the scope, and what a killed
///          process left behind goes when the next one begins.
/// Threads  Compatible.
/// Errors   is_ready(): false without root, or where ip makes no namespace, bridge or veth; problem() says
/// why.
class NetworkNamespaces {
 public:
  static constexpr int kCables = NetworkOptions{}.cables;  ///< unless told otherwise
  static constexpr int kCablesMax = 8;
  /// What a limited card may send at once after a pause. Just more than the largest segment that TCP hands
  /// down (64 KiB, and a header for each packet in it): one that is larger than this the limiter cuts into
  /// packets, which was measured to cost 20 times the CPU.
  static constexpr int kBurstBytes = 72 * 1024;

  explicit NetworkNamespaces(std::vector<std::string> hosts, NetworkOptions options = {});
  ~NetworkNamespaces();
  NetworkNamespaces(const NetworkNamespaces&) = delete;
  NetworkNamespaces& operator=(const NetworkNamespaces&) = delete;

  [[nodiscard]] bool is_ready() const { return is_ready_; }
  /// Why it is not ready, for people; else empty.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// For GTEST_SKIP().
  static constexpr const char* kNeeds =
      "needs root, and ip and tc (iproute2) with namespaces, bridges and veth";

  /// Such as "198.18.1.2".
  [[nodiscard]] std::string address(const std::string& host, int cable) const;
  /// The card's name on each host, such as "card1".
  [[nodiscard]] static std::string card(int cable);
  /// `command` as it runs on that host; it keeps the process that starts it as its parent.
  [[nodiscard]] std::vector<std::string> command_on(const std::string& host,
                                                    const std::vector<std::string>& command) const;
  /// Runs a shell command on that host to its end, and tells what it complains of; empty: it succeeded. A
  /// stop signal that comes meanwhile is there afterwards, which it would not be with std::system().
  [[nodiscard]] std::string complaint_of(const std::string& host, const std::string& command) const;
  /// Runs `body` on a thread of that host; threads and sockets made in it stay there.
  void run_on(const std::string& host, const std::function<void()>& body) const;

  /// Waits until every card has its carrier, of which the kernel tells up to a second after it was made: who
  /// lists the cards before has fewer. Done for the cards of the constructor. Tells which one has none when
  /// `patience` ends; else empty.
  [[nodiscard]] std::string wait_for_carriers(
      std::chrono::milliseconds patience = std::chrono::seconds(5)) const;

  /// What a host's card has sent since it was made, as the kernel counts.
  [[nodiscard]] std::uint64_t bytes_sent(const std::string& host, int cable) const;

  /// Limits what a host can send over a cable. May be called again while data flows: what is queued stays.
  [[nodiscard]] bool shape(const std::string& host, int cable, int mbit) const;
  [[nodiscard]] bool limit_rate(const std::string& host, int cable,
                                std::uint64_t bits_per_second) const;
  /// Switches a cable off or on. With switches every card on it loses its carrier; a direct one is taken down
  /// at the second host, so that the first one's card loses its carrier.
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
