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
    if (!frame && !is_detached_) frame = wait_for_frame(work);
    if (work.stop.stop_requested()) return std::nullopt;
    return frame ? take(std::move(*frame)) : replace(work);
  }

  void set(std::string_view, const show::ParameterValue&) override {}

  std::size_t frames_retained() const override { return input_.policy == show::InputPolicy::wait ? 0 : 1; }

 private:
  std::optional<media::Frame> wait_for_frame(const plugin::Work& work) {
    const plugin::Waiting waiting(work, plugin::StageState::starved);
    if (input_.policy == show::InputPolicy::wait) return input_.receiver->receive(work.stop);
    return input_.receiver->receive_for(input_.pause_budget, work.stop);
  }

  media::Frame take(media::Frame frame) {
    if (std::exchange(is_detached_, false)) report(Severity::note, "frames come again");
    if (input_.policy == show::InputPolicy::hold) shown_ = frame;
    if (input_.policy == show::InputPolicy::black) shown_ = {};
    return frame;
  }

  /// The input is late: what its policy says.
  std::optional<media::Frame> replace(plugin::Work& work) {
    const bool is_hold = input_.policy == show::InputPolicy::hold;
    if (!std::exchange(is_detached_, true)) {
      report(Severity::warning,
             fmt::format("no frame for {} ms: {} until one comes", input_.pause_budget.count(),
                         is_hold ? "holding the last one" : "black"));
    }
    input_.receiver->count_repeated_frame();
    if (!shown_) shown_ = black(work);
    if (!shown_) return std::nullopt;
    return shown_;
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
  media::Frame shown_;  // hold: the last one that came; black: a black one while detached
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
