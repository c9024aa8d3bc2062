// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/node_options.hpp"

#include "common/base/files.hpp"
#include "common/base/version.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/membership.hpp"
#include "common/show/text.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <utility>

namespace submix::agent {
namespace {

constexpr const char* kDescription = R"(Runs the submixes that a show assigns to this node.

Examples:
  submix-node --name left
      joins the desk that this PC has joined by submix join, else the NATS server on this
      machine (nats://127.0.0.1:4222)
  submix-node --name left --nats nats://198.18.0.1:4222 --key show.key \
              --data-address 198.18.0.2 --data-address 198.18.1.2
      joins a show over the network, with two cards for its streams
)";

constexpr const char* kReach = R"(
Reach:
  Without a key nothing but loopback is listened on or connected to, but for TCP 4224, where a desk invites a PC by
  the code that the node shows (--invitations). To join several machines, run `submix desk` on one of them and
  `submix join` on the others, or `submix invite` on the desk. Or make a key with `submix key new show.key`, copy it to all,
  and start every program with --key.)";

struct Arguments {
  NodeOptions options;
  std::filesystem::path key_file;
  std::string realtime = "auto";
  std::string invitations = "shown";
  std::string metrics;
  std::string pipe;
  bool is_doctor = false;
  bool is_mending = false;
  std::vector<std::string> targets;
};

void declare_doctor(CLI::App& app, Arguments& arguments) {
  auto* doctor = app.add_flag("--doctor", arguments.is_doctor,
                              "Look at this PC in place of running: JSON for submix doctor");
  app.add_flag("--mend", arguments.is_mending, "With --doctor: mend first, as root")->needs(doctor);
  app.add_option("--reach", arguments.targets,
                 "With --doctor: connect to a node's address as well; may be repeated")
      ->take_all()
      ->option_text("NODE=ADDRESS:PORT")
      ->needs(doctor);
}

void declare_network(CLI::App& app, Arguments& arguments) {
  auto& options = arguments.options;
  app.add_option("--name", options.name, "This node's name in the show (required)");
  app.add_option("--nats", options.nats_url,
                 "The NATS server; with several cards repeat it, or put ',' between, and one cable "
                 "may fail")
      ->envname("SUBMIX_NATS")
      ->join(',')
      ->option_text("URL[,URL] ($SUBMIX_NATS; without a key: the joined desk, else this PC)");
  app.add_option("--data-address", options.data_addresses,
                 "An address of a card that streams may use; repeat it for each card (default: all "
                 "that are up, as they come and go; without a key: loopback)")
      ->take_all();
  app.add_option("--data-port", options.data_port,
                 "TCP port for streams, on each address (default: any that is free)")
      ->check(CLI::Range(0, 65535))
      ->option_text("PORT");
  app.add_option("--key", arguments.key_file, "The show's key file, mode 0600")
      ->envname("SUBMIX_KEY")
      ->option_text("FILE ($SUBMIX_KEY; without --nats: the joined desk's)");
}

void declare_files(CLI::App& app, NodeOptions& options) {
  app.add_option(
      "--media", options.media_folder,
      "Where clips and stills are: a show names no file beyond this folder (default: the current "
      "folder)");
  app.add_option("--recordings", options.recordings_folder,
                 "Where recordings are written, and nowhere else (default: the current folder)");
  app.add_flag("--any-file", options.allows_any_file,
               "Let a show read and write every file that this user may: by absolute names, \"..\" "
               "and links. Who has the show's key then has this user's files");
  app.add_option(
         "--traces", options.traces_folder,
         "Where a trace of the last 10 s is written when a frame misses its deadline, by more than "
         "4 ms or a quarter of its time (one in 30 s, the newest 8 stay), and at the end (the last "
         "one stays)")
      ->option_text("FOLDER (~/.local/state/submix/traces)");
  app.add_flag("--trace-at-end,!--no-trace-at-end", options.wants_trace_at_end,
               "Write a trace at the end (as it does anyway), or none");
}

void declare_ways_to_run(CLI::App& app, Arguments& arguments) {
  app.add_option(
         "--realtime", arguments.realtime,
         "auto: frames go ahead of other programs where this machine permits it; off: never")
      ->check(CLI::IsMember({"auto", "off"}))
      ->option_text("auto|off (auto)");
  app.add_option(
         "--invitations", arguments.invitations,
         "While this PC has no show, it shows a code here, by which a desk invites it. shown: the "
         "desk finds it by Avahi; hidden: the desk needs its address; off: never")
      ->check(CLI::IsMember({"shown", "hidden", "off"}))
      ->option_text("shown|hidden|off (shown)");
  app.add_option("--metrics", arguments.metrics,
                 "Offer metrics for Prometheus at this port of loopback, or at this address")
      ->option_text("[ADDRESS:]PORT");
  app.add_flag("--render", arguments.options.is_rendering,
               "Without a clock: as fast as possible, and no picture is held or left out. Used by "
               "submix render");
  app.add_flag("-v,--verbose", arguments.options.is_verbose, "Log more");
  app.add_option("--pipe", arguments.pipe)->group("");  // for submix pipe, not for people
}

// In the order in which --help lists them.
void declare(CLI::App& app, Arguments& arguments) {
  app.set_version_flag("-V,--version", "submix-node " + std::string(version()));
  app.footer(kReach);
  declare_network(app, arguments);
  declare_files(app, arguments.options);
  declare_ways_to_run(app, arguments);
  declare_doctor(app, arguments);
}

/// Checks a folder now: otherwise a clip would be missing later, in the middle of a show.
Result<void> check_folder(const char* option, const std::filesystem::path& folder) {
  std::error_code error;
  const auto status = std::filesystem::status(folder, error);
  if (std::filesystem::is_directory(status)) return {};
  if (std::filesystem::exists(status))
    return fail("{} {}: is not a folder", option, folder.string());
  if (status.type() != std::filesystem::file_type::not_found)
    return fail("{} {}: {}", option, folder.string(), error.message());
  return fail("{0} {1}: there is no such folder; make it by: mkdir -p {1}", option,
              folder.string());
}

/// Makes a folder absolute. A show's file names are relative to it, even if the process changes its
/// folder later.
Result<void> complete_folder(const char* option, std::filesystem::path& folder) {
  std::error_code error;
  const auto current = std::filesystem::current_path(error);
  if (error && folder.is_relative())
    return fail("{}: the current folder is gone: {}; name a folder that is there", option,
                error.message());
  folder = (current / folder).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  return check_folder(option, folder);
}

Result<void> complete(Arguments& arguments) {
  auto& options = arguments.options;
  if (options.name.empty()) return fail("--name is required: this node's name in the show");
  if (!show::is_name(options.name)) return fail("--name \"{}\": {}", options.name, show::kNameRule);
  options.wants_realtime = arguments.realtime == "auto";
  if (arguments.invitations == "hidden") options.invitations = Invitations::hidden;
  if (arguments.invitations == "off") options.invitations = Invitations::off;
  if (options.nats_url.empty()) options.nats_url = cluster::kDefaultUrl;
  if (!arguments.key_file.empty()) {
    auto key = cluster::ShowKey::read(arguments.key_file);
    SUBMIX_TRY(key);
    options.key = *key;
    options.key_file = arguments.key_file;
  }
  if (!arguments.metrics.empty()) {
    auto at = metrics::parse_metrics_address(arguments.metrics);
    SUBMIX_TRY(at);
    options.metrics = std::move(*at);
  }
  if (!arguments.pipe.empty()) {
    auto pipe = io::parse_pipe_options(arguments.pipe);
    SUBMIX_TRY(pipe);
    options.pipe = *pipe;
  }
  if (auto there = complete_folder("--media", options.media_folder); !there) return there;
  if (auto there = complete_folder("--recordings", options.recordings_folder); !there) return there;
  if (options.traces_folder.empty()) options.traces_folder = state_home() / "traces";
  // The node of a pipe has a new name each time.
  if (!options.pipe)
    options.good_show_file = state_home() / "good-shows" / (options.name + ".toml");
  return {};
}

Result<DoctorOptions> doctor_options(Arguments& arguments) {
  DoctorOptions options{.recordings_folder = std::move(arguments.options.recordings_folder),
                        .targets = std::move(arguments.targets),
                        .is_mending = arguments.is_mending};
  if (auto there = complete_folder("--recordings", options.recordings_folder); !there)
    return tl::unexpected(there.error());
  return options;
}

OptionsOrExit exit_with(int status, const Error& error) {
  fmt::print(stderr, "submix-node: {}\n", error.message);
  return status;
}

}  // namespace

