// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/local/lender.hpp"
#include "common/link/sender_link.hpp"
#include "common/stream/striper.hpp"
#include "common/wire/message.hpp"

#include <memory>

namespace submix::link {

/// An OutgoingLink to a process of this machine, over a Unix socket. It pulls whole frames and
/// lends them in shared memory, so no pixel goes through the socket.
///
/// Threads  Confined (net).
class LocalSenderLink final : public SenderLink {
 public:
  LocalSenderLink(NetContext& context, OutgoingLinkSetup setup);

  void connect() override;
  /// Always empty: lent frames do not wait in the socket.
  [[nodiscard]] stream::LinkBacklog backlog() override { return {}; }

 protected:
  [[nodiscard]] Result<void> put_frames() override;

 private:
  [[nodiscard]] Result<void> open_socket();
  [[nodiscard]] Result<void> put_loan(const wire::StripeHeader& header,
                                      const Lender::LentFrame& lent);

  std::unique_ptr<Lender> lender_;  // null before the socket has connected
};

}  // namespace submix::link
