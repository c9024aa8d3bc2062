// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/validate.hpp"
#include "controller/cli/command_binding.hpp"
#include "controller/cli/commands.hpp"

namespace submix::cli {
namespace {

using RunSlot = int (*)(Context&, const SlotOptions&);

CLI::App& add_group(CLI::App& app, const char* name, const char* summary, const char* examples) {
  auto& group = add_command(app, name, summary, examples);
  group.require_subcommand(1);
  return group;
}

struct SlotCommand {
  const char* name;
  const char* summary;
  const char* examples;
  RunSlot run;
};

SlotOptions& add_slot_command(CLI::App& group, Invocation& invocation, const SlotCommand& entry) {
  auto& command = add_command(group, entry.name, entry.summary, entry.examples);
  auto& options = bind_planned(command, invocation, entry.run);
  command.add_option("slot", options.slot, "submix.slot")->required();
  return options;
}

void add_slot_words(CLI::App& group, Invocation& invocation) {
  const auto word = [&](const SlotCommand& entry, const char* name,
                        const char* explanation) -> CLI::Option* {
    auto& options = add_slot_command(group, invocation, entry);
    return group.get_subcommand(entry.name)->add_option(name, options.word, explanation);
  };
  word({"move", "Let it stand behind another slot; without one: on top",
        "  submix slot move left.glow clip\n  submix slot move left.pattern", run_slot_move},
       "above", "The slot that shall stand above it");
  word({"rename", "Give it another name; streams and readers follow",
        "  submix slot rename left.glow shine", run_slot_rename},
       "name", "The new name")
      ->required();
  word({"replace", "Put another plugin in its place; parameters that both have stay",
        "  submix slot replace left.glow frei0r/softglow", run_slot_replace},
       "plugin", "Plugin")
      ->required();
}

void add_slot(CLI::App& app, Invocation& invocation) {
  auto& group =
      add_group(app, "slot", "Insert, delete, move, connect, replace or rename slots of a patch",
                "  submix slot insert left.clip frei0r/glow\n  submix slot move left.glow clip\n"
                "  submix slot connect mix.fade right@2 --input 2\n  submix slot delete left.glow");
  auto& insert =
      add_command(group, "insert", "Insert a plugin behind a slot; its readers read the new one",
                  "  submix slot insert left.clip frei0r/glow\n  submix slot insert mix stream-in "
                  "--name third");
  auto& inserted = bind_planned(insert, invocation, run_slot_insert);
  insert.add_option("slot", inserted.slot, "submix.slot, or submix: behind the last one")
      ->required();
  insert.add_option("plugin", inserted.word, "Plugin")->required();
  insert.add_option("--name", inserted.name, "What it is called; else after its plugin")
      ->option_text("NAME");
  add_slot_command(group, invocation,
                   {"duplicate", "Put the same plugin with the same parameters behind it",
                    "  submix slot duplicate left.glow", run_slot_duplicate});
  add_slot_command(group, invocation,
                   {"delete", "Delete it, with its streams; its readers read what it read",
                    "  submix slot delete left.glow", run_slot_delete});
  auto& connected = add_slot_command(
      group, invocation,
      {"connect", "Let an input of it be another slot, each frame N frames late where @N is given",
       "  submix slot connect left.glow clip\n  submix slot connect mix.fade right@2 --input 2",
       run_slot_connect});
  auto& connect = *group.get_subcommand("connect");
  connect.add_option("input", connected.word, "Slot of the same submix, or slot@N")->required();
  connect.add_option("--input", connected.input, "Which input; of a mix the next one may be new")
      ->check(CLI::Range(1, 16))
      ->option_text("N (1)");
  auto& disconnected = add_slot_command(
      group, invocation,
      {"disconnect", "Take an input away from a mix; those behind it come one forward",
       "  submix slot disconnect mix.all --input 4", run_slot_disconnect});
  group.get_subcommand("disconnect")
      ->add_option("--input", disconnected.input, "Which input")
      ->required()
      ->check(CLI::Range(1, 16))
      ->option_text("N");
  add_slot_command(
      group, invocation,
      {"solo", "Bypass all other filters of its submix; once more: let all of them work",
       "  submix slot solo left.glow", run_slot_solo});
  add_slot_words(group, invocation);
}

void add_submix(CLI::App& app, Invocation& invocation) {
  auto& group = add_group(
      app, "submix", "Add, delete or rename submixes",
      "  submix submix add right --node rack2 --plugin clip\n  submix submix rename right "
      "second\n  submix submix delete right");
  auto& add = add_command(group, "add", "Add a submix with one slot",
                          "  submix submix add right --node rack2 --plugin clip");
  auto& added = bind_planned(add, invocation, run_submix_add);
  add.add_option("submix", added.submix, "Its name")->required();
  add.add_option("--node", added.node, "Who runs it; else nobody yet")->option_text("NODE");
  add.add_option("--plugin", added.plugin, "Its first slot: a source, or stream-in")
      ->option_text("PLUGIN (pattern)");
  auto& remove = add_command(group, "delete", "Delete a submix and its streams",
                             "  submix submix delete right");
  remove.add_option("submix", bind_planned(remove, invocation, run_submix_delete).submix, "Submix")
      ->required();
  auto& rename = add_command(group, "rename", "Give a submix another name; its node starts it anew",
                             "  submix submix rename right second");
  auto& renamed = bind_planned(rename, invocation, run_submix_rename);
  rename.add_option("submix", renamed.submix, "Submix")->required();
  rename.add_option("name", renamed.name, "The new name")->required();
  auto& frames = add_command(group, "frames", "Set how many frames may be in flight in a submix",
                             "  submix submix frames left 4\n  submix submix frames left 0");
  auto& framed = bind_planned(frames, invocation, run_submix_frames);
  frames.add_option("submix", framed.submix, "Submix")->required();
  frames.add_option("frames", framed.frames, "At most; 0: as many as its longest way needs")
      ->required()
      ->check(CLI::Range(0, show::kFramesInFlightMax));
}

void add_stream(CLI::App& app, Invocation& invocation) {
  auto& group =
      add_group(app, "stream", "Add, delete or rename streams; see also links and policy",
                "  submix stream add right mix\n  submix stream add left.out mix.third --name "
                "third\n  submix stream delete third");
  auto& add = add_command(
      group, "add",
      "Connect an output to an input. Frames that come later than 300 ms stop nobody: the last "
      "picture is held; submix policy changes that",
      "  submix stream add right mix\n  submix stream add left.out mix.third --name third");
  auto& added = bind_planned(add, invocation, run_stream_add);
  add.add_option("from", added.from, "submix.slot of a stream-out, or submix with one")->required();
  add.add_option("to", added.to, "submix.slot of a stream-in, or submix: its first free one")
      ->required();
  add.add_option("--name", added.stream, "What it is called; else after its submixes")
      ->option_text("NAME");
  add.add_flag("--replace", added.replaces_others,
               "Take the place of the stream that feeds the input now");
  auto& remove = add_command(group, "delete", "Delete a stream", "  submix stream delete third");
  remove.add_option("stream", bind_planned(remove, invocation, run_stream_delete).stream, "Stream")
      ->required();
  auto& rename = add_command(group, "rename", "Give a stream another name; it starts a new epoch",
                             "  submix stream rename third guest");
  auto& renamed = bind_planned(rename, invocation, run_stream_rename);
  rename.add_option("stream", renamed.stream, "Stream")->required();
  rename.add_option("name", renamed.word, "The new name")->required();
  auto& check =
      add_command(group, "checksum", "Let each piece of a frame be checked, or not",
                  "  submix stream checksum left xxh3\n  submix stream checksum left off");
  auto& checked = bind(check, invocation, run_stream_checksum);
  check.add_option("stream", checked.stream, "Stream")->required();
  check.add_option("checksum", checked.word, "off or xxh3")->required();
  auto& local =
      add_command(group, "local", "Let nodes of one machine share its memory for a stream, or not",
                  "  submix stream local left off\n  submix stream local left on");
  auto& shared = bind_planned(local, invocation, run_stream_local);
  local.add_option("stream", shared.stream, "Stream")->required();
  local.add_option("state", shared.word, "on or off")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"on", "off"}))
      ->option_text("on|off REQUIRED");
  auto& routes =
      add_command(group, "routes",
                  "Choose the cards of each link, as links does; a number: pair them by subnet",
                  "  submix stream routes left 198.18.0.2=198.18.0.1 198.18.1.2=198.18.1.1");
  auto& routed = bind_planned(routes, invocation, run_links);
  routes.add_option("stream", routed.stream, "Stream")->required();
  routes.add_option("links", routed.links, "FROM=TO for each link, or how many")->required();
}

