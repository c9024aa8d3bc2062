// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/cli/context.hpp"

#include <optional>
#include <string>
#include <vector>

/// Commands for knobs, presets, cues and clips, in the form of commands.hpp.
namespace submix::cli {

struct KnobOptions {
  std::string name;                  ///< empty: all
  std::optional<double> value;       ///< empty: print the present value
  std::vector<std::string> targets;  ///< "left.glow.Blur=0.1..0.9"
  bool is_deleted = false;
  std::string new_name;  ///< empty: unchanged
};
int run_knob(Context& context, const KnobOptions& options);

struct PresetOptions {
  std::string name;
  std::string of;  ///< "left" or "left.glow"; empty: the preset's own
  std::string new_name;
};
int run_preset_save(Context& context, const PresetOptions& options);
int run_preset_apply(Context& context, const PresetOptions& options);
int run_preset_delete(Context& context, const PresetOptions& options);
int run_preset_rename(Context& context, const PresetOptions& options);
int run_preset_list(Context& context, const PresetOptions& options);

struct CueOptions {
  std::string name;                     ///< go: empty: the next one
  std::vector<std::string> parameters;  ///< "left.glow.Blur=0.8"
  std::vector<std::string> knobs;       ///< "energy=0.5"
  std::vector<std::string> presets;
  std::vector<std::string> bypasses;     ///< "left.glow", "left.glow=off"
  std::vector<std::string> assignments;  ///< "left=rack2"
  double fade_seconds = 0.0;
  std::string text;
  std::optional<bool> is_paused;
  std::optional<double> follow_seconds;  ///< not together with follow_beats
  std::optional<double> follow_beats;
  std::string after;
  std::string new_name;
  std::string side;   ///< of `other`: "before" or "after"
  std::string other;  ///< the cue to stand beside
};
int run_cue_go(Context& context, const CueOptions& options);
int run_cue_stop(Context& context, const CueOptions& options);
int run_cue_next(Context& context, const CueOptions& options);
int run_cue_list(Context& context, const CueOptions& options);
int run_cue_save(Context& context, const CueOptions& options);
int run_cue_delete(Context& context, const CueOptions& options);
int run_cue_rename(Context& context, const CueOptions& options);
int run_cue_move(Context& context, const CueOptions& options);

struct ClipBeatsOptions {
  std::string slot;
  std::string beats;  ///< "4", "1/2" or "off"; sync: empty: the nearest number
};
int run_clip_loop(Context& context, const ClipBeatsOptions& options);
int run_clip_sync(Context& context, const ClipBeatsOptions& options);

}  // namespace submix::cli
