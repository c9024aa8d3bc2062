// SPDX-License-Identifier: GPL-3.0-or-later
// Real far ends, all on loopback.
#include "node/io/network/network.hpp"

#include "tests/io/network/test_stream.hpp"
#include "tests/io/numbered_clip.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/silent_listener.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace submix::io {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using testing::TestStream;

constexpr Size kSize = TestStream::kSize;

int free_port() {
  return testing::SilentListener().port();
}

/// The instance of a slot "network", whose frames the test takes.
class Layer {
 public:
  explicit Layer(show::Parameters parameters)
      : instance_(make_network_instance(rig_.setup(network_description(), std::move(parameters)))) {
  }

  /// The number that the next frame shows; -1: it is black.
  int draw() {
    instance_->draw({}, {}, rgba_);
    return is_black() ? -1 : testing::shown_number(rgba_, kSize);
  }
  [[nodiscard]] bool is_black() const {
    return std::ranges::all_of(rgba_, [](auto byte) { return byte == 0; });
  }
  /// Draws frames until one fulfils the condition.
  bool draw_until(const std::function<bool(int number)>& condition) {
    return testing::eventually([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      return condition(draw());
    });
  }
  bool draw_until_picture() {
    return draw_until([](int number) { return number >= 0; });
  }
  [[nodiscard]] std::string trouble() const { return instance_->report().trouble; }
  [[nodiscard]] std::uint64_t received() const { return instance_->report().counts[0]; }
  [[nodiscard]] plugin::Instance& instance() { return *instance_; }
  [[nodiscard]] const std::vector<std::uint8_t>& rgba() const { return rgba_; }

 private:
  testing::PluginRig rig_{kSize};
  std::vector<std::uint8_t> rgba_ = std::vector<std::uint8_t>(kSize.pixels() * 4);
  std::unique_ptr<plugin::Instance> instance_;
};

/// The mean difference of a picture's values, 0 to 255, from those of the sent picture.
double difference(const std::vector<std::uint8_t>& rgba, int number) {
  std::vector<std::uint8_t> sent(rgba.size());
  testing::draw_number(sent, kSize, number);
  double sum = 0;
  for (std::size_t i = 0; i < rgba.size(); ++i)
    sum += std::abs(int{rgba[i]} - int{sent[i]});
  return sum / static_cast<double>(rgba.size());
}

struct Way {
  std::string name;
  std::string to;   ///< {}: the port
  std::string url;  ///< as the layer names it
};

class NetworkBy : public ::testing::TestWithParam<Way> {};

TEST_P(NetworkBy, ShowsThePicturesThatAreSentInOrder) {
  const auto port = free_port();
  Layer layer({{"url", fmt::format(fmt::runtime(GetParam().url), port)}});
  EXPECT_EQ(layer.draw(), -1) << "black until the first picture";
  const TestStream stream(fmt::format(fmt::runtime(GetParam().to), port));
  int last = -1;
  int pictures = 0;
  EXPECT_TRUE(layer.draw_until([&](int number) {
    if (number < 0) return false;
    EXPECT_GE(number, last);
    if (number > last) ++pictures;
    last = number;
    EXPECT_LT(difference(layer.rgba(), number), 12) << "of 255: H.264 loses something";
    return pictures >= 10;
  })) << layer.trouble();
  EXPECT_LE(last, stream.sent());
  EXPECT_THAT(layer.trouble(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    EachScheme, NetworkBy,
    ::testing::Values(Way{"udp", "udp://127.0.0.1:{}", "udp://127.0.0.1:{}"},
                      Way{"tcp", "tcp://127.0.0.1:{}", "tcp://127.0.0.1:{}?listen=1"},
                      Way{"srt", "srt://127.0.0.1:{}", "srt://127.0.0.1:{}?mode=listener"}),
    [](const auto& way) { return way.param.name; });

TEST(Network, ComesBackByItselfAfterItsFarEndAndIsBlackMeanwhile) {
  const auto port = free_port();
  const auto to = fmt::format("tcp://127.0.0.1:{}", port);
  Layer layer({{"url", to + "?listen=1"}, {"buffer", 0.0}});
  std::optional<TestStream> stream(std::in_place, to);
  ASSERT_TRUE(layer.draw_until_picture()) << layer.trouble();
  stream.reset();
  EXPECT_TRUE(layer.draw_until([&](int) { return !layer.trouble().empty(); }));
  EXPECT_THAT(layer.trouble(),
              HasSubstr("127.0.0.1:" + std::to_string(port) + " stopped: it ended"));
  EXPECT_THAT(layer.trouble(), HasSubstr("tried again every 2 s"));
  EXPECT_TRUE(layer.draw_until([&](int) { return layer.is_black(); }));
  stream.emplace(to);
  EXPECT_TRUE(layer.draw_until_picture()) << layer.trouble();
  EXPECT_THAT(layer.trouble(), IsEmpty());
}

TEST(Network, GoesOnWhenTheStreamChangesItsSize) {
  const auto port = free_port();
  const auto address = fmt::format("udp://127.0.0.1:{}", port);
  Layer layer({{"url", address}, {"fit", "stretch"}});
  EXPECT_EQ(layer.draw(), -1);
  std::optional<TestStream> stream(std::in_place, address);
  ASSERT_TRUE(layer.draw_until([](int number) { return number >= 20; })) << layer.trouble();
  stream.reset();
  stream.emplace(address, Size{320, 240});  // its numbers begin again
  ASSERT_TRUE(layer.draw_until([](int number) { return number >= 0 && number < 20; }))
      << layer.trouble();
  EXPECT_TRUE(layer.draw_until([](int number) { return number >= 25; })) << layer.trouble();
}

TEST(Network, DrawsFramesWhileAFarEndIsSilent) {
  const testing::SilentListener silent;
  Layer layer({{"url", fmt::format("tcp://127.0.0.1:{}", silent.port())}});
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(layer.draw(), -1);
  EXPECT_THAT(layer.trouble(), IsEmpty()) << "its first attempt is still under way";
}

TEST(Network, ConnectsWithItsFirstFrame) {
  const testing::SilentListener listener;
  Layer layer({{"url", fmt::format("tcp://127.0.0.1:{}", listener.port())}});
  pollfd knock{listener.socket(), POLLIN, 0};
  EXPECT_EQ(::poll(&knock, 1, 200), 0) << "a spare process does not";
  layer.draw();
  EXPECT_EQ(::poll(&knock, 1, 60'000), 1);
}

TEST(Network, AsksForAnAddressAndKeepsTheOneBeforeAWrongOne) {
  Layer layer({});
  layer.draw();
  EXPECT_THAT(layer.trouble(),
              HasSubstr("there is no address to receive from; write, for example"));
  layer.instance().set("url", std::string("file:///etc/passwd"));
  EXPECT_THAT(layer.trouble(), HasSubstr("does not begin with srt://"));
  EXPECT_THAT(layer.trouble(), HasSubstr("; the address before stays"));
}

TEST(Network, TellsNobodyTheSecretPartsOfAnAddress) {
  Layer layer({{"url", std::string("rtmp://vj:horse@127.0.0.1:1/live/battery?staple=1")}});
  EXPECT_TRUE(layer.draw_until([&](int) { return !layer.trouble().empty(); }));
  EXPECT_THAT(layer.trouble(),
              StartsWith("rtmp://127.0.0.1:1 cannot be opened: Connection refused"));
  EXPECT_THAT(layer.trouble(), Not(ContainsRegex("vj|horse|battery|staple")));
}

}  // namespace
}  // namespace submix::io
