// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/validate.hpp"
#include "controller/cli/command_binding.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/demo.hpp"
#include "controller/cli/render.hpp"

#include <cstddef>

namespace submix::cli {
namespace {

void add_doctor(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "doctor", "Say what this PC lacks for a show, with the remedies",
      "  submix doctor                                          # this PC alone\n"
      "  submix --nats nats://198.18.0.1:4222 --key show.key doctor  # and its ways to the others\n"
      "  sudo submix doctor --fix                               # mend what needs no decision");
  auto& options = bind(command, invocation, run_doctor);
  command.add_flag(
      "--fix", options.is_mending,
      "First set processor frequencies and the right to real-time scheduling; as root");
  command.add_option("--recordings", options.recordings, "Folder of the node's recordings")
      ->option_text("FOLDER (the current one)");
}

void add_shaders(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "shaders", "Try every shader of a folder on this machine",
      "  submix shaders ~/shaders  # NAME.fs, NAME.frag: ISF, Shadertoy or GLSL Sandbox\n"
      "  submix shaders ~/shaders --json");
  auto& options = bind(command, invocation, run_shaders);
  command.add_option("folder", options.folder, "Folder; folders below it count, too")->required();
}

void add_key(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "key", "Make or print the key of a show on several PCs",
                              "  submix key new show.key\n  submix key show show.key");
  command.require_subcommand(1);
  auto& make = add_command(command, "new", "Make a key file", "  submix key new show.key");
  make.add_option("file", bind(make, invocation, run_key_new).file, "Key file; must not exist")
      ->required();
  auto& show = add_command(command, "show", "Print a key, for copying to another PC",
                           "  submix key show show.key");
  show.add_option("file", bind(show, invocation, run_key_show).file, "Key file")->required();
}

void declare_nats(CLI::App& command, NatsOptions& options) {
  command
      .add_option(
          "--listen", options.listen,
          "Listen only at this address (all but loopback need a key); several: at all cards")
      ->take_all()
      ->option_text("ADDRESS (all cards with a key, else 127.0.0.1)");
  command.add_option("--port", options.port, "Port of the NATS server; 0: a free one")
      ->check(CLI::Range(0, 65535))
      ->option_text("PORT (4222)");
  command.add_option("--folder", options.folder, "Folder of its state")
      ->option_text("FOLDER (~/.local/state/submix/nats)");
}

void add_nats(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "nats", "Run the NATS server of a show, until Ctrl-C",
                              "  submix nats\n  submix --key show.key nats");
  declare_nats(command, bind(command, invocation, run_nats));
}

void add_desk(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "desk", "Let other PCs join by a code of six digits, until Ctrl-C",
                  "  submix desk          # on the PC that mixes: NATS server and codes\n"
                  "  submix join          # on each other PC");
  auto& options = bind(command, invocation, run_desk);
  declare_nats(command, options.nats);
  command
      .add_option("--pairing-port", options.pairing_port,
                  "Port where PCs join. They remember it, and so does the desk")
      ->check(CLI::Range(1, 65535))
      ->option_text("PORT (4223)");
  command.add_flag("--hide-show", options.hides_show,
                   "Do not tell the network the show's name, and whether it runs");
}

void add_peers_allow(CLI::App& peers, Invocation& invocation) {
  auto& command = add_command(
      peers, "allow",
      "Say what a PC may do from now on: everything; render, which is to run the nodes that it has "
      "now, and not to change the show; or watch. While a PC may not do everything, programs that "
      "were started with --key FILE, or joined by an older Submix, are cut off",
      "  submix peers allow wall watch\n  submix peers allow rack1 render\n"
      "  submix peers allow rack1 everything");
  auto& options = bind(command, invocation, run_peers_allow);
  command.add_option("name", options.name, "The PC, as submix peers lists it")->required();
  command.add_option("rights", options.rights, "What it may do")
      ->check(CLI::IsMember({"everything", "render", "watch"}))
      ->option_text("everything|render|watch REQUIRED")
      ->required();
  command.add_flag("--yes", options.is_agreed_to, "Cut such programs off without asking");
}

void add_peers(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "peers",
      "List the PCs that have joined this desk by code, say what each may do, or shut one out",
      "  submix peers                    # on the desk: its window lists them, too (Ctrl+J)\n"
      "  submix peers allow wall watch   # sees the show, and changes nothing\n"
      "  submix peers remove rack1       # all others get a new key; their streams go on");
  // The callback of a command runs after that of its subcommand.
  command.callback([&command, &invocation] {
    if (command.get_subcommands().empty())
      invocation = [](Context& context) { return run_peers(context, {}); };
  });
  command.require_subcommand(0, 1);
  auto& remove = add_command(command, "remove",
                             "Shut a PC out: the others get a new key. Programs that were started "
                             "with --key FILE, or joined by an older Submix, are cut off, too",
                             "  submix peers remove rack1\n  submix peers remove rack1 --yes");
  auto& options = bind(remove, invocation, run_peers_remove);
  remove.add_option("name", options.name, "The PC, as submix peers lists it")->required();
  remove.add_flag("--yes", options.is_agreed_to, "Cut programs of such PCs off without asking");
  add_peers_allow(command, invocation);
}

constexpr const char* kForServices = "For the services of this PC (/etc/submix), as root";

