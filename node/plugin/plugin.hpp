// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/media/frame_pool.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/time_shares.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::plugin {

/// What a plugin takes. An output passes its input on, so that it may stand in the middle of a patch.
enum class Kind { source, filter, mixer2, mixer3, output };

[[nodiscard]] std::size_t input_count(Kind kind);
[[nodiscard]] std::string_view to_string(Kind kind);

enum class ParameterType { boolean, number, color, position, text };

[[nodiscard]] std::string_view to_string(ParameterType type);

/// A parameter as a person sees it; numbers outside the limits are clamped, NaN is refused. The parts of a
/// colour or a position always lie within 0 to 1.
struct ParameterDescription {
  std::string name;
  ParameterType type = ParameterType::number;
  std::string explanation = {};
  show::ParameterValue initial = 0.0;
  double minimum = 0.0;
  double maximum = 1.0;
  std::vector<std::string> choices = {};  ///< of a text: the only values it takes; empty: any text
};

/// What a plugin is. Immutable once registered.
struct Description {
  std::string id;  ///< "clip", "frei0r/glow"
  Kind kind = Kind::filter;
  std::string explanation = {};
  std::string author = {};
  std::vector<ParameterDescription> parameters = {};

  [[nodiscard]] const ParameterDescription* find_parameter(std::string_view name) const;
};

/// What a stage's owner thread does with its time.
enum class StageState { working, starved, blocked, count };
using StageShares = telemetry::TimeShares<StageState>;

/// What a plugin is made with.
struct Setup {
  std::string submix;
  std::string slot;
  Size size;
  FrameRate rate;
  show::Parameters parameters;   ///< all that the description names, checked and clamped by the Catalog
  EventSink* events = nullptr;   ///< outlives the plugin
  const Clock* clock = nullptr;  ///< outlives the plugin
  std::size_t frames_behind =
      0;  ///< of this plugin's, held by the patch behind it: room for a pool of its own
  show::Hosting hosting = show::Hosting::in_process;  ///< of a third-party plugin
  bool has_company = false;  ///< whoever stops this slot stops another end of its patch, too: a window, say

  /// "left.clip": how events and errors name the slot.
  [[nodiscard]] std::string about() const { return submix + "." + slot; }
};

/// One frame's work.
struct Work {
  std::span<const media::Frame> inputs;  ///< as many as the kind takes; same position in their streams
  media::FrameStamp stamp;               ///< for the output: the first input's, or a source's next
  media::FramePool* pool = nullptr;      ///< where output frames come from
  std::stop_token stop;                  ///< asked for: return empty soon (under 100 ms)
  StageShares* shares = nullptr;         ///< see Waiting
  const Clock* clock = nullptr;
  FrameIndex first{};  ///< that this slot makes: later than 0 where it came while the patch ran

  /// A frame to fill, stamped; waits for a free seat; empty when asked to stop.
  [[nodiscard]] std::optional<media::WritableFrame> acquire_output();
};

/// Books the time of its scope as `starved` (waits for something to come) or `blocked` (waits until something
/// goes) instead of working: for a plugin that waits itself. Confined (the owner thread).
class Waiting {
 public:
  Waiting(const Work& work, StageState state);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  const Work& work_;
};

/// A running plugin instance.
///
/// Threads  Confined (the owner thread of its stage), but counters() and trouble(): any thread.
/// Errors   Creation fails with a Result. process() never fails: it reports an event and goes on as well
///          as it can (the last good frame, the input passed on).
class Plugin {
 public:
  Plugin() = default;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;
  virtual ~Plugin() = default;

  /// Makes one frame. Empty only when asked to stop.
  [[nodiscard]] virtual std::optional<media::Frame> process(Work& work) = 0;

  /// A change while running, checked and clamped already; for the next process().
  virtual void set(std::string_view parameter, const show::ParameterValue& value) = 0;

  /// Frames this plugin holds on to after process() returned (a "last shown", a stream's unacknowledged
  /// ones); its own pool and those in front of it are made larger by as many. Constant.
  [[nodiscard]] virtual std::size_t frames_retained() const { return 0; }

  /// Of a slot that nobody reads: whether those who take its frames set the pace, as a stream's receivers do.
  /// If not, the show's rate does. Asked before each frame.
  [[nodiscard]] virtual bool is_paced() const { return false; }

  /// Whether other processes may read its inputs where they are: the pools in front of it lie in shared
  /// memory. Constant.
  [[nodiscard]] virtual bool shows_inputs() const { return false; }

  /// Whether another process fills its outputs: its own pool lies in shared memory. Constant.
  [[nodiscard]] virtual bool shares_outputs() const { return false; }

  /// The slot's bypass was lifted: a plugin that had given up tries again.
  virtual void try_again() {}

  /// Why the plugin does not work although its slot is not bypassed, and the remedy; empty: it works.
  /// Synchronized.
  [[nodiscard]] virtual std::string trouble() const { return {}; }

  /// The plugin's own counts, for telemetry. Synchronized.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::uint64_t>> counters() const { return {}; }
};

}  // namespace submix::plugin
