// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/latest_per_target.hpp"

#include "controller/model/edit/layers.hpp"
#include "controller/model/edit/outputs.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/model/view/oscillation.hpp"

#include <algorithm>
#include <utility>

namespace submix::input {
namespace {

struct EditKey {
  std::string operator()(const model::SetParameter& edit) const {
    return to_string(ParameterTarget{edit.slot, edit.name});
  }
  std::string operator()(const model::SetBypass& edit) const {
    return to_string(BypassTarget{edit.slot});
  }
  template <typename Other>  // an assignment is the only other kind of edit from outside
  std::string operator()(const Other& edit) const {
    return model::title(edit);
  }
  std::string operator()(const model::SetTempo&) const { return "pace"; }
  std::string operator()(const model::AssignSubmix& edit) const {
    return to_string(AssignTarget{edit.submix});
  }
};

struct Key {
  std::string operator()(const session::EditShow& order) const {
    return std::visit(EditKey{}, order.edit);
  }
  std::string operator()(const session::SetPaused&) const { return "pause"; }
  std::string operator()(const session::Step&) const { return "step"; }
  std::string operator()(const session::SetBlack&) const { return "black"; }
  std::string operator()(const session::SetFrozen&) const { return "freeze"; }
  std::string operator()(const SetPace&) const { return "pace"; }
  std::string operator()(const TurnKnob& order) const { return to_string(KnobTarget{order.knob}); }
  std::string operator()(const Go&) const { return "go"; }
  std::string operator()(const ApplyPreset& order) const {
    return to_string(PresetTarget{order.preset});
  }
  std::string operator()(const SetFullScreen&) const {
    return to_string(TransportTarget::fullscreen);
  }
  std::string operator()(const SetRecording&) const { return to_string(TransportTarget::record); }
  std::string operator()(const Tap&) const { return to_string(PaceTarget::tap); }
  std::string operator()(const SetPart& order) const {
    return to_string(ParameterTarget{order.slot, order.parameter, order.part});
  }
};

bool is_value(const Order& order) {
  const auto* edit = std::get_if<session::EditShow>(&order);
  return edit != nullptr && (std::holds_alternative<model::SetParameter>(edit->edit) ||
                             std::holds_alternative<model::SetBypass>(edit->edit));
}

// Joins many values to one edit of the show, since each edit copies the show. Few values stay
// single, so that the next movement of the same fader can replace a waiting one.
std::vector<Order> grouped(std::vector<Order> orders) {
  const auto rest = std::ranges::stable_partition(orders, is_value).begin();
  const auto values = rest - orders.begin();
  if (values < static_cast<std::ptrdiff_t>(LatestPerTarget::kGroupMin)) return orders;
  model::EditGroup group{fmt::format("{} values from outside", values), {}};
  for (auto order = orders.begin(); order != rest; ++order)
    group.edits.push_back(std::move(std::get<session::EditShow>(*order).edit));
  orders.erase(orders.begin(), rest);
  orders.insert(orders.begin(), session::EditShow{std::move(group), 0, false});
  return orders;
}

}  // namespace

void LatestPerTarget::put(Order order) {
  if (std::holds_alternative<session::Step>(order)) {
    steps_ = std::min(steps_ + 1, kStepsMax);
  } else if (const auto* pace = std::get_if<SetPace>(&order)) {
    if (pace->tempo) pace_.tempo = pace->tempo;
    if (pace->speed) pace_.speed = pace->speed;
    if (pace->beat_shift) pace_.beat_shift = pace->beat_shift;
  } else {
    orders_.insert_or_assign(std::visit(Key{}, order), std::move(order));
  }
}

// Two knobs may turn two numbers of one colour. The edit sets the whole colour, so the second edit
// starts from the result of the first.
void LatestPerTarget::add_part(const SetPart& order, const Scene& scene, LocalTime now) {
  const ParameterTarget target{order.slot, order.parameter};
  auto& whole = wholes_[to_string(target)];
  const auto control = find_control(scene, target);
  const auto* present = control ? std::get_if<std::vector<double>>(&control->present) : nullptr;
  if (present == nullptr) return;  // removed in the meantime
  if (whole.numbers.size() != present->size() || now - whole.set > kSeenTime)
    whole.numbers = *present;
  if (order.part < whole.numbers.size()) whole.numbers[order.part] = order.value;
  whole.set = now;
}

// Turns orders of performers into actions of the session, in the show that they act on. What the
// show lacks by now has no effect.
struct LatestPerTarget::Perform {
  const Scene& scene;
  LocalTime now;
  model::FullScreenSwitch& full_screen;

  using Orders = std::vector<Order>;

  [[nodiscard]] const show::Show& show() const { return *scene.cluster.show; }