void add_join(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "join",
                  "Join a desk by the code that it shows: no key is copied, no address typed again",
                  "  submix join\n  submix join 198.18.0.1\n  sudo submix join --system\n"
                  "  submix join --wait    # shows a code for submix invite, at the desk");
  auto& options = bind(command, invocation, run_join);
  auto* desk =
      command
          .add_option(
              "desk", options.desk,
              "The desk's address, as it shows it (default: the desk that shows itself nearby)")
          ->option_text("[ADDRESS[:PORT]]");
  auto* system = command.add_flag("--system", options.is_system, kForServices);
  command
      .add_flag("--wait", options.is_waiting,
                "Show a code of this PC, by which the desk invites it; a node without a show does "
                "so by itself")
      ->excludes(desk)
      ->excludes(system);
}

void add_invite(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "invite", "Fetch a PC that has no show into this desk's, by the code that it shows",
      "  submix invite                # on the desk: the only such PC nearby\n"
      "  submix invite rack1\n  submix invite 198.18.0.2");
  command
      .add_option("pc", bind(command, invocation, run_invite).pc,
                  "The PC's name or address; submix-node runs there (default: the PC that shows "
                  "itself nearby)")
      ->option_text("[NAME|ADDRESS[:PORT]]");
}

void add_leave(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "leave", "Forget the desk that this PC has joined",
                              "  submix leave\n  sudo submix leave --system");
  command.add_flag("--system", bind(command, invocation, run_leave).is_system, kForServices);
}

void add_metrics(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "metrics", "Offer all nodes' metrics to Prometheus, until Ctrl-C",
                  "  submix metrics\n  submix metrics --listen 198.18.0.1:9464");
  auto& options = bind(command, invocation, run_metrics);
  command
      .add_option("--listen", options.listen,
                  "Port of loopback, or address and port; everybody who reaches it can read them")
      ->option_text("[ADDRESS:]PORT (9464)");
}

void add_simulate(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "simulate",
      "Simulate nodes that send only messages: a cluster of any size on one machine",
      "  submix simulate --nodes 64 --streams 256\n  submix simulate --nodes 12 --calm --seconds "
      "60\n"
      "  submix simulate                     # the nodes of the show that the cluster has");
  auto& options = bind(command, invocation, run_simulate);
  command.add_option("--nodes", options.nodes, "Make a show of N nodes, and simulate them")
      ->check(CLI::Range(std::size_t{1}, show::kNodesMax))
      ->option_text("N (those of the cluster's show; 64 without one)");
  command.add_option("--streams", options.streams, "Streams of the show")
      ->option_text("N (4 for each node)");
  command.add_option("--rate", options.rate, "Readings of each node per second")
      ->check(CLI::Range(1, 50))
      ->capture_default_str();
  command.add_option("--seconds", options.seconds, "End after N seconds")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N");
  command.add_option("--seed", options.seed, "Seed of the faults and of the show")
      ->option_text("S (1)");
  command.add_flag("--replace", options.is_replacing, "Replace the cluster's show");
  command.add_flag("--calm", options.is_calm,
                   "Without faults: no slow links, lost nodes or crashes");
}

void add_render(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "render", "Make a film of a show file, as fast as this machine can, without a show",
      "  submix render set.toml --seconds 60 -o set.mkv\n"
      "  submix render set.toml --frames 300 -o set.mkv --codec ffv1 --media ~/clips\n"
      "  submix render set.toml --seconds 5 -o left.mkv --mix left.glow");
  auto& options = bind(command, invocation, run_render);
  command.add_option("show", options.show, "Show file; all of its submixes run here")->required();
  command
      .add_option("-o,--output", options.file,
                  "Matroska file to write; it is there once it is complete")
      ->required()
      ->option_text("FILE.mkv");
  auto* seconds = command.add_option("--seconds", options.seconds, "Length of the film")
                      ->check(number_within(0.001, 1e6))
                      ->option_text("N");
  command.add_option("--frames", options.frames, "Length of the film, in place of --seconds")
      ->check(CLI::Range(1, 100'000'000))
      ->option_text("N")
      ->excludes(seconds);
  command
      .add_option("--mix", options.mix,
                  "What to film: a submix, as its window shows it, or one of its slots (default: "
                  "the submix that sends to no other)")
      ->option_text("SUBMIX[.SLOT]");
  command.add_option("--media", options.media, "Folder of the show's clips and stills")
      ->check(CLI::ExistingDirectory)
      ->option_text("FOLDER (the current one)");
  command
      .add_option(
          "--codec", options.codec,
          "h264 (small), mjpeg, or without loss: huffyuv (least work), ffv1 (half the size)")
      ->check(CLI::IsMember({"h264", "mjpeg", "huffyuv", "ffv1"}))
      ->option_text("NAME (h264)");
  command.add_flag("--force", options.is_forced, "Replace an existing file");
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

}  // namespace

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

void add_machine_commands(CLI::App& app, Invocation& invocation) {
  for (const auto add :
       {add_control, add_doctor, add_shaders, add_key, add_nats, add_desk, add_peers, add_join,
        add_invite, add_leave, add_metrics, add_simulate, add_render})
    add(app, invocation);
}

}  // namespace submix::cli
