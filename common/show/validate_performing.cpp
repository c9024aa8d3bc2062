// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/lookup.hpp"
#include "common/show/nearest.hpp"
#include "common/show/text.hpp"
#include "common/show/validate.hpp"
#include "common/show/validate_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <utility>

namespace submix::show {
namespace {

class PerformingValidation {
 public:
  PerformingValidation(const Show& show, Problems& problems) : show_(show), problems_(problems) {}

  void run() {
    each("knob", show_.knobs, [this](const Knob& knob) { check_knob(knob); });
    each("preset", show_.presets, [this](const Preset& preset) { check_preset(preset); });
    each("cue", show_.cues, [this](const Cue& cue) { check_cue(cue); });
    path_ = "show";
    title_ = "show";
    check_following();
    if (show_.next_cue.empty()) return;
    check_reference("next_cue", "cue", show_.next_cue, show_.cues);
  }

 private:
  template <typename Items, typename Check>
  void each(const char* kind, const Items& items, const Check& check) {
    std::set<std::string> taken;
    for (std::size_t i = 0; i < items.size() && !is_full(problems_); ++i) {
      path_ = fmt::format("{}[{}]", kind, i);
      title_ = fmt::format("{} \"{}\"", kind, items[i].name);
      check_name(problems_, path_, title_, items[i].name, taken);
      check(items[i]);
    }
  }

  void complain(const std::string& key, const std::string& text) {
    problems_.push_back({fmt::format("{}.{}", path_, key), fmt::format("{}: {}", title_, text)});
  }

  void check_within(const std::string& key, double value, double least, double most) {
    if (value >= least && value <= most) return;  // NaN fails both comparisons
    complain(key, fmt::format("{} = {} is not within {} to {}", key, value, least, most));
  }

  template <typename Items>
  void check_reference(const std::string& key, const char* kind, const std::string& name,
                       const Items& items) {
    if (has_named(items, name)) return;
    complain(key, fmt::format("{}: {} \"{}\" is not in the show{}", key, kind, name.substr(0, 40),
                              did_you_mean(name, names_of(items))));
  }

  bool check_slot(const std::string& key, const Port& port) {
    if (show_.find_slot(port) != nullptr) return true;
    const auto* submix = show_.find_submix(port.submix);
    const auto known = submix == nullptr ? names_of(show_.submixes) : names_of(submix->slots);
    const auto& wrong = submix == nullptr ? port.submix : port.slot;
    complain(key,
             fmt::format("{}: slot \"{}\" is not in the show{}; put it in again, or take this out",
                         key, to_string(port), did_you_mean(wrong, known)));
    return false;
  }

  void check_parameter(const std::string& key, const Port& slot, const std::string& parameter) {
    if (!check_slot(key, slot)) return;
    if (parameter.empty() || parameter.size() > kParameterNameBytesMax || !is_plain_text(parameter))
      complain(key,
               fmt::format("{}: the parameter's name is empty, too long or not plain text", key));
  }

  void check_knob(const Knob& knob) {
    check_within("value", knob.value, 0.0, 1.0);
    if (knob.targets.size() > kTargetsMax) {
      complain("targets", fmt::format("{} targets are more than {}; take some out",
                                      knob.targets.size(), kTargetsMax));
    }
    for (std::size_t i = 0; i < knob.targets.size() && !is_full(problems_); ++i) {
      const auto& target = knob.targets[i];
      const auto key = fmt::format("targets[{}]", i);
      check_parameter(key, target.slot, target.parameter);
      if (!std::isfinite(target.from) || !std::isfinite(target.to))
        complain(key, fmt::format("{}: an end of its range is not a number; give one", key));
      const auto same = [&](const KnobTarget& other) {
        return other.slot == target.slot && other.parameter == target.parameter;
      };
      if (std::find_if(knob.targets.begin(), knob.targets.end(), same) - knob.targets.begin() ==
          static_cast<std::ptrdiff_t>(i))
        continue;
      complain(key, fmt::format("{}: \"{}.{}\" is a target of this knob already; take one out", key,
                                to_string(target.slot), target.parameter));
    }
  }

