// SPDX-License-Identifier: GPL-3.0-or-later
// Far ends that do harm, all on loopback.
#include "node/io/network/network_input.hpp"

#include "common/base/files.hpp"
#include "node/io/ffmpeg_log.hpp"
#include "tests/io/network/local_server.hpp"
#include "tests/io/numbered_clip.hpp"
#include "tests/support/silent_listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace submix::io {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing::LocalServer;
using ::testing::Not;
using ::testing::StartsWith;

/// A refusal ends at once, however long the limits are: those of a show suit a busy machine.
constexpr NetworkInput::Limits kOfAShow{};
constexpr NetworkInput::Limits kShort{.opening = std::chrono::milliseconds(200),
                                      .silence = std::chrono::milliseconds(200)};

/// Why `address` gives no picture.
std::string refusal(const std::string& address, NetworkInput::Limits limits = kShort) {
  silence_ffmpeg();
  auto input = NetworkInput::open(address, {}, limits);
  if (!input) return input.error().message;
  const auto picture = input->next();
  return picture ? "" : picture.error().message;
}

std::string refusal_of(const LocalServer& server, NetworkInput::Limits limits = kShort) {
  return refusal(fmt::format("tcp://127.0.0.1:{}", server.port()), limits);
}

TEST(NetworkInput, GivesUpAFarEndThatIsSilent) {
  const testing::SilentListener silent;
  for (const auto* scheme : {"tcp", "http", "rtsp", "rtmp"})
    EXPECT_THAT(refusal(fmt::format("{}://127.0.0.1:{}/live", scheme, silent.port())),
                HasSubstr("cannot be opened: it gave no picture for 0.2 s; start its stream"));
}

TEST(NetworkInput, GivesUpAFarEndThatTrickles) {
  const LocalServer server([](auto& connection) {
    while (connection.send("G"))
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  });
  EXPECT_THAT(refusal_of(server), HasSubstr("it gave no picture for 0.2 s"));
}

TEST(NetworkInput, RefusesGarbage) {
  const LocalServer server([](auto& connection) {
    std::minstd_rand random(1);
    std::string bytes(64 * 1024, '\0');
    do
      std::ranges::generate(bytes, [&] { return static_cast<char>(random() >> 8U); });
    while (connection.send(bytes));
  });
  silence_ffmpeg();
  const auto input = NetworkInput::open(fmt::format("tcp://127.0.0.1:{}", server.port()), {});
  ASSERT_FALSE(input);
  EXPECT_THAT(input.error().message, HasSubstr("is no video that is known here"));
}

/// JPEGs in a row whose headers state 16384x16384 pixels.
std::string huge_pictures() {
  const testing::TemporaryFolder folder;
  testing::write_numbered_clip(folder / "a.mjpeg", {.codec = "mjpeg"});
  auto bytes = read_text_file(folder / "a.mjpeg").value();
  constexpr std::string_view kFrameHeader("\xFF\xC0\x00\x11\x08", 5);  // then height and width
  for (auto at = bytes.find(kFrameHeader); at != std::string::npos;
       at = bytes.find(kFrameHeader, at + 1))
    bytes.replace(at + kFrameHeader.size(), 4, std::string("\x40\x00\x40\x00", 4));
  return bytes;
}

TEST(NetworkInput, DecodesNoPicturesOverTheLimit) {
  const LocalServer server([bytes = huge_pictures()](auto& connection) {
    while (connection.send(bytes)) {
    }
  });
  EXPECT_THAT(refusal_of(server, {.silence = std::chrono::milliseconds(200)}),
              AnyOf(HasSubstr("larger than 67 million pixels; send smaller ones"),
                    HasSubstr("sends pictures of 16384x16384 pixels")));
}

TEST(NetworkInput, FollowsNoEndlessRedirect) {
  std::atomic<int> requests = 0;
  const LocalServer server([&](auto& connection) {
    ++requests;
    connection.read_request();
    connection.send("HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n");
  });
  silence_ffmpeg();
  const auto input = NetworkInput::open(fmt::format("http://127.0.0.1:{}/", server.port()), {});
  ASSERT_FALSE(input);
  EXPECT_THAT(input.error().message,
              HasSubstr("cannot be opened: it leads from address to address without an end"));
  EXPECT_LT(requests.load(), 20);
}

TEST(NetworkInput, SaysThatNobodyKnowsTheName) {
  for (const auto* address : {"http://no..name/a", "rtmp://no..name/a", "rtsp://no..name/a",
                              "srt://no..name:9000", "tcp://no..name:9000"}) {
    EXPECT_THAT(refusal(address, kOfAShow),
                HasSubstr("nobody knows the name of its computer; correct"))
        << address;
  }
}

