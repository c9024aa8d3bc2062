// SPDX-License-Identifier: GPL-3.0-or-later
// One of the files that include CLI11 (12 s to compile). Commands are implemented in other
// files.
#include "controller/cli/arguments.hpp"

#include "common/base/version.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/membership.hpp"
#include "common/show/nearest.hpp"
#include "common/show/validate.hpp"
#include "controller/cli/command_binding.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/demo.hpp"
#include "controller/cli/machine_arguments.hpp"
#include "controller/cli/media_arguments.hpp"
#include "controller/cli/performing_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace submix::cli {
namespace {

/// Prints the examples first: most people read no further.
class ExamplesFirst final : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    return CLI::Formatter::make_description(app) + "\nExamples:\n" + app->get_footer() + "\n\n";
  }
  std::string make_footer(const CLI::App* app) const override {
    if (app->get_parent() == nullptr)
      return "\nExit status: 0 done, 1 failed or refused, 2 wrong use, "
             "3 written, but not all nodes have followed yet.\n";
    return "\nOptions of all commands (--nats URL, --key FILE, --json): see submix --help.\n";
  }
};

void add_demo(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "demo", "Run a whole show on this machine: two performers and a mix",
                  "  submix demo\n  submix demo --clip holiday.mp4 --seconds 60 --out /tmp/demo");
  auto& options = bind(command, invocation, run_demo);
  command.add_option("--clip", options.clip, "Clip to play (default: a generated one)")
      ->option_text("FILE");
  command.add_option("--show", options.show, "Show file; all of its nodes run here")
      ->option_text("FILE");
  command.add_option("--seconds", options.seconds, "End after N seconds")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N");
  command
      .add_option("--out", options.out,
                  "Folder for mix.png, mix.mkv, the generated clip and the logs")
      ->option_text("DIR (out)");
  command.add_flag("--headless", options.is_headless,
                   "Print a table in the terminal, even with a display");
}

void add_validate(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "validate",
                  "Report all faults of show files; if NATS answers, the cluster's nodes "
                  "check them, too",
                  "  submix validate duo.toml\n  submix validate shows/*.toml\n  "
                  "submix validate --on-nodes duo.toml");
  auto& options = bind(command, invocation, run_validate);
  command.add_option("file", options.files, "Show files")->required();
  command.add_flag(
      "--on-nodes", options.asks_nodes,
      "Fail if NATS does not answer, because no node can check plugins, files, sizes and memory");
}

void add_apply(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "apply", "Make a show file the cluster's show, and wait until its nodes run it",
      "  submix apply duo.toml\n  submix apply --relink duo.toml\n  submix apply --force duo.toml");
  auto& options = bind(command, invocation, run_apply);
  command.add_option("file", options.file, "Show file")->required();
  command
      .add_option("--revision", options.revision,
                  "Write only if the cluster's show still has this revision")
      ->option_text("N");
  command.add_flag(
      "--force", options.is_forced,
      "Overwrite others' changes, and ignore nodes that refuse the show or do not answer");
  command.add_flag(
      "--relink", options.is_relinking,
      "Find missing clips and stills by their names first, as submix media relink does");
  command.add_flag_callback(
      "--no-wait", [&options] { options.is_waiting = false; }, "Do not wait for the nodes");
  command.add_option("--timeout", options.patience, "Longest wait for the nodes")
      ->check(CLI::Range(1, 3600))
      ->option_text("SECONDS (30)");
}

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

void add_assign(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "assign", "Let a node run a submix; without a node: none",
                              "  submix assign left rack2\n  submix assign left");
  auto& options = bind_planned(command, invocation, run_assign);
  command.add_option("submix", options.submix, "Submix")->required();
  command.add_option("node", options.node, "Node");
}

