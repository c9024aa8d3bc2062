// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/stream/stream_in.hpp"

#include "node/io/stream/wait_for_stop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::io {
namespace {

class StreamIn final : public plugin::Plugin {
 public:
  StreamIn(std::string about, EventSink* events, StreamInput input)
      : about_(std::move(about)), events_(events), input_(std::move(input)) {}

  std::optional<media::Frame> process(plugin::Work& work) override {
    if (!input_.receiver) {
      const plugin::Waiting waiting(work, plugin::StageState::starved);
      wait_for_stop(work.stop);
      return std::nullopt;
    }
    auto frame = input_.receiver->try_receive();
    if (!frame && (!is_detached_ || is_patient())) frame = wait_for_frame(work);
    if (frame) return take(std::move(*frame));
    return work.stop.stop_requested() ? std::nullopt : replace(work);
  }

  void set(std::string_view, const show::ParameterValue&) override {}

  std::size_t frames_retained() const override { return 1; }  // the black one

 private:
  [[nodiscard]] bool is_patient() const {
    const auto kind = input_.policy->kind();
    return kind == show::InputPolicy::wait || kind == show::InputPolicy::latest;
  }

  /// For as long as the policy says, which may change meanwhile.
  std::optional<media::Frame> wait_for_frame(const plugin::Work& work) {
    const plugin::Waiting waiting(work, plugin::StageState::starved);
    const auto began = work.clock->now();
    while (!work.stop.stop_requested()) {
      const auto left = began + input_.policy->pause_budget() - work.clock->now();
      if (!is_patient() && left.count() <= 0) break;
      const auto look = is_patient() ? kPolicyLook : std::min<std::chrono::nanoseconds>(kPolicyLook, left);
      if (auto frame = input_.receiver->receive_for(look, work.stop)) return frame;
    }
    return std::nullopt;
  }

  media::Frame take(media::Frame frame) {
    if (std::exchange(is_detached_, false)) report(Severity::note, "frames come again");
    last_ = frame;
    black_ = {};
    return frame;
  }

  /// The input is late: what its policy says.
  std::optional<media::Frame> replace(plugin::Work& work) {
    const bool is_hold = input_.policy->kind() == show::InputPolicy::hold;
    if (!std::exchange(is_detached_, true)) {
      report(Severity::warning,
             fmt::format("no frame for {} ms: {} until one comes", input_.policy->pause_budget().count(),
                         is_hold ? "holding the last one" : "black"));
    }
    input_.receiver->count_repeated_frame();
    if (is_hold && last_) return last_;
    if (!black_) black_ = black(work);
    if (!black_) return std::nullopt;
    return black_;
  }

  static media::Frame black(plugin::Work& work) {
    auto writable = work.acquire_output();
    if (!writable) return {};
    const auto rgba = writable->rgba();
    std::fill(rgba.begin(), rgba.end(), std::uint8_t{0});
    for (std::size_t alpha = 3; alpha < rgba.size(); alpha += 4)
      rgba[alpha] = 255;
    return std::move(*writable).publish();
  }

  void report(Severity severity, std::string text) {
    if (events_ == nullptr) return;
    events_->report(severity, about_, fmt::format("stream {}: {}", input_.receiver->stream(), text));
  }

  const std::string about_;
  EventSink* const events_;
  const StreamInput input_;
  media::Frame last_;   // that came; the receiver has a frame for it
  media::Frame black_;  // while it is shown
  bool is_detached_ = false;
};

}  // namespace

plugin::Description stream_in_description() {
  return {.id = std::string(show::kStreamInPlugin),
          .kind = plugin::Kind::source,
          .explanation = "Frames that another submix sends by a stream of the show"};
}

Result<std::unique_ptr<plugin::Plugin>> make_stream_in(const plugin::Setup& setup, StreamInput input) {
  if (input.receiver && input.receiver->size() != setup.size) {
    const auto size = input.receiver->size();
    return fail("{}: stream \"{}\" is {}x{}, the patch {}x{}", setup.about(), input.receiver->stream(),
                size.width, size.height, setup.size.width, setup.size.height);
  }
  return std::make_unique<StreamIn>(setup.about(), setup.events, std::move(input));
}

}  // namespace submix::io
