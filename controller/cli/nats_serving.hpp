// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/stop_signal.hpp"
#include "common/cluster/show_key.hpp"
#include "controller/cli/commands.hpp"
#include "controller/local/nats_server.hpp"
#include "controller/pairing/server_users.hpp"

#include <functional>
#include <optional>
#include <string>

namespace submix::cli {

/// The URLs of a server at `port` for other PCs: at the addresses that `options` name, else at
/// those of all cards. `first`, if it is among them, becomes the first.
[[nodiscard]] std::string urls_of(const NatsOptions& options, bool has_key, std::uint16_t port,
                                  const std::string& first = {});
/// The URL for programs on this PC.
[[nodiscard]] std::string local_url_of(const NatsOptions& options, std::uint16_t port);

/// Where the server keeps its files.
[[nodiscard]] std::filesystem::path folder_of(const NatsOptions& options);

/// A NATS server that this command runs.
///
/// Threads  Confined (main).
class NatsServing {
 public:
  /// Errors   As NatsServer::start() and ServerUsers::of_own_desk().
  [[nodiscard]] static Result<NatsServing> start(const NatsOptions& options,
                                                 const std::optional<cluster::ShowKey>& key);

  [[nodiscard]] std::uint16_t port() const { return server_.port(); }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  /// Waits for a signal or the server's end, and calls `look` five times a second. The service
  /// manager hears of the server only while the server answers.
  ///
  /// Errors   The server has ended by itself.
  [[nodiscard]] Result<void> watch(StopSignal& stop, const std::function<void()>& look = [] {});

 private:
  NatsServing(local::NatsServer server, pairing::ServerUsers users, std::filesystem::path folder,
              const std::optional<cluster::ShowKey>& key)
      : server_(std::move(server)),
        users_(std::move(users)),
        folder_(std::move(folder)),
        key_(key) {}

  local::NatsServer server_;
  pairing::ServerUsers users_;
  std::filesystem::path folder_;
  std::optional<cluster::ShowKey> key_;
};

}  // namespace submix::cli
