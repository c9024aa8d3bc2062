// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/input/control.hpp"
#include "controller/input/fine_pair.hpp"
#include "controller/input/surface.hpp"

#include <optional>
#include <string>
#include <vector>

namespace submix::input {

/// How a target follows a control.
enum class Response {
  absolute,   ///< takes the control's position
  toggle,     ///< each press switches over, or triggers
  momentary,  ///< on while the key is held
  relative,   ///< an endless knob: 1 to 63 up, 127 to 65 down (two's complement)
};
[[nodiscard]] std::string_view to_string(Response response);
[[nodiscard]] Result<Response> parse_response(std::string_view text);

/// Whether a control can have this response. Only a plain MIDI controller can be an endless knob.
[[nodiscard]] bool is_possible(Response response, const SurfaceControl& control);

/// One control moves one target. Several mappings may share a control or a target.
struct Mapping {
  std::string device;  ///< kKeyboard, kOscPrograms or the name of a MIDI device
  SurfaceControl control;
  Target target;
  double from = 0;  ///< position of the target, 0 to 1, at the control's lower end
  double to = 1;    ///< at the control's upper end; below `from`: inverted
  Response response = Response::absolute;
  /// An absolute control moves its target only after it has met the target's position.
  bool is_soft = true;

  friend bool operator==(const Mapping&, const Mapping&) = default;
};

struct MidiOutput {
  std::string device;
  MidiBytes bytes;
};

/// The logic of mappings, without devices. Movements of controls go in; orders, and the values that
/// MIDI devices must show, come out.
///
/// Learning   learn(target): the next control that moves is mapped. A MIDI controller that may be
///            half of a 14-bit controller waits kPairTime for the other half. If the other half
///            comes, the mapping is 14 bit.
/// Take-over  A soft control that differs from its target moves nothing until it has met the
///            target.
/// Feedback   A MIDI device gets the target's position, except while a hand moves the control.
/// 14 bit     See FinePair.
/// Endless    A relative knob moves a switch or a choice by at least one place.
/// Threads    Compatible.
class MappingCore {
 public:
  static constexpr std::size_t kMappingsMax = 1024;
  static constexpr std::chrono::milliseconds kPairTime = FinePair::kPairTime;
  /// A hand is assumed to hold a control this long after a message.
  static constexpr std::chrono::milliseconds kHoldTime{400};

  void set_mappings(std::vector<Mapping> mappings);
  [[nodiscard]] std::vector<Mapping> mappings() const;

  void learn(Target target) { learning_ = Learning{std::move(target), {}, {}, {}}; }
  void stop_learning() { learning_.reset(); }
  [[nodiscard]] const Target* learning() const { return learning_ ? &learning_->target : nullptr; }
  /// Makes the mapping that was waiting for its fine half. True: there is a new mapping.
  [[nodiscard]] bool finish_learning(const Scene& scene, LocalTime now);

  /// Whether a mapping uses the movement of this key or OSC address, or learning would take it.
  [[nodiscard]] bool hears(const SurfaceEvent& event) const;
  /// The orders of a movement. None while learning.
  [[nodiscard]] std::vector<Order> handle(const SurfaceEvent& event, const Scene& scene,
                                          LocalTime now);
  /// The orders of halves that have waited long enough for their other half.
  [[nodiscard]] std::vector<Order> take_due(const Scene& scene, LocalTime now);
  /// The values to send to devices since the last call.
  [[nodiscard]] std::vector<MidiOutput> feedback(const Scene& scene, LocalTime now);
  /// `output` could not be sent; feedback() returns it again.
  void not_told(const MidiOutput& output);
  /// The device was connected. The positions of its controls are unknown, and feedback() sends all
  /// its values again.
  void device_came(const std::string& device);

  /// The direction in which the control of a mapping must be turned to meet its target.
  enum class Distance { none, turn_up, turn_down };
  [[nodiscard]] Distance distance(std::size_t mapping, const Scene& scene, LocalTime now) const;

 private:
  struct MappedControl {
    Mapping mapping;
    std::optional<double> control_at{};  // position of the control, 0 to 1
    std::optional<double> set{};         // position of the target that the control has set
    std::optional<int> shown{};          // value on the device's display or motor
    LocalTime touched{};                 // time of the last message
    LocalTime moved{};                   // time of the last change of the target
    FinePair pair{};                     // for a 14-bit controller
  };
  struct Learning {
    Target target;
    std::string device;
    std::optional<SurfaceControl> candidate;
    LocalTime since;
  };

  void consider(const SurfaceEvent& event, LocalTime now);
  [[nodiscard]] static std::optional<int> value_for(MappedControl& each, const SurfaceEvent& event,
                                                    LocalTime now);
  /// The order of a control that has reached `value`.
  [[nodiscard]] static std::optional<Order> move(MappedControl& each, int value, const Scene& scene,
                                                 LocalTime now);
  [[nodiscard]] static std::optional<double> wanted(MappedControl& each, const Control& control,
                                                    int value, LocalTime now);
  /// Whether the control has set its target just now.
  [[nodiscard]] static bool is_moving(const MappedControl& each, LocalTime now);
  [[nodiscard]] static bool has_met(const MappedControl& each, double control_at, double present,
                                    LocalTime now);
  /// The target's position. A value that was just set counts before it is visible in the show.
  [[nodiscard]] static double present_of(const MappedControl& each, double position, LocalTime now);

  std::vector<MappedControl> mapped_;
  std::optional<Learning> learning_;
};

}  // namespace submix::input
