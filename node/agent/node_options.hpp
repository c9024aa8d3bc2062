// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/identity.hpp"
#include "common/cluster/show_key.hpp"
#include "common/metrics/metrics_server.hpp"
#include "node/io/pipe/pipe_options.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace submix::agent {

/// Whether a node without a show waits for a desk's invitation.
enum class Invitations {
  shown,   ///< and shows itself on the network
  hidden,  ///< a desk needs its address
  off
};

/// The options that a node starts with.
struct NodeOptions {
  std::string name;
  std::string nats_url;
  bool follows_desk = false;  ///< address and key are the joined desk's, or wait for one
  Invitations invitations = Invitations::shown;  ///< where `follows_desk`
  /// Addresses of this machine; empty: all cards that are up.
  std::vector<std::string> data_addresses;
  std::uint16_t data_port = 0;         ///< for all addresses; 0: any free port
  std::filesystem::path media_folder;  ///< folder of the show's clips
  std::filesystem::path recordings_folder;
  bool allows_any_file = false;         ///< whether a show may name files outside these two folders
  std::filesystem::path traces_folder;  ///< folder for traces of late frames
  /// File for the last show that ran here without a fault. Empty: none is kept.
  std::filesystem::path good_show_file;
  bool wants_trace_at_end = true;  ///< writes a trace when the node ends
  std::optional<cluster::ShowKey> key{};
  std::filesystem::path key_file{};                  ///< of `key`; empty: no key
  std::optional<cluster::PublicKey> desk_key{};      ///< of a desk that may change `key`
  std::optional<metrics::MetricsAddress> metrics{};  ///< empty: no metrics
  bool wants_realtime = true;                        ///< if the machine permits it
  /// Runs without a clock: as fast as it can, and each frame waits for all of its pictures.
  bool is_rendering = false;
  bool is_verbose = false;
  std::optional<io::PipeOptions> pipe{};  ///< this node is one end of `submix pipe`
};

/// For a run that only looks at this PC, or mends it.
struct DoctorOptions {
  std::filesystem::path recordings_folder;
  std::vector<std::string> targets;  ///< other nodes: see doctor::parse_target()
  bool is_mending = false;
};

/// The options, or the exit status if the program has nothing to run: 0 after --help, 1 failed, 2
/// wrong use.
using OptionsOrExit = std::variant<NodeOptions, DoctorOptions, int>;

/// Reads the command line of submix-node. Prints help and errors.
[[nodiscard]] OptionsOrExit parse_node_options(int argc, const char* const* argv);

/// Whether this PC has joined another desk, or left its desk, since these options were read.
[[nodiscard]] bool has_other_desk(const NodeOptions& options);

}  // namespace submix::agent
