// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/send/send.hpp"

#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "tests/io/numbered_clip.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/open_descriptors.hpp"
#include "tests/support/plugin_counter.hpp"
#include "tests/support/silent_listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace submix::io {
namespace {

using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using testing::TemporaryFolder;

constexpr Size kSize{128, 64};
constexpr std::chrono::milliseconds kFrameTime{33};

int free_port() {
  return testing::SilentListener().port();
}

/// A slot "send" whose frames show their numbers, frame after frame.
class Sender {
 public:
  explicit Sender(show::Parameters parameters, Size size = kSize) : rig_(size) {
    plugin_ = make_send(rig_.setup(send_description(), std::move(parameters))).value();
  }

  /// Each frame must pass on as it is. The pictures have some noise: programs look at some amount
  /// of data before they show anything.
  void give(int frames) {
    for (int i = 0; i < frames; ++i) {
      auto picture = rig_.blank();
      testing::draw_number(picture.rgba(), picture.size(), static_cast<int>(position_ % 1000));
      for (auto& byte : picture.rgba())
        byte =
            static_cast<std::uint8_t>(byte < 128 ? byte + random_() % 64 : byte - random_() % 64);
      pass(std::move(picture).publish());
    }
  }
  /// A frame that is hard to encode.
  void give_noise() {
    auto picture = rig_.blank();
    std::ranges::generate(picture.rgba(), [this] { return static_cast<std::uint8_t>(random_()); });
    pass(std::move(picture).publish());
  }
  [[nodiscard]] bool give_until(const std::function<bool()>& condition) {
    return testing::eventually([&] {
      give(1);
      std::this_thread::sleep_for(kFrameTime);
      return condition();
    });
  }

  [[nodiscard]] std::uint64_t count(const std::string& name) const {
    return testing::counter(*plugin_, name);
  }
  plugin::Plugin& plugin() { return *plugin_; }
  [[nodiscard]] std::vector<std::string> events() const { return rig_.events.lines(); }

 private:
  void pass(const media::Frame& frame) {
    const auto passed = rig_.run(*plugin_, {frame}, position_++);
    ASSERT_EQ(passed.rgba().data(), frame.rgba().data());
  }

  testing::PluginRig rig_;
  std::unique_ptr<plugin::Plugin> plugin_;
  std::uint64_t position_ = 0;
  std::minstd_rand random_;
};

/// Another program at the far end: ffmpeg, which writes what comes to a file.
class FarEnd {
 public:
  /// `options`: words before the input.
  FarEnd(const std::string& address, std::vector<std::string> options)
      : pictures_(folder_ / "pictures") {
    std::vector<std::string> command{"ffmpeg",           "-nostdin", "-loglevel",  "error",
                                     "-fflags",          "nobuffer", "-probesize", "50000",
                                     "-analyzeduration", "100000"};
    command.insert(command.end(), options.begin(), options.end());
    for (const auto& word : {std::string("-i"), address, std::string("-f"), std::string("rawvideo"),
                             std::string("-pix_fmt"), std::string("rgba"), std::string("-fps_mode"),
                             std::string("passthrough"), std::string("-flush_packets"),
                             std::string("1"), pictures_.string()})
      command.push_back(word);
    program_.emplace(ChildProcess::start(command, folder_ / "log").value());
  }

  [[nodiscard]] std::size_t pictures() const {
    std::error_code none_yet;
    const auto bytes = std::filesystem::file_size(pictures_, none_yet);
    return none_yet ? 0 : bytes / (kSize.pixels() * 4);
  }
  /// What they show.
  [[nodiscard]] std::vector<int> numbers() const {
    std::vector<std::uint8_t> picture(kSize.pixels() * 4);
    std::vector<int> shown;
    std::ifstream file(pictures_, std::ios::binary);
    while (file.read(reinterpret_cast<char*>(picture.data()),
                     static_cast<std::streamsize>(picture.size())))
      shown.push_back(testing::shown_number(picture, kSize));
    return shown;
  }
  [[nodiscard]] bool has_ended() { return program_->exit_status().has_value(); }
  [[nodiscard]] std::string log() const { return read_text_file(folder_ / "log").value_or(""); }

