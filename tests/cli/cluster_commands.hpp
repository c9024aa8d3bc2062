// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/files.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/cluster.hpp"
#include "common/show/parse.hpp"
#include "controller/local/nats_server.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::cli {

using testing::TemporaryFolder;

inline const std::string kShow = R"([show]
name = "solo"
size = [64, 48]
[[node]]
name = "solo"
[[submix]]
name = "left"
node = "solo"
[[submix.slot]]
name = "pattern"
plugin = "pattern"
[[submix.slot]]
name = "end"
plugin = "null"
)";

/// `submix` with its own nats-server and its own state folder.
class ServedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("XDG_STATE_HOME", (folder_ / "state").c_str(), 1);
    auto server = local::NatsServer::start({folder_ / "nats"});
    ASSERT_TRUE(server) << server.error().message;
    server_.emplace(*std::move(server));
  }
  Outcome run(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--nats", server_->url()});
    return submix(arguments);
  }

  const TemporaryFolder folder_;
  std::optional<local::NatsServer> server_;
};

/// Adds a bus, on which a test can act as a node or read the show.
class CommandsTest : public ServedTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(ServedTest::SetUp());
    auto bus = cluster::Bus::connect({server_->url(), "test"});
    ASSERT_TRUE(bus) << bus.error().message;
    bus_ = *std::move(bus);
  }

  std::string file(const std::string& text) {
    static_cast<void>(write_file_atomically(folder_ / "show.toml", text));
    return (folder_ / "show.toml").string();
  }
  Outcome apply(const std::string& text) { return run({"apply", file(text)}); }
  show::Show desired() {
    const auto toml = cluster::Cluster(*bus_).show()->value.toml;
    return show::parse(toml, "desired").value();
  }

  std::unique_ptr<cluster::Bus> bus_;
};

}  // namespace submix::cli
