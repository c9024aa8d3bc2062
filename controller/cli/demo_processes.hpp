// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/local/nats_server.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace submix::cli {

inline constexpr std::size_t kNatsRestartsMax = 3;
inline constexpr std::chrono::seconds kNatsRestartWindow{10};

/// The processes of a demo: one nats-server, a submix-node for each node of the show, and perhaps a
/// controller.
///
/// Owner    The destructor ends all of them: the controller first, nats-server last.
/// Threads  Compatible. Call start() on the main thread.
class DemoProcesses {
 public:
  struct Folders {
    std::filesystem::path state;  ///< nats-server's store
    std::filesystem::path out;    ///< recordings; logs below it
    std::filesystem::path media;  ///< clips: nodes read no other files
  };

  [[nodiscard]] static Result<DemoProcesses> start(const show::Show& show, const Folders& folders);
  [[nodiscard]] Result<void> open_controller();

  [[nodiscard]] const std::string& nats_url() const { return nats_.url(); }
  /// The controller's exit status, returned once. Empty while it is open, or if none was opened.
  [[nodiscard]] std::optional<int> take_controller_status();
  [[nodiscard]] std::filesystem::path controller_log() const { return log_of("controller"); }
  /// Restarts a nats-server that ended by itself, on the same port and store. Returns a message for
  /// people; empty: nothing was done. Fails, naming the log, when a node has ended by itself, or
  /// nats-server more than kNatsRestartsMax times within kNatsRestartWindow. Call on the main
  /// thread.
  [[nodiscard]] Result<std::string> tend();
  /// Ends the nodes, so that their recordings are complete.
  void end_nodes();

 private:
  struct Child {
    std::string name;
    ChildProcess process;
  };

  DemoProcesses(local::NatsServer nats, Folders folders)
      : nats_(std::move(nats)), folders_(std::move(folders)) {}
  [[nodiscard]] Result<void> start_node(const std::string& name);
  [[nodiscard]] Result<std::string> restart_nats(int status);
  [[nodiscard]] std::filesystem::path log_of(const std::string& name) const;

  local::NatsServer nats_;
  Folders folders_;
  std::vector<std::chrono::steady_clock::time_point> nats_restarts_;  // within the window
  std::vector<Child> nodes_;
  std::optional<ChildProcess> controller_;
};

}  // namespace submix::cli
