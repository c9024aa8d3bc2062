// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/ended_epochs.hpp"
#include "node/io/stream/stream_edge.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::agent {

/// Senders that the show has no more on this node, until their last frames are acknowledged, and what they
/// came to.
///
/// A sender is left alone by its patch first. Then it has kPatience, in which nothing but a pause may be, for
/// what it has sent; it ends at once where nobody receives it any more.
///
/// Threads  Compatible.
class LeavingSenders {
 public:
  static constexpr std::chrono::seconds kPatience{2};

  /// So long a patch may take to leave one, pauses apart: then its edit has failed.
  static constexpr std::chrono::seconds kEditPatience{10};

  struct Leaving {
    show::Stream stream;
    std::string destination;  ///< the node it sends to
    std::shared_ptr<io::StreamEdge> edge;
    std::optional<LocalTime> ends_by = {};      ///< once its patch has left it
    std::optional<LocalTime> to_leave_by = {};  ///< its patch; to be told after that
    bool is_told = false;
  };

  void add(const show::Stream& stream, std::string destination,
           std::shared_ptr<io::StreamEdge> edge);
  /// Those of submixes that `node`, which is this one, runs still: links, policies and pause budgets change.
  void follow(const show::Show& show, std::string_view node);
  /// Ends those that are done; now and then. Those that their patch has not left in time, each once.
  [[nodiscard]] std::vector<show::Stream> tend(LocalTime now, bool is_paused);
  /// Forgets what streams came to that the show has no more.
  void forget_all_but(const std::vector<show::Stream>& streams);

  [[nodiscard]] bool is_empty() const { return leaving_.empty(); }
  /// Whether tend() may soon end one: not those of which it has told, while their patch has them still.
  [[nodiscard]] bool is_any_to_end() const;
  [[nodiscard]] bool has(std::string_view stream) const;
  /// Whether one of the same stream and format leaves: `next` would end it before its time.
  [[nodiscard]] bool has_predecessor_of(const link::StreamSender& next) const;
  /// Whether `is_so` holds for any that a submix has.
  [[nodiscard]] bool is_any_of(std::string_view submix,
                               const std::function<bool(const Leaving&)>& is_so) const;
  /// Of those that leave.
  [[nodiscard]] std::vector<telemetry::StreamReading> readings() const;
  /// What former senders of `stream` came to, the oldest first.
  [[nodiscard]] std::vector<telemetry::EpochReading> ended(const std::string& stream) const;

 private:
  [[nodiscard]] static bool is_done(Leaving& leaving, LocalTime now, bool is_paused);
  [[nodiscard]] static bool is_to_be_told(Leaving& leaving, LocalTime now, bool is_paused);

  std::vector<Leaving> leaving_;
  std::map<std::string, telemetry::EndedEpochs> ended_;  // by stream
};

}  // namespace submix::agent
