// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"
#include "controller/cli/context.hpp"
#include "controller/cli/state_folder.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::cli {

/// The node behind a pipe: a submix-node on this machine that has this process's standard input or
/// output. This process has it no longer, so that the pipe ends with the node.
///
/// Owner    The destructor ends the node and removes its files.
/// Threads  Compatible. Call start() on the main thread (see ChildProcess).
class PipeProcess {
 public:
  struct Options {
    std::string name;    ///< of the node
    int descriptor = 0;  ///< STDIN_FILENO or STDOUT_FILENO
    /// Words of submix-node --pipe, but for its descriptors: "out,matroska" and ",lossless".
    std::string format;
    std::string more = {};
  };
  [[nodiscard]] static Result<PipeProcess> start(const Context& context, const Options& options);

  /// The next line of the node about its pipe. Empty: none has come.
  [[nodiscard]] std::optional<std::string> next_line();
  /// Fails if the node has ended by itself; with the last line of its log.
  [[nodiscard]] Result<void> check();
  /// Ends the node, which may finish the picture that it writes.
  void end();

 private:
  PipeProcess(StateFolder folder, Descriptor status, ChildProcess node)
      : folder_(std::move(folder)), status_(std::move(status)), node_(std::move(node)) {}

  StateFolder folder_;
  Descriptor status_;
  std::string unread_;  // of the status, without a line end yet
  ChildProcess node_;
};

}  // namespace submix::cli
