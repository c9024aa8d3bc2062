// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/stream/stream_out.hpp"

#include "common/show/document.hpp"
#include "node/io/stream/wait_for_stop.hpp"

#include <utility>

namespace submix::io {
namespace {

class StreamOut final : public plugin::Plugin {
 public:
  explicit StreamOut(std::shared_ptr<link::StreamSender> sender) : sender_(std::move(sender)) {}

  std::optional<media::Frame> process(plugin::Work& work) override {
    const auto& frame = work.inputs[0];
    if (sender_ && sender_->try_send(frame)) return frame;
    const plugin::Waiting waiting(work, plugin::StageState::blocked);
    if (sender_ && sender_->send(frame, work.stop)) return frame;
    if (!sender_) wait_for_stop(work.stop);
    return std::nullopt;
  }

  void set(std::string_view, const show::ParameterValue&) override {}

  /// One more than are unacknowledged: a link may be packing one while its acknowledgement comes.
  std::size_t frames_retained() const override { return sender_ ? sender_->frames_max() + 1 : 0; }

 private:
  const std::shared_ptr<link::StreamSender> sender_;
};

}  // namespace

plugin::Description stream_out_description() {
  return {.id = std::string(show::kStreamOutPlugin),
          .kind = plugin::Kind::output,
          .explanation = "Sends its input to another submix by a stream of the show"};
}

Result<std::unique_ptr<plugin::Plugin>> make_stream_out(const plugin::Setup& setup,
                                                        std::shared_ptr<link::StreamSender> sender) {
  if (sender && sender->size() != setup.size) {
    const auto size = sender->size();
    return fail("{}: stream \"{}\" is {}x{}, the patch {}x{}", setup.about(), sender->stream(), size.width,
                size.height, setup.size.width, setup.size.height);
  }
  return std::make_unique<StreamOut>(std::move(sender));
}

}  // namespace submix::io