void add_node(CLI::App& app, Invocation& invocation) {
  auto& group =
      add_group(app, "node", "Add nodes to the show, rename, delete or forget them",
                "  submix node add rack3 --description 'by the stage'\n  submix node delete rack3");
  auto& add = add_command(group, "add", "Name a node in the show", "  submix node add rack3");
  auto& added = bind(add, invocation, run_node_add);
  add.add_option("node", added.node, "Node")->required();
  add.add_option("--description", added.description, "For people")->option_text("TEXT");
  auto& rename =
      add_command(group, "rename", "Let another node take its place: what it runs follows",
                  "  submix node rename rack3 stage");
  auto& renamed = bind_planned(rename, invocation, run_node_rename);
  rename.add_option("node", renamed.node, "Node")->required();
  rename.add_option("name", renamed.name, "The new name")->required();
  auto& remove =
      add_command(group, "delete", "Take a node out of the show", "  submix node delete rack3");
  remove.add_option("node", bind(remove, invocation, run_node_delete).node, "Node")->required();
  auto& forget = add_command(group, "forget", "Forget a node that has ended and is in no show",
                             "  submix node forget rack3");
  forget.add_option("node", bind(forget, invocation, run_node_forget).node, "Node")->required();
}

void add_new_show(CLI::App& group, Invocation& invocation) {
  auto& begin =
      add_command(group, "new",
                  "Begin a show that runs at once: each node plays a test picture, the last "
                  "one mixes them",
                  "  submix show new duo --node left --node right --node mix\n"
                  "  submix show new solo --node desk --size 1920x1080 --rate 60 --no-window");
  auto& begun = bind_planned(begin, invocation, run_show_new);
  begin.add_option("name", begun.name, "Its name")->required();
  begin
      .add_option("--node", begun.nodes,
                  "A node of it; may be given again; without any the show is empty")
      ->allow_extra_args(false)
      ->option_text("NODE");
  begin.add_option("--size", begun.size, "Of all frames")->option_text("WIDTHxHEIGHT (1280x720)");
  begin.add_option("--rate", begun.rate, "Frames per second")->option_text("FPS (30)");
  begin.add_flag_callback(
      "--no-window", [&begun] { begun.has_window = false; }, "The mix is seen in previews only");
  begin.add_flag_callback(
      "--no-wait", [&begun] { begun.is_waiting = false; }, "Do not wait for the nodes");
}