 private:
  TemporaryFolder folder_;
  std::filesystem::path pictures_;
  std::optional<ChildProcess> program_;
};

struct Way {
  std::string name;
  std::string to;    ///< {}: the port
  std::string from;  ///< as the far end names it
  std::vector<std::string> options;
};

class SendBy : public ::testing::TestWithParam<Way> {};

TEST_P(SendBy, ShowsThePicturesInOrderToAnotherProgram) {
  const auto port = free_port();
  const FarEnd far_end(fmt::format(fmt::runtime(GetParam().from), port), GetParam().options);
  const auto descriptors = testing::open_descriptors();
  {
    Sender sender({{"to", fmt::format(fmt::runtime(GetParam().to), port)}});
    EXPECT_TRUE(sender.give_until([&] { return far_end.pictures() >= 20; }))
        << far_end.log() << sender.plugin().trouble();
    const auto shown = far_end.numbers();
    EXPECT_TRUE(std::ranges::is_sorted(shown, std::ranges::less_equal())) << "each once";
    EXPECT_GE(sender.count("sent"), shown.size());
    EXPECT_THAT(sender.plugin().trouble(), IsEmpty());
  }
  EXPECT_EQ(testing::open_descriptors(), descriptors);
}

INSTANTIATE_TEST_SUITE_P(
    EachScheme, SendBy,
    ::testing::Values(Way{"udp", "udp://127.0.0.1:{}", "udp://127.0.0.1:{}", {}},
                      Way{"tcp", "tcp://127.0.0.1:{}", "tcp://127.0.0.1:{}?listen=1", {}},
                      Way{"srt", "srt://127.0.0.1:{}", "srt://127.0.0.1:{}?mode=listener", {}},
                      Way{"rtmp",
                          "rtmp://127.0.0.1:{}/live/mix",
                          "rtmp://127.0.0.1:{}/live/mix",
                          {"-listen", "1"}},
                      Way{"rtsp",
                          "rtsp://127.0.0.1:{}/mix",
                          "rtsp://127.0.0.1:{}/mix",
                          {"-rtsp_flags", "listen"}}),
    [](const auto& way) { return way.param.name; });

TEST(Send, CountsTheFramesOfAFarEndThatIsAwayAndComesBackByItself) {
  const auto port = free_port();
  Sender sender({{"to", fmt::format("tcp://127.0.0.1:{}", port)}});
  sender.give(60);
  EXPECT_EQ(sender.count("not_sent"), 60U);
  ASSERT_TRUE(sender.give_until([&] { return !sender.plugin().trouble().empty(); }));
  EXPECT_THAT(sender.plugin().trouble(),
              HasSubstr(fmt::format("127.0.0.1:{} cannot be reached: Connection refused", port)));
  EXPECT_THAT(sender.events(), Contains(HasSubstr("nothing is sent, the show goes on")));

  const FarEnd far_end(fmt::format("tcp://127.0.0.1:{}?listen=1", port), {});
  EXPECT_TRUE(sender.give_until([&] { return far_end.pictures() > 0; })) << far_end.log();
  EXPECT_THAT(sender.plugin().trouble(), IsEmpty());
  EXPECT_THAT(sender.events(), Contains(HasSubstr("again")));
}

TEST(Send, LosesTheFramesThatAStuckFarEndDoesNotTakeAndThenTheConnection) {
  const testing::SilentListener stuck;
  Sender sender({{"to", fmt::format("tcp://127.0.0.1:{}", stuck.port())}, {"megabits", 200.0}},
                {640, 360});
  EXPECT_TRUE(testing::eventually([&] {
    sender.give_noise();
    return sender.count("sent") > 0 && !sender.plugin().trouble().empty();
  }));
  EXPECT_THAT(sender.plugin().trouble(),
              HasSubstr("takes no more frames: nothing happened for 5 s"));
  EXPECT_GT(sender.count("not_sent"), 0U);
}

TEST(Send, GoesToAnotherAddressOrNowhereAsItsParametersSay) {
  const auto port = free_port();
  Sender sender({{"to", std::string("tcp://127.0.0.1:1")}});
  ASSERT_TRUE(sender.give_until([&] { return !sender.plugin().trouble().empty(); }));

  const FarEnd far_end(fmt::format("tcp://127.0.0.1:{}?listen=1", port), {});
  sender.plugin().set("to", fmt::format("tcp://127.0.0.1:{}", port));
  EXPECT_TRUE(sender.give_until([&] { return sender.count("sent") > 0; })) << far_end.log();

  sender.plugin().set("sending", false);
  sender.give(10);
  ASSERT_TRUE(testing::eventually([&] {  // what waited is counted
    const auto before = sender.count("not_sent");
    std::this_thread::sleep_for(kFrameTime);
    return sender.count("not_sent") == before;
  }));
  const auto not_sent = sender.count("not_sent");
  sender.give(10);
  EXPECT_EQ(sender.count("not_sent"), not_sent) << "nobody wants them";
  EXPECT_THAT(sender.plugin().trouble(), IsEmpty());
}

TEST(Send, AsksForAnAddressWhileItHasNone) {
  Sender sender({});
  sender.give(2);
  EXPECT_THAT(sender.plugin().trouble(), HasSubstr("there is no address to send to"));
  EXPECT_EQ(sender.count("not_sent"), 0U);
}

TEST(Send, RefusesWhatIsNoAddressBeforeItRuns) {
  const std::map<std::string, std::string> refused{
      {"/home/vj/mix.ts", "does not begin with srt://"},
      {"file:///etc/passwd", "does not begin with srt://"},
      {"mix", "does not begin with srt://"},
      {"http://198.51.100.7/live", "does not begin with srt://"},
      {"srt://", "names no host"},
      {"srt://:9000", "names no host"},
      {"rtmp:///live", "names no host"},
      {"udp://198.51.100.7:9000 -y /etc/passwd", "has a space or a letter that no address has"},
      {"udp://198.51.100.7:9000\n", "has a space or a letter that no address has"},
      {"udp://127.0.0.1:9?ttl=1&bitrate=1", "has the option \"bitrate\", which udp does not take"},
      {"tcp://127.0.0.1:9?listen=1", "has the option \"listen\", which tcp does not take"},
      {"srt://127.0.0.1:9?mode=listener", "has the option \"mode\", which srt does not take"},
      {"rtpm://127.0.0.1/live/secret", "write, for example"},
      {"srt://:9000?passphrase=secret", "names no host"},
      {"srt://" + std::string(2000, 'x'), "has 2006 letters, 1000 are possible"},
  };
  testing::PluginRig rig(kSize);
  for (const auto& [address, why] : refused) {
    const auto checked = check_send(rig.setup(send_description(), {{"to", address}}));
    ASSERT_FALSE(checked) << address;
    EXPECT_THAT(checked.error().message, ::testing::AllOf(HasSubstr("left.send: "), HasSubstr(why),
                                                          Not(HasSubstr("secret"))));
  }
}

TEST(Send, TellsTheFarEndThatItEnds) {
  const auto port = free_port();
  FarEnd far_end(fmt::format("rtsp://127.0.0.1:{}/mix", port), {"-rtsp_flags", "listen"});
  {
    Sender sender({{"to", fmt::format("rtsp://127.0.0.1:{}/mix", port)}});
    ASSERT_TRUE(sender.give_until([&] { return far_end.pictures() > 0; })) << far_end.log();
  }
  EXPECT_TRUE(testing::eventually([&] { return far_end.has_ended(); }))
      << "by the message TEARDOWN";
}

TEST(Send, TellsNobodyTheSecretPartsOfAnAddress) {
  Sender sender({{"to", std::string("rtmp://vj:horse@127.0.0.1:1/live/battery?staple=1")}});
  ASSERT_TRUE(sender.give_until([&] { return !sender.plugin().trouble().empty(); }));
  EXPECT_THAT(sender.plugin().trouble(), StartsWith("rtmp://127.0.0.1:1 cannot be reached"));
  EXPECT_THAT(sender.events(), Each(Not(ContainsRegex("vj|horse|battery|staple"))));
}

TEST(Send, SaysThatNobodyKnowsTheName) {
  for (const auto* address : {"rtmp://no..name/live", "srt://no..name:9000", "tcp://no..name:9"}) {
    Sender sender({{"to", std::string(address)}});
    ASSERT_TRUE(sender.give_until([&] { return !sender.plugin().trouble().empty(); }));
    EXPECT_THAT(sender.plugin().trouble(),
                HasSubstr("cannot be reached: nobody knows the name of its computer; correct"));
  }
}

TEST(Send, DoesNotConnectBeforeItsFirstFrame) {
  const testing::SilentListener listener;
  Sender sender({{"to", fmt::format("tcp://127.0.0.1:{}", listener.port())}});
  pollfd knock{listener.socket(), POLLIN, 0};
  EXPECT_EQ(::poll(&knock, 1, 300), 0);
  sender.give(1);
  EXPECT_EQ(::poll(&knock, 1, 60'000), 1);
}

TEST(Send, EndsWithoutWaitingForAStuckFarEnd) {
  const testing::SilentListener stuck;  // answers no handshake of RTMP
  std::optional<Sender> sender;
  sender.emplace(show::Parameters{{"to", fmt::format("rtmp://127.0.0.1:{}/live", stuck.port())}});
  sender->give(3);
  pollfd knock{stuck.socket(), POLLIN, 0};
  ASSERT_EQ(::poll(&knock, 1, 60'000), 1);
  const auto begin = std::chrono::steady_clock::now();
  sender.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4)) << "of its five";
}

}  // namespace
}  // namespace submix::io
