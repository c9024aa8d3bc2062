// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/cue_preview.hpp"

#include "common/show/lookup.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/layers.hpp"
#include "controller/model/edit/stage_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace submix::model {
namespace {

std::string number_text(double number) {
  return fmt::format("{:.3g}", number);
}

// The parameters that the cue turns by its knobs: the knob's line stands for them.
std::set<std::pair<std::string, std::string>> turned_by_knobs(const show::Show& show,
                                                              const show::Cue& cue) {
  std::set<std::pair<std::string, std::string>> turned;
  for (const auto& change : cue.changes) {
    const auto* turn = std::get_if<show::CueKnob>(&change);
    const auto* knob = turn == nullptr ? nullptr : show::item_named(show.knobs, turn->knob);
    if (knob == nullptr) continue;
    for (const auto& target : knob->targets)
      turned.emplace(show::to_string(target.slot), target.parameter);
  }
  return turned;
}

/// A line for each part of an edit that a person can see. Empty: none.
class LineOf {
 public:
  LineOf(const show::Show& show, const RunningState& running, const show::Cue& cue,
         std::string_view arrow)
      : show_(show), running_(running), arrow_(arrow), turned_(turned_by_knobs(show, cue)) {
    if (const auto mix = find_mix(show)) layers_ = layers_of(show, running.plugins, *mix);
    if (cue.fade_seconds > 0) in_time_ = fmt::format(" in {:.3g} s", cue.fade_seconds);
  }

  std::string operator()(const SetParameter& edit) const {
    if (turned_.contains({show::to_string(edit.slot), edit.name})) return {};
    const auto label = stage_name(layers_, edit.slot, edit.name);
    if (!edit.value) return label + " as the plugin begins";
    const auto* number = std::get_if<double>(&*edit.value);
    if (number == nullptr) return fmt::format("{} {} {}", label, arrow_, stage_value(*edit.value));
    const auto now = number_now(edit);
    if (now && *now == *number) return {};
    const auto from = now ? number_text(*now) + " " : std::string();
    return fmt::format("{} {}{} {}{}", label, from, arrow_, number_text(*number), in_time_);
  }
  std::string operator()(const SetKnobValue& edit) const {
    const auto* knob = show::item_named(show_.knobs, edit.knob);
    if (knob == nullptr || knob->value == edit.value) return {};
    return fmt::format("{} {} {} {}{}", edit.knob, number_text(knob->value), arrow_,
                       number_text(edit.value), in_time_);
  }
  std::string operator()(const SetOscillator& edit) const {
    const bool is_on = edit.oscillator && edit.oscillator->is_on;
    if (!is_on) return {};  // the value beside it has a line
    return stage_name(layers_, edit.slot, edit.name) + " moves by itself";
  }
  std::string operator()(const SetBypass& edit) const {
    return fmt::format("{} {} {}", edit.slot.submix, edit.slot.slot,
                       edit.is_bypassed ? "off" : "on");
  }
  std::string operator()(const AssignSubmix& edit) const {
    return edit.node.empty() ? edit.submix + " stops"
                             : fmt::format("{} runs on {}", edit.submix, edit.node);
  }
  template <typename Other>
  std::string operator()(const Other&) const {
    return {};
  }

 private:
  [[nodiscard]] std::optional<double> number_now(const SetParameter& edit) const {
    const auto frame = running_.time ? show_.rate.index_at(*running_.time) : FrameIndex{0};
    return number_at(show_, running_, edit, frame);
  }

  const show::Show& show_;
  const RunningState& running_;
  std::string_view arrow_;
  std::set<std::pair<std::string, std::string>> turned_;
  std::vector<Layer> layers_;
  std::string in_time_;
};

void add_lines(const Edit& edit, const LineOf& line_of, std::vector<std::string>& lines) {
  if (const auto* group = std::get_if<EditGroup>(&edit)) {
    for (const auto& part : group->edits)
      add_lines(part, line_of, lines);
    return;
  }
  auto line = std::visit(line_of, edit);
  if (!line.empty()) lines.push_back(std::move(line));
}

}  // namespace

std::vector<std::string> cue_preview(const show::Show& show, const RunningState& running,
                                     std::string_view arrow) {
  const auto step = go(show, running);
  if (!step) return {step.error().message};
  const auto* done = show::item_named(show.cues, step->cue);
  if (done == nullptr) return {};
  std::vector<std::string> lines;
  add_lines(step->edit, LineOf(show, running, *done, arrow), lines);
  if (step->is_paused)
    lines.emplace_back(*step->is_paused ? "the show pauses" : "the show runs on");
  return lines;
}

}  // namespace submix::model
