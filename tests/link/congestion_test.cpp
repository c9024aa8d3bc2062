// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/congestion.hpp"

#include "tests/link/stream_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <sstream>

namespace submix::link {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Socket {
 public:
  ~Socket() { ::close(descriptor); }
  [[nodiscard]] std::string congestion_control() const {
    std::array<char, 17> name{};
    socklen_t bytes = name.size() - 1;
    ::getsockopt(descriptor, IPPROTO_TCP, TCP_CONGESTION, name.data(), &bytes);
    return name.data();
  }
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
};

TEST(CongestionControl, IsWhatWasWantedWhereAllMayHaveIt) {
  std::istringstream allowed(read_congestion_offer().allowed);
  std::string name;
  ASSERT_TRUE(allowed >> name) << "no kernel is without any";
  do {
    const Socket socket;
    const auto set = set_congestion_control(socket.descriptor, name);
    EXPECT_TRUE(set) << (set ? "" : set.error().message);
    EXPECT_EQ(socket.congestion_control(), name);
  } while (allowed >> name);
}

TEST(CongestionControl, ThatIsNotLoadedIsNamedWithTheRemedyAndWhatIsUsed) {
  const Socket socket;
  const auto set = set_congestion_control(socket.descriptor, "nonesuch");
  ASSERT_FALSE(set);
  EXPECT_THAT(
      set.error().message,
      AllOf(HasSubstr("\"nonesuch\" is not loaded"), HasSubstr(read_congestion_offer().available),
            HasSubstr("modprobe tcp_nonesuch"),
            HasSubstr("uses \"" + socket.congestion_control() + "\" meanwhile")));
}

TEST(CongestionControl, ThatIsForRootOnlyIsNamedWithTheRemedy) {
  EXPECT_EQ(congestion_refusal("cubic", EPERM, {"reno bbr cubic", "reno bbr"}),
            "congestion control \"cubic\" is only for root: the kernel allows others \"reno bbr\"; "
            "run sudo sysctl -w net.ipv4.tcp_allowed_congestion_control=\"reno bbr cubic\"");
}

class StreamCongestion : public testing::StreamFixture {};

TEST_F(StreamCongestion, ThatTheKernelDoesNotOfferIsAnEventAndTheFramesFlow) {
  const auto receiver = open_receiver();
  SenderOptions options;
  options.stream = "main";
  options.size = kSize;
  options.rate = kRate;
  options.congestion = "nonesuch";
  const auto sender = left->open_sender(options);
  ASSERT_TRUE(sender);
  (*sender)->set_destination("mix", mix->endpoints());
  ASSERT_TRUE((*sender)->send(frame(0), {}));
  ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, 0));
  EXPECT_TRUE(events.has("stream main: congestion control \"nonesuch\" is not loaded"))
      << events.all();
}

}  // namespace
}  // namespace submix::link
