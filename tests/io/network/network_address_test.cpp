// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/network/network_address.hpp"

#include "node/io/network/network.hpp"
#include "tests/io/plugin_rig.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace submix::io {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(NetworkAddress, IsAnyThatFfmpegOpensOverTheNetwork) {
  for (const std::string address :
       {"srt://198.51.100.7:9000?passphrase=horsebattery&mode=caller", "srt://:9000?mode=listener",
        "udp://@239.1.1.1:5000", "udp://:5000", "udp://0.0.0.0:5000?localaddr=198.51.100.2",
        "rtp://198.51.100.7:5004", "tcp://198.51.100.7:9000", "tcp://:9000?listen=1",
        "rtmp://198.51.100.7/live/mix?x=1", "rtsp://vj:horse@198.51.100.7:554/cam?channel=1",
        "rtsps://198.51.100.7/cam", "http://198.51.100.7/live/index.m3u8?token=1",
        "https://example.org/live.mp4", "http://[2001:db8::7]:8080/cam.mjpg"}) {
    const auto checked = check_network_address(address, Traffic::incoming);
    EXPECT_TRUE(checked) << address << ": " << checked.error().message;
  }
}

TEST(NetworkAddress, NamesNoFileAndNoOtherWayToOne) {
  const std::map<std::string, std::string> refused{
      {"/home/vj/mix.ts", "does not begin with srt://, udp://"},
      {"file:///etc/passwd", "does not begin with srt://"},
      {"file:/etc/passwd", "or https://; write, for example"},
      {"concat:http://a/1.ts|/etc/passwd", "does not begin with srt://"},
      {"concat://a", "does not begin with srt://"},
      {"data:video/mp4;base64,AAAA", "does not begin with srt://"},
      {"pipe:0", "does not begin with srt://"},
      {"unix:///run/dbus", "does not begin with srt://"},
      {"subfile,,start,0,end,9,,:/etc/passwd", "does not begin with srt://"},
      {"crypto+http://198.51.100.7/x", "does not begin with srt://"},
      {"hls+http://198.51.100.7/x.m3u8", "does not begin with srt://"},
      {"cache:http://198.51.100.7/x", "does not begin with srt://"},
      {"SRT://198.51.100.7:9000", "does not begin with srt://"},
      {"srt://", "names no host"},
      {"http:///etc/passwd", "names no host"},
      {"rtsp://:554/cam", "names no host"},
      {"udp://198.51.100.7:9000 -y /etc/passwd", "has a space or a letter that no address has"},
      {"udp://198.51.100.7:9000\n", "has a space or a letter that no address has"},
      {"udp://:9?fifo_size=999999999", "has the option \"fifo_size\", which udp does not take"},
      {"tcp://198.51.100.7:9?listen=1&send_buffer_size=1", "has the option \"send_buffer_size\""},
      {"srt://198.51.100.7:9?secret", "has the option \"secret\""},
      {"srt://" + std::string(2000, 'x'), "has 2006 letters, 1000 are possible"},
  };
  testing::PluginRig rig;
  for (const auto& [address, why] : refused) {
    const auto checked = check_network(rig.setup(network_description(), {{"url", address}}));
    ASSERT_FALSE(checked) << address;
    EXPECT_THAT(
        checked.error().message,
        ::testing::AllOf(HasSubstr("left.network: "), HasSubstr(why), Not(HasSubstr("passwd"))));
  }
  EXPECT_TRUE(check_network(rig.setup(network_description(), {}))) << "a new slot has none yet";
}

}  // namespace
}  // namespace submix::io
