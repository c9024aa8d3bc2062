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

/// For how long one and the same thing held the show back, or nothing did.
struct VerdictSpan {
  Bottleneck::Kind kind = Bottleneck::Kind::unknown;
  std::string culprit;   ///< "link 2 of left"; empty: nobody, or not known
  std::string sentence;  ///< the last one of it
  LocalTime from{};
  LocalTime until{};  ///< of the last one in the list: it lasts still
};

/// Who held the show back over the last minutes.
///
/// Shape    At most kSpansMax spans of the last kKept. What lasts shorter than kSettleTime is left out: rates
/// are
///          of a second, and between two verdicts they may show a third.
/// Threads  Compatible; no clock of its own.
/// Cost     add(): O(1), and a copy of the list where the verdict has changed. spans(): O(1).
class VerdictHistory {
 public:
  static constexpr std::size_t kSpansMax = 256;
  static constexpr std::chrono::minutes kKept{10};
  static constexpr std::chrono::milliseconds kSettleTime{400};

  using Spans = std::vector<VerdictSpan>;

  /// To be called a few times a second; time that runs backwards is taken for the present.
  void add(const Bottleneck& verdict, LocalTime now);
  /// Oldest first; never null. What is there is never changed.
  [[nodiscard]] std::shared_ptr<const Spans> spans() const { return spans_; }

 private:
  void begin(VerdictSpan span, LocalTime now);

  std::shared_ptr<const Spans> spans_ = std::make_shared<const Spans>();
  VerdictSpan present_;                   // the newest of the list, with its newest sentence
  std::optional<VerdictSpan> candidate_;  // another verdict, not yet kSettleTime old
};

}  // namespace submix::model