void add_set(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "set",
      "Set a parameter, or let it oscillate; without a value: reset it to the plugin's own",
      "  submix set left.glow.Blur 0.5\n  submix set left.tint.color '[1, 0.5, 0]'\n"
      "  submix set left.glow.Blur\n"
      "  submix set left.glow.Blur --oscillate sine --frequency 0.5 --from 0.2 --to 0.8\n"
      "  submix set left.glow.Blur --beats 1/2\n  submix set left.glow.Blur --oscillate off");
  auto& options = bind_planned(command, invocation, run_set);
  command.add_option("parameter", options.target, "submix.slot.parameter")->required();
  command.add_option("value,--value", options.value, "true, false, a number, [numbers], or text")
      ->option_text(" ");
  auto& oscillator = options.oscillator;
  command
      .add_option("--oscillate", oscillator.oscillate,
                  "triangle, sine, ramp-up, ramp-down, square, pulse, random, random-ramp, or "
                  "one-shot, which "
                  "begins now; on, off: keep its settings; none: remove the oscillator")
      ->option_text("WAVEFORM");
  command.add_option("--frequency", oscillator.frequency, "Periods per second")->option_text("HZ");
  command.add_option("--beats", oscillator.beats, "Length of a period in beats: 4, or 1/4")
      ->option_text("N");
  command.add_option("--from", oscillator.from, "One end of its range")->option_text("A");
  command.add_option("--to", oscillator.to, "The other end; it may be the smaller")
      ->option_text("B");
  command.add_option("--phase", oscillator.phase, "Start within a period, 0 to 1")
      ->option_text("P");
  command.add_option("--width", oscillator.width, "For a pulse: part of a period at B")
      ->option_text("W");
}

void add_tempo(CLI::App& app, Invocation& invocation) {
  auto& tempo = add_command(
      app, "tempo", "Set the tempo of the oscillators, without a jump; without a value: print it",
      "  submix tempo 128\n  submix tempo");
  tempo.add_option("bpm", bind(tempo, invocation, run_tempo).value, "Beats per minute")
      ->check(CLI::Range(show::kBeatsPerMinuteMin, show::kBeatsPerMinuteMax));
  auto& speed = add_command(
      app, "speed", "Set the speed of all oscillators, without a jump; without a value: print it",
      "  submix speed 0.5\n  submix speed 0");
  speed
      .add_option("factor", bind(speed, invocation, run_speed).value,
                  "1: normal; 0: they stand still")
      ->check(CLI::Range(0.0, show::kMasterSpeedMax));
  auto& sync = add_command(app, "sync", "Begin a bar of the oscillators that keep beats",
                           "  submix sync now");
  sync.add_option("when", bind(sync, invocation, run_sync).when, "now")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"now"}));
}

void add_bypass(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "bypass", "Bypass a slot: it passes its first input on",
                              "  submix bypass left.glow on\n  submix bypass left.glow off");
  auto& options = bind_planned(command, invocation, run_bypass);
  command.add_option("slot", options.slot, "submix.slot")->required();
  command.add_option("state", options.is_bypassed, "on or off")
      ->check(CLI::IsMember(std::vector<std::string>{"on", "off"}))
      ->option_text("on|off (on)");
}

void add_helpers(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "helpers", "Let several instances of a slot's plugin share its frames",
                  "  submix helpers left.glow 2\n  submix helpers left.glow 1");
  auto& options = bind_planned(command, invocation, run_helpers);
  command.add_option("slot", options.slot, "submix.slot")->required();
  command
      .add_option("helpers", options.helpers,
                  "Number, 1 to 8; the plugin must not remember former frames (see submix plugins)")
      ->required()
      ->check(CLI::Range(1, show::kHelpersMax));
}

void add_links(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "links", "Set the links of a stream while frames flow",
                              "  submix links left 3\n  submix links left 198.18.0.2=198.18.0.1 "
                              "198.18.1.2=198.18.1.1");
  auto& options = bind_planned(command, invocation, run_links);
  command.add_option("stream", options.stream, "Stream")->required();
  command
      .add_option("links", options.links,
                  "Number, 1 to 8, paired by subnet; or FROM=TO for each link, with an address of "
                  "each card")
      ->required();
}

