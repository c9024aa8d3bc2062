// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"
#include "tests/support/network_namespaces.hpp"
#include "tests/throughput/job.hpp"
#include "tests/throughput/long_cables.hpp"
#include "tests/throughput/notation.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace submix::throughput {

/// The two places where a sender and a receiver run, and the links between them.
///
/// Owner    Network namespaces end with the object.
/// Threads  Compatible.
class Testbed {
 public:
  /// This machine: 127.0.0.1 for the first link, 127.0.0.2 for the second, and so on.
  [[nodiscard]] static Testbed loopback(std::size_t links);
  /// Loopback in its own network namespace, with cubic for every connection. Other programs use the
  /// system's congestion control, which may be chosen for the internet. Fails without root.
  [[nodiscard]] static Result<Testbed> own_loopback(std::size_t links);
  /// Two network namespaces, joined by a veth pair for each link. `shape`: a rate for each link in
  /// both directions, or empty: no limit. `delays`: the delay of each link in one direction, or
  /// empty: none; only with a shape. Fails without root.
  [[nodiscard]] static Result<Testbed> namespaces(
      std::size_t links, const std::vector<BitRate>& shape,
      const std::vector<std::chrono::microseconds>& delays = {});

  [[nodiscard]] std::size_t links() const { return links_; }
  [[nodiscard]] bool is_loopback() const { return is_loopback_; }
  [[nodiscard]] std::vector<std::string> addresses(Side side) const;
  [[nodiscard]] std::vector<std::string> command_on(Side side,
                                                    const std::vector<std::string>& command) const;
  /// Changes a link's rate. Namespaces only.
  [[nodiscard]] Result<void> set_rate(std::size_t link, BitRate rate) const;
  /// Lets an MPTCP connection over the first link use all links. Namespaces only.
  [[nodiscard]] Result<void> allow_multipath() const;

 private:
  Testbed(std::size_t links, bool is_loopback) : links_(links), is_loopback_(is_loopback) {}
  [[nodiscard]] Result<void> run_on(const char* host, const std::string& command) const;
  [[nodiscard]] Result<void> lengthen(const std::vector<BitRate>& shape,
                                      const std::vector<std::chrono::microseconds>& delays);
  [[nodiscard]] Result<Descriptor> replace_card(Side side, std::size_t link) const;

  std::size_t links_;
  bool is_loopback_;
  std::unique_ptr<testing::NetworkNamespaces> network_;
  std::unique_ptr<LongCables> cables_;  // links with a delay
};

}  // namespace submix::throughput
