// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/link/cards/interfaces.hpp"
#include "common/link/data_plane.hpp"
#include "common/media/frame_pool.hpp"
#include "tests/throughput/frame_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <thread>
#include <utility>

namespace submix::throughput {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kFramesHeld = 2;       // the frame being checked, and a spare frame
constexpr std::size_t kFramesBeingMade = 4;  // the next frame, and frames still in use by the links
constexpr std::chrono::seconds kStreamPatience{5};  // for links to open
constexpr FrameRate kAnyRate{60, 1};                // a stream has a rate, even at full speed

/// Keeps the first complaints for the message of a failed measurement. Synchronized.
class Complaints final : public EventSink {
 public:
  void report(Severity severity, std::string about, std::string text) override {
    const MutexLock lock(mutex_);
    if (severity != Severity::note && text_.size() < kBytesMax)
      text_ += fmt::format("{}{}: {}", text_.empty() ? "" : "; ", about, text);
  }
  [[nodiscard]] std::string text() const {
    const MutexLock lock(mutex_);
    return text_;
  }

 private:
  static constexpr std::size_t kBytesMax = 1000;
  mutable Mutex mutex_;
  std::string text_ SUBMIX_GUARDED_BY(mutex_);
};

/// One side's data plane, shared by its ports.
struct Plane {
  Complaints events;  // outlives the data plane
  std::unique_ptr<link::DataPlane> data;
};

Result<std::shared_ptr<Plane>> start_plane(const Job& job) {
  auto plane = std::make_shared<Plane>();
  link::DataPlaneOptions options;
  options.node = job.side == Side::send ? "sender" : "receiver";
  options.addresses = job.addresses;
  if (job.has_key) options.key = job.key;
  options.events = &plane->events;
  auto started = link::DataPlane::start(std::move(options));
  SUBMIX_TRY(started);
  plane->data = std::move(*started);
  return plane;
}

std::string stream_name(std::size_t number) {
  return "stream" + std::to_string(number);
}

class StreamOutput final : public FrameOutput {
 public:
  StreamOutput(std::shared_ptr<Plane> plane, std::shared_ptr<link::StreamSender> sender,
               const Job& job)
      : plane_(std::move(plane)),
        sender_(std::move(sender)),
        pool_(job.size,
              job.credits + kFramesBeingMade + (job.is_local ? sender_->frames_lent() : 0),
              job.is_local ? media::Backing::shared : media::Backing::own, job.pixel) {}

  Result<PixelRange<std::uint8_t>> begin_frame(std::stop_token stop) override {
    while (!next_ && !stop.stop_requested()) {
      if (auto frame = pool_.acquire_for(milliseconds(100))) next_.emplace(std::move(*frame));
    }
    if (!next_) return fail("no frame came back from the stream; {}", plane_->events.text());
    return PixelRange<std::uint8_t>{next_->pixels(), media::bytes_per_pixel(next_->format())};
  }
  bool waits_for_credit() const override { return true; }
  Result<void> send_frame(std::stop_token stop) override {
    const auto frame = std::move(*next_).publish();
    next_.reset();
    if (sender_->send(frame, std::move(stop))) return {};
    return fail("the stream gives no credit; {}", plane_->events.text());
  }
  std::vector<LinkTotal> links() const override {
    std::vector<LinkTotal> links;
    for (const auto& link : sender_->telemetry().links)
      links.push_back({link.bytes, link.reconnects});
    return links;
  }
  std::optional<std::chrono::nanoseconds> clock_offset() const override {
    const auto reading = sender_->telemetry();
    if (reading.round_trip.count() == 0) return std::nullopt;  // no ping was answered yet
    return reading.clock_offset;
  }
  std::string complaints() const override { return plane_->events.text(); }
  [[nodiscard]] Result<void> wait_until_open(std::size_t link_count) const {
    const auto deadline = SteadyClock().now() + kStreamPatience;
    for (;;) {
      const auto reading = sender_->telemetry();
      const auto open =
          std::count_if(reading.links.begin(), reading.links.end(),
                        [](const auto& link) { return link.state == telemetry::LinkState::open; });
      if (open == static_cast<std::ptrdiff_t>(link_count)) return {};
      if (SteadyClock().now() > deadline) {
        return fail("{}: {} of {} links open after {} s; {}", reading.stream, open, link_count,
                    kStreamPatience.count(), plane_->events.text());
      }
      std::this_thread::sleep_for(milliseconds(2));
    }
  }

 private:
  std::shared_ptr<Plane> plane_;
  std::shared_ptr<link::StreamSender> sender_;
  media::FramePool pool_;
  std::optional<media::WritableFrame> next_;
};

class StreamInput final : public FrameInput {
 public:
  StreamInput(std::shared_ptr<Plane> plane, std::shared_ptr<link::StreamReceiver> receiver)
      : plane_(std::move(plane)), receiver_(std::move(receiver)) {}

  Result<std::optional<PixelRange<const std::uint8_t>>> receive_for(milliseconds patience,
                                                                    std::stop_token stop) override {
    frame_ = {};
    auto received = receiver_->receive_for(patience, std::move(stop));
    if (!received) return std::optional<PixelRange<const std::uint8_t>>();
    frame_ = std::move(*received);
    return std::optional(
        PixelRange<const std::uint8_t>{frame_.pixels(), media::bytes_per_pixel(frame_.format())});
  }

 private:
  std::shared_ptr<Plane> plane_;
  std::shared_ptr<link::StreamReceiver> receiver_;
  media::Frame frame_;
};

}  // namespace

Result<Outputs> open_stream_outputs(const Job& job) {
  const auto plane = start_plane(job);
  SUBMIX_TRY(plane);
  std::vector<LinkRoute> routes;
  for (std::size_t i = 0; i < job.addresses.size(); ++i)
    routes.push_back({job.addresses[i], job.endpoints.at(i).address});
  Outputs outputs;
  for (std::size_t number = 0; number < job.streams; ++number) {
    link::SenderOptions options;
    options.stream = stream_name(number);
    options.size = job.size;
    options.format = job.wire;
    options.rate = job.rate.value_or(kAnyRate);
    options.frames_max = job.credits;
    options.links.routes = routes;
    options.congestion = job.congestion;
    options.checksum = job.checksum;
    options.is_encrypted = job.is_encrypted;
    options.links.is_local_allowed = options.is_receiver_near = job.is_local;
    auto sender = (*plane)->data->open_sender(std::move(options));
    SUBMIX_TRY(sender);
    (*sender)->set_destination("receiver", job.endpoints, job.local);
    auto output = std::make_unique<StreamOutput>(*plane, *sender, job);
    SUBMIX_TRY(output->wait_until_open(job.is_local ? 1 : routes.size()));
    outputs.push_back(std::move(output));
  }
  return outputs;
}

Result<Inputs> open_stream_inputs(const Job& job) {
  const auto plane = start_plane(job);
  SUBMIX_TRY(plane);
  Inputs inputs{{}, (*plane)->data->endpoints(), (*plane)->data->local_endpoint()};
  auto cards = link::list_interfaces();
  link::add_speeds(cards);
  link::add_speeds(inputs.endpoints, cards);
  for (std::size_t number = 0; number < job.streams; ++number) {
    auto receiver =
        (*plane)->data->open_receiver({stream_name(number), job.size, job.rate.value_or(kAnyRate),
                                       job.credits, kFramesHeld, job.pixel});
    SUBMIX_TRY(receiver);
    inputs.streams.push_back(std::make_unique<StreamInput>(*plane, *receiver));
  }
  return inputs;
}

}  // namespace submix::throughput
