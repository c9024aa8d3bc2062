// SPDX-License-Identifier: GPL-3.0-or-later
// submix knob, submix preset, submix cue
#include "controller/model/edit/performing.hpp"
#include "common/show/lookup.hpp"
#include "common/show/text.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/editing.hpp"
#include "controller/cli/performing_commands.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/cli/table.hpp"
#include "controller/cli/transport_writing.hpp"
#include "controller/model/edit/cue_list.hpp"
#include "controller/model/edit/follow_on.hpp"
#include "controller/session/announcing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string_view>
#include <utility>

namespace submix::cli {
namespace {

/// The submixes whose plugins judge the values of a knob, a preset or a cue.
struct JudgingSubmixes {
  const show::Show& show;
  std::set<std::string, std::less<>> names{};

  void operator()(const show::CueParameter& change) { names.insert(change.slot.submix); }
  void operator()(const show::CueKnob& change) { add_knob(change.knob); }
  void operator()(const show::CuePreset& change) { add_preset(change.preset); }
  void operator()(const show::CueBypass&) {}
  void operator()(const show::CueAssign&) {}

  void add_knob(std::string_view name) {
    const auto found = std::ranges::find(show.knobs, name, &show::Knob::name);
    if (found == show.knobs.end()) return;
    for (const auto& target : found->targets)
      names.insert(target.slot.submix);
  }
  void add_preset(std::string_view name) {
    const auto found = std::ranges::find(show.presets, name, &show::Preset::name);
    if (found != show.presets.end()) names.insert(found->of.submix);
  }
};

using Perform = std::function<Result<model::Performed>(const show::Show&, const model::PluginMap&)>;

/// Makes one move of the present show. Prints the values that were left out.
int run_performed(Context& context, const Perform& perform,
                  void (JudgingSubmixes::*add)(std::string_view), const std::string& name,
                  std::string_view command) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  auto& cluster = connection->cluster();
  std::vector<std::string> left_out;
  const auto make = [&](const show::Show& show) -> Result<model::Edit> {
    JudgingSubmixes submixes{show};
    (submixes.*add)(name);
    auto done = perform(show, descriptions_for(cluster, show, submixes.names));
    SUBMIX_TRY(done);
    left_out = std::move(done->left_out);
    return std::move(done->edit);
  };
  const int status = run_edit(context, cluster, {make, command});
  for (const auto& value : left_out)
    warn(context, "left out: " + value);
  return status;
}

int list(Context& context, const std::function<Result<std::string>(const show::Show&)>& text) {
  const auto opened = open_show(context);
  if (!opened) return failed(context, opened.error().message);
  const auto told = text(opened->current.show);
  if (!told) return failed(context, told.error().message);
  context.out << *told;
  return kOk;
}

// "A=B": the parts before and after the last sign.
Result<std::pair<std::string, std::string>> halves(const std::string& text, std::string_view form) {
  const auto sign = text.rfind('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
    return fail("\"{}\" is not {}", text, form);
  return std::pair(text.substr(0, sign), text.substr(sign + 1));
}

Result<double> number_of(const std::string& text) {
  const auto value = show::parse_value(text);
  const auto* number = value ? std::get_if<double>(&*value) : nullptr;
  if (number == nullptr) return fail("\"{}\" is not a number", text);
  return *number;
}

Result<show::KnobTarget> knob_target(const std::string& text) {
  constexpr std::string_view kForm = "PARAMETER=A..B, as left.glow.Blur=0.1..0.9";
  const auto parts = halves(text, kForm);
  SUBMIX_TRY(parts);
  const auto target = show::parse_target(parts->first);
  SUBMIX_TRY(target);
  const auto dots = parts->second.find("..");
  if (dots == std::string::npos) return fail("\"{}\" is not {}", text, kForm);
  const auto from = number_of(parts->second.substr(0, dots));
  const auto to = number_of(parts->second.substr(dots + 2));
  if (!from || !to) return fail("\"{}\" is not {}", text, kForm);
  return show::KnobTarget{target->first, target->second, *from, *to};
}

template <typename Items>
Result<void> check_is_there(const char* kind, const Items& items, const std::string& name) {
  if (show::has_named(items, name)) return {};
  return show::not_there(kind, name, items);
}

Result<model::Edit> defined_knob(const show::Show& show, const KnobOptions& options) {
  const auto found = std::ranges::find(show.knobs, options.name, &show::Knob::name);
  show::Knob knob;
  if (found != show.knobs.end()) knob = *found;
  knob.name = options.name;
  knob.value = options.value.value_or(knob.value);
  knob.targets.clear();
  for (const auto& text : options.targets) {
    auto target = knob_target(text);
    SUBMIX_TRY(target);
    knob.targets.push_back(*std::move(target));
  }
  return model::SetKnobs{{{options.name, std::move(knob),
                           show.knobs.empty() ? std::string() : show.knobs.back().name}}};
}

Result<std::string> knobs_text(const show::Show& show, const std::string& name) {
  if (!name.empty()) {
    SUBMIX_TRY(check_is_there("knob", show.knobs, name));
  }
  Table table({"KNOB", ">VALUE", "TARGET", ">FROM", ">TO"});
  for (const auto& knob : show.knobs) {
    if (!name.empty() && knob.name != name) continue;
    const auto value = fmt::format("{:.3g}", knob.value);
    if (knob.targets.empty()) table.add({knob.name, value, "-", "", ""});
    for (const auto& target : knob.targets) {
      const bool is_first = &target == knob.targets.data();
      table.add({is_first ? knob.name : "", is_first ? value : "",
                 fmt::format("{}.{}", show::to_string(target.slot), target.parameter),
                 fmt::format("{:.4g}", target.from), fmt::format("{:.4g}", target.to)});
    }
  }
  return table.is_empty() ? "no knob is there; make one: submix knob NAME --target PARAMETER=A..B\n"
                          : table.text();
}

std::string of_text(const show::Preset& preset) {
  return preset.of.slot.empty() ? preset.of.submix : show::to_string(preset.of);
}

std::string presets_text(const show::Show& show) {
  Table table({"PRESET", "OF", ">PARAMETERS", ">OSCILLATORS"});
  for (const auto& preset : show.presets) {
    table.add({preset.name, of_text(preset), fmt::format("{}", preset.parameters.size()),
               fmt::format("{}", preset.oscillators.size())});
  }
  return table.is_empty() ? "no preset is there; make one: submix preset save NAME SLOT\n"
                          : table.text();
}

std::string cues_text(const show::Show& show) {
  Table table({"", "CUE", "FADE", "FOLLOW", "CHANGES"});
  const auto* next = model::next_cue(show);
  for (const auto& cue : show.cues) {
    std::string changes = cue.text;
    for (const auto& change : cue.changes)
      changes += (changes.empty() ? "" : "; ") + model::text_of(change);
    if (cue.is_paused)
      changes += (changes.empty() ? "" : "; ") + std::string(*cue.is_paused ? "pause" : "resume");
    table.add({&cue == next ? "next" : "", cue.name,
               cue.fade_seconds > 0 ? fmt::format("{:.3g} s", cue.fade_seconds) : "-",
               cue.follow ? model::text_of(*cue.follow) : "-", changes});
  }
  return table.is_empty()
             ? "no cue is there; make one: submix cue save NAME --set PARAMETER=VALUE\n"
             : table.text();
}

Result<show::Port> preset_place(const show::Show& show, const PresetOptions& options) {
  const auto found = std::ranges::find(show.presets, options.name, &show::Preset::name);
  if (options.of.empty() && found != show.presets.end()) return found->of;
  if (options.of.empty())
    return fail("preset \"{}\" is new: say of what it is, a submix or a slot", options.name);
  if (options.of.find('.') == std::string::npos) return show::Port{options.of, {}};
  return show::parse_port(options.of);
}

// Cues.

Result<show::CueChange> parameter_change(const std::string& text) {
  const auto parts = halves(text, "PARAMETER=VALUE, as left.glow.Blur=0.8");
  SUBMIX_TRY(parts);
  const auto target = show::parse_target(parts->first);
  SUBMIX_TRY(target);
  auto value = show::parse_value(parts->second);
  SUBMIX_TRY(value);
  return show::CueParameter{target->first, target->second, *std::move(value)};
}

Result<show::CueChange> knob_change(const std::string& text) {
  const auto parts = halves(text, "KNOB=VALUE, as energy=0.5");
  SUBMIX_TRY(parts);
  const auto value = number_of(parts->second);
  SUBMIX_TRY(value);
  return show::CueKnob{parts->first, *value};
}

Result<show::CueChange> preset_change(const std::string& text) {
  return show::CuePreset{text};
}

Result<show::CueChange> bypass_change(const std::string& text) {
  const auto sign = text.find('=');
  const auto word = sign == std::string::npos ? std::string("on") : text.substr(sign + 1);
  if (word != "on" && word != "off") return fail("\"{}\" is not SLOT or SLOT=off", text);
  const auto slot = show::parse_port(std::string_view(text).substr(0, sign));
  SUBMIX_TRY(slot);
  return show::CueBypass{*slot, word == "on"};
}

Result<show::CueChange> assign_change(const std::string& text) {
  const auto sign = text.find('=');
  if (sign == std::string::npos) return fail("\"{}\" is not SUBMIX=NODE", text);
  return show::CueAssign{text.substr(0, sign), text.substr(sign + 1)};
}

Result<show::Cue> stated_cue(const CueOptions& options) {
  show::Cue cue{options.name, options.text, options.fade_seconds, options.is_paused, {}};
  if (options.follow_seconds)
    cue.follow = show::FollowOn{*options.follow_seconds, show::FollowUnit::seconds};
  if (options.follow_beats)
    cue.follow = show::FollowOn{*options.follow_beats, show::FollowUnit::beats};
  const std::pair<const std::vector<std::string>*, Result<show::CueChange> (*)(const std::string&)>
      kinds[] = {{&options.presets, preset_change},
                 {&options.knobs, knob_change},
                 {&options.parameters, parameter_change},
                 {&options.bypasses, bypass_change},
                 {&options.assignments, assign_change}};
  for (const auto& [texts, parse] : kinds) {
    for (const auto& text : *texts) {
      auto change = parse(text);
      SUBMIX_TRY(change);
      cue.changes.push_back(*std::move(change));
    }
  }
  return cue;
}

// Reads the clock only if the cue fades or another one follows it. Without it the numbers change at
// once, and nothing follows.
model::RunningState running_now(cluster::Cluster& cluster, const show::Show& show,
                                const std::string& name) {
  const auto found = std::ranges::find(show.cues, name, &show::Cue::name);
  const auto* cue = found == show.cues.end() ? model::next_cue(show) : &*found;
  if (cue == nullptr) return {};
  model::RunningState running;
  if (cue->fade_seconds > 0 || cue->follow) {
    if (const auto time = session::read_show_time(cluster)) running.time = *time;
  }
  JudgingSubmixes submixes{show};
  for (const auto& change : cue->changes)
    std::visit(submixes, change);
  running.plugins = descriptions_for(cluster, show, submixes.names);
  return running;
}

}  // namespace

int run_knob(Context& context, const KnobOptions& options) {
  const int wishes = (options.is_deleted ? 1 : 0) + (options.new_name.empty() ? 0 : 1) +
                     (options.targets.empty() && !options.value ? 0 : 1);
  if (options.name.empty() && wishes > 0)
    return failed(context, "say which knob: submix knob NAME …");
  if (wishes > 1)
    return failed(context,
                  "--delete, --rename, and a value or targets exclude each other; take one");
  if (options.is_deleted) {
    return change_show(
        context,
        [&](const show::Show& show) -> Result<model::Edit> {
          SUBMIX_TRY(check_is_there("knob", show.knobs, options.name));
          return model::delete_knob(show, options.name);
        },
        "knob");
  }
  if (!options.new_name.empty()) {
    return change_show(
        context,
        [&](const show::Show& show) {
          return model::rename_knob(show, options.name, options.new_name);
        },
        "knob");
  }
  if (!options.targets.empty())
    return change_show(
        context, [&](const show::Show& show) { return defined_knob(show, options); }, "knob");
  if (!options.value)
    return list(context, [&](const auto& show) { return knobs_text(show, options.name); });
  const auto turn = [&](const show::Show& show, const model::PluginMap& plugins) {
    return model::turn_knob(show, plugins, options.name, *options.value);
  };
  return run_performed(context, turn, &JudgingSubmixes::add_knob, options.name, "knob");
}

int run_preset_save(Context& context, const PresetOptions& options) {
  return change_show(
      context,
      [&](const show::Show& show) -> Result<model::Edit> {
        const auto of = preset_place(show, options);
        SUBMIX_TRY(of);
        return model::save_preset(show, options.name, *of);
      },
      "preset");
}

int run_preset_apply(Context& context, const PresetOptions& options) {
  const auto apply = [&](const show::Show& show, const model::PluginMap& plugins) {
    return model::apply_preset(show, plugins, options.name);
  };
  return run_performed(context, apply, &JudgingSubmixes::add_preset, options.name, "preset");
}

int run_preset_delete(Context& context, const PresetOptions& options) {
  return change_show(
      context,
      [&](const show::Show& show) -> Result<model::Edit> {
        SUBMIX_TRY(check_is_there("preset", show.presets, options.name));
        return model::delete_preset(show, options.name);
      },
      "preset");
}

int run_preset_rename(Context& context, const PresetOptions& options) {
  return change_show(
      context,
      [&](const show::Show& show) {
        return model::rename_preset(show, options.name, options.new_name);
      },
      "preset");
}

int run_preset_list(Context& context, const PresetOptions&) {
  return list(context, presets_text);
}

int run_cue_go(Context& context, const CueOptions& options) {
  auto opened = open_show(context);
  if (!opened) return failed(context, opened.error().message);
  auto& cluster = opened->cluster();
  const auto running = running_now(cluster, opened->current.show, options.name);
  std::optional<bool> is_paused;
  bool is_following = false;
  std::vector<std::string> left_out;
  const auto make = [&](const show::Show& show) -> Result<model::Edit> {
    auto step = model::go(show, running, options.name);
    SUBMIX_TRY(step);
    is_following = step->is_followed;
    is_paused = step->is_paused;
    left_out = std::move(step->left_out);
    return std::move(step->edit);
  };
  const auto pause = [&]() -> Result<void> {
    return is_paused ? set_paused(cluster, *is_paused, "cue") : Result<void>();
  };
  const int status = run_edit(context, cluster,
                              {.make = make, .command = "cue", .is_at_once = true, .then = pause});
  for (const auto& value : left_out)
    warn(context, "left out: " + value);
  if (status == kOk && is_following)
    context.out << "the next cue follows by itself while a window or \"submix control\" is open; "
                   "submix cue stop ends that\n";
  return status;
}

int run_cue_next(Context& context, const CueOptions& options) {
  return change_show(
      context,
      [&](const show::Show&) -> Result<model::Edit> { return model::SetNextCue{options.name}; },
      "cue");
}

int run_cue_stop(Context& context, const CueOptions&) {
  return change_show(
      context,
      [](const show::Show& show) -> Result<model::Edit> {
        if (!show.following) return fail("no cue follows by itself now");
        return model::SetFollowing{};
      },
      "cue");
}

int run_cue_list(Context& context, const CueOptions&) {
  return list(context, cues_text);
}

int run_cue_save(Context& context, const CueOptions& options) {
  auto cue = stated_cue(options);
  if (!cue) return failed(context, cue.error().message);
  return change_show(
      context,
      [&](const show::Show& show) -> Result<model::Edit> {
        const auto after =
            !options.after.empty() || show.cues.empty() ? options.after : show.cues.back().name;
        return model::SetCues{{{options.name, *cue, after}}};
      },
      "cue");
}

int run_cue_delete(Context& context, const CueOptions& options) {
  return change_show(
      context,
      [&](const show::Show& show) -> Result<model::Edit> {
        SUBMIX_TRY(check_is_there("cue", show.cues, options.name));
        return model::delete_cue(show, options.name);
      },
      "cue");
}

int run_cue_rename(Context& context, const CueOptions& options) {
  return change_show(
      context,
      [&](const show::Show& show) {
        return model::rename_cue(show, options.name, options.new_name);
      },
      "cue");
}

int run_cue_move(Context& context, const CueOptions& options) {
  const auto side = options.side == "before" ? model::CueSide::before : model::CueSide::after;
  return change_show(
      context,
      [&](const show::Show& show) {
        return model::move_cue(show, options.name, side, options.other);
      },
      "cue");
}

}  // namespace submix::cli
