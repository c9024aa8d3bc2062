// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/data_plane.hpp"

#include "common/base/machine_id.hpp"
#include "common/base/mutex.hpp"
#include "common/base/thread.hpp"
#include "common/link/cards/card_news.hpp"
#include "common/link/cards/card_watch.hpp"
#include "common/link/cards/interfaces.hpp"
#include "common/link/listener.hpp"
#include "common/link/local/local_listener.hpp"
#include "common/link/local/local_sender_link.hpp"
#include "common/link/net_context.hpp"
#include "common/link/receiver_core.hpp"
#include "common/link/sender_core.hpp"
#include "common/link/tcp_sender_link.hpp"
#include "common/link/timing.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

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
      "data address {} can be reached by others, but there is no key: make one with `submix key "
      "new FILE` and start every node with --key FILE, or stay on loopback (127.0.0.1)",
      address);
}

Result<void> check_shape(const std::string& stream, Size size, FrameRate rate) {
  if (stream.empty() || stream.size() > wire::kNameBytesMax) {
    return fail("stream name \"{}\" has {} bytes, which is not within 1 to {}", stream,
                stream.size(), wire::kNameBytesMax);
  }
  if (!is_allowed(size)) {
    return fail("stream \"{}\": size {}x{} is not within {}x{} to {}x{}", stream, size.width,
                size.height, kSmallestSize.width, kSmallestSize.height, kLargestSize.width,
                kLargestSize.height);
  }
  if (rate.numerator == 0 || rate.denominator == 0 || rate.numerator > wire::kRateTermMax ||
      rate.denominator > wire::kRateTermMax) {
    return fail("stream \"{}\": rate {}/{} has a term outside 1 to {}", stream, rate.numerator,
                rate.denominator, wire::kRateTermMax);
  }
  return {};
}

Result<void> check_count(const std::string& stream, const char* what, std::size_t value,
                         std::size_t limit) {
  if (value >= 1 && value <= limit) return {};
  return fail("stream \"{}\": {} {} is not within 1 to {}", stream, what, value, limit);
}

MakeOutgoingLink links_by_sockets(NetContext& context) {
  return [&context](OutgoingLinkSetup setup) -> std::shared_ptr<OutgoingLink> {
    if (setup.path.is_local()) return std::make_shared<LocalSenderLink>(context, std::move(setup));
    return std::make_shared<TcpSenderLink>(context, std::move(setup));
  };
}

constexpr std::size_t kFramesMax = 64;  // of a stream under way; more would add latency, not rate

}  // namespace

class DataPlane::Private {
 public:
  Private(std::shared_ptr<NetContext> net, bool is_offering_all, bool has_key,
          std::function<void()> on_change)
      : context(std::move(net)),
        listener(std::make_shared<Listener>(context)),
        local_listener(std::make_shared<LocalListener>(context)),
        watch_(std::make_shared<CardWatch>(context->io)),
        settle_timer_(context->io),
        is_offering_all_(is_offering_all),
        has_key_(has_key),
        on_endpoints_(std::move(on_change)),
        work_(context->io.get_executor()) {}

  void run();
  void stop();
  [[nodiscard]] std::vector<DataEndpoint> endpoints() const SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return endpoints_;
  }

  const std::shared_ptr<NetContext> context;
  const std::shared_ptr<Listener> listener;
  const std::shared_ptr<LocalListener> local_listener;
  std::vector<std::weak_ptr<SenderCore>> senders;  // this and `receivers`: Confined (net)
  std::vector<std::weak_ptr<ReceiverCore>> receivers;

 private:
  void follow_cards();
  void publish_endpoints() SUBMIX_EXCLUDES(mutex_);
  void tell(const std::vector<CardNews::CardEvent>& news);
  void settle_later();
  template <typename Cores, typename Do>
  void for_each(const Cores& cores, Do act) {
    for (const auto& weak : cores) {
      if (const auto core = weak.lock()) act(*core);
    }
  }

  const std::shared_ptr<CardWatch> watch_;  // from here to settle_timer_: Confined (net)
  CardNews news_;
  asio::steady_timer settle_timer_;
  bool is_settling_ = false;
  const bool is_offering_all_;
  const bool has_key_;
  const std::function<void()> on_endpoints_;
  mutable Mutex mutex_;
  std::vector<DataEndpoint> endpoints_ SUBMIX_GUARDED_BY(mutex_);
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::jthread thread_;
};

void DataPlane::Private::run() {
  {
    MutexLock lock(mutex_);
    endpoints_ = listener->endpoints(context->cards);
  }
  static_cast<void>(news_.update(context->cards, context->addresses, context->now()));
  if (auto opened = watch_->open(); !opened) {
    context->events.report(
        Severity::warning, "watch", "cards",
        fmt::format("{}: a lost carrier is noticed by silence only, new cards not at all",
                    opened.error().message));
  }
  asio::post(context->io, [this] {
    listener->start();
    local_listener->start();
    watch_->start(context->cards, [this](std::vector<NetworkInterface> cards) {
      context->cards = std::move(cards);
      follow_cards();
    });
  });
  thread_ = start_thread(
      "net", [context = context](const std::stop_token&) { context->io.run(); }, Urgency::net);
}

void DataPlane::Private::stop() {
  asio::post(context->io, [this] {
    watch_->close();
    settle_timer_.cancel();
    listener->close();
    local_listener->close();
    for_each(senders, [](auto& core) {
      core.shut_down();
      core.drop_lent();
    });
    for_each(receivers, [](auto& core) { core.shut_down(); });
  });
  work_.reset();  // with everything closed, the thread has nothing left to wait for
  thread_.join();
}