  void check_preset(const Preset& preset) {
    if (preset.of.slot.empty()) {
      check_reference("of", "submix", preset.of.submix, show_.submixes);
    } else {
      check_slot("of", preset.of);
    }
    Slot values;
    values.parameters = preset.parameters;
    values.oscillators = preset.oscillators;
    check_values(values, path_, title_, problems_);
    for (const auto& [name, value] : preset.parameters)
      check_preset_name(preset, "parameters", name);
    for (const auto& [name, oscillator] : preset.oscillators)
      check_preset_name(preset, "oscillators", name);
  }

  // Parameters of a submix's preset are "slot.parameter".
  void check_preset_name(const Preset& preset, const char* table, const std::string& name) {
    const auto* submix = show_.find_submix(preset.of.submix);
    if (!preset.of.slot.empty() || submix == nullptr) return;
    if (is_full(problems_)) return;
    const auto slot = name.substr(0, name.find('.'));
    if (slot.size() < name.size() && has_named(submix->slots, slot)) return;
    complain(
        fmt::format("{}.{}", table, name),
        fmt::format("\"{}\" does not name a slot of submix \"{}\" and its parameter{}",
                    name.substr(0, 80), submix->name, did_you_mean(slot, names_of(submix->slots))));
  }

  void check_following() {
    if (!show_.following) return;
    const auto at = *show_.following;
    if (at >= std::chrono::milliseconds(0) && at <= kFollowingMax) return;
    complain("following", fmt::format("following = {} is not a time from 0 to {} ms; take it out",
                                      at.count(), kFollowingMax.count()));
  }

  void check_cue(const Cue& cue) {
    check_within("fade", cue.fade_seconds, 0.0, kFadeSecondsMax);
    if (cue.follow) check_within("follow", cue.follow->after, kFollowMin, kFollowMax);
    if (cue.text.size() > kTextBytesMax || !is_plain_text(cue.text))
      complain("text", fmt::format("text is longer than {} bytes or not plain text; change it",
                                   kTextBytesMax));
    if (cue.changes.size() > kCueChangesMax) {
      complain("changes", fmt::format("{} changes are more than {}; take some out",
                                      cue.changes.size(), kCueChangesMax));
    }
    for (std::size_t i = 0; i < cue.changes.size() && !is_full(problems_); ++i) {
      const auto key = fmt::format("changes[{}]", i);
      std::visit([&](const auto& change) { check_change(key, change); }, cue.changes[i]);
    }
  }

  void check_change(const std::string& key, const CueParameter& change) {
    check_parameter(key, change.slot, change.parameter);
    if (const auto fault = value_fault(change.value); !fault.empty())
      complain(key, fmt::format("{}: {}", key, fault));
  }
  void check_change(const std::string& key, const CueKnob& change) {
    check_reference(key, "knob", change.knob, show_.knobs);
    if (!(change.value >= 0.0 && change.value <= 1.0))
      complain(key, fmt::format("{}: value = {} is not within 0 to 1", key, change.value));
  }
  void check_change(const std::string& key, const CuePreset& change) {
    check_reference(key, "preset", change.preset, show_.presets);
  }
  void check_change(const std::string& key, const CueBypass& change) {
    check_slot(key, change.slot);
  }
  void check_change(const std::string& key, const CueAssign& change) {
    check_reference(key, "submix", change.submix, show_.submixes);
    if (!change.node.empty()) check_reference(key, "node", change.node, show_.nodes);
  }

  const Show& show_;
  Problems& problems_;
  std::string path_;   // of the item being checked
  std::string title_;  // its name for people
};

}  // namespace

void check_performing(const Show& show, Problems& problems) {
  PerformingValidation(show, problems).run();
}

void check_fades(const Slot& slot, const std::string& path, const std::string& title,
                 Problems& problems) {
  for (const auto& [name, fade] : slot.fades) {
    if (is_full(problems)) return;
    const auto stated = slot.parameters.find(name);
    const bool is_number =
        stated == slot.parameters.end() || std::holds_alternative<double>(stated->second);
    const bool is_fade =
        std::isfinite(fade.from) && fade.frames >= 1 && fade.frames <= kFadeFramesMax;
    if (is_number && is_fade) continue;
    problems.push_back(
        {fmt::format("{}.fades.{}", path, is_plain_text(name) ? name : "?"),
         fmt::format("{}: fade of \"{}\": it begins at no number, lasts none of 1 to {} frames, or "
                     "the parameter is no number; take it out",
                     title, is_plain_text(name) ? name.substr(0, 80) : "?", kFadeFramesMax)});
  }
}

}  // namespace submix::show
