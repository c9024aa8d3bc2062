// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace submix::model {

/// How certain an edge's count is.
enum class Balance {
  /// all figures are of one moment, or nothing moved meanwhile: the sum is right to the frame
  exact,
  bounded,  ///< frames flow and the ends were read at different times: both readings can be true
  unknown,  ///< an end reports nothing
  off,      ///< frames are missing, or too many
};

/// The frames of one edge: a stream, or a queue between two slots of a patch.
struct LedgerEdge {
  /// "left", or "left.clip to left.glow"; of a submix with a silent node: the submix's name. "left
  /// (640x360, 30 fps)" where a stream has ends of several sizes or rates, because a patch kept its
  /// former one.
  std::string name;
  bool is_stream = false;
  std::uint64_t produced = 0;  ///< in all known epochs
  std::uint64_t delivered = 0;
  // Dropped frames, by reason.
  std::uint64_t skipped_latest = 0;    ///< replaced by a newer frame: policy latest
  std::uint64_t skipped_detached = 0;  ///< replaced while the receiver was detached
  /// In flight when a change of the show ended their epoch on purpose; of a patch: their queue. The
  /// epochs of a sender that has crashed are not known.
  std::uint64_t lost_with_epoch = 0;
  /// Within an epoch: a restarted receiver asked for frames that the sender had no more.
  std::uint64_t lost_in_gap = 0;
  // Frames in flight.
  std::uint64_t queued = 0;      ///< at the sender, begun by no link; of a patch: in the queue
  std::uint64_t on_the_way = 0;  ///< begun by a link, incomplete at the receiver
  std::uint64_t waiting = 0;     ///< complete at the receiver, not yet taken by its patch
  /// Of a stream: stand-in pictures shown for late frames. Of a patch: frames with another picture
  /// than their plugin's (a crash, a bypass). Not a part of the sum.
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
/// Each end counts its frames twice: frames made or taken, and frames numbered or released. Both
/// counts must agree in each reading. The two ends are compared by epoch. An ended epoch must match
/// exactly. A running epoch must match exactly once nothing has moved for a second (a pause, the
/// end). Otherwise two bounds must hold. The receiver has released at least the frames that the
/// sender knew as acknowledged a second ago. A second ago the receiver had at most the frames that
/// the sender has numbered by now.
[[nodiscard]] std::vector<LedgerEdge> make_ledger(const ClusterView& view);

/// Whether each edge is exact or bounded.
[[nodiscard]] bool is_balanced(const std::vector<LedgerEdge>& ledger);

[[nodiscard]] std::string_view to_string(Balance balance);

}  // namespace submix::model