void add_policy(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "policy", "Set how a stream handles a late sender or receiver, while frames flow",
      "  submix policy left latest\n  submix policy left hold --pause-budget 250");
  auto& options = bind(command, invocation, run_policy);
  command.add_option("stream", options.stream, "Stream")->required();
  command
      .add_option(
          "policy", options.policy,
          "wait: lose nothing; hold, black, standby: picture after the pause budget; latest: never "
          "wait for the receiver, newer frames replace unsent ones")
      ->required();
  command
      .add_option(
          "--pause-budget", options.pause_budget_ms,
          "Longest wait of the receiver's patch (hold, black, standby: sum of all delays until the "
          "frames catch up), and of other receivers of the same output (all but latest: one "
          "delay)")
      ->option_text("MS");
}

void add_without(CLI::App& app, Invocation& invocation) {
  auto& without = add_command(
      app, "without", "Continue without a submix: its last picture is held until it is back",
      "  submix without left\n  submix with left");
  without.add_option("submix", bind(without, invocation, run_without).submix, "Submix")->required();
  auto& with = add_command(app, "with", "Wait for a submix again, and lose none of its frames",
                           "  submix with left");
  with.add_option("submix", bind(with, invocation, run_with).submix, "Submix")->required();
}

void add_transport(CLI::App& app, Invocation& invocation) {
  bind(add_command(app, "pause", "Pause the whole show; no frame is lost", "  submix pause"),
       invocation, run_pause);
  bind(add_command(app, "resume", "Resume a paused show", "  submix resume"), invocation,
       run_resume);
  auto& step = add_command(app, "step", "Render single frames of a paused show",
                           "  submix step\n  submix step 10\n  submix step --fps 2");
  auto& options = bind(step, invocation, run_step);
  step.add_option("frames", options.frames,
                  "Number of frames (default: one; with --fps: until Ctrl-C or a resume)")
      ->check(CLI::Range(1, 1'000'000));
  step.add_option("--fps", options.fps, "Step repeatedly, at this rate")
      ->check(CLI::Range(0.01, 30.0))
      ->option_text("FPS");
}

void add_output_command(CLI::App& command, OutputOptions& options) {
  command.add_option("state", options.word, "on or off (default: on)")
      ->check(CLI::IsMember({"on", "off"}));
}

void add_outputs(CLI::App& app, Invocation& invocation) {
  auto& blackout =
      add_command(app, "blackout", "Make all output windows black at once; the show runs on",
                  "  submix blackout\n  submix blackout off");
  add_output_command(blackout, bind(blackout, invocation, run_blackout));
  auto& freeze =
      add_command(app, "freeze", "Hold the picture of all output windows; the show runs on",
                  "  submix freeze\n  submix freeze off");
  add_output_command(freeze, bind(freeze, invocation, run_freeze));
  auto& identify = add_command(
      app, "identify", "Show a test card on all output windows: each with its name and display",
      "  submix identify\n  submix identify off");
  add_output_command(identify, bind(identify, invocation, run_identify));
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

void add_sound(CLI::App& app, Invocation& invocation) {
  auto& group = add_group(app, "sound", "The sound that the show follows",
                          "  submix sound from desk\n  submix set left.glow.Blur --oscillate "
                          "sound-bass --from 0 --to 1");
  bind(add_command(group, "list", "Tell how loud the sound is, and the inputs of each node",
                   "  submix sound list"),
       invocation, run_sound_list);
  auto& from = add_command(group, "from", "Let a node listen; all nodes follow what it hears",
                           "  submix sound from desk\n  submix sound from desk hw:1,0\n"
                           "  submix sound from desk jack");
  auto& options = bind_planned(from, invocation, run_sound_from);
  from.add_option("node", options.node, "Node that listens")->required();
  from.add_option("input", options.input, "Its input, as listed (default: the system's default)");
  bind(add_command(group, "off", "Follow no sound any more", "  submix sound off"), invocation,
       run_sound_off);
}

void add_control(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "control",
      "Steer the show by MIDI, OSC, Ableton Link and the music, without a window, until Ctrl-C",
      "  submix control\n  submix control --osc 9001 --link\n  submix control "
      "--follow-music\n  submix control "
      "--osc-bind 0.0.0.0 --osc-to "
      "192.168.1.20:9000");
  auto& input = bind(command, invocation, run_control).input;
  command.add_option("--osc", input.osc, "Turn OSC on at this UDP port (0: a free one), or off")
      ->option_text("PORT|off (7770)");
  command
      .add_option(
          "--osc-bind", input.osc_bind,
          "Address to listen at. OSC has no key: every program that reaches it can change the show")
      ->option_text("ADDRESS (127.0.0.1)");
  command.add_option("--osc-to", input.osc_to, "Send all changes there; may be repeated")
      ->option_text("HOST:PORT");
  // A callback for each flag, because an optional flag with a negation has a value even when it was
  // not given.
  command.add_flag_callback(
      "--midi", [&input] { input.is_midi_on = true; }, "Use MIDI devices (default: as last time)");
  command.add_flag_callback("--no-midi", [&input] { input.is_midi_on = false; }, "No MIDI devices");
  command.add_flag_callback(
      "--link", [&input] { input.is_link_on = true; }, "Use Ableton Link (default: as last time)");
  command.add_flag_callback("--no-link", [&input] { input.is_link_on = false; }, "No Ableton Link");
  command.add_flag_callback(
      "--follow-music", [&input] { input.is_music_followed = true; },
      "Let the show's tempo follow the music that it hears (default: as last time)");
  command.add_flag_callback(
      "--no-follow-music", [&input] { input.is_music_followed = false; },
      "Leave the tempo as it is, whatever is heard");
}

