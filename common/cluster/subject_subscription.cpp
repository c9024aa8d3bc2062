// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/subject_subscription.hpp"

#include "common/base/log.hpp"

#include <utility>

namespace submix::cluster {
namespace {

// libnats queues this many messages for a slow callback, then drops: about a minute of a large
// cluster's telemetry.
constexpr int kPendingMessagesMax = 16384;
constexpr int kPendingBytesMax = 64 << 20;

void deliver(natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
  const MessageHandle handle(message);
  const auto* reply_to = natsMsg_GetReply(message);
  (*static_cast<std::shared_ptr<Handler>*>(closure))
      ->call(reply_to == nullptr ? "" : reply_to,
             {natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message))});
}

void forget(void* closure) {
  delete static_cast<std::shared_ptr<Handler>*>(closure);
}

}  // namespace

SubjectSubscription::SubjectSubscription(Connector& connector, std::string subject,
                                         Handler::Function function)
    : connector_(connector),
      subject_(std::move(subject)),
      handler_(std::make_shared<Handler>(std::move(function))) {
  connector_.add(*this);
}

SubjectSubscription::~SubjectSubscription() {
  connector_.remove(*this);
  handler_->end();
}

void SubjectSubscription::attach(NatsConnection& connection) {
  // libnats' thread for this subscription ends some time after the subscription; `forget` is its
  // last call.
  auto* closure = new std::shared_ptr<Handler>(handler_);
  natsSubscription* subscription = nullptr;
  const auto status = natsConnection_Subscribe(&subscription, connection.handle(), subject_.c_str(),
                                               deliver, closure);
  handle_.reset(subscription);
  if (status != NATS_OK) {
    delete closure;
    log::warning("NATS: {} not subscribed: {}", subject_, natsStatus_GetText(status));
    return;
  }
  // Fails if the connection, and with it the thread, is gone already. Then the closure leaks.
  natsSubscription_SetOnCompleteCB(subscription, forget, closure);
  natsSubscription_SetPendingLimits(subscription, kPendingMessagesMax, kPendingBytesMax);
}

}  // namespace submix::cluster
