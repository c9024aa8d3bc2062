// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/muting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

bool is_out(const Layer& layer) {
  return layer.fader && layer.fader->value <= 0;
}

Edit move_faders(const std::vector<Layer>& layers,
                 const std::map<std::string, double, std::less<>>& levels, std::string title) {
  EditGroup group{std::move(title), {}};
  for (const auto& layer : layers) {
    const auto level = levels.find(layer.stream);
    if (!layer.fader || level == levels.end() || level->second == layer.fader->value) continue;
    group.edits.emplace_back(
        SetParameter{layer.fader->mixer, layer.fader->parameter, level->second});
  }
  return group;
}

}  // namespace

bool Muting::is_muted(const Layer& layer) const {
  return is_out(layer) && before_.contains(layer.stream);
}

bool Muting::is_solo(const Layers& layers, std::string_view stream) const {
  return solo_ == stream && std::ranges::any_of(layers, [this](const Layer& layer) {
           return is_out(layer) && for_solo_.contains(layer.stream);
         });
}

// Where a layer's fader is once `wanted` is done.
double Muting::level_then(const Layer& layer, const Levels& wanted) {
  const auto found = wanted.find(layer.stream);
  return found == wanted.end() ? layer.fader->value : found->second;
}

void Muting::take_out(const Layer& layer, Levels& wanted) {
  before_[layer.stream] = level_then(layer, wanted);
  wanted[layer.stream] = 0;
}

void Muting::bring_back(const Layer& layer, Levels& wanted) {
  const auto found = before_.find(layer.stream);
  if (level_then(layer, wanted) <= 0)
    wanted[layer.stream] = found == before_.end() ? 1 : found->second;
  if (found != before_.end()) before_.erase(found);
}

void Muting::end_solo(const Layers& layers, Levels& wanted) {
  for (const auto& layer : layers) {
    if (layer.fader && for_solo_.contains(layer.stream)) bring_back(layer, wanted);
  }
  for_solo_.clear();
  solo_.clear();
}

Edit Muting::toggle_mute(const Layers& layers, const std::string& stream) {
  Levels wanted;
  for (const auto& layer : layers) {
    if (layer.stream != stream || !layer.fader) continue;
    if (is_out(layer)) {
      bring_back(layer, wanted);
    } else {
      take_out(layer, wanted);
    }
  }
  return move_faders(layers, wanted, fmt::format("mute {}", stream));
}

Edit Muting::toggle_solo(const Layers& layers, const std::string& stream) {
  const bool was_solo = is_solo(layers, stream);
  Levels wanted;
  end_solo(layers, wanted);
  if (was_solo) return move_faders(layers, wanted, fmt::format("end the solo of {}", stream));

  solo_ = stream;
  for (const auto& layer : layers) {
    if (!layer.fader) continue;
    if (layer.stream == stream) {
      bring_back(layer, wanted);
    } else if (level_then(layer, wanted) > 0) {
      take_out(layer, wanted);
      for_solo_.insert(layer.stream);
    }
  }
  return move_faders(layers, wanted, fmt::format("solo of {}", stream));
}

}  // namespace submix::model