// All commands. Add new ones here.
constexpr void (*kCommands[])(CLI::App&, Invocation&) = {
    add_demo,          add_apply,      add_validate, add_status,
    add_watch,         add_bottleneck, add_alerts,   add_ledger,
    add_assign,        add_set,        add_tempo,    add_performing_commands,
    add_bypass,        add_helpers,    add_links,    add_policy,
    add_without,       add_transport,  add_outputs,  add_structure_commands,
    add_snapshot,      add_trace,      add_plugins,  add_media,
    add_output_list,   add_sound,      add_control,  add_machine_commands,
    add_pipe_commands,
};

constexpr std::array<std::string_view, 14> kCommandsWithJson{
    "status",  "watch",      "bottleneck", "alerts", "ledger", "plugins", "media",
    "outputs", "sound list", "peers",      "plan",   "render", "shaders", "doctor"};

std::string commands_with_json() {
  return fmt::format("{}", fmt::join(kCommandsWithJson, ", "));
}

void add_shared_options(CLI::App& app, Context& context) {
  app.set_version_flag("--version,-V", "submix " + std::string(version()));
  app.add_option("--nats", context.url,
                 "Address of NATS; several, separated by ',', for a server with several cards")
      ->envname("SUBMIX_NATS")
      ->join(',')
      ->option_text("URL[,URL] ($SUBMIX_NATS; without a key: the joined desk, else this PC)");
  app.add_option("--key", context.key_file, "Key file of the show")
      ->envname("SUBMIX_KEY")
      ->option_text("FILE ($SUBMIX_KEY; without --nats: the joined desk's)");
  app.add_flag("--json", context.is_json,
               fmt::format("Print JSON, one object a line ({})", commands_with_json()));
}

bool is_negative_number(std::string_view text) {
  return text.size() > 1 && text[0] == '-' &&
         (std::isdigit(static_cast<unsigned char>(text[1])) != 0 || text[1] == '.');
}

// Whether an option of "set" takes a number, which may be negative.
bool takes_number(std::string_view option) {
  constexpr std::array<std::string_view, 7> kOptions{"--value", "--frequency", "--beats", "--from",
                                                     "--to",    "--phase",     "--width"};
  return std::ranges::find(kOptions, option) != kOptions.end();
}

