// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/result.hpp"
#include "common/cluster/show_key.hpp"
#include "controller/local/nats_users.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace submix::local {

struct NatsServerSettings {
  /// of configuration, log and JetStream's store; created if missing
  std::filesystem::path folder;
  std::string listen = "127.0.0.1";  ///< any address but loopback needs the key
  std::uint16_t port = 0;            ///< 0: any free port
  std::optional<cluster::ShowKey> key{};
  std::vector<NatsUser> users{};  ///< with a key; empty: everybody who has the key
};

/// The URL of a server for programs on its machine. It listens at `listen`, which may stand for all
/// addresses.
[[nodiscard]] std::string local_url(const std::string& listen, std::uint16_t port);

/// A nats-server with JetStream as a child process. With a key it speaks TLS only, and proves the
/// key by its certificate.
///
/// Threads  Compatible. start() on the main thread (see ChildProcess).
/// Errors   start() fails if another server runs with this folder, or if the server does not answer
///          within 30 s; the error has the last line of its log.
class NatsServer {
 public:
  [[nodiscard]] static Result<NatsServer> start(NatsServerSettings settings);

  /// The address for programs on this machine.
  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] const std::filesystem::path& log_file() const { return log_file_; }
  [[nodiscard]] ChildProcess& process() { return process_; }

 private:
  NatsServer(ChildProcess process, std::string url, std::uint16_t port,
             std::filesystem::path log_file);

  ChildProcess process_;
  std::string url_;
  std::uint16_t port_;
  std::filesystem::path log_file_;
};

/// Whether a server of this user runs with these files.
[[nodiscard]] bool is_nats_running(const std::filesystem::path& folder);

/// Tells that server its key and its users anew (as in NatsServerSettings), without a restart. It
/// cuts off the clients whose login is not valid any more; the others notice nothing.
///
/// Errors   No server of this user runs there, or its files cannot be written.
[[nodiscard]] Result<void> set_nats_users(const std::filesystem::path& folder,
                                          const cluster::ShowKey& key,
                                          const std::vector<NatsUser>& users);

}  // namespace submix::local