void add_copies(CLI::App& group, Invocation& invocation) {
  bind(add_command(group, "keep",
                   "Keep a snapshot of the show, as the window does; its name is the time",
                   "  submix show keep"),
       invocation, run_show_keep);
  bind(add_command(group, "copies",
                   "List the snapshots and autosaves that this machine has, the newest first; "
                   "apply reads them",
                   "  submix show copies\n  submix apply \"$(submix show copies | head -1)\""),
       invocation, run_show_copies);
}

void add_back(CLI::App& group, Invocation& invocation) {
  bind_planned(add_command(group, "back",
                           "Go back to the last show that ran on all its nodes without a fault; "
                           "undo takes that back",
                           "  submix show back"),
               invocation, run_show_back);
}

void add_show(CLI::App& app, Invocation& invocation) {
  auto& group =
      add_group(app, "show", "Begin a show, or save it; set its name, size, rate or output chain",
                "  submix show save duo.toml\n  submix show size 1920x1080\n  submix show rate 60");
  add_new_show(group, invocation);
  auto& save =
      add_command(group, "save", "Write the cluster's show to a file, as \"apply\" reads it",
                  "  submix show save duo.toml\n  submix show save - | less");
  auto& saved = bind(save, invocation, run_show_save);
  save.add_option("file", saved.file, "File to write; -: standard output")->required();
  save.add_flag("--force", saved.is_forced, "Replace a file that is there already");
  auto& name = add_command(group, "name", "Set the show's name", "  submix show name duo");
  name.add_option("name", bind(name, invocation, run_show_name).word, "Name")->required();
  auto& size =
      add_command(group, "size", "Set the size of all frames", "  submix show size 1920x1080");
  size.add_option("size", bind_planned(size, invocation, run_show_size).word, "WIDTHxHEIGHT")
      ->required();
  auto& rate =
      add_command(group, "rate", "Set the frames per second",
                  "  submix show rate 60\n  submix show rate 30000/1001\n"
                  "  submix show rate 59.94  (is 60000/1001; so with 23.976, 29.97, 119.88)");
  rate.add_option("rate", bind_planned(rate, invocation, run_show_rate).word, "Frames per second")
      ->required();
  auto& chain =
      add_command(group, "chain", "Show every output through a submix; without one: as it is",
                  "  submix show chain look\n  submix show chain");
  chain.add_option("submix", bind_planned(chain, invocation, run_show_chain).word, "Submix");
  add_copies(group, invocation);
  add_back(group, invocation);
}

void add_undo(CLI::App& app, Invocation& invocation) {
  auto& undo = add_command(
      app, "undo",
      "Take back what your last command did to the show, unless others have worked on it since",
      "  submix undo\n  submix undo --list");
  undo.add_flag("--list", bind_planned(undo, invocation, run_undo).is_list,
                "Only tell what could be undone and redone");
  auto& redo =
      add_command(app, "redo", "Do again what was undone", "  submix redo\n  submix redo --list");
  redo.add_flag("--list", bind_planned(redo, invocation, run_redo).is_list,
                "Only tell what could be undone and redone");
}

void add_plan(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "plan",
                              "Say what cards and computers a show would need, by what was "
                              "measured, before it runs; 1 where they "
                              "have not",
                              "  submix plan duo.toml\n  submix plan --assign left=rack2 --size "
                              "1920x1080 --rate 60\n  submix plan "
                              "--json");
  auto& options = bind(command, invocation, run_plan);
  command.add_option("file", options.file, "Show file; else the cluster's show");
  command.add_option("--assign", options.assignments, "As if this node ran this submix")
      ->allow_extra_args(false)
      ->option_text("SUBMIX=NODE");
  command.add_option("--size", options.size, "As if frames had this size")
      ->option_text("WIDTHxHEIGHT");
  command.add_option("--rate", options.rate, "As if the show had this rate")->option_text("FPS");
}

}  // namespace

void add_structure_commands(CLI::App& app, Invocation& invocation) {
  add_slot(app, invocation);
  add_submix(app, invocation);
  add_stream(app, invocation);
  add_node(app, invocation);
  add_show(app, invocation);
  add_plan(app, invocation);
  add_undo(app, invocation);
}

}  // namespace submix::cli
