// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/modulation.hpp"

#include "node/engine/beat.hpp"
#include "node/plugin/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <variant>

namespace submix::engine {
namespace {

// An end of a range, clamped as the plugin wants it.
Result<double> checked(const plugin::Description& description, const std::string& parameter,
                       double end, std::string& remark) {
  auto value = plugin::check_parameter(description, parameter, end);
  SUBMIX_TRY(value);
  if (!value->remark.empty()) remark = std::move(value->remark);
  return std::get<double>(value->value);
}

// The oscillator with both ends of its range clamped as the plugin wants them.
Result<show::Oscillator> checked(const plugin::Description& description,
                                 const std::string& parameter, show::Oscillator oscillator,
                                 std::string& remark) {
  const auto refuse = [&](std::string_view reason) {
    return fail("oscillator of \"{}\": {}", parameter, reason);
  };
  for (auto* end : {&oscillator.from, &oscillator.to}) {
    const auto value = checked(description, parameter, *end, remark);
    if (!value) return refuse(value.error().message);
    *end = *value;
  }
  if (description.kind == plugin::Kind::output)
    return refuse("an output's parameters stand still; take the oscillator out");
  return oscillator;
}

// The longest time by which a fade may begin in the future. A fade further ahead was written by
// another clock or for another frame rate, so it is over.
constexpr double kAheadSeconds = 10.0;

bool is_of_another_clock(const show::Fade& fade, FrameIndex now, FrameRate rate) {
  const auto ahead = static_cast<std::uint64_t>(kAheadSeconds * rate.frames_per_second());
  return fade.frame > now.value + ahead;
}

bool is_over(const show::Fade& fade, const StageContext& context) {
  const auto now = context.count.present(context.clock.now());
  return is_of_another_clock(fade, now, context.rate) || fade.frame + fade.frames <= now.value;
}

// The slot's stated value, or else the plugin's initial value; empty: not a number.
std::optional<double> settled_value(const show::Slot& slot, const plugin::Description& description,
                                    const std::string& parameter) {
  const auto* known = description.find_parameter(parameter);
  const auto stated = slot.parameters.find(parameter);
  if (known == nullptr) return std::nullopt;
  const auto* value =
      std::get_if<double>(stated == slot.parameters.end() ? &known->initial : &stated->second);
  if (value == nullptr || known->type != plugin::ParameterType::number) return std::nullopt;
  return std::clamp(*value, known->minimum, known->maximum);
}

// Controllers write fades on their own, so a fade that does not fit is no error: the parameter
// simply has its final value.
void add_fades(const show::Slot& slot, const plugin::Description& description,
               const StageContext& context, std::vector<Modulation::ParameterCourse>& courses) {
  for (const auto& [parameter, fade] : slot.fades) {
    const auto swings = slot.oscillators.find(parameter);
    if (swings != slot.oscillators.end() && swings->second.is_on) continue;
    const auto to = settled_value(slot, description, parameter);
    if (!to || is_over(fade, context) || description.kind == plugin::Kind::output) continue;
    auto fading = fade;
    const auto* known = description.find_parameter(parameter);
    fading.from = std::clamp(fade.from, known->minimum, known->maximum);
    courses.push_back({parameter, Modulation::FadeCourse{fading, *to}});
  }
}

// The clock may be set back while the parameter fades.
double value_of(const Modulation::FadeCourse& fading, FrameIndex frame, FrameRate rate) {
  if (is_of_another_clock(fading.fade, frame, rate)) return fading.to;
  return show::value_at(fading.fade, fading.to, frame.value);
}

}  // namespace

bool Modulation::moves(std::string_view parameter) const {
  return find(parameter) != nullptr;
}

const Modulation::ParameterCourse* Modulation::find(std::string_view parameter) const {
  const auto found =
      std::find_if(courses_.begin(), courses_.end(),
                   [&](const ParameterCourse& moving) { return moving.parameter == parameter; });
  return found == courses_.end() ? nullptr : &*found;
}

std::shared_ptr<const Modulation> Modulation::with_tempo(const show::Tempo& tempo) const {
  return std::make_shared<const Modulation>(courses_, tempo, rate_, sound_);
}

void MovingParameters::follow(std::shared_ptr<const Modulation> modulation) {
  const auto count = modulation ? modulation->courses_.size() : 0;
  std::vector<double> told(count, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; modulation_ && i < count; ++i) {
    if (const auto* known = modulation_->find(modulation->courses_[i].parameter))
      told[i] = told_[static_cast<std::size_t>(known - modulation_->courses_.data())];
  }
  modulation_ = std::move(modulation);
  told_ = std::move(told);
}

void MovingParameters::forget(std::string_view parameter) {
  const auto* moving = modulation_ ? modulation_->find(parameter) : nullptr;
  if (moving == nullptr) return;
  told_[static_cast<std::size_t>(moving - modulation_->courses_.data())] =
      std::numeric_limits<double>::quiet_NaN();
}

void MovingParameters::tell_values(plugin::Plugin& plugin, FrameIndex frame) {
  auto moment = show::moment_of(modulation_->tempo_, modulation_->rate_, frame);
  plugin.tell_beat(beat_of(modulation_->tempo_, modulation_->rate_, frame));
  if (modulation_->sound_ != nullptr) moment.sound = modulation_->sound_->at(frame);
  for (std::size_t i = 0; i < told_.size(); ++i) {
    const auto& moving = modulation_->courses_[i];
    const auto* oscillating = std::get_if<Modulation::OscillatorCourse>(&moving.course);
    const auto* fading = std::get_if<Modulation::FadeCourse>(&moving.course);
    const double value = oscillating != nullptr
                             ? show::value_at(oscillating->oscillator, moment, oscillating->seed)
                             : value_of(*fading, frame, modulation_->rate_);
    if (value == told_[i]) continue;
    plugin.set(moving.parameter, value);
    told_[i] = value;
  }
}

Result<void> check_oscillators(const show::Slot& slot, const plugin::Description& description) {
  for (const auto& [parameter, oscillator] : slot.oscillators) {
    std::string remark;
    if (!oscillator.is_on) continue;
    SUBMIX_TRY(checked(description, parameter, oscillator, remark));
  }
  return {};
}

Result<std::shared_ptr<const Modulation>> make_modulation(const show::Slot& slot,
                                                          const plugin::Description& description,
                                                          const StageContext& context) {
  const auto about = context.submix + "." + slot.name;
  std::vector<Modulation::ParameterCourse> courses;
  for (const auto& [parameter, stated] : slot.oscillators) {
    if (!stated.is_on) continue;
    std::string remark;
    const auto oscillator = checked(description, parameter, stated, remark);
    if (!oscillator)
      return fail("submix \"{}\", slot \"{}\": {}", context.submix, slot.name,
                  oscillator.error().message);
    if (!remark.empty()) context.events.report(Severity::warning, about, "oscillator: " + remark);
    courses.push_back(
        {parameter, Modulation::OscillatorCourse{
                        *oscillator, show::seed_of(fmt::format("{}.{}", about, parameter))}});
  }
  add_fades(slot, description, context, courses);
  if (courses.empty() && !description.follows_beats) return nullptr;
  return std::make_shared<const Modulation>(std::move(courses), show::Tempo(), context.rate,
                                            context.sound);
}

}  // namespace submix::engine
