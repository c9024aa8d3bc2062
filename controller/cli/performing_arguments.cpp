// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/performing_arguments.hpp"

#include "common/show/performing.hpp"
#include "controller/cli/performing_commands.hpp"

namespace submix::cli {
namespace {

void add_knob(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "knob",
      "Turn a knob: all of its targets move at once; without a value: print it, or list all",
      "  submix knob energy 0.7\n  submix knob\n"
      "  submix knob energy --target left.glow.Blur=0.1..0.9 --target mix.mixer.crossfade=1..0\n"
      "  submix knob energy --rename drive\n"
      "  submix knob energy --delete");
  auto& options = bind_planned(command, invocation, run_knob);
  command.add_option("name", options.name, "Knob");
  command.add_option("value", options.value, "0 to 1")->check(CLI::Range(0.0, 1.0));
  command
      .add_option("--target", options.targets,
                  "Replace its targets by these: PARAMETER=A..B, from A at 0 to B at 1")
      ->option_text("TARGET");
  command.add_option("--rename", options.new_name, "Rename the knob, also in cues")
      ->option_text("NAME");
  command.add_flag("--delete", options.is_deleted, "Delete the knob");
}

void add_preset(CLI::App& app, Invocation& invocation) {
  auto& group =
      add_command(app, "preset", "Save the parameters of a slot or a submix, and apply them again",
                  "  submix preset save soft left.glow\n  submix preset apply soft");
  group.require_subcommand(1);
  auto& save = add_command(group, "save", "Save the present values, oscillators included",
                           "  submix preset save soft left.glow\n  submix preset save dark left");
  auto& saved = bind(save, invocation, run_preset_save);
  save.add_option("name", saved.name, "Preset")->required();
  save.add_option("of", saved.of, "submix or submix.slot (default: the preset's own)");
  auto& apply = add_command(group, "apply", "Apply the saved values", "  submix preset apply soft");
  apply.add_option("name", bind_planned(apply, invocation, run_preset_apply).name, "Preset")
      ->required();
  auto& erase = add_command(group, "delete", "Delete a preset", "  submix preset delete soft");
  erase.add_option("name", bind(erase, invocation, run_preset_delete).name, "Preset")->required();
  bind(add_command(group, "list", "List all presets", "  submix preset list"), invocation,
       run_preset_list);
}

void add_cue_changes(CLI::App& command, CueOptions& options) {
  command.add_option("--set", options.parameters, "Set a parameter")
      ->option_text("PARAMETER=VALUE");
  command.add_option("--knob", options.knobs, "Turn a knob")->option_text("KNOB=VALUE");
  command.add_option("--preset", options.presets, "Apply a preset")->option_text("PRESET");
  command.add_option("--bypass", options.bypasses, "Bypass a slot, or end its bypass")
      ->option_text("SLOT[=off]");
  command.add_option("--assign", options.assignments, "Let a node run a submix")
      ->option_text("SUBMIX=NODE");
  command.add_option("--fade", options.fade_seconds, "Time in which numbers reach their values")
      ->check(CLI::Range(0.0, show::kFadeSecondsMax))
      ->option_text("SECONDS (0)");
  auto* seconds = command
                      .add_option("--follow", options.follow_seconds,
                                  "The next cue goes so long after this one")
                      ->check(CLI::Range(show::kFollowMin, show::kFollowMax))
                      ->option_text("SECONDS");
  command.add_option("--follow-beats", options.follow_beats, "The same in beats of the tempo")
      ->check(CLI::Range(show::kFollowMin, show::kFollowMax))
      ->option_text("BEATS")
      ->excludes(seconds);
  command.add_option("--text", options.text, "For people: what happens")->option_text("TEXT");
  command.add_flag_callback("--pause", [&options] { options.is_paused = true; }, "Pause the show");
  command.add_flag_callback(
      "--resume", [&options] { options.is_paused = false; }, "Resume the show");
  command.add_option("--after", options.after, "Place behind this cue (default: last)")
      ->option_text("CUE");
}

void add_cue(CLI::App& app, Invocation& invocation) {
  auto& group =
      add_command(app, "cue", "Run, list, make or delete cues: prepared steps of the show",
                  "  submix cue go\n  submix cue go drop\n  submix cue list");
  group.require_subcommand(1);
  auto& go = add_command(group, "go", "Run the next cue, or the named one",
                         "  submix cue go\n  submix cue go drop");
  go.add_option("name", bind_planned(go, invocation, run_cue_go).name, "Cue");
  auto& next = add_command(group, "next", "Choose the next cue", "  submix cue next drop");
  next.add_option("name", bind(next, invocation, run_cue_next).name, "Cue")->required();
  bind(add_command(group, "stop", "Let the next cue wait for go: end a follow-on",
                   "  submix cue stop"),
       invocation, run_cue_stop);
  bind(add_command(group, "list", "List all cues; the next one is marked", "  submix cue list"),
       invocation, run_cue_list);
  auto& save = add_command(
      group, "save", "Make a cue, or replace the cue of this name",
      "  submix cue save drop --set left.glow.Blur=0.8 --knob energy=1 --fade 2\n"
      "  submix cue save drop --knob energy=1 --follow-beats 16\n"
      "  submix cue save break --preset dark --bypass left.glow --bypass mix.tint=off --pause");
  auto& options = bind(save, invocation, run_cue_save);
  save.add_option("name", options.name, "Cue")->required();
  add_cue_changes(save, options);
  auto& erase = add_command(group, "delete", "Delete a cue", "  submix cue delete drop");
  erase.add_option("name", bind(erase, invocation, run_cue_delete).name, "Cue")->required();
}

}  // namespace

void add_performing_commands(CLI::App& app, Invocation& invocation) {
  add_knob(app, invocation);
  add_preset(app, invocation);
  add_cue(app, invocation);
}

}  // namespace submix::cli
