// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/stream/stream_in.hpp"

#include "node/io/stream/pause_budget.hpp"
#include "node/io/stream/standby_picture.hpp"
#include "node/plugin/strip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace submix::io {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Frames that can back up at both ends of the stream while nobody takes any.
std::size_t backlog_of(const StreamInput& input) {
  return input.receiver ? 2 * input.receiver->credits() : 0;
}

/// Decides whether a step in a pause asks an input for a frame. Frames given since the pause began
/// count for its steps.
class PauseSteps {
 public:
  explicit PauseSteps(const ShowPause& begin) : pauses_(begin.pauses), given_(begin.steps) {}

  [[nodiscard]] bool are_due(const ShowPause& pause) const {
    return pause.is_paused && (pause.pauses == pauses_ ? given_ : 0) < pause.steps;
  }
  void give(const ShowPause& pause) {
    if (!pause.is_paused) return;
    if (std::exchange(pauses_, pause.pauses) != pause.pauses) given_ = 0;
    ++given_;
  }

 private:
  std::uint64_t pauses_;
  std::uint64_t given_;  // in the latest pause; steps before this input began do not count
};

class StreamIn final : public plugin::Plugin {
 public:
  StreamIn(const plugin::Setup& setup, StreamInput input)
      : about_(setup.about()),
        events_(setup.events),
        input_(std::move(input)),
        budget_(setup.rate, backlog_of(input_)),
        steps_(look()),
        has_frames_(input_.receiver && input_.receiver->telemetry().frames_produced > 0) {}

  ~StreamIn() override {
    // If this input belongs to a failed edit, another input may follow it or go on beside it.
    if (input_.receiver && has_told_) input_.receiver->set_detached({});
  }

  std::optional<media::Frame> process(plugin::Work& work) override {
    if (!input_.receiver) return make_black(work);
    if (is_patient() && !budget_.is_attached()) attach_by_policy();
    FrameWait wait{.pause = look()};
    auto frame = receive_at_once(work);
    const bool is_new_layer = !has_frames_ && work.first.value > 0;
    if (!frame && is_new_layer) return make_black(work);
    has_frames_ = true;
    if (!frame && left_for(wait).count() > 0) frame = wait_for_frame(work, wait);
    if (!frame && work.stop.stop_requested()) return std::nullopt;
    steps_.give(wait.pause);
    return frame ? take(std::move(*frame), wait) : replace(work, wait);
  }

  void set(std::string_view, const show::ParameterValue&) override {}

  plugin::PluginTraits traits() const override {
    plugin::PluginTraits traits{.frames_retained = 1};  // the stand-in
    if (!input_.receiver) return traits;
    const auto held = input_.receiver->frames_held();
    traits.frames_lent = held - std::min(held, traits.frames_retained);
    return traits;
  }

  std::vector<media::SeatNote> own_seats() const override {
    return input_.receiver ? input_.receiver->seats() : std::vector<media::SeatNote>();
  }

 private:
  /// The wait for one frame.
  struct FrameWait {
    ShowPause pause;  // at the last look
    nanoseconds while_running{0};
    nanoseconds for_step{0};  // in a pause
  };

  [[nodiscard]] std::optional<media::Frame> receive_at_once(const plugin::Work& work) const {
    const plugin::HandOver handing_over(work, plugin::StageState::starved);
    return input_.receiver->try_receive();
  }

  [[nodiscard]] ShowPause look() const {
    return input_.show_pause ? input_.show_pause() : ShowPause();
  }

  [[nodiscard]] bool is_patient() const {
    const auto kind = input_.policy->kind();
    return kind == show::InputPolicy::wait || kind == show::InputPolicy::latest;
  }

  static std::optional<media::Frame> make_black(plugin::Work& work) {
    auto writable = work.acquire_output();
    if (!writable) return std::nullopt;
    writable->stamp().epoch = plugin::kStandInEpoch;
    paint_black(writable->rgba(), writable->size());
    return std::move(*writable).publish();
  }

  /// Waits as long as the policy says and its budget lasts; both may change meanwhile.
  std::optional<media::Frame> wait_for_frame(const plugin::Work& work, FrameWait& wait) {
    const plugin::Waiting waiting(work, plugin::StageState::starved);
    auto since = work.clock->now();
    for (auto left = left_for(wait); left.count() > 0 && !work.stop.stop_requested();
         left = left_for(wait)) {
      auto frame =
          input_.receiver->receive_for(std::min<nanoseconds>(kPolicyPollPeriod, left), work.stop);
      const auto now = work.clock->now();
      const auto waited = now - std::exchange(since, now);
      const auto before = wait.pause;
      if (!frame) wait.pause = look();  // a wait in which the pause began is no debt
      if (!before.is_paused && !wait.pause.is_paused) wait.while_running += waited;
      if (steps_.are_due(before)) wait.for_step += waited;
      if (frame) return frame;
    }
    return std::nullopt;
  }

  [[nodiscard]] nanoseconds left_for(const FrameWait& wait) const {
    const bool is_still = wait.pause.is_paused && !steps_.are_due(wait.pause);
    if (is_still) return kPolicyPollPeriod;
    if (input_.receiver->is_removed()) return nanoseconds(0);
    if (is_patient()) return kPolicyPollPeriod;
    if (!budget_.is_attached()) return nanoseconds(0);
    const nanoseconds budget = input_.policy->pause_budget();
    return wait.pause.is_paused ? budget - wait.for_step : budget_.left(budget, wait.while_running);
  }

