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

/// Finds out which show was the last one to run without a fault: on this node, to be kept on its disk, and on
/// all nodes, to be kept in the cluster so that a person can go back to it.
///
/// A show counts once every submix has made a frame and has neither a fault nor trouble, and no fault or
/// trouble has come for kPeriod: a plugin may find out only later that it cannot be started like that. One
/// node tells the cluster of it: the node of the show's first assigned submix.
///
/// Threads  Compatible.
class GoodShow {
 public:
  /// Hands move faders all the time, too: one of their shows is kept in so long.
  static constexpr std::chrono::seconds kPeriod{5};

  explicit GoodShow(std::string node) : node_(std::move(node)) {}

  void follow(const show::Show& show, std::uint64_t revision);
  /// This node's own report, too.
  void hear(const cluster::NodeReport& report);

  /// The text of a show that is to be kept on this node's disk; each is given once.
  [[nodiscard]] std::optional<std::string> take_for_disk(LocalTime now);
  /// The text of a show that is to be kept in the cluster; each is given once.
  [[nodiscard]] std::optional<std::string> take_for_cluster(LocalTime now);

 private:
  struct Word {
    std::uint64_t revision = 0;
    std::map<std::string, bool, std::less<>> submixes;  ///< whether each is without a fault
  };
  /// A show that has begun to run well.
  struct Candidate {
    std::string text;
    std::uint64_t revision = 0;
    LocalTime since{};
  };
  struct Shelf {
    std::optional<Candidate> candidate;
    std::uint64_t given = 0;  ///< the revision that was given last
  };
  /// Of the present show.
  enum class Verdict : std::uint8_t { unknown, good, bad };

  [[nodiscard]] Verdict verdict_of(const std::string& node) const;
  [[nodiscard]] Verdict verdict_of_all() const;
  [[nodiscard]] bool is_witness() const;
  [[nodiscard]] std::optional<std::string> take(Shelf& shelf, Verdict verdict, LocalTime now) const;

  const std::string node_;
  show::Show show_;
  std::uint64_t revision_ = 0;
  std::map<std::string, Word, std::less<>> words_;  // by node
  Shelf disk_;
  Shelf cluster_;
};

}  // namespace submix::agent
