// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/file_state.hpp"
#include "common/base/result.hpp"
#include "common/cluster/show_key.hpp"
#include "controller/local/nats_users.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace submix::pairing {

/// Whom the NATS server that this program runs lets in. While the desk's list of PCs cannot be
/// read, only programs of this PC get in: otherwise a PC could do more than the list allows.
///
/// Threads  Compatible.
class ServerUsers {
 public:
  /// For a server with `key`. Logs why the list cannot be read. Only the key of this PC's desk has
  /// a list; everybody who has another key gets in.
  ///
  /// Errors   This PC's own login is not known, so nobody could get in; with the remedy.
  [[nodiscard]] static Result<ServerUsers> of_own_desk(const std::optional<cluster::ShowKey>& key);

  /// For NatsServerSettings.
  [[nodiscard]] const std::vector<local::NatsUser>& at_start() const { return users_; }
  /// Why other PCs do not get in, with the remedy. Empty: they do.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// To be called several times a second while the server runs; `nats_folder` has its files. Lets
  /// the PCs in a second or two after a person has mended the list or moved it away.
  void look(LocalTime now, const std::filesystem::path& nats_folder);

 private:
  [[nodiscard]] bool is_list_mended(LocalTime now);

  std::vector<local::NatsUser> users_;
  std::string problem_;
  std::string told_;  ///< why the mended list did not help
  std::optional<FileState> list_seen_;
  LocalTime next_look_{};
};

}  // namespace submix::pairing
