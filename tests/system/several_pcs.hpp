// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "tests/support/network_namespaces.hpp"
#include "tests/support/temporary_folder.hpp"

#include <chrono>
#include <filesystem>
#include <map>
#include <string>

namespace submix::testing {

/// The PCs `desk`, `rack1` and `rack2` with two cables each, a folder of its own for each, and the real
/// programs on them, started as one types it. All of it ends with this object; after a failure it prints
/// every log.
class SeveralPcs {
 public:
  struct Outcome {
    int status = -1;  ///< -1: it did not end in time
    std::string output;
  };

  SeveralPcs();
  ~SeveralPcs();

  [[nodiscard]] const NetworkNamespaces& network() const { return network_; }
  [[nodiscard]] std::filesystem::path folder_of(const std::string& pc) const {
    return folder_ / pc;
  }

  /// Runs a command line (words apart by blanks, no quotes) in the PC's folder until it ends.
  Outcome run(const std::string& pc, const std::string& command);
  /// Starts one that goes on; `name` is for is_running() and log_of().
  void start(const std::string& name, const std::string& pc, const std::string& command);

  /// The hard way, as when a PC loses its power.
  void kill(const std::string& name);
  /// SIGSTOP and SIGCONT: it hangs for a while.
  void freeze(const std::string& name);
  void thaw(const std::string& name);

  [[nodiscard]] bool is_running(const std::string& name);
  [[nodiscard]] std::string log_of(const std::string& name) const;
  /// Waits until a log says `text`; false if it never did.
  [[nodiscard]] bool wait_until_log_says(const std::string& name, const std::string& text) const;

  static constexpr std::chrono::seconds kPatience{40};  // only a failing test waits so long

 private:
  [[nodiscard]] ChildProcess spawn(const std::string& name, const std::string& pc,
                                   const std::string& command);

  TemporaryFolder folder_;
  NetworkNamespaces network_{{"desk", "rack1", "rack2"}};
  std::map<std::string, ChildProcess> programs_;
  int runs_ = 0;
};

}  // namespace submix::testing
