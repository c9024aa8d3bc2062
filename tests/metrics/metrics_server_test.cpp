// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/metrics/metrics_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <memory>
#include <string>
#include <vector>

namespace submix::metrics {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class MetricsServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = MetricsServer::start({}, [] { return std::string("submix_up 1\n"); });
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
    const auto url = server_->url();
    port_ = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  }
  [[nodiscard]] tcp::socket connected() {
    tcp::socket socket(io_);
    socket.connect({asio::ip::address_v4::loopback(), port_});
    return socket;
  }
  /// What the server answers until it closes.
  [[nodiscard]] std::string answer_to(const std::string& request) {
    auto socket = connected();
    boost::system::error_code error;
    asio::write(socket, asio::buffer(request), error);
    std::string answer;
    asio::read(socket, asio::dynamic_buffer(answer), error);
    return answer;
  }

  asio::io_context io_;
  std::unique_ptr<MetricsServer> server_;
  std::uint16_t port_ = 0;
};

TEST_F(MetricsServerTest, AnswersWithTheText) {
  const auto answer = answer_to("GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/plain; version=0.0.4"));
  EXPECT_THAT(answer, HasSubstr("\r\n\r\nsubmix_up 1\n"));
}

TEST_F(MetricsServerTest, TellsWhereTheMetricsAre) {
  EXPECT_THAT(answer_to("GET / HTTP/1.1\r\nHost: here\r\n\r\n"), HasSubstr("404"));
}

TEST_F(MetricsServerTest, TakesNoOrders) {
  EXPECT_THAT(answer_to("POST /metrics HTTP/1.1\r\nHost: here\r\nContent-Length: 0\r\n\r\n"),
              HasSubstr("405"));
}

TEST_F(MetricsServerTest, GoesOnAfterNonsenseAndAHugeHeader) {
  static_cast<void>(answer_to("\x01\x02\x03\r\n\r\n"));
  static_cast<void>(answer_to("GET /metrics HTTP/1.1\r\nX: " + std::string(100'000, 'x')));
  EXPECT_THAT(answer_to("GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n"), HasSubstr("submix_up 1"));
}

TEST_F(MetricsServerTest, SilentClientsKeepNobodyOutForLong) {
  std::vector<tcp::socket> silent;
  for (int i = 0; i < 40; ++i)
    silent.push_back(connected());
  silent.clear();
  std::string answer;
  for (int i = 0; i < 100 && answer.empty(); ++i)  // until the server has seen that they are gone
    answer = answer_to("GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("submix_up 1"));
}

TEST(MetricsServerStart, AnAddressInUseIsAnError) {
  const auto first = MetricsServer::start({}, [] { return std::string(); });
  ASSERT_TRUE(first);
  const auto url = (*first)->url();
  const auto port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  const auto second = MetricsServer::start({.port = port}, [] { return std::string(); });
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("metrics cannot be offered at 127.0.0.1 port"));
}

TEST(MetricsAddressText, IsAPortOrAnAddressAndAPort) {
  EXPECT_EQ(*parse_metrics_address("9464"), (MetricsAddress{"127.0.0.1", 9464}));
  EXPECT_EQ(*parse_metrics_address("198.18.0.1:9464"), (MetricsAddress{"198.18.0.1", 9464}));
  EXPECT_EQ(*parse_metrics_address("[::1]:0"), (MetricsAddress{"::1", 0}));
  for (const auto* text : {"", "x", "70000", "desk:9464", "127.0.0.1:", "9464x", "::1:9464"})
    EXPECT_FALSE(parse_metrics_address(text)) << text;
}

}  // namespace
}  // namespace submix::metrics
