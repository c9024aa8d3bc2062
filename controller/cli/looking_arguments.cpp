// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/command_binding.hpp"
#include "controller/cli/commands.hpp"

#include <string>
#include <vector>

namespace submix::cli {
namespace {

void add_status(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "status", "Show nodes, submixes, streams and links, as measured over one second",
      "  submix status\n  submix status --detail\n  submix status --json | jq "
      "'.streams[].links[].mb_per_second'");
  auto& options = bind(command, invocation, run_status);
  command.add_flag("--detail", options.has_detail,
                   "Also show the holders of the frames of each slot's pool, and check their sum");
}

void add_watch(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "watch", "Show status once a second, until Ctrl-C",
                              "  submix watch\n  submix watch --json");
  auto& options = bind(command, invocation, run_watch);
  command.add_option("--seconds", options.seconds, "End after N seconds")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N");
}

void add_bottleneck(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "bottleneck", "Say in one sentence what limits the show's rate now, and what would help",
      "  submix bottleneck\n  submix bottleneck --json | jq .path");
  bind(command, invocation, run_bottleneck);
}

void add_alerts(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "alerts",
      "List what is wrong now, the worst first, and the system's response; exit status 1 if an "
      "alert is new",
      "  submix alerts\n  submix alerts --seen \"node left\"\n  submix alerts --seen all\n"
      "  submix alerts --json | jq '.alerts[].thing'");
  auto& options = bind(command, invocation, run_alerts);
  command
      .add_option("--seen", options.seen,
                  "Mark an alert as seen, as \"Seen\" in the window does: it no longer counts as "
                  "new, in windows and commands, until it ends and comes back")
      ->option_text("WHAT|all");
}

void add_ledger(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "ledger",
                  "Count every edge's frames: produced = delivered + dropped by reason + in "
                  "flight; exit status 1 if a sum is wrong",
                  "  submix ledger\n  submix ledger --csv ledger.csv\n  submix ledger "
                  "--json | jq '.edges[].balance'");
  auto& options = bind(command, invocation, run_ledger);
  command
      .add_option_function<std::vector<std::string>>(
          "--csv",
          [&options](const std::vector<std::string>& files) {
            options.is_csv = true;
            if (!files.empty()) options.csv_file = files.front();
          },
          "Write a line for each edge, for spreadsheets (default: to the terminal)")
      ->expected(0, 1)
      ->option_text("[FILE]");
}

void add_snapshot(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "snapshot", "Save the picture of a submix or a slot",
                  "  submix snapshot mix\n  submix snapshot left.glow -o glow.png --width 640");
  auto& options = bind(command, invocation, run_snapshot);
  command.add_option("slot", options.target, "submix or submix.slot")->required();
  command.add_option("-o,--output", options.file, "PNG file to write")
      ->option_text("FILE (SLOT.png)");
  command.add_option("--width", options.width_max, "Shrink to this width")
      ->check(CLI::Range(16, 8192))
      ->option_text("PIXELS");
}

void add_trace(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "trace",
      "Save the last seconds of every slot and stream, for chrome://tracing or Perfetto",
      "  submix trace\n  submix trace -o late.json --seconds 10");
  auto& options = bind(command, invocation, run_trace);
  command.add_option("-o,--output", options.file, "File to write")
      ->option_text("FILE (trace.json)");
  command.add_option("--seconds", options.seconds, "Seconds to save; nodes remember only a few")
      ->check(CLI::Range(1, 60))
      ->option_text("N (5)");
}

void add_plugins(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "plugins", "List a node's plugins, or one plugin with its parameters",
                  "  submix plugins\n  submix plugins frei0r/glow");
  auto& options = bind(command, invocation, run_plugins);
  command.add_option("id", options.id, "Plugin");
  command.add_option("--node", options.node, "Node to ask (default: any)")->option_text("NODE");
}

void add_output_list(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "outputs",
                  "List the displays of each node, and the outputs with the displays they are on",
                  "  submix outputs\n  submix outputs desk\n"
                  "  submix set mix.screen.screen \"EPSON PJ\"   # its name, as listed\n"
                  "  submix set mix.screen.fullscreen true");
  auto& options = bind(command, invocation, run_outputs);
  command.add_option("node", options.node, "Node (default: all)");
}

}  // namespace

void add_looking_commands(CLI::App& app, Invocation& invocation) {
  for (const auto add : {add_status, add_watch, add_bottleneck, add_alerts, add_ledger,
                         add_snapshot, add_trace, add_plugins, add_output_list})
    add(app, invocation);
}

}  // namespace submix::cli
