// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/input/control.hpp"
#include "controller/input/fine_pair.hpp"
#include "controller/input/midi_message.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace submix::input {

/// How a target follows a control.
enum class Response {
  absolute,   ///< stands where the control stands
  toggle,     ///< each press turns it over, or sets it off
  momentary,  ///< on while the key is down
  relative,   ///< an endless knob: 1 to 63 up, 127 to 65 down (two's complement)
};
[[nodiscard]] std::string_view to_string(Response response);
[[nodiscard]] Result<Response> parse_response(std::string_view text);

/// Whether a control may have it: only a plain controller can be an endless knob.
[[nodiscard]] bool is_possible(Response response, MidiControl::Kind kind);

/// One control moves one target; several mappings may share either.
struct Mapping {
  std::string device;
  MidiControl control;
  Target target;
  double from = 0;  ///< the target's position, 0 to 1, at the control's lower end
  double to = 1;    ///< and at its upper end; less than `from`: inverted
  Response response = Response::absolute;
  bool is_soft = true;  ///< an absolute control moves its target only once it has met it

  friend bool operator==(const Mapping&, const Mapping&) = default;
};

struct MidiOutput {
  std::string device;
  MidiBytes bytes;
};

/// What MIDI does, without its ports: messages go in; orders and what devices are to show come out.
///
/// Learning   learn(target): the next control that moves has it. One that may be half of a 14-bit controller
///            waits kPairTime for the other half, and is 14 bit if that comes.
/// Take-over  A soft control that stands elsewhere than its target moves nothing until it has met it.
/// Feedback   A device is told where a target stands, but not while a hand is on that control.
/// 14 bit     As FinePair says.
/// Endless    A relative knob moves a switch or a choice by at least one place.
/// Threads    Compatible.
class MidiCore {
 public:
  static constexpr std::size_t kMappingsMax = 1024;
  static constexpr std::chrono::milliseconds kPairTime = FinePair::kPairTime;
  static constexpr std::chrono::milliseconds kHoldTime{
      400};  ///< a hand is taken to be on a control so long

  void set_mappings(std::vector<Mapping> mappings);
  [[nodiscard]] std::vector<Mapping> mappings() const;

  void learn(Target target) { learning_ = Learning{std::move(target), {}, {}, {}}; }
  void stop_learning() { learning_.reset(); }
  [[nodiscard]] const Target* learning() const { return learning_ ? &learning_->target : nullptr; }
  /// Makes the mapping that was waiting for its fine half; true: there is a new mapping.
  [[nodiscard]] bool finish_learning(const Scene& scene, LocalTime now);

  /// The orders that a message gives; none while learning.
  [[nodiscard]] std::vector<Order> handle(const std::string& device,
                                          std::span<const std::uint8_t> bytes, const Scene& scene,
                                          LocalTime now);
  /// The orders of halves that have waited long enough for their other half.
  [[nodiscard]] std::vector<Order> take_due(const Scene& scene, LocalTime now);
  /// What devices are to be told since the last call.
  [[nodiscard]] std::vector<MidiOutput> feedback(const Scene& scene, LocalTime now);
  /// It could not be sent: it is told again.
  void not_told(const MidiOutput& output);
  /// It has come (back): all that it shows is told anew, and its controls are where nobody knows.
  void device_came(const std::string& device);

  /// Whether the control of a mapping has yet to meet its target, and to which side it is to be turned.
  enum class Distance { none, turn_up, turn_down };
  [[nodiscard]] Distance distance(std::size_t mapping, const Scene& scene, LocalTime now) const;

 private:
  struct Line {
    Mapping mapping;
    std::optional<double> hand{};  // where the control stands, 0 to 1
    std::optional<double> set{};   // where it has set its target
    std::optional<int> shown{};    // what the device shows
    LocalTime touched{};           // by a hand, whether it moved the target or not
    LocalTime moved{};             // when it set its target
    FinePair pair{};               // of a cc14
  };
  struct Learning {
    Target target;
    std::string device;
    std::optional<MidiControl> candidate;
    LocalTime since;
  };

  void consider(const std::string& device, const MidiEvent& event, LocalTime now);
  [[nodiscard]] static std::optional<int> value_for(Line& line, const MidiEvent& event,
                                                    LocalTime now);
  /// The order of a control that stands at `value` now.
  [[nodiscard]] static std::optional<Order> move(Line& line, int value, const Scene& scene,
                                                 LocalTime now);
  [[nodiscard]] static std::optional<double> wanted(Line& line, const Control& control, int value,
                                                    LocalTime now);
  /// Whether it has set its target just now.
  [[nodiscard]] static bool is_moving(const Line& line, LocalTime now);
  [[nodiscard]] static bool has_met(const Line& line, double hand, double present, LocalTime now);
  /// Where the target stands; what was just set counts before it is seen in the show.
  [[nodiscard]] static double present_of(const Line& line, double position, LocalTime now);

  std::vector<Line> lines_;
  std::optional<Learning> learning_;
};

}  // namespace submix::input
