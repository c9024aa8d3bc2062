// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/bus.hpp"

#include "common/base/log.hpp"
#include "common/cluster/connector.hpp"
#include "common/cluster/followed_key.hpp"
#include "common/cluster/key_watch.hpp"
#include "common/cluster/subject_subscription.hpp"

#include <utility>

namespace submix::cluster {

Bus::Bus(std::unique_ptr<Connector> connector) : connector_(std::move(connector)) {}
Bus::~Bus() = default;

Result<void> Bus::check(const BusSettings& settings) {
  const auto urls = parse_urls(settings.url);
  SUBMIX_TRY(urls);
  for (const auto& url : *urls) {
    if (settings.key || is_loopback(host_of(url))) continue;
    return fail(
        "NATS at {} is on another machine, which needs a key: make one with \"submix key new "
        "FILE\", start that NATS with it, copy it here and name it with --key FILE",
        url);
  }
  return {};
}

Result<std::unique_ptr<Bus>> Bus::start(BusSettings settings, StateCallback on_state) {
  SUBMIX_TRY(check(settings));
  const auto followed = settings.followed;
  auto connector = std::make_unique<Connector>(std::move(settings), std::move(on_state));
  auto bus = std::unique_ptr<Bus>(new Bus(std::move(connector)));
  if (followed && followed->takes_offers()) bus->take_key_offers(followed);
  return bus;
}

void Bus::take_key_offers(const std::shared_ptr<FollowedKey>& key) {
  key_offers_ = subscribe(std::string(kKeyOffers), [this, key](std::string_view offer) {
    const auto reply = key->take_offer(offer);
    if (!reply.empty()) publish(kKeyReplies, reply);
  });
}

Result<std::unique_ptr<Bus>> Bus::connect(BusSettings settings, StateCallback on_state) {
  auto bus = start(std::move(settings), std::move(on_state));
  if (!bus) return bus;
  if (const auto connected = (*bus)->connector_->wait_for_first_attempt(); !connected) {
    return tl::unexpected(connected.error());
  }
  return bus;
}

bool Bus::is_connected() const {
  const auto connection = connector_->connection();
  return connection && connection->is_alive();
}

bool Bus::is_store_silent() const {
  return connector_->is_store_silent();
}

std::string Bus::last_error() const {
  return connector_->last_error();
}

std::size_t Bus::payload_bytes_max() const {
  const auto connection = connector_->connection();
  return connection ? connection->payload_bytes_max() : 0;
}

Result<std::optional<BucketEntry>> Bus::get(std::string_view bucket, std::string_view key) {
  const auto connection = connector_->connection();
  if (!connection) return tl::unexpected(connector_->disconnected());
  return connection->get(bucket, key);
}

tl::expected<std::uint64_t, WriteError> Bus::put(std::string_view bucket, std::string_view key,
                                                 std::string_view value,
                                                 std::optional<std::uint64_t> expected_revision) {
  const auto connection = connector_->connection();
  if (!connection) return tl::unexpected(WriteError{connector_->disconnected().message});
  return connection->put(bucket, key, value, expected_revision);
}

Result<void> Bus::remove(std::string_view bucket, std::string_view key) {
  const auto connection = connector_->connection();
  if (!connection) return tl::unexpected(connector_->disconnected());
  return connection->remove(bucket, key);
}

std::unique_ptr<Subscription> Bus::watch(std::string bucket, std::string key,
                                         std::function<void(const BucketEntry&)> callback) {
  return std::make_unique<KeyWatch>(*connector_, std::move(bucket), std::move(key),
                                    std::move(callback));
}

void Bus::publish(std::string_view subject, std::string_view bytes) {
  const auto connection = connector_->connection();
  if (!connection) return;
  if (const auto allowed = connection->check_rights(subject); !allowed)
    return log::debug("NATS: {}: {}", subject, allowed.error().message);
  reply(subject, bytes);
}

void Bus::reply(std::string_view subject, std::string_view bytes) {
  const auto connection = connector_->connection();
  if (!connection) return;
  const auto published = connection->publish(subject, bytes);
  if (!published) log::debug("NATS: {}", published.error().message);
}

std::unique_ptr<Subscription> Bus::subscribe(std::string subject,
                                             std::function<void(std::string_view)> callback) {
  return std::make_unique<SubjectSubscription>(
      *connector_, std::move(subject),
      [callback = std::move(callback)](std::string_view, std::string_view bytes) {
        callback(bytes);
      });
}

std::unique_ptr<Subscription> Bus::serve(std::string subject,
                                         std::function<std::string(std::string_view)> answer) {
  auto respond = [this, answer = std::move(answer)](std::string_view reply_to,
                                                    std::string_view bytes) {
    if (!reply_to.empty()) reply(reply_to, answer(bytes));
  };
  return std::make_unique<SubjectSubscription>(*connector_, std::move(subject), std::move(respond));
}

tl::expected<std::string, RequestError> Bus::request(std::string_view subject,
                                                     std::string_view bytes,
                                                     std::chrono::milliseconds patience) {
  const auto connection = connector_->connection();
  if (!connection)
    return tl::unexpected(
        RequestError{RequestError::Kind::failed, std::move(connector_->disconnected().message)});
  return connection->request(subject, bytes, patience);
}

}  // namespace submix::cluster
