// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/verdict/bottleneck.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::model {

/// A period in which one thing, or nothing, limited the show.
struct VerdictSpan {
  Bottleneck::Kind kind = Bottleneck::Kind::unknown;
  std::string culprit;   ///< "link 2 of left"; empty: none, or not known
  std::string sentence;  ///< the last one of the period
  LocalTime from{};
  LocalTime until{};  ///< of the last span in the list: the present
};

/// The limiting things of the last minutes.
///
/// Shape    At most kSpansMax spans of the last kKept. Spans shorter than kSettleTime are left out:
///          rates cover a second, and between two verdicts they may show a third.
/// Threads  Compatible. The class has no clock: callers pass the time.
/// Cost     add(): O(1), and a copy of the list after a change of the verdict. spans(): O(1).
class VerdictHistory {
 public:
  static constexpr std::size_t kSpansMax = 256;
  static constexpr std::chrono::minutes kKept{10};
  static constexpr std::chrono::milliseconds kSettleTime{400};

  using Spans = std::vector<VerdictSpan>;

  /// Call a few times a second. A time before the last one counts as the last one.
  void add(const Bottleneck& verdict, LocalTime now);
  /// Oldest first; never null. A returned list is never changed.
  [[nodiscard]] std::shared_ptr<const Spans> spans() const { return spans_; }

 private:
  void begin(VerdictSpan span, LocalTime now);

  std::shared_ptr<const Spans> spans_ = std::make_shared<const Spans>();
  VerdictSpan present_;                   // the newest of the list, with its newest sentence
  std::optional<VerdictSpan> candidate_;  // another verdict, younger than kSettleTime
};

}  // namespace submix::model
