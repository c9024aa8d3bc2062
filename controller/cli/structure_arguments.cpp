// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/validate.hpp"
#include "controller/cli/command_binding.hpp"
#include "controller/cli/commands.hpp"

namespace submix::cli {
namespace {

using RunSlot = int (*)(Context&, const SlotOptions&);

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

void add_slot_insert(CLI::App& group, Invocation& invocation) {
  auto& command =
      add_command(group, "insert", "Insert a plugin behind a slot; the slot's readers read it",
                  "  submix slot insert left.clip frei0r/glow\n  submix slot insert mix stream-in "
                  "--name third");
  auto& options = bind_planned(command, invocation, run_slot_insert);
  command.add_option("slot", options.slot, "submix.slot; or submix: behind its last slot")
      ->required();
  command.add_option("plugin", options.word, "Plugin of the new slot")->required();
  command.add_option("--name", options.name, "Name of the new slot (default: from the plugin)")
      ->option_text("NAME");
}

void add_slot_duplicate(CLI::App& group, Invocation& invocation) {
  add_slot_command(group, invocation,
                   {"duplicate", "Insert a copy of a slot, with its parameters, behind it",
                    "  submix slot duplicate left.glow", run_slot_duplicate});
}

void add_slot_delete(CLI::App& group, Invocation& invocation) {
  add_slot_command(group, invocation,
                   {"delete", "Delete a slot and its streams; its readers read its input",
                    "  submix slot delete left.glow", run_slot_delete});
}

void add_slot_connect(CLI::App& group, Invocation& invocation) {
  auto& options = add_slot_command(
      group, invocation,
      {"connect", "Connect an input of a slot to another slot; @N delays each frame by N frames",
       "  submix slot connect left.glow clip\n  submix slot connect mix.mixer right@2 --input 2",
       run_slot_connect});
  auto& command = *group.get_subcommand("connect");
  // Not "input": CLI11 2.4 would take it for --input.
  command.add_option("source", options.word, "Slot of the same submix, or slot@N")->required();
  command
      .add_option("--input", options.input,
                  "Number of the input; a mixer may get one input more than it has")
      ->check(CLI::Range(1, 16))
      ->option_text("N (1)");
}

void add_slot_disconnect(CLI::App& group, Invocation& invocation) {
  auto& options =
      add_slot_command(group, invocation,
                       {"disconnect", "Remove an input of a mixer; later inputs move up by one",
                        "  submix slot disconnect mix.all --input 4", run_slot_disconnect});
  group.get_subcommand("disconnect")
      ->add_option("--input", options.input, "Number of the input")
      ->required()
      ->check(CLI::Range(1, 16))
      ->option_text("N");
}

void add_slot_solo(CLI::App& group, Invocation& invocation) {
  add_slot_command(
      group, invocation,
      {"solo", "Bypass all other filters of the slot's submix; run again to end all bypasses",
       "  submix slot solo left.glow", run_slot_solo});
}

// Commands that take one word behind the slot.
void add_slot_words(CLI::App& group, Invocation& invocation) {
  const auto add_word = [&](const SlotCommand& entry, const char* name,
                            const char* explanation) -> CLI::Option* {
    auto& options = add_slot_command(group, invocation, entry);
    return group.get_subcommand(entry.name)->add_option(name, options.word, explanation);
  };
  add_word({"move", "Move a slot behind another slot; without one: to the top",
            "  submix slot move left.glow clip\n  submix slot move left.pattern", run_slot_move},
           "above", "The slot to stand behind");
  add_word({"rename", "Rename a slot; its streams and readers follow",
            "  submix slot rename left.glow shine", run_slot_rename},
           "name", "New name")
      ->required();
  add_word({"replace", "Replace a slot's plugin; parameters of both plugins keep their values",
            "  submix slot replace left.glow frei0r/softglow", run_slot_replace},
           "plugin", "New plugin")
      ->required();
}

void add_slot(CLI::App& app, Invocation& invocation) {
  auto& group = add_group(
      app, "slot", "Insert, delete, move, connect, replace or rename slots of a patch",
      "  submix slot insert left.clip frei0r/glow\n  submix slot move left.glow clip\n"
      "  submix slot connect mix.mixer right@2 --input 2\n  submix slot delete left.glow");
  add_slot_insert(group, invocation);
  add_slot_duplicate(group, invocation);
  add_slot_delete(group, invocation);
  add_slot_connect(group, invocation);
  add_slot_disconnect(group, invocation);
  add_slot_solo(group, invocation);
  add_slot_words(group, invocation);
}

void add_layer_add(CLI::App& group, Invocation& invocation) {
  auto& add = add_command(group, "add",
                          "Add a performer with its source, its stream to the mix, and its place "
                          "on top of the mixer; the mix loses no frame",
                          "  submix layer add --clip waves.mp4\n  submix layer add third --plugin "
                          "frei0r/plasma --node rack2 --level 1");
  auto& added = bind_planned(add, invocation, run_layer_add);
  add.add_option("layer", added.layer, "Its name (default: layer-N)");
  auto* clip = add.add_option("--clip", added.clip, "Clip to play, from the node's media folder")
                   ->option_text("FILE");
  add.add_option("--plugin", added.plugin, "Its source")
      ->excludes(clip)
      ->option_text("PLUGIN (pattern)");
  add.add_option("--node", added.node,
                 "Node that runs it (default: the one with the fewest submixes)")
      ->option_text("NODE");
  add.add_option("--mix", added.mix, "Submix that mixes (default: the only one)")
      ->option_text("SUBMIX");
  add.add_option("--level", added.level, "Opacity over the layers below")
      ->check(number_within(0.0, 1.0))
      ->option_text("0..1 (0.5)");
}

void add_layer_duplicate(CLI::App& group, Invocation& invocation) {
  auto& duplicate = add_command(
      group, "duplicate", "Add a copy of a layer above it, with its effects; its fader is down",
      "  submix layer duplicate third");
  duplicate
      .add_option("layer", bind_planned(duplicate, invocation, run_layer_duplicate).layer, "Layer")
      ->required();
}

void add_layer_move(CLI::App& group, Invocation& invocation) {
  auto& move = add_command(group, "move",
                           "Move a layer to the place of another layer, with its level, blend and "
                           "side; those between move by one",
                           "  submix layer move third left");
  auto& moved = bind_planned(move, invocation, run_layer_move);
  move.add_option("layer", moved.layer, "Layer")->required();
  move.add_option("place", moved.place, "Layer whose place it takes")->required();
}

void add_layer_delete(CLI::App& group, Invocation& invocation) {
  auto& remove =
      add_command(group, "delete", "Delete a layer with its streams, and its place in the mixer",
                  "  submix layer delete third");
  remove.add_option("layer", bind_planned(remove, invocation, run_layer_delete).layer, "Layer")
      ->required();
}

void add_layer(CLI::App& app, Invocation& invocation) {
  auto& group =
      add_group(app, "layer", "Add a layer to a running mix, duplicate, move or delete one",
                "  submix layer add --clip waves.mp4\n  submix layer add third --plugin "
                "frei0r/plasma --node rack2 --level 1\n  submix layer move third left\n"
                "  submix layer delete third");
  add_layer_add(group, invocation);
  add_layer_duplicate(group, invocation);
  add_layer_move(group, invocation);
  add_layer_delete(group, invocation);
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
  add.add_option("--node", added.node, "Node that runs it (default: none yet)")
      ->option_text("NODE");
  add.add_option("--plugin", added.plugin, "Plugin of its slot: a source, or stream-in")
      ->option_text("PLUGIN (pattern)");
  auto& remove = add_command(group, "delete", "Delete a submix and its streams",
                             "  submix submix delete right");
  remove.add_option("submix", bind_planned(remove, invocation, run_submix_delete).submix, "Submix")
      ->required();
  auto& rename = add_command(group, "rename", "Rename a submix; its node restarts it",
                             "  submix submix rename right second");
  auto& renamed = bind_planned(rename, invocation, run_submix_rename);
  rename.add_option("submix", renamed.submix, "Submix")->required();
  rename.add_option("name", renamed.name, "The new name")->required();
  auto& frames = add_command(group, "frames", "Set how many frames may be in flight in a submix",
                             "  submix submix frames left 4\n  submix submix frames left 0");
  auto& framed = bind_planned(frames, invocation, run_submix_frames);
  frames.add_option("submix", framed.submix, "Submix")->required();
  frames.add_option("frames", framed.frames, "At most; 0: as many as its longest path needs")
      ->required()
      ->check(CLI::Range(0, show::kFramesInFlightMax));
}

void add_stream_add(CLI::App& group, Invocation& invocation) {
  auto& command = add_command(
      group, "add",
      "Connect an output to an input. Frames over 300 ms late stop nobody: the input holds the "
      "last picture. submix policy changes this",
      "  submix stream add right mix\n  submix stream add left.out mix.third --name third");
  auto& options = bind_planned(command, invocation, run_stream_add);
  command
      .add_option("from", options.from, "submix.slot of a stream-out, or a submix with only one")
      ->required();
  command.add_option("to", options.to, "submix.slot of a stream-in; or submix: its first free one")
      ->required();
  command.add_option("--name", options.stream, "Name of the stream (default: from its submixes)")
      ->option_text("NAME");
  command.add_flag("--replace", options.replaces_others,
                   "Replace the stream that feeds the input now");
}

void add_stream_delete(CLI::App& group, Invocation& invocation) {
  auto& command = add_command(group, "delete", "Delete a stream", "  submix stream delete third");
  auto& options = bind_planned(command, invocation, run_stream_delete);
  command.add_option("stream", options.stream, "Stream")->required();
}

void add_stream_rename(CLI::App& group, Invocation& invocation) {
  auto& command = add_command(group, "rename", "Rename a stream; it starts a new epoch",
                              "  submix stream rename third guest");
  auto& options = bind_planned(command, invocation, run_stream_rename);
  command.add_option("stream", options.stream, "Stream")->required();
  command.add_option("name", options.word, "New name")->required();
}

void add_stream_pixels(CLI::App& group, Invocation& invocation) {
  auto& command =
      add_command(group, "pixels", "Set whether the stream carries transparency",
                  "  submix stream pixels left rgba\n  submix stream pixels left rgb24");
  auto& options = bind_planned(command, invocation, run_stream_pixels);
  command.add_option("stream", options.stream, "Stream")->required();
  command
      .add_option("pixels", options.word, "rgb24, or rgba: with transparency, a third more bytes")
      ->required();
}

void add_stream_checksum(CLI::App& group, Invocation& invocation) {
  auto& command = add_command(
      group, "checksum", "Set whether pieces of a stream that is not encrypted are checked",
      "  submix stream checksum left xxh3\n  submix stream checksum left off");
  auto& options = bind(command, invocation, run_stream_checksum);
  command.add_option("stream", options.stream, "Stream")->required();
  command.add_option("checksum", options.word, "off or xxh3")->required();
}

void add_stream_state(CLI::App& command, StreamOptions& options) {
  command.add_option("stream", options.stream, "Stream")->required();
  add_on_off(command, options.is_on).required()->option_text("on|off REQUIRED");
}

void add_stream_encrypt(CLI::App& group, Invocation& invocation) {
  auto& command = add_command(group, "encrypt", "Set whether pixels are encrypted between PCs",
                              "  submix stream encrypt left off\n  submix stream encrypt left on");
  add_stream_state(command, bind(command, invocation, run_stream_encrypt));
}

void add_stream_local(CLI::App& group, Invocation& invocation) {
  auto& command =
      add_command(group, "local", "Set whether nodes of one machine may use shared memory",
                  "  submix stream local left off\n  submix stream local left on");
  add_stream_state(command, bind_planned(command, invocation, run_stream_local));
}

void add_stream(CLI::App& app, Invocation& invocation) {
  auto& group =
      add_group(app, "stream", "Add, delete or rename streams; see also links and policy",
                "  submix stream add right mix\n  submix stream add left.out mix.third --name "
                "third\n  submix stream delete third");
  add_stream_add(group, invocation);
  add_stream_delete(group, invocation);
  add_stream_rename(group, invocation);
  add_stream_pixels(group, invocation);
  add_stream_checksum(group, invocation);
  add_stream_encrypt(group, invocation);
  add_stream_local(group, invocation);
}

void add_node(CLI::App& app, Invocation& invocation) {
  auto& group =
      add_group(app, "node", "Add nodes to the show, rename, delete or forget them",
                "  submix node add rack3 --description 'by the stage'\n  submix node delete rack3");
  auto& add = add_command(group, "add", "Add a node to the show", "  submix node add rack3");
  auto& added = bind(add, invocation, run_node_add);
  add.add_option("node", added.node, "Node")->required();
  add.add_option("--description", added.description, "For people")->option_text("TEXT");
  auto& rename = add_command(group, "rename",
                             "Rename a node in the show; a node of the new name runs its submixes",
                             "  submix node rename rack3 stage");
  auto& renamed = bind_planned(rename, invocation, run_node_rename);
  rename.add_option("node", renamed.node, "Node")->required();
  rename.add_option("name", renamed.name, "The new name")->required();
  auto& remove =
      add_command(group, "delete", "Remove a node from the show", "  submix node delete rack3");
  remove.add_option("node", bind(remove, invocation, run_node_delete).node, "Node")->required();
  auto& forget = add_command(group, "forget", "Forget an ended node that is not in the show",
                             "  submix node forget rack3");
  forget.add_option("node", bind(forget, invocation, run_node_forget).node, "Node")->required();
}

}  // namespace

void add_structure_commands(CLI::App& app, Invocation& invocation) {
  for (const auto add : {add_layer, add_slot, add_submix, add_stream, add_node})
    add(app, invocation);
}

}  // namespace submix::cli
