// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/stream_sender.hpp"

#include "common/link/net_context.hpp"
#include "common/link/sender_core.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace submix::link {

StreamSender::StreamSender(std::shared_ptr<NetContext> context, std::shared_ptr<SenderCore> core)
    : context_(std::move(context)), core_(std::move(core)) {
  asio::post(context_->io, [core = core_] { core->start(); });
}

StreamSender::~StreamSender() {
  asio::post(context_->io, [core = core_] { core->shut_down(); });
}

bool StreamSender::try_send(const media::Frame& frame, bool is_shared) {
  return core_->try_send(frame, is_shared);
}

bool StreamSender::send(const media::Frame& frame, std::stop_token stop) {
  return core_->send_until(frame, std::nullopt, std::move(stop));
}

bool StreamSender::send_for(const media::Frame& frame, std::chrono::nanoseconds patience,
                            std::stop_token stop) {
  return core_->send_until(frame, context_->now() + patience, std::move(stop));
}

bool StreamSender::send_latest(const media::Frame& frame, bool is_detached) {
  return core_->send_latest(frame, is_detached);
}

std::uint64_t StreamSender::credits() const {
  return core_->credits();
}

void StreamSender::watch_credit(std::function<void()> watcher) {
  core_->watch_credit(std::move(watcher));
}

void StreamSender::set_destination(std::string node, std::vector<DataEndpoint> endpoints,
                                   LocalEndpoint local_endpoint) {
  asio::post(context_->io, [core = core_, node = std::move(node), endpoints = std::move(endpoints),
                            local_endpoint = std::move(local_endpoint)]() mutable {
    core->set_destination({std::move(node), std::move(endpoints), std::move(local_endpoint)});
  });
}

void StreamSender::set_links(LinkSetup setup) {
  asio::post(context_->io, [core = core_, setup = std::move(setup)]() mutable {
    core->set_links(std::move(setup));
  });
}

void StreamSender::expect_successor() {
  asio::post(context_->io, [core = core_] { core->expect_successor(); });
}

bool StreamSender::is_superseded() const {
  return core_->is_superseded();
}

const std::string& StreamSender::stream() const {
  return core_->options().stream;
}
Size StreamSender::size() const {
  return core_->options().size;
}
FrameRate StreamSender::rate() const {
  return core_->options().rate;
}
std::size_t StreamSender::further_links() const {
  const auto& links = core_->options().links;
  return (links.routes.empty() ? links.count : links.routes.size()) - 1;
}
PixelFormat StreamSender::format() const {
  return core_->options().format;
}
std::size_t StreamSender::frames_max() const {
  return core_->options().frames_max;
}
bool StreamSender::wants_shared_frames() const {
  return core_->options().is_receiver_near;
}
std::size_t StreamSender::frames_lent() const {
  return core_->options().frames_lent;
}
telemetry::StreamReading StreamSender::telemetry() const {
  return core_->telemetry();
}

}  // namespace submix::link
