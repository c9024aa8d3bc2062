// SPDX-License-Identifier: GPL-3.0-or-later
// Real hosts of the plugin `network`, each a confined process of its own.

#include "node/decode/network_plugin.hpp"

#include "common/base/files.hpp"
#include "node/io/network/network.hpp"
#include "tests/io/network/test_stream.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/plugin_counter.hpp"
#include "tests/support/plugin_hosts.hpp"
#include "tests/support/silent_listener.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace submix::decode {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::TestStream;

class NetworkHosts : public ::testing::Test {
 protected:
  NetworkHosts() { add_network(catalog_, keeper_); }

  std::unique_ptr<plugin::Plugin> layer(const std::string& url) {
    auto made = catalog_.create("network", rig_.setup(io::network_description(), {{"url", url}}));
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return made ? std::move(*made) : nullptr;
  }
  /// Takes frames until one fulfils the condition.
  bool make_until(plugin::Plugin& layer, const std::function<bool(int number)>& condition) {
    return testing::eventually([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      const auto frame = rig_.make(layer, index_++);
      const bool is_clear = frame.rgba()[3] == 0;
      return condition(is_clear ? -1 : testing::shown_number(frame));
    });
  }
  bool make_until_picture(plugin::Plugin& layer) {
    return make_until(layer, [](int number) { return number >= 0; });
  }
  static std::vector<pid_t> hosts() { return testing::plugin_hosts_of_this().network_hosts; }

  const Result<std::unique_ptr<host::HostKeeper>> keeper_ =
      host::HostKeeper::open(SUBMIX_PLUGIN_HOST);
  testing::PluginRig rig_{TestStream::kSize, {30, 1}, media::Backing::shared};
  plugin::Catalog catalog_{{}};
  const int port_ = testing::SilentListener().port();
  std::uint64_t index_ = 0;
};

TEST_F(NetworkHosts, ShowWhatComesByUdpAndBySrt) {
  for (const auto& [to, url] :
       {std::pair("udp://127.0.0.1:{}", "udp://127.0.0.1:{}"),
        std::pair("srt://127.0.0.1:{}", "srt://127.0.0.1:{}?mode=listener")}) {
    const auto shown = layer(fmt::format(fmt::runtime(url), port_));
    const TestStream stream(fmt::format(fmt::runtime(to), port_));
    ASSERT_TRUE(make_until_picture(*shown)) << shown->trouble();
    EXPECT_TRUE(make_until(*shown, [last = -1, pictures = 0](int number) mutable {
      EXPECT_GE(number, last);
      pictures += number > last ? 1 : 0;
      last = number;
      return pictures >= 5;
    }));
    EXPECT_THAT(shown->trouble(), IsEmpty());
    EXPECT_GT(testing::counter(*shown, "received"), 0U);
    EXPECT_EQ(testing::counter(*shown, "crashes"), 0U);
  }
}

TEST_F(NetworkHosts, TellTheNodeWhyThereIsNoPictureAndTakeAnotherAddress) {
  const auto shown = layer("tcp://localhost:1");
  EXPECT_TRUE(make_until(*shown, [&](int) { return !shown->trouble().empty(); }));
  EXPECT_THAT(shown->trouble(), HasSubstr("Connection refused")) << "the name leads somewhere";
  EXPECT_THAT(shown->trouble(), HasSubstr("tried again every 2 s"));
  EXPECT_THAT(rig_.events.lines(), Contains(HasSubstr("left.network: tcp://localhost:1 cannot")));
  const auto url = fmt::format("udp://127.0.0.1:{}", port_);
  shown->set("url", url);
  const TestStream stream(url);
  EXPECT_TRUE(make_until_picture(*shown)) << shown->trouble();
  EXPECT_THAT(shown->trouble(), IsEmpty());
}

TEST_F(NetworkHosts, AreConfinedAndTellNobodyTheAddress) {
  const auto shown =
      layer(fmt::format("srt://127.0.0.1:{}?mode=listener&passphrase=horsebattery", port_));
  ASSERT_TRUE(make_until(*shown, [](int) { return true; }));
  const auto process = hosts();
  ASSERT_THAT(process, Not(IsEmpty()));
  const auto folder = "/proc/" + std::to_string(process[0]);
  EXPECT_THAT(read_text_file(folder + "/status").value(), HasSubstr("NoNewPrivs:\t1"));
  EXPECT_THAT(read_text_file(folder + "/status").value(), HasSubstr("Seccomp:\t2"));
  EXPECT_THAT(read_text_file(folder + "/cmdline").value(), Not(HasSubstr("horse")));
}

TEST_F(NetworkHosts, AreReplacedWhenTheyCrash) {
  const auto url = fmt::format("udp://127.0.0.1:{}", port_);
  const auto shown = layer(url);
  const TestStream stream(url);
  ASSERT_TRUE(make_until_picture(*shown)) << shown->trouble();
  for (const auto process : hosts())
    ::kill(process, SIGABRT);  // a sanitizer catches SIGSEGV
  EXPECT_TRUE(make_until(*shown, [&](int) { return testing::counter(*shown, "crashes") == 1; }));
  EXPECT_TRUE(make_until_picture(*shown)) << shown->trouble();
}

TEST_F(NetworkHosts, BeginForNoAddressThatCannotBeOne) {
  const auto made = catalog_.create(
      "network",
      rig_.setup(io::network_description(), {{"url", std::string("file:///etc/passwd")}}));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("left.network: the address does not begin with"));
  EXPECT_THAT(hosts(), IsEmpty());
}

}  // namespace
}  // namespace submix::decode