TEST(NetworkInput, SaysThatAFarEndDoesNotEncrypt) {
  const LocalServer server([](auto& connection) {
    connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    connection.read_request();
  });
  for (const auto* scheme : {"https", "rtmps", "rtsps"}) {
    const auto address = fmt::format("{}://127.0.0.1:{}/live", scheme, server.port());
    const auto why = refusal(address, kOfAShow);
    EXPECT_THAT(why, HasSubstr("its encryption (TLS) fails: ")) << why;
    EXPECT_THAT(why, HasSubstr("write the address without the \"s\" of")) << why;
  }
}

TEST(NetworkInput, SaysThatAPortIsClosed) {
  const auto port = testing::SilentListener().port();  // closed again
  for (const auto* scheme : {"tcp", "http", "https", "rtmp", "rtmps", "rtsp"}) {
    EXPECT_THAT(refusal(fmt::format("{}://127.0.0.1:{}/live", scheme, port), kOfAShow),
                HasSubstr("Connection refused; start it, or correct the address"));
  }
}

TEST(NetworkInput, SaysThatNothingAnswersBySrt) {
  const auto port = testing::SilentListener().port();
  EXPECT_THAT(
      refusal(fmt::format("srt://127.0.0.1:{}?passphrase=very-secret", port), {}),
      AllOf(HasSubstr("nothing there accepts the connection; start it"), Not(HasSubstr("secret"))));
}

TEST(NetworkInput, SaysThatAFarEndHangsUp) {
  const LocalServer server([](auto&) {});
  for (const auto* scheme : {"http", "rtmp", "rtsp", "https"}) {
    const auto why = refusal(fmt::format("{}://127.0.0.1:{}/live", scheme, server.port()));
    EXPECT_THAT(why, Not(HasSubstr("Input/output error"))) << why;
  }
}

/// Serves a playlist with one part, and a video of pictures that show 5 and more.
class PlaylistServer {
 public:
  /// `part`: its address; PORT and FILE stand for the server's port and the video's file.
  explicit PlaylistServer(std::string part) {
    testing::write_numbered_clip(file_, {.pictures = 60, .first_number = 5});
    part_ = replaced(std::move(part), "FILE", file_.string());
  }
  [[nodiscard]] std::string address() const {
    return fmt::format("http://127.0.0.1:{}/list.m3u8", server_.port());
  }

 private:
  void answer(LocalServer::Connection& connection) {
    const auto request = connection.read_request();
    const bool is_list = request.find(".m3u8 ") != std::string::npos;
    const auto body = is_list ? fmt::format(
                                    "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n"
                                    "#EXTINF:2,\n{}\n#EXT-X-ENDLIST\n",
                                    replaced(part_, "PORT", std::to_string(server_.port())))
                              : read_text_file(file_).value();
    connection.send(fmt::format(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\nContent-Type: {}\r\n\r\n",
        body.size(), is_list ? "application/vnd.apple.mpegurl" : "video/mp2t"));
    connection.send(body);
  }

  static std::string replaced(std::string text, const std::string& word, const std::string& by) {
    const auto at = text.find(word);
    return at == std::string::npos ? text : text.replace(at, word.size(), by);
  }

  const testing::TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_ / "a.ts";
  std::string part_;
  LocalServer server_{[this](auto& connection) { answer(connection); }};
};

TEST(NetworkInput, PlaysAPlaylistAtItsOwnPace) {
  const PlaylistServer server("http://127.0.0.1:PORT/a.ts");
  silence_ffmpeg();
  auto input = NetworkInput::open(server.address(), {});
  ASSERT_TRUE(input) << input.error().message;
  EXPECT_EQ(input->pace(), StreamClock::Pace::reader);
  const auto picture = input->next();
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_NE(picture->frame, nullptr);
}

TEST(NetworkInput, OpensNoFileThatAPlaylistNames) {
  silence_ffmpeg();
  for (const auto* part : {"file://FILE", "file:FILE", "concat:FILE",
                           "subfile,,start,0,end,0,,:FILE", "crypto:FILE", "file:///etc/passwd"}) {
    const PlaylistServer server(part);
    const auto input = NetworkInput::open(server.address(), {});
    ASSERT_FALSE(input) << part;
    EXPECT_THAT(input.error().message, StartsWith("http://127.0.0.1:")) << part;
  }
}

}  // namespace
}  // namespace submix::io