OptionsOrExit parse_node_options(int argc, const char* const* argv) {
  CLI::App app(kDescription, "submix-node");
  Arguments arguments;
  declare(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (arguments.is_doctor) {
    auto doctor = doctor_options(arguments);
    if (!doctor) return exit_with(2, doctor.error());
    return std::move(*doctor);
  }
  arguments.options.follows_desk = arguments.options.nats_url.empty() && arguments.key_file.empty();
  // A file is mended while the node is away; wrong options stay wrong.
  const auto used = cluster::use_membership(arguments.options.nats_url, arguments.key_file);
  if (!used) return exit_with(1, used.error());
  if (*used && cluster::Identity::read((*used)->key_file.parent_path()))
    arguments.options.desk_key = (*used)->desk_key;
  if (const auto completed = complete(arguments); !completed)
    return exit_with(arguments.key_file.empty() ? 2 : 1, completed.error());
  return std::move(arguments.options);
}

bool has_other_desk(const NodeOptions& options) {
  if (!options.follows_desk) return false;
  const auto membership = cluster::read_membership();
  if (!membership) return false;  // somebody is writing it
  if (!*membership) return options.key.has_value();
  if (options.desk_key && (*membership)->desk_key == options.desk_key)
    return (*membership)->nats_url != options.nats_url;  // the node follows a new key by itself
  const auto key = cluster::ShowKey::read((*membership)->key_file);
  return key && ((*membership)->nats_url != options.nats_url || options.key != *key);
}

}  // namespace submix::agent
