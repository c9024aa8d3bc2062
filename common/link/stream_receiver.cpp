// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/stream_receiver.hpp"

#include "common/link/net_context.hpp"
#include "common/link/receiver_core.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace submix::link {

StreamReceiver::StreamReceiver(std::shared_ptr<NetContext> context,
                               std::shared_ptr<ReceiverCore> core)
    : context_(std::move(context)), core_(std::move(core)) {
  asio::post(context_->io, [core = core_] { core->start(); });
}

StreamReceiver::~StreamReceiver() {
  context_->remove_receiver(*core_);
  asio::post(context_->io, [core = core_] { core->shut_down(); });
}

std::optional<media::Frame> StreamReceiver::try_receive() {
  return core_->try_receive();
}

std::optional<media::Frame> StreamReceiver::receive_for(std::chrono::nanoseconds patience,
                                                        std::stop_token stop) {
  return core_->receive_until(context_->now() + patience, std::move(stop));
}

std::optional<media::Frame> StreamReceiver::receive(std::stop_token stop) {
  return core_->receive_until(std::nullopt, std::move(stop));
}

void StreamReceiver::count_repeated_frame() {
  core_->count_repeated_frame();
}
void StreamReceiver::set_removed(bool is_removed) {
  core_->set_removed(is_removed);
}
bool StreamReceiver::is_removed() const {
  return core_->is_removed();
}
void StreamReceiver::set_detached(std::string why) {
  core_->set_detached(std::move(why));
}
void StreamReceiver::doubt_epoch() {
  core_->doubt_epoch();
}
void StreamReceiver::set_frames_least(std::size_t frames) {
  core_->set_frames_least(frames);
}
const std::string& StreamReceiver::stream() const {
  return core_->options().stream;
}
Size StreamReceiver::size() const {
  return core_->options().size;
}
FrameRate StreamReceiver::rate() const {
  return core_->options().rate;
}
std::size_t StreamReceiver::credits() const {
  return core_->options().credits;
}
std::size_t StreamReceiver::frames_held() const {
  return core_->options().frames_held;
}
std::vector<media::SeatNote> StreamReceiver::seats() const {
  return core_->seats();
}

telemetry::StreamReading StreamReceiver::telemetry() const {
  return core_->telemetry();
}

}  // namespace submix::link
