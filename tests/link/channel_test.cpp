// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/channel.hpp"

#include "common/base/descriptor.hpp"

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

namespace submix::link {
namespace {

/// Sends zeros for ever, and takes any message as the last one.
class Chatterer final : public Channel {
 public:
  Chatterer(asio::io_context& io, int socket)
      : Channel(
            Connection(StreamSocket(io, StreamSocket::protocol_type(AF_INET, IPPROTO_TCP), socket),
                       4096, 65536),
            std::make_shared<LinkStats>(0U, SteadyClock().now()), clock_) {}
  void begin() { start(); }
  [[nodiscard]] const std::string& end() const { return end_; }

 private:
  Result<void> handle_input() override {
    const auto input = connection_.input();
    return fail("it said {}", std::string(input.begin(), input.end()));
  }
  void fill_output() override { connection_.commit(connection_.room().size()); }
  void on_lost(const std::string& reason) override { end_ = reason; }

  static inline const SteadyClock clock_;
  std::string end_;
};

struct TcpPair {
  Descriptor here;
  Descriptor there;

  TcpPair() {
    const Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    EXPECT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
    EXPECT_EQ(::listen(listener.get(), 1), 0);
    EXPECT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&at), &size), 0);
    here = Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::connect(here.get(), reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
    there = Descriptor(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  }
};

TEST(Channel, HearsWhyItsPeerHasClosedThoughItCanSendNoMore) {
  asio::io_context io{1};
  TcpPair pair;
  const auto channel = std::make_shared<Chatterer>(io, pair.here.release());
  channel->begin();
  io.poll();  // until the peer's buffers are full
  ASSERT_EQ(channel->end(), "");
  ASSERT_EQ(::send(pair.there.get(), "farewell", 8, 0), 8);
  pair.there = Descriptor();  // with much unread data, so the kernel here receives a reset
  while (channel->end().empty())
    io.run_one_for(std::chrono::seconds(1));
  EXPECT_EQ(channel->end(), "it said farewell");
}

}  // namespace
}  // namespace submix::link