void DataPlane::Private::follow_cards() {
  if (is_offering_all_)
    context->addresses = offered_addresses(context->cards, has_key_, context->addresses);
  const bool has_all_sockets = listener->follow(context->addresses);
  tell(news_.update(context->cards, context->addresses, context->now()));
  for_each(senders, [](auto& core) { core.follow_cards(); });
  for_each(receivers, [](auto& core) { core.follow_cards(); });
  publish_endpoints();
  if (news_.is_restless() || !has_all_sockets) settle_later();
}

// Also called when a socket could not be opened: an IPv6 address, for example, becomes usable a
// second after its announcement.
void DataPlane::Private::settle_later() {
  if (std::exchange(is_settling_, true)) return;
  settle_timer_.expires_after(kCardsSettle / 4);
  settle_timer_.async_wait([this](const boost::system::error_code& error) {
    is_settling_ = false;
    if (error) return;
    tell(news_.settle(context->now()));
    const bool has_all_sockets = listener->follow(context->addresses);
    publish_endpoints();
    if (news_.is_restless() || !has_all_sockets) settle_later();
  });
}

void DataPlane::Private::publish_endpoints() {
  auto now = listener->endpoints(context->cards);
  {
    MutexLock lock(mutex_);
    if (now == endpoints_) return;
    endpoints_ = std::move(now);
  }
  if (on_endpoints_) on_endpoints_();
}

void DataPlane::Private::tell(const std::vector<CardNews::CardEvent>& news) {
  for (const auto& [severity, about, text] : news) {
    const auto* kind = severity == Severity::note ? "card" : "lost card";
    context->events.report(severity, kind, about, text);
  }
}

Result<std::unique_ptr<DataPlane>> DataPlane::start(DataPlaneOptions options) {
  if (options.node.empty() || options.node.size() > wire::kNameBytesMax) {
    return fail("node name \"{}\" has {} bytes, which is not within 1 to {}", options.node,
                options.node.size(), wire::kNameBytesMax);
  }
  const bool has_key = options.key.has_value();
  const bool is_offering_all = options.addresses.empty();
  const auto cards = list_interfaces();
  if (is_offering_all) options.addresses = offered_addresses(cards, has_key);
  for (const auto& address : options.addresses) {
    if (auto checked = check_address(address, has_key); !checked) {
      return tl::unexpected(checked.error());
    }
  }
  const auto context =
      std::make_shared<NetContext>(options.node, options.key.value_or(wire::Key{}), options.events);
  if (options.takes_partners_only) context->keys.take_partners_only();
  context->addresses = options.addresses;
  context->cards = cards;
  context->machine = machine_id();
  context->trace = options.trace;
  auto state =
      std::make_unique<Private>(context, is_offering_all, has_key, std::move(options.on_endpoints));
  if (auto opened = state->listener->open(options.addresses, options.port); !opened) {
    return tl::unexpected(opened.error());
  }
  if (auto opened = state->local_listener->open(); !opened) {
    context->events.report(Severity::note, "local", "local data socket",
                           opened.error().message + "; nodes of this machine send by TCP");
  }
  state->run();
  return std::unique_ptr<DataPlane>(new DataPlane(std::move(state)));
}

DataPlane::DataPlane(std::unique_ptr<Private> state) : private_(std::move(state)) {}

DataPlane::~DataPlane() {
  private_->stop();
}

std::vector<DataEndpoint> DataPlane::endpoints() const {
  return private_->endpoints();
}

LocalEndpoint DataPlane::local_endpoint() const {
  return private_->local_listener->endpoint();
}

void DataPlane::set_keys(const wire::Key& used, const std::optional<wire::Key>& offered) {
  post([context = private_->context, used, offered] {
    context->keys.use(used, context->now());
    context->keys.set_offered(offered);
  });
}

void DataPlane::set_partner(const std::string& node, const std::optional<wire::Key>& secret) {
  post([context = private_->context, node, secret] { context->keys.set_partner(node, secret); });
}

void DataPlane::post(std::function<void()> act) {
  asio::post(private_->context->io, std::move(act));
}

Result<std::shared_ptr<StreamSender>> DataPlane::open_sender(SenderOptions options) {
  auto checked = check_shape(options.stream, options.size, options.rate);
  if (checked)
    checked = check_count(options.stream, "link count", options.links.count, wire::kLinksMax);
  if (checked) checked = check_count(options.stream, "frame count", options.frames_max, kFramesMax);
  SUBMIX_TRY(checked);
  const auto core = std::make_shared<SenderCore>(*private_->context, std::move(options),
                                                 links_by_sockets(*private_->context));
  asio::post(private_->context->io, [state = private_.get(), core] {
    std::erase_if(state->senders, [](const auto& weak) { return weak.expired(); });
    state->senders.push_back(core);
  });
  return std::make_shared<StreamSender>(private_->context, core);
}

Result<std::shared_ptr<StreamReceiver>> DataPlane::open_receiver(ReceiverOptions options) {
  auto checked = check_shape(options.stream, options.size, options.rate);
  if (checked) checked = check_count(options.stream, "credit count", options.credits, kFramesMax);
  SUBMIX_TRY(checked);
  const auto core = std::make_shared<ReceiverCore>(*private_->context, std::move(options));
  if (!private_->context->add_receiver(core)) {
    return fail("stream \"{}\" is received here already, and by one receiver at a time",
                core->options().stream);
  }
  asio::post(private_->context->io, [state = private_.get(), core] {
    std::erase_if(state->receivers, [](const auto& weak) { return weak.expired(); });
    state->receivers.push_back(core);
  });
  return std::make_shared<StreamReceiver>(private_->context, core);
}

}  // namespace submix::link
