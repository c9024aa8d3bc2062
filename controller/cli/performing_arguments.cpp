// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/performing.hpp"
#include "common/show/validate.hpp"
#include "controller/cli/command_binding.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/performing_commands.hpp"

namespace submix::cli {
namespace {

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
  command
      .add_option("value,--value", options.value,
                  "true, false, on, off, a number, [numbers], or text")
      ->option_text(" ");
  auto& oscillator = options.oscillator;
  command
      .add_option(
          "--oscillate", oscillator.oscillate,
          "triangle, sine, ramp-up, ramp-down, square, pulse, random, random-ramp, or one-shot, "
          "which begins now; on, off: keep its settings; none: remove the oscillator")
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
      ->check(number_within(show::kBeatsPerMinuteMin, show::kBeatsPerMinuteMax));
  auto& speed = add_command(
      app, "speed", "Set the speed of all oscillators, without a jump; without a value: print it",
      "  submix speed 0.5\n  submix speed 0");
  speed
      .add_option("factor", bind(speed, invocation, run_speed).value,
                  "1: normal; 0: they stand still")
      ->check(number_within(0.0, show::kMasterSpeedMax));
  auto& sync = add_command(app, "sync", "Begin a bar of the oscillators that keep beats",
                           "  submix sync now");
  sync.add_option("when", bind(sync, invocation, run_sync).when, "now")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"now"}));
}

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
  command.add_option("value", options.value, "0 to 1")->check(number_within(0.0, 1.0));
  command
      .add_option("--target", options.targets,
                  "Replace its targets by these: PARAMETER=A..B, from A at 0 to B at 1")
      ->option_text("TARGET");
  command.add_option("--rename", options.new_name, "Rename the knob, also in cues")
      ->option_text("NAME");
  command.add_flag("--delete", options.is_deleted, "Delete the knob");
}

// Of a thing that is renamed.
template <typename Options>
void add_names(CLI::App& rename, Options& options, const char* thing) {
  rename.add_option("name", options.name, thing)->required();
  rename.add_option("new_name", options.new_name, "The new name")->required();
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
  auto& rename = add_command(group, "rename", "Rename a preset, also in cues",
                             "  submix preset rename soft gentle");
  add_names(rename, bind(rename, invocation, run_preset_rename), "Preset");
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
      ->check(number_within(0.0, show::kFadeSecondsMax))
      ->option_text("SECONDS (0)");
  auto* seconds = command
                      .add_option("--follow", options.follow_seconds,
                                  "The next cue goes so long after this one")
                      ->check(number_within(show::kFollowMin, show::kFollowMax))
                      ->option_text("SECONDS");
  command.add_option("--follow-beats", options.follow_beats, "The same in beats of the tempo")
      ->check(number_within(show::kFollowMin, show::kFollowMax))
      ->option_text("BEATS")
      ->excludes(seconds);
  command.add_option("--text", options.text, "For people: what happens")->option_text("TEXT");
  command.add_flag_callback("--pause", [&options] { options.is_paused = true; }, "Pause the show");
  command.add_flag_callback(
      "--resume", [&options] { options.is_paused = false; }, "Resume the show");
  command.add_option("--after", options.after, "Place behind this cue (default: last)")
      ->option_text("CUE");
}

void add_cue_order(CLI::App& group, Invocation& invocation) {
  auto& rename = add_command(group, "rename", "Rename a cue; the next cue stays the next one",
                             "  submix cue rename drop finale");
  add_names(rename, bind(rename, invocation, run_cue_rename), "Cue");
  auto& move =
      add_command(group, "move", "Move a cue beside another one; the next cue stays the next one",
                  "  submix cue move drop before break\n  submix cue move drop after intro");
  auto& moved = bind(move, invocation, run_cue_move);
  move.add_option("name", moved.name, "Cue")->required();
  move.add_option("side", moved.side, "before or after")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"before", "after"}));
  move.add_option("other", moved.other, "The cue to stand beside")->required();
}

void add_cue(CLI::App& app, Invocation& invocation) {
  auto& group = add_command(
      app, "cue", "Run, list, make, move, rename or delete cues: prepared steps of the show",
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
  add_cue_order(group, invocation);
}

void add_clip(CLI::App& app, Invocation& invocation) {
  auto& group = add_group(app, "clip", "Let a clip keep the show's beats",
                          "  submix clip loop left.clip 4\n  submix clip sync left.clip 8");
  auto& loop = add_command(
      group, "loop",
      "Loop some beats of the clip, from where it is now; of a loop that plays, change the length",
      "  submix clip loop left.clip 4\n  submix clip loop left.clip 1/2\n"
      "  submix clip loop left.clip off");
  auto& looped = bind(loop, invocation, run_clip_loop);
  loop.add_option("slot", looped.slot, "submix.slot")->required();
  loop.add_option("beats", looped.beats, "Beats, or off: the whole clip")->required();
  auto& sync = add_command(group, "sync",
                           "Let what the clip plays last some beats: then it follows the tempo",
                           "  submix clip sync left.clip\n  submix clip sync left.clip 8\n"
                           "  submix clip sync left.clip off");
  auto& synced = bind(sync, invocation, run_clip_sync);
  sync.add_option("slot", synced.slot, "submix.slot")->required();
  sync.add_option("beats", synced.beats,
                  "Beats (default: the nearest whole number), or off: as its speed says");
}

void add_bypass(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "bypass", "Bypass a slot: it passes its first input on",
                              "  submix bypass left.glow on\n  submix bypass left.glow off");
  auto& options = bind_planned(command, invocation, run_bypass);
  command.add_option("slot", options.slot, "submix.slot")->required();
  add_on_off(command, options.is_bypassed).option_text("on|off (on)");
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
      ->check(number_within(0.01, 30.0))
      ->option_text("FPS");
}

void add_outputs(CLI::App& app, Invocation& invocation) {
  auto& blackout =
      add_command(app, "blackout", "Make all output windows black at once; the show runs on",
                  "  submix blackout\n  submix blackout off");
  add_on_off(blackout, bind(blackout, invocation, run_blackout).is_on).option_text("on|off (on)");
  auto& freeze =
      add_command(app, "freeze", "Hold the picture of all output windows; the show runs on",
                  "  submix freeze\n  submix freeze off");
  add_on_off(freeze, bind(freeze, invocation, run_freeze).is_on).option_text("on|off (on)");
  auto& identify = add_command(
      app, "identify", "Show a test card on all output windows: each with its name and display",
      "  submix identify\n  submix identify off");
  add_on_off(identify, bind(identify, invocation, run_identify).is_on).option_text("on|off (on)");
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
                           "  submix sound from desk jack\n"
                           "  submix sound from desk clip:left.clip");
  auto& options = bind_planned(from, invocation, run_sound_from);
  from.add_option("node", options.node, "Node that listens")->required();
  from.add_option("input", options.input,
                  "Its input, as listed: also the sound of a clip that it plays (default: the "
                  "system's default)");
  bind(add_command(group, "off", "Follow no sound any more", "  submix sound off"), invocation,
       run_sound_off);
}

}  // namespace

void add_performing_commands(CLI::App& app, Invocation& invocation) {
  for (const auto add :
       {add_assign, add_set, add_tempo, add_knob, add_preset, add_cue, add_clip, add_bypass,
        add_helpers, add_links, add_policy, add_without, add_transport, add_outputs, add_sound})
    add(app, invocation);
}

}  // namespace submix::cli
