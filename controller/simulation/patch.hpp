// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/jitter.hpp"
#include "common/telemetry/readings.hpp"
#include "controller/simulation/stream.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::simulation {

/// The work of a slot on one frame, for traces.
struct FrameSpan {
  LocalTime begin;
  std::chrono::nanoseconds time{0};
  std::uint64_t frame = 0;
};

/// A simulated submix: slots take frames from each other's queues, each at its own speed. Frames
/// are counted, not made. Which slots are starved or blocked follows from the counts.
///
/// Threads  Compatible.
class Patch {
 public:
  /// The conditions of one call of advance().
  struct Conditions {
    LocalTime now;
    std::chrono::nanoseconds time{0};
    FrameRate rate;
    bool is_paused = false;
    std::uint64_t steps = 0;  ///< steps allowed to each end of a patch in a pause
    double slowness = 1;      ///< above 1 if the node has more work than its cores can do
  };

  Patch(show::Submix submix, std::uint64_t seed);

  [[nodiscard]] const show::Submix& stated() const { return stated_; }
  /// Finds the streams of the slots again: `streams` may have changed or moved.
  void connect(const std::vector<Stream>& streams);
  /// Takes over the counts of slots with the same name and plugin.
  void inherit(const Patch& former);
  void advance(const Conditions& conditions, std::vector<Stream>& streams);
  /// CPU time of all slots since the last call.
  [[nodiscard]] std::chrono::nanoseconds take_cpu() { return std::exchange(cpu_, {}); }
  /// Cores needed by the patch at a rate.
  [[nodiscard]] double cores_at(FrameRate rate) const;

  /// Why a slot's plugin does not work. Empty: it works. A failed plugin passes its input on.
  void set_trouble(std::size_t slot, std::string why);
  /// The slot's plugin computes `factor` times as long as usual on a frame.
  void set_load(std::string_view slot, double factor);
  [[nodiscard]] std::size_t slot_count() const { return slots_.size(); }
  [[nodiscard]] std::string_view slot_name(std::size_t slot) const { return slots_.at(slot).name; }
  /// The frame count of a slot, or of the last slot if `slot` is empty. Empty: there is no such
  /// slot.
  [[nodiscard]] std::optional<std::uint64_t> frames_of(std::string_view slot) const;
  [[nodiscard]] telemetry::SubmixReading reading() const;
  /// The latest work of a slot, oldest first.
  [[nodiscard]] const std::deque<FrameSpan>& spans(std::size_t slot) const {
    return slots_.at(slot).spans;
  }

 private:
  struct Queue {
    std::size_t from = 0;  // the slot filling the queue
    std::uint64_t capacity = 0;
    std::uint64_t put = 0;
    std::uint64_t taken = 0;

    [[nodiscard]] std::uint64_t size() const { return put - taken; }
  };
  struct Reader {
    std::size_t slot = 0;
    std::size_t queue = 0;
  };
  enum class WaitsFor { nothing, input, room };
  struct Slot {
    std::string name;
    std::string plugin;
    std::chrono::nanoseconds usual_time{0};
    std::chrono::nanoseconds frame_time{0};
    int helpers = 1;
    std::vector<Queue> queues;
    std::vector<Reader> readers;
    std::vector<std::size_t> streams;  // indices: all of a stream-out, the only one of a stream-in
    bool is_in = false;
    bool is_out = false;
    bool is_terminal = false;
    std::string trouble;

    std::uint64_t frames = 0;
    std::chrono::nanoseconds working{0};
    std::chrono::nanoseconds starved{0};
    std::chrono::nanoseconds blocked{0};
    std::chrono::nanoseconds ready{0};      // computing time not used yet
    std::chrono::nanoseconds accounted{0};  // time already counted as working, starved or blocked
    double due = 0;                         // paced slot: frames allowed by the rate now
    WaitsFor waits_for = WaitsFor::nothing;
    std::deque<FrameSpan> spans;
  };

  void connect_inputs(std::size_t slot);
  void add_queue(std::size_t slot, std::string_view input);
  [[nodiscard]] std::optional<std::size_t> find_slot(std::string_view name) const;
  [[nodiscard]] bool is_paced(const Slot& slot, const std::vector<Stream>& streams) const;
  void begin(Slot& slot, const Conditions& conditions, const std::vector<Stream>& streams);
  [[nodiscard]] bool fire(Slot& slot, const Conditions& conditions, std::vector<Stream>& streams);
  [[nodiscard]] bool has_input(const Slot& slot, const std::vector<Stream>& streams) const;
  [[nodiscard]] bool has_room(const Slot& slot, const std::vector<Stream>& streams) const;
  void pass_on(Slot& slot, const Conditions& conditions, std::vector<Stream>& streams);
  void end(Slot& slot, const Conditions& conditions, std::vector<Stream>& streams);
  [[nodiscard]] std::chrono::nanoseconds time_of(const Slot& slot) const;
  void add_pools(telemetry::SubmixReading& reading) const;

  show::Submix stated_;
  double slowness_ = 1;
  bool is_paused_ = false;
  std::vector<Slot> slots_;
  std::chrono::nanoseconds cpu_{0};
  telemetry::JitterReading jitter_;
  std::uint64_t late_frames_ = 0;
  std::uint64_t late_frame_ = 0;
};

}  // namespace submix::simulation
