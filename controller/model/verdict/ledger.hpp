// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace submix::model {

/// How surely an edge's count is right.
enum class Balance {
  exact,  ///< all figures are of one moment, or nothing moved meanwhile: they add up to the frame
  bounded,  ///< frames flow and the ends were read at different times: what each says of the other can be
            ///< true
  unknown,  ///< an end says nothing
  off,      ///< frames are missing, or there are too many
};

/// The frames of one edge: a stream, or a queue between two slots of a patch.
struct LedgerEdge {
  /// "left", or "left.clip to left.glow"; of a submix whose node is silent: its own. "left (640x360, 30 fps)"
  /// where a stream has ends of several sizes or rates, since a patch could not go over.
  std::string name;
  bool is_stream = false;
  std::uint64_t produced = 0;  ///< in all epochs that are known
  std::uint64_t delivered = 0;
  // Dropped, by reason.
  std::uint64_t skipped_latest = 0;    ///< gave way to a newer one: policy latest
  std::uint64_t skipped_detached = 0;  ///< gave way while the receiver was detached
  std::uint64_t lost_with_epoch =
      0;  ///< in flight when their epoch ended; of a patch: when their queue did
  std::uint64_t lost_in_gap =
      0;  ///< within an epoch: a restarted receiver, whose sender had them no more
  // In flight.
  std::uint64_t queued = 0;  ///< at the sender, no link has begun them; of a patch: in the queue
  std::uint64_t on_the_way = 0;  ///< begun, and not whole at the receiver
  std::uint64_t waiting = 0;     ///< whole at the receiver, its patch has not taken them
  /// Of a stream, pictures that the input showed in place of late frames; of a patch, frames that went their
  /// way with another picture than their plugin's (a crash, a bypass). No part of the sum.
  std::uint64_t replaced = 0;
  Balance balance = Balance::unknown;
  std::string remark;  ///< what is wrong or not known, for people; empty: nothing

  [[nodiscard]] std::uint64_t dropped() const {
    return skipped_latest + skipped_detached + lost_with_epoch + lost_in_gap;
  }
  [[nodiscard]] std::uint64_t in_flight() const { return queued + on_the_way + waiting; }
};

/// For every edge of the show: produced = delivered + dropped + in flight.
///
/// Each end counts what it makes or takes and, apart from that, numbers or releases: the two must agree in
/// each reading. The ends are compared by epoch: what has ended, exactly; what runs, exactly once nothing has
/// moved for a second (a pause, the end), and else by what must hold at any time: the receiver has released
/// at least what the sender knew to be acknowledged a second ago, and had no more then than the sender
/// has numbered by now.
[[nodiscard]] std::vector<LedgerEdge> make_ledger(const ClusterView& view);

/// Whether each edge is exact or bounded.
[[nodiscard]] bool is_balanced(const std::vector<LedgerEdge>& ledger);

[[nodiscard]] std::string_view to_string(Balance balance);

}  // namespace submix::model