  static Orders done(Result<model::Performed> result) {
    if (!result) return {};
    return {session::EditShow{std::move(result->edit), 0, false, std::move(result->left_out)}};
  }
  static Orders done(Result<model::Edit> edit) {
    if (!edit) return {};
    return {session::EditShow{*std::move(edit), 0, false}};
  }

  Orders operator()(const TurnKnob& order) const {
    return done(
        model::turn_knob(show(), model::plugins_of(scene.cluster), order.knob, order.value));
  }
  Orders operator()(const ApplyPreset& order) const {
    return done(model::apply_preset(show(), model::plugins_of(scene.cluster), order.preset));
  }
  Orders operator()(const Go& order) const {
    auto step = model::go(show(), model::running_of(scene.cluster, now), order.cue);
    if (!step) return {};
    Orders orders{session::EditShow{std::move(step->edit), 0, false, std::move(step->left_out)}};
    if (step->is_paused) orders.emplace_back(session::SetPaused{*step->is_paused});
    return orders;
  }
  Orders operator()(const SetFullScreen& order) const {
    return done(
        full_screen.turn_all(order.is_on, model::find_mix(show()).value_or(""), scene.cluster));
  }
  Orders operator()(const SetRecording& order) const {
    return done(model::set_recording(show(), model::plugins_of(scene.cluster),
                                     model::find_mix(show()).value_or(""), order.is_on));
  }
  template <typename Other>
  Orders operator()(const Other&) const {
    return {};
  }
};

std::vector<Order> LatestPerTarget::performed(const Order& order, const Scene& scene,
                                              LocalTime now) {
  if (is_action(order)) return {order};
  if (scene.cluster.show == nullptr) return {};
  return std::visit(Perform{scene, now, full_screen_}, order);
}

// The new beat at the new pace, in one edit. Empty: the show's time is not known.
std::optional<Order> LatestPerTarget::shifted(double beats, const show::Tempo& pace,
                                              const Scene& scene, LocalTime now) {
  const auto time = model::show_time(scene.cluster, now);
  if (!time) return std::nullopt;
  const auto& tempo = scene.cluster.show->tempo;
  const double shifted_beats = show::moment_at(tempo, *time).beats + beats;
  return session::EditShow{model::set_beat(tempo, pace, shifted_beats, *time), 0, false};
}

// The half that is not set keeps the value set last, even if that edit is not visible in the show
// yet.
std::optional<Order> LatestPerTarget::take_pace(const Scene& scene, LocalTime now) {
  const auto pace = std::exchange(pace_, {});
  const auto& show = scene.cluster.show;
  if (show == nullptr) return std::nullopt;
  const bool is_recent = last_pace_ && now - last_pace_->set <= kSeenTime;
  const auto before = is_recent ? last_pace_->tempo : show->tempo;
  auto after = before;
  after.beats_per_minute = pace.tempo.value_or(before.beats_per_minute);
  after.master_speed = pace.speed.value_or(before.master_speed);
  const bool is_new = after != before;
  if (is_new) last_pace_ = {after, now};
  auto with_beat = pace.beat_shift ? shifted(*pace.beat_shift, after, scene, now) : std::nullopt;
  if (with_beat || !is_new) return with_beat;
  return session::EditShow{model::SetTempo{after}, 0, false};
}

std::vector<Order> LatestPerTarget::take_due(const Scene& scene, LocalTime now) {
  std::vector<Order> due;
  if (is_empty() || now < next_) return due;
  next_ = now + kPeriod;
  if (const auto edit = full_screen_.finish(scene.cluster))
    due.emplace_back(session::EditShow{*edit, 0, false});
  std::erase_if(wholes_, [&](const auto& item) { return now - item.second.set > kSeenTime; });
  std::map<std::string, ParameterTarget> changed;
  for (auto& [key, order] : std::exchange(orders_, {})) {
    if (const auto* part = std::get_if<SetPart>(&order)) {
      add_part(*part, scene, now);
      const ParameterTarget target{part->slot, part->parameter};
      changed.insert_or_assign(to_string(target), target);
    } else {
      for (auto& action : performed(order, scene, now))
        due.push_back(std::move(action));
    }
  }
  for (const auto& [key, target] : changed) {
    const auto& numbers = wholes_[key].numbers;
    if (!numbers.empty())
      due.emplace_back(
          session::EditShow{model::SetParameter{target.slot, target.parameter, numbers}, 0, false});
  }
  if (auto pace = take_pace(scene, now)) due.push_back(*std::move(pace));
  for (; steps_ > 0; --steps_)
    due.emplace_back(session::Step{});
  return grouped(std::move(due));
}

}  // namespace submix::input