// The arguments in CLI11's order: the last one first. Negative numbers are protected, because CLI11
// would take them for options.
std::vector<std::string> reversed_arguments(int argc, const char* const* argv) {
  const std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
  bool is_set = false;
  bool is_behind_dashes = false;  // later arguments stay unchanged
  std::vector<std::string> arguments;
  for (const auto& argument : given) {
    if (!is_set || is_behind_dashes || !is_negative_number(argument)) {
      arguments.push_back(argument);
    } else if (takes_number(arguments.back())) {
      arguments.back() += "=" + argument;
    } else {
      arguments.push_back("--value=" + argument);
    }
    is_set = is_set || argument == "set";
    is_behind_dashes = is_behind_dashes || argument == "--";
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

bool can_print_json(const CLI::App& command) {
  return std::ranges::any_of(kCommandsWithJson, [&](const std::string_view words) {
    return words.substr(0, words.find(' ')) == command.get_name();
  });
}

// These have nothing to do with the desk that this PC has joined, or ask for it themselves.
bool is_of_this_pc(const CLI::App& command) {
  constexpr std::array<std::string_view, 10> kCommandsOfThisPc{
      "demo", "desk", "join", "key", "leave", "nats", "peers", "render", "shaders", "simulate"};
  return std::ranges::find(kCommandsOfThisPc, command.get_name()) != kCommandsOfThisPc.end();
}

// The named command, as far as the arguments name one: "submix slot insert".
const CLI::App* named_command(const CLI::App& app, std::string& name) {
  name = app.get_name();
  const auto* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  return command;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// CLI11's error says neither which command is missing nor which command it is about.
std::string wrong_use(const CLI::App* app, const CLI::Error& error) {
  std::string name;
  const auto* command = named_command(*app, name);
  const auto names = commands_of(*command);
  const auto rest = app->remaining(true);
  const auto hint = "\nRun " + name + " --help for more information.\n";
  if (names.empty()) return name + ": " + error.what() + hint;
  if (name == "submix stream" && !rest.empty() && rest.front() == "routes")
    return "submix stream routes: use submix links STREAM FROM=TO …" + hint;
  if (!rest.empty() && !rest.front().starts_with('-')) {
    const auto of = command == app ? "there is no command \"" : name + " has no command \"";
    return of + rest.front() + "\"" + show::did_you_mean(rest.front(), names) + hint;
  }
  const bool is_missing = error.get_name() == "RequiredError";
  if (!is_missing || command == app) return name + ": " + error.what() + hint;
  return fmt::format("{}: name a command: {}{}", name, fmt::join(names, ", "), hint);
}

}  // namespace

CLI::App& add_command(CLI::App& app, const char* name, const char* summary, const char* examples) {
  auto& command = *app.add_subcommand(name, summary);
  command.footer(examples);
  return command;
}

CLI::App& add_group(CLI::App& app, const char* name, const char* summary, const char* examples) {
  auto& group = add_command(app, name, summary, examples);
  group.require_subcommand(1);
  return group;
}

int run(int argc, const char* const* argv, Context& context) {
  CLI::App app("Steer a Submix cluster. Every command has its own --help", "submix");
  app.footer(
      "  submix apply duo.toml\n  submix status\n  submix set left.glow.Blur 0.5\n  submix "
      "snapshot mix -o "
      "mix.png");
  app.formatter(std::make_shared<ExamplesFirst>());
  Invocation invocation;
  app.require_subcommand(1);
  app.fallthrough();  // shared options may also follow the command
  app.failure_message(wrong_use);
  add_shared_options(app, context);
  for (const auto add : kCommands)
    add(app, invocation);
  try {
    app.parse(reversed_arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    return app.exit(error, context.out, context.err) == 0 ? kOk : kWrongUse;
  }
  if (context.is_json && !can_print_json(*app.get_subcommands().front())) {
    context.err << fmt::format(
        "--json: {} prints no JSON; these do: {}\nRun with --help for more information.\n",
        app.get_subcommands().front()->get_name(), commands_with_json());
    return kWrongUse;
  }
  if (!is_of_this_pc(*app.get_subcommands().front())) {
    if (const auto used = cluster::use_membership(context.url, context.key_file); !used)
      return failed(context, used.error().message);
  }
  if (context.url.empty()) context.url = cluster::kDefaultUrl;
  return invocation(context);
}

}  // namespace submix::cli
