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

/// The PCs `desk`, `rack1` and `rack2`, each with two cables and a folder of its own. The real
/// programs run on them by typed command lines. The destructor ends all programs; after a failure
/// it prints every log.
class SeveralPcs {
 public:
  struct Outcome {
    int status = -1;  ///< -1: the command did not end in time
    std::string output;
  };

  SeveralPcs();
  ~SeveralPcs();

  [[nodiscard]] const NetworkNamespaces& network() const { return network_; }
  [[nodiscard]] std::filesystem::path folder_of(const std::string& pc) const {
    return folder_ / pc;
  }

  /// Runs a command line in the PC's folder to its end. Blanks separate words; no quotes.
  Outcome run(const std::string& pc, const std::string& command);
  /// Starts a program that goes on; `name` is for is_running() and log_of().
  void start(const std::string& name, const std::string& pc, const std::string& command);

  /// Kills by SIGKILL, as if the PC lost its power.
  void kill(const std::string& name);
  /// SIGSTOP and SIGCONT: the program hangs for a while.
  void freeze(const std::string& name);
  void thaw(const std::string& name);

  [[nodiscard]] bool is_running(const std::string& name);
  [[nodiscard]] std::string log_of(const std::string& name) const;
  /// Waits until a log contains `text`; false if it never does.
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
