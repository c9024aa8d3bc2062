// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace submix::local {

/// The options of a submix-node on this machine. An empty option is left to the node's default.
struct NodeOptions {
  std::string name;
  std::string nats_url{};
  std::filesystem::path key_file{};
  std::vector<std::string> data_addresses{};
  std::filesystem::path media{};       ///< folder of clips; the node reads no others
  std::filesystem::path recordings{};  ///< folder
  std::filesystem::path traces{};      ///< folder
  bool is_rendering = false;  ///< without a clock, at ordinary priority, and without a last trace
};

/// Program and arguments: the submix-node beside this program.
[[nodiscard]] std::vector<std::string> node_command(const NodeOptions& options);

/// Starts a node; its output is appended to `log_file`. Call it on the main thread (see
/// ChildProcess).
[[nodiscard]] Result<ChildProcess> start_node(const NodeOptions& options,
                                              const std::filesystem::path& log_file);

}  // namespace submix::local
