// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace submix::telemetry {

/// The kind of a span. The last three are moments: of a stripe, a loan or a frame.
enum class TraceKind : std::uint8_t { working, starved, blocked, sent, received, released };

/// What a thread did for a frame, and when.
struct TraceSpan {
  /// The end of an unfinished span.
  static constexpr LocalTime kUnfinished = LocalTime::max();

  LocalTime begin;
  LocalTime end;            ///< of a moment: equal to `begin`
  std::uint64_t frame = 0;  ///< of a stage: position in the patch; of a stream: its number
  TraceKind kind = TraceKind::working;
  std::uint32_t link = 0;  ///< of a stream

  friend bool operator==(const TraceSpan&, const TraceSpan&) = default;
};

/// The latest spans of one thread, or of one of a thread's streams.
///
/// Shape    The last kKept spans. All memory is allocated at the beginning.
/// Threads  add(), begin(), end(): one writer. spans(): any thread, at any time; leaves out spans
///          that are overwritten meanwhile.
/// Cost     add(): six atomic stores; begin() and end() together seven; no wait, no allocation.
class TraceRing {
 public:
  static constexpr std::size_t kKept = 4096;  // 15 seconds of a stage at 60 fps

  /// `is_source`: the slot has no inputs in its patch, so it waits for the outside.
  explicit TraceRing(std::string name, bool is_source = false)
      : name_(std::move(name)), is_source_(is_source), records_(kKept) {}
  TraceRing(const TraceRing&) = delete;
  TraceRing& operator=(const TraceRing&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_source() const { return is_source_; }

  void add(const TraceSpan& span) {
    begin(span);
    done_.store(done_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  /// Begins a span. A span with the end kUnfinished needs an end() before the next begin().
  void begin(const TraceSpan& span) {
    // Each field is released after `begun_`, so a reader of any field also sees that the span has
    // begun. The end is stored last, so a reader that sees kUnfinished also sees the other fields.
    const auto number = done_.load(std::memory_order_relaxed);
    begun_.store(number + 1, std::memory_order_relaxed);
    auto& record = records_[number % kKept];
    record[0].store(ticks(span.begin), std::memory_order_release);
    record[2].store(span.frame, std::memory_order_release);
    record[3].store(static_cast<std::uint64_t>(span.kind) | std::uint64_t{span.link} << 8U,
                    std::memory_order_release);
    record[1].store(ticks(span.end), std::memory_order_release);
  }
  /// Ends the span that has begun.
  void end(LocalTime end) {
    const auto number = done_.load(std::memory_order_relaxed);
    records_[number % kKept][1].store(ticks(end), std::memory_order_release);
    done_.store(number + 1, std::memory_order_release);
  }

  /// The spans that ended at `since` or later, oldest first, then the unfinished span.
  [[nodiscard]] std::vector<TraceSpan> spans(LocalTime since = LocalTime::min()) const {
    const auto end = done_.load(std::memory_order_acquire);
    const auto first = end > kKept ? end - kKept : 0;
    std::vector<TraceSpan> spans;
    spans.reserve(static_cast<std::size_t>(end - first) + 1);
    for (auto number = first; number < end; ++number)
      spans.push_back(read(records_[number % kKept]));
    const auto& next = records_[end % kKept];
    if (next[1].load(std::memory_order_acquire) == ticks(TraceSpan::kUnfinished)) {
      spans.push_back(read(next));
      spans.back().end = TraceSpan::kUnfinished;  // it may end just now
    }
    const auto begun = begun_.load(std::memory_order_relaxed);
    const auto overwritten = begun > kKept + first ? begun - kKept - first : 0;
    spans.erase(spans.begin(), spans.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(
                                                   overwritten, spans.size())));
    std::erase_if(spans, [since](const TraceSpan& span) { return span.end < since; });
    return spans;
  }

 private:
  using SpanRecord = std::array<std::atomic<std::uint64_t>, 4>;

  static std::uint64_t ticks(LocalTime time) {
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(time.time_since_epoch()).count());
  }
  static LocalTime time_of(std::uint64_t ticks) {
    return LocalTime(std::chrono::nanoseconds(static_cast<std::int64_t>(ticks)));
  }
  static TraceSpan read(const SpanRecord& record) {
    const auto kind_and_link = record[3].load(std::memory_order_acquire);
    return {time_of(record[0].load(std::memory_order_acquire)),
            time_of(record[1].load(std::memory_order_acquire)),
            record[2].load(std::memory_order_acquire),
            static_cast<TraceKind>(kind_and_link & 0xffU),
            static_cast<std::uint32_t>(kind_and_link >> 8U)};
  }

  const std::string name_;
  const bool is_source_;
  std::vector<SpanRecord> records_;
  std::atomic<std::uint64_t> begun_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
};

}  // namespace submix::telemetry
