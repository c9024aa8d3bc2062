// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/data_plane.hpp"

#include "common/base/thread.hpp"
#include "common/link/listener.hpp"
#include "common/link/net_context.hpp"
#include "common/link/receiver_core.hpp"
#include "common/link/sender_core.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <thread>
#include <utility>

namespace submix::link {
namespace {

Result<void> check_address(const std::string& address, bool has_key) {
  boost::system::error_code error;
  const auto ip = asio::ip::make_address(address, error);
  if (error) return fail("data address \"{}\" is not an IP address", address);
  if (ip.is_loopback() || has_key) return {};
  return fail(
      "data address {} can be reached by others, but there is no key: make one with `submix key new FILE` "
      "and start every node with --key FILE, or stay on loopback (127.0.0.1)",
      address);
}

Result<void> check_shape(const std::string& stream, Size size, FrameRate rate) {
  if (stream.empty() || stream.size() > wire::kNameBytesMax) {
    return fail("stream name \"{}\" has {} bytes, which is not within 1 to {}", stream, stream.size(),
                wire::kNameBytesMax);
  }
  if (!is_allowed(size)) {
    return fail("stream \"{}\": size {}x{} is not within {}x{} to {}x{}", stream, size.width, size.height,
                kSmallestSize.width, kSmallestSize.height, kLargestSize.width, kLargestSize.height);
  }
  if (rate.numerator == 0 || rate.denominator == 0 || rate.numerator > wire::kRateTermMax ||
      rate.denominator > wire::kRateTermMax) {
    return fail("stream \"{}\": rate {}/{} has a term outside 1 to {}", stream, rate.numerator,
                rate.denominator, wire::kRateTermMax);
  }
  return {};
}

Result<void> check_count(const std::string& stream, const char* what, std::size_t value, std::size_t limit) {
  if (value >= 1 && value <= limit) return {};
  return fail("stream \"{}\": {} {} is not within 1 to {}", stream, what, value, limit);
}

constexpr std::size_t kFramesMax = 64;  // of a stream in flight; more would be latency, not rate

}  // namespace

class DataPlane::Private {
 public:
  explicit Private(std::shared_ptr<NetContext> net)
      : context(std::move(net)),
        listener(std::make_shared<Listener>(context)),
        work(context->io.get_executor()) {}

  void run() {
    asio::post(context->io, [listener = listener] { listener->start(); });
    thread = start_thread("net", [context = context](const std::stop_token&) { context->io.run(); });
  }
  void stop() {
    asio::post(context->io, [this] {
      listener->close();
      for (const auto& weak : senders) {
        if (const auto core = weak.lock()) core->shut_down();
      }
      for (const auto& weak : receivers) {
        if (const auto core = weak.lock()) core->shut_down();
      }
    });
    work.reset();  // with everything closed, the thread has nothing left to wait for
    thread.join();
  }

  const std::shared_ptr<NetContext> context;
  const std::shared_ptr<Listener> listener;
  asio::executor_work_guard<asio::io_context::executor_type> work;
  std::vector<std::weak_ptr<SenderCore>> senders;  // these two: Confined (net)
  std::vector<std::weak_ptr<ReceiverCore>> receivers;
  std::jthread thread;
};

Result<std::unique_ptr<DataPlane>> DataPlane::start(DataPlaneOptions options) {
  if (options.addresses.empty()) return fail("node {}: no data address; see --data-address", options.node);
  if (options.node.empty() || options.node.size() > wire::kNameBytesMax) {
    return fail("node name \"{}\" has {} bytes, which is not within 1 to {}", options.node,
                options.node.size(), wire::kNameBytesMax);
  }
  for (const auto& address : options.addresses) {
    if (auto checked = check_address(address, options.key.has_value()); !checked) {
      return tl::unexpected(checked.error());
    }
  }
  const auto context =
      std::make_shared<NetContext>(options.node, options.key.value_or(wire::Key{}), options.events);
  context->addresses = options.addresses;
  auto state = std::make_unique<Private>(context);
  if (auto opened = state->listener->open(options.addresses, options.port); !opened) {
    return tl::unexpected(opened.error());
  }
  state->run();
  return std::unique_ptr<DataPlane>(new DataPlane(std::move(state)));
}

DataPlane::DataPlane(std::unique_ptr<Private> state) : private_(std::move(state)) {}

DataPlane::~DataPlane() {
  private_->stop();
}

std::vector<DataEndpoint> DataPlane::endpoints() const {
  return private_->listener->endpoints();
}

Result<std::shared_ptr<StreamSender>> DataPlane::open_sender(SenderOptions options) {
  auto checked = check_shape(options.stream, options.size, options.rate);
  if (checked) checked = check_count(options.stream, "link count", options.link_count, wire::kLinksMax);
  if (checked) checked = check_count(options.stream, "frame count", options.frames_max, kFramesMax);
  if (!checked) return tl::unexpected(checked.error());
  const auto core = std::make_shared<SenderCore>(*private_->context, std::move(options));
  asio::post(private_->context->io, [state = private_.get(), core] {
    std::erase_if(state->senders, [](const auto& weak) { return weak.expired(); });
    state->senders.push_back(core);
  });
  return std::make_shared<StreamSender>(private_->context, core);
}

Result<std::shared_ptr<StreamReceiver>> DataPlane::open_receiver(ReceiverOptions options) {
  auto checked = check_shape(options.stream, options.size, options.rate);
  if (checked) checked = check_count(options.stream, "credit count", options.credits, kFramesMax);
  if (!checked) return tl::unexpected(checked.error());
  const auto stream = options.stream;
  const auto core = std::make_shared<ReceiverCore>(*private_->context, std::move(options));
  if (!private_->context->add_receiver(stream, core)) {
    return fail("stream \"{}\" is received here already, and by one receiver at a time", stream);
  }
  asio::post(private_->context->io, [state = private_.get(), core] {
    std::erase_if(state->receivers, [](const auto& weak) { return weak.expired(); });
    state->receivers.push_back(core);
  });
  return std::make_shared<StreamReceiver>(private_->context, core);
}

}  // namespace submix::link
