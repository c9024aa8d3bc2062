// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::agent {

/// Finds the last show that ran without a fault. A show that runs well on this node is kept on the
/// node's disk. A show that runs well on all nodes is kept in the cluster; a person can return to
/// it.
///
/// A show is good after two conditions. Every submix has made a frame and has neither a fault nor
/// trouble, and this state has lasted for kPeriod: a plugin may discover late that it cannot start
/// with its settings. One node tells the cluster: the node of the show's first assigned submix.
///
/// Threads  Compatible.
class GoodShow {
 public:
  /// How long a show must run well. People move faders all the time, so at most one of the
  /// resulting shows is kept in each period.
  static constexpr std::chrono::seconds kPeriod{5};

  explicit GoodShow(std::string node) : node_(std::move(node)) {}

  void follow(const show::Show& show, std::uint64_t revision);
  /// Takes a node's report, including this node's own.
  void hear(const cluster::NodeReport& report);

  /// The text of a show to keep on this node's disk. Each show is given once.
  [[nodiscard]] std::optional<std::string> take_for_disk(LocalTime now);
  /// The text of a show to keep in the cluster. Each show is given once.
  [[nodiscard]] std::optional<std::string> take_for_cluster(LocalTime now);

 private:
  struct NodeReport {
    std::uint64_t revision = 0;
    /// By name: whether the submix is without a fault.
    std::map<std::string, bool, std::less<>> submixes;
  };
  /// A show that has begun to run well and may become good.
  struct Candidate {
    std::string text;
    std::uint64_t revision = 0;
    LocalTime since{};
  };
  struct Shelf {
    std::optional<Candidate> candidate;
    std::uint64_t given = 0;  ///< the revision given last
  };
  /// How the present show runs.
  enum class Rating : std::uint8_t { unknown, good, bad };

  [[nodiscard]] Rating rating_of(const std::string& node) const;
  [[nodiscard]] Rating rating_of_all() const;
  [[nodiscard]] bool is_witness() const;
  [[nodiscard]] std::optional<std::string> take(Shelf& shelf, Rating rating, LocalTime now) const;

  const std::string node_;
  show::Show show_;
  std::uint64_t revision_ = 0;
  std::map<std::string, NodeReport, std::less<>> reports_;  // by node
  Shelf disk_;
  Shelf cluster_;
};

}  // namespace submix::agent
