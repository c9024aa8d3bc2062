// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"
#include "node/agent/good_show.hpp"
#include "node/agent/mailbox.hpp"
#include "node/agent/node_parts.hpp"
#include "node/agent/node_reporter.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

namespace submix::agent {

/// Follows the show on the control plane: takes each new show, lets its plugins be probed if they
/// are unknown, makes streams and submixes follow it, and reports.
///
/// Threads  run(): the agent's thread. Chores that it posts call back on "slow".
class ShowFollower {
 public:
  /// `parts` outlives it. End the chores of `parts` before its destruction.
  explicit ShowFollower(NodeParts& parts);

  /// Follows until `stop`.
  void run(const std::stop_token& stop);

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

  // News.
  void take(const Mailbox::News& news);
  void take_show(const cluster::Revisioned<cluster::DesiredShow>& desired);
  void refuse_show(std::uint64_t revision, const std::string& why);
  void follow_when_known(NextShow next);
  [[nodiscard]] bool probe_plugins(NextShow& next);
  void follow(NextShow next);
  void follow_again(const std::set<std::string>& plugins);

  // Regular work.
  void tell_of_waiting_show();
  void post_chores();
  void read_clock();
  void retry_plugin();
  void recall_good_show(const show::Show& show);
  void keep_good_show();
  void complain_of_lost_nats();

  NodeParts& parts_;
  NodeReporter reporter_;
  GoodShow good_show_;
  std::uint64_t show_revision_ = 0;
  std::optional<NextShow> waiting_show_;  // until its plugins are known
  std::optional<NextShow> followed_;
  std::uint64_t probes_ = 0;
  std::atomic<std::uint64_t> probed_ = 0;  // the last finished NextShow::probe; set on "slow"
  LocalTime complained_{};
  LocalTime next_sign_of_life_{};
  LocalTime next_clock_reading_{};
  LocalTime next_look_for_sound_{};
};

}  // namespace submix::agent
