// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/command_binding.hpp"
#include "controller/cli/commands.hpp"

namespace submix::cli {
namespace {

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

void add_validate(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "validate",
      "Report all faults of show files; if NATS answers, the cluster's nodes check them, too",
      "  submix validate duo.toml\n  submix validate shows/*.toml\n  "
      "submix validate --on-nodes duo.toml");
  auto& options = bind(command, invocation, run_validate);
  command.add_option("file", options.files, "Show files")->required();
  command.add_flag(
      "--on-nodes", options.asks_nodes,
      "Fail if NATS does not answer, because no node can check plugins, files, sizes and memory");
}

void add_new_show(CLI::App& group, Invocation& invocation) {
  auto& begin =
      add_command(group, "new",
                  "Begin a show that runs at once: each node plays a test picture, and the last "
                  "node mixes them",
                  "  submix show new duo --node left --node right --node mix\n"
                  "  submix show new solo --node desk --size 1920x1080 --rate 60 --no-window");
  auto& begun = bind_planned(begin, invocation, run_show_new);
  begin.add_option("name", begun.name, "Its name")->required();
  begin
      .add_option("--node", begun.nodes,
                  "A node of the show; may be repeated; without nodes the show is empty")
      ->allow_extra_args(false)
      ->option_text("NODE");
  begin.add_option("--size", begun.size, "Of all frames")->option_text("WIDTHxHEIGHT (1280x720)");
  begin.add_option("--rate", begun.rate, "Frames per second")->option_text("FPS (30)");
  begin.add_flag_callback(
      "--no-window", [&begun] { begun.has_window = false; }, "Show the mix in previews only");
  begin.add_flag_callback(
      "--no-wait", [&begun] { begun.is_waiting = false; }, "Do not wait for the nodes");
}

void add_copies(CLI::App& group, Invocation& invocation) {
  bind(add_command(group, "keep", "Keep a copy of the show, as the window does, named by the time",
                   "  submix show keep"),
       invocation, run_show_keep);
  bind(add_command(
           group, "copies",
           "List this machine's copies and autosaves of shows, newest first, for submix apply",
           "  submix show copies\n  submix apply \"$(submix show copies | head -1)\""),
       invocation, run_show_copies);
}

void add_back(CLI::App& group, Invocation& invocation) {
  bind_planned(add_command(group, "back",
                           "Return to the last show that ran on all its nodes without a fault; "
                           "submix undo reverses it",
                           "  submix show back"),
               invocation, run_show_back);
}

void add_show(CLI::App& app, Invocation& invocation) {
  auto& group =
      add_group(app, "show", "Begin a show, or save it; set its name, size, rate or output chain",
                "  submix show save duo.toml\n  submix show size 1920x1080\n  submix show rate 60");
  add_new_show(group, invocation);
  auto& save = add_command(group, "save", "Write the cluster's show to a file, for submix apply",
                           "  submix show save duo.toml\n  submix show save - | less");
  auto& saved = bind(save, invocation, run_show_save);
  save.add_option("file", saved.file, "File to write; -: standard output")->required();
  save.add_flag("--force", saved.is_forced, "Overwrite an existing file");
  auto& name = add_command(group, "name", "Set the show's name", "  submix show name duo");
  name.add_option("name", bind(name, invocation, run_show_name).word, "Name")->required();
  auto& size =
      add_command(group, "size", "Set the size of all frames", "  submix show size 1920x1080");
  size.add_option("size", bind_planned(size, invocation, run_show_size).word, "WIDTHxHEIGHT")
      ->required();
  auto& rate =
      add_command(group, "rate", "Set the frames per second",
                  "  submix show rate 60\n  submix show rate 30000/1001\n"
                  "  submix show rate 59.94  (means 60000/1001; also 23.976, 29.97, 119.88)");
  rate.add_option("rate", bind_planned(rate, invocation, run_show_rate).word, "Frames per second")
      ->required();
  auto& delay = add_command(
      group, "delay",
      "Set the least delay of performers' pictures, 2 to 5 frames; more bridges hiccups of cables",
      "  submix show delay least\n  submix show delay 4");
  delay
      .add_option("frames", bind_planned(delay, invocation, run_show_delay).word,
                  "Frames, or least: as short as the show keeps its rate")
      ->required();
  auto& chain =
      add_command(group, "chain", "Show every output through a submix; without one: directly",
                  "  submix show chain look\n  submix show chain");
  chain.add_option("submix", bind_planned(chain, invocation, run_show_chain).word, "Submix");
  add_copies(group, invocation);
  add_back(group, invocation);
}

void add_plan(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "plan",
                  "Predict what a show would need of cards and computers, from measurements; "
                  "exit status 1 if they have too little",
                  "  submix plan duo.toml\n  submix plan --assign left=rack2 --size "
                  "1920x1080 --rate 60\n  submix plan "
                  "--json");
  auto& options = bind(command, invocation, run_plan);
  command.add_option("file", options.file, "Show file (default: the cluster's show)");
  command.add_option("--assign", options.assignments, "Assume that this node runs this submix")
      ->allow_extra_args(false)
      ->option_text("SUBMIX=NODE");
  command.add_option("--size", options.size, "Assume this size of frames")
      ->option_text("WIDTHxHEIGHT");
  command.add_option("--rate", options.rate, "Assume this rate")->option_text("FPS");
}

void add_undo(CLI::App& app, Invocation& invocation) {
  auto& undo = add_command(
      app, "undo",
      "Undo your last command's change of the show, unless others changed the same since",
      "  submix undo\n  submix undo --list");
  undo.add_flag("--list", bind_planned(undo, invocation, run_undo).is_list,
                "Only list what can be undone and redone");
  auto& redo = add_command(app, "redo", "Redo the last undone change",
                           "  submix redo\n  submix redo --list");
  redo.add_flag("--list", bind_planned(redo, invocation, run_redo).is_list,
                "Only list what can be undone and redone");
}

}  // namespace

void add_show_commands(CLI::App& app, Invocation& invocation) {
  for (const auto add : {add_apply, add_validate, add_show, add_plan, add_undo})
    add(app, invocation);
}

}  // namespace submix::cli