  media::Frame take(media::Frame frame, const FrameWait& wait) {
    const bool was_attached = budget_.is_attached();
    if (is_patient()) {
      budget_.forgive();
    } else {
      static_cast<void>(budget_.take(wait.while_running));
    }
    if (!was_attached && budget_.is_attached()) tell_attached("frames come again");
    last_ = frame;
    stand_in_ = {};
    return frame;
  }

  /// The input is late: follows its policy. A slow performer's picture does not flicker with the
  /// stand-in. A step in a pause makes nobody late, because the performer may learn of the step
  /// later.
  std::optional<media::Frame> replace(plugin::Work& work, const FrameWait& wait) {
    const auto kind = input_.policy->kind();
    input_.receiver->count_repeated_frame();
    const bool is_removed = input_.receiver->is_removed();
    if (is_removed && (stand_in_ || last_)) return stand_in_ ? stand_in_ : last_;
    const bool is_late = !is_removed && (!wait.pause.is_paused || !budget_.is_attached());
    if (is_late && budget_.replace(wait.while_running)) tell_detached(kind, wait.while_running);
    const bool is_gone = is_late && budget_.silence() >= input_.policy->pause_budget();
    if (last_ && (kind == show::InputPolicy::hold || !is_gone)) return last_;
    update_stand_in(work, kind);
    if (!stand_in_) return std::nullopt;
    return stand_in_;
  }

  /// Makes the stand-in again only if the policy or its picture is another.
  void update_stand_in(plugin::Work& work, show::InputPolicy kind) {
    const auto picture = input_.policy->standby();
    if (stand_in_ && kind == stand_in_kind_ && picture == stand_in_picture_) return;
    stand_in_ = {};  // its seat is free for the next one
    stand_in_kind_ = kind;
    stand_in_picture_ = picture;
    stand_in_ = make_stand_in(work);
  }

  static std::string_view stand_in_named(show::InputPolicy kind) {
    if (kind == show::InputPolicy::hold) return "holding the last one";
    return kind == show::InputPolicy::standby ? "the stand-by picture" : "black";
  }

  media::Frame make_stand_in(plugin::Work& work) const {
    auto writable = work.acquire_output();
    if (!writable) return {};
    writable->stamp().epoch = plugin::kStandInEpoch;
    const auto rgba = writable->rgba();
    if (stand_in_kind_ != show::InputPolicy::standby) {
      paint_black(rgba, writable->size());
    } else if (stand_in_picture_ != nullptr && stand_in_picture_->size() == rgba.size()) {
      std::copy(stand_in_picture_->begin(), stand_in_picture_->end(), rgba.begin());
    } else {
      paint_standby(rgba, writable->size(), input_.receiver->stream());
    }
    return std::move(*writable).publish();
  }

  void tell_detached(show::InputPolicy kind, nanoseconds waited) {
    const auto ms = [](nanoseconds time) {
      return std::chrono::duration_cast<milliseconds>(time).count();
    };
    auto why =
        waited >= budget_.debt()
            ? fmt::format("no frame for {} ms: {} until one comes",
                          ms(std::min<nanoseconds>(waited, input_.policy->pause_budget())),
                          stand_in_named(kind))
            : fmt::format(
                  "its frames have come {} ms late in all: none is waited for until they keep "
                  "up, and the last one is held between them. To wait for each: submix policy "
                  "{} wait; or longer: --pause-budget MS",
                  ms(budget_.debt() + waited), input_.receiver->stream());
    report(Severity::warning, why);
    input_.receiver->set_detached(std::move(why));
    has_told_ = true;
  }

  void tell_attached(std::string_view why) {
    report(Severity::note, fmt::format("{}, after {} stand-ins", why, budget_.replaced()));
    input_.receiver->set_detached({});
    has_told_ = false;
  }

  // Attaches at the next check, not at the next frame, which may never come.
  void attach_by_policy() {
    tell_attached("its policy waits for frames again");
    budget_.forgive();
  }

  void report(Severity severity, const std::string& text) const {
    if (events_ == nullptr) return;
    events_->report(severity, about_,
                    fmt::format("stream {}: {}", input_.receiver->stream(), text));
  }

  const std::string about_;
  EventSink* const events_;
  const StreamInput input_;
  media::Frame last_;      // the last frame that came; the receiver has a frame for it
  media::Frame stand_in_;  // black or stand-by, while shown; the next two say which
  show::InputPolicy stand_in_kind_ = show::InputPolicy::black;
  StandbyPicture stand_in_picture_;
  PauseBudget budget_;
  PauseSteps steps_;
  bool has_frames_;        // true also while it waits for its first frame by its policy
  bool has_told_ = false;  // the receiver knows that the input is detached
};

}  // namespace

plugin::Description stream_in_description() {
  return {.id = std::string(show::kStreamInPlugin),
          .kind = plugin::Kind::source,
          .explanation = "Frames that another submix sends by a stream of the show"};
}

Result<std::unique_ptr<plugin::Plugin>> make_stream_in(const plugin::Setup& setup,
                                                       StreamInput input) {
  if (input.receiver && input.receiver->size() != setup.size) {
    const auto size = input.receiver->size();
    return fail("{}: stream \"{}\" is {}x{}, the patch {}x{}", setup.about(),
                input.receiver->stream(), size.width, size.height, setup.size.width,
                setup.size.height);
  }
  return std::make_unique<StreamIn>(setup, std::move(input));
}

}  // namespace submix::io
