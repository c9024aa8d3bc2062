// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/show_key.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace submix::agent {

/// What a node is started with.
struct NodeOptions {
  std::string name;
  std::string nats_url;
  std::vector<std::string> data_addresses;  ///< of this machine; empty: all cards that are up
  std::uint16_t data_port = 0;              ///< the same on all addresses; 0: any that is free
  std::filesystem::path media_folder;       ///< where clips of the show are
  std::filesystem::path recordings_folder;
  bool allows_any_file = false;         ///< a show may name files beyond these two folders
  std::filesystem::path traces_folder;  ///< where traces of late frames go
  std::filesystem::path
      good_show_file;              ///< where the last show that ran here without a fault is kept
  bool wants_trace_at_end = true;  ///< one more is written when the node ends
  std::optional<cluster::ShowKey> key{};
  bool wants_realtime = true;  ///< where this machine permits it
  bool is_verbose = false;
};

/// The exit status when there is nothing to run: 0 after --help, 1 failed, 2 wrong use.
using OptionsOrExit = std::variant<NodeOptions, int>;

/// Reads the command line of submix-node; prints help and errors itself.
[[nodiscard]] OptionsOrExit parse_node_options(int argc, const char* const* argv);

}  // namespace submix::agent
