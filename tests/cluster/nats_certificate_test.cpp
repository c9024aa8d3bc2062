// SPDX-License-Identifier: GPL-3.0-or-later
// The control plane on the wire: what a listener hears, and what a false server is told.
#include "common/cluster/nats_certificate.hpp"

#include "common/cluster/bus.hpp"
#include "controller/local/nats_server.hpp"
#include "tests/cluster/wiretap.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace submix::cluster {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::TemporaryFolder;
using namespace std::chrono_literals;

constexpr std::string_view kWithoutTls =
    "INFO {\"server_id\":\"X\",\"version\":\"2.9.10\",\"max_payload\":1000000,"
    "\"auth_required\":true,\"headers\":true}\r\n";
constexpr std::string_view kWithTls =
    "INFO {\"server_id\":\"X\",\"version\":\"2.9.10\",\"max_payload\":1000000,"
    "\"auth_required\":true,\"tls_required\":true,\"headers\":true}\r\n";

TEST(NatsCertificate, IsTheSameForAllProgramsOfAShowOnly) {
  const auto key = ShowKey::random();
  const auto one = nats_certificate(key);
  const auto same = nats_certificate(ShowKey::parse(key.text()).value());
  EXPECT_THAT(one.certificate, HasSubstr("BEGIN CERTIFICATE"));
  EXPECT_EQ(one.certificate, same.certificate);
  EXPECT_EQ(one.private_key, same.private_key);
  EXPECT_NE(one.certificate, nats_certificate(ShowKey::random()).certificate);
}

class OnTheWire : public ::testing::Test {
 protected:
  [[nodiscard]] Result<std::unique_ptr<Bus>> connect(const Wiretap& tap) const {
    return Bus::connect({.url = tap.url(), .name = "test", .key = key_, .patience = 5s});
  }

  const TemporaryFolder folder_;
  const ShowKey key_ = ShowKey::random();
};

TEST_F(OnTheWire, AListenerHearsNoTokenAndNoShow) {
  const auto server = local::NatsServer::start({folder_ / "nats", "127.0.0.1", 0, key_}).value();
  Wiretap tap(server.port());
  {
    const auto bus = connect(tap);
    ASSERT_TRUE(bus) << bus.error().message;
    ASSERT_TRUE((*bus)->put("submix-desired", "show", "what nobody else reads", std::nullopt));
    EXPECT_EQ((*bus)->get("submix-desired", "show").value().value().value,
              "what nobody else reads");
  }
  const auto& heard = tap.end();
  EXPECT_THAT(heard, HasSubstr("INFO {")) << "the tap hears nothing";
  EXPECT_THAT(heard, Not(HasSubstr(key_.nats_password())));
  EXPECT_THAT(heard, Not(HasSubstr("submix-desired")));
  EXPECT_THAT(heard, Not(HasSubstr("nobody else reads")));
}

TEST_F(OnTheWire, AServerWithoutTlsIsToldNothing) {
  Wiretap tap(0, kWithoutTls);
  const auto bus = connect(tap);
  ASSERT_FALSE(bus);
  EXPECT_THAT(bus.error().message, HasSubstr("has no key"));
  EXPECT_THAT(tap.end(), IsEmpty());
}

TEST_F(OnTheWire, AServerOfAnotherKeyIsToldNothing) {
  const auto other =
      local::NatsServer::start({folder_ / "nats", "127.0.0.1", 0, ShowKey::random()}).value();
  Wiretap tap(other.port());
  const auto bus = connect(tap);
  ASSERT_FALSE(bus);
  EXPECT_THAT(bus.error().message, HasSubstr("has another key"));
  EXPECT_THAT(tap.end(), Not(HasSubstr("CONNECT")));
}

TEST_F(OnTheWire, AServerThatOnlyPromisesTlsIsToldNothing) {
  Wiretap tap(0, kWithTls);
  const auto bus = Bus::connect({.url = tap.url(), .name = "test", .key = key_, .patience = 500ms});
  EXPECT_FALSE(bus);
  const auto& heard = tap.end();
  EXPECT_THAT(heard, Not(IsEmpty()));
  EXPECT_THAT(heard, Not(HasSubstr(key_.nats_password())));
  EXPECT_THAT(heard, Not(HasSubstr("CONNECT")));
}

}  // namespace
}  // namespace submix::cluster
