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

void Muting::follow(const Layers& layers) {
  const auto find = [&](std::string_view stream) {
    return std::ranges::find(layers, stream, &Layer::stream);
  };
  if (find(solo_) == layers.end()) solo_.clear();
  for (auto& [stream, muted] : muted_) {
    const auto layer = find(stream);
    muted.was_seen_out = muted.was_seen_out || (layer != layers.end() && is_out(*layer));
  }
  std::erase_if(muted_, [&](const auto& each) {
    const auto layer = find(each.first);
    return layer == layers.end() || (!is_out(*layer) && each.second.was_seen_out);
  });
  // Undo and redo move a fader between these levels; any other level is a hand's.
  std::erase_if(levels_, [&](const auto& each) {
    const auto layer = find(each.first);
    if (layer == layers.end() || !layer->fader) return true;
    return !is_out(*layer) && layer->fader->value != each.second;
  });
}

bool Muting::is_muted(const Layer& layer) const {
  return is_out(layer) && (muted_.contains(layer.stream) || levels_.contains(layer.stream));
}

bool Muting::is_solo(const Layers& layers, std::string_view stream) const {
  return solo_ == stream && std::ranges::all_of(layers, [&](const Layer& layer) {
           return layer.stream == stream || !layer.fader || is_out(layer);
         });
}

// Where a layer's fader is once `wanted` is done.
double Muting::level_then(const Layer& layer, const Levels& wanted) {
  const auto found = wanted.find(layer.stream);
  return found == wanted.end() ? layer.fader->value : found->second;
}

void Muting::take_out(const Layer& layer, bool is_for_solo, Levels& wanted) {
  muted_[layer.stream] = {is_for_solo, false};
  levels_[layer.stream] = level_then(layer, wanted);
  wanted[layer.stream] = 0;
}

void Muting::bring_back(const Layer& layer, Levels& wanted) {
  const auto found = levels_.find(layer.stream);
  if (level_then(layer, wanted) <= 0)
    wanted[layer.stream] = found == levels_.end() ? 1 : found->second;
  muted_.erase(layer.stream);
}

void Muting::end_solo(const Layers& layers, Levels& wanted) {
  for (const auto& layer : layers) {
    if (!layer.fader) continue;
    const auto muted = muted_.find(layer.stream);
    if (muted != muted_.end() && muted->second.is_for_solo) bring_back(layer, wanted);
    if (layer.stream == solo_ && was_solo_muted_) take_out(layer, false, wanted);
  }
  solo_.clear();
  was_solo_muted_ = false;
}

Edit Muting::toggle_mute(const Layers& layers, const std::string& stream) {
  Levels wanted;
  for (const auto& layer : layers) {
    if (layer.stream != stream || !layer.fader) continue;
    if (is_out(layer)) {
      bring_back(layer, wanted);
    } else {
      take_out(layer, false, wanted);
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
    const bool is_in = level_then(layer, wanted) > 0;
    if (layer.stream == stream) {
      was_solo_muted_ = !is_in;
      bring_back(layer, wanted);
    } else if (is_in) {
      take_out(layer, true, wanted);
    }
  }
  return move_faders(layers, wanted, fmt::format("solo of {}", stream));
}

}  // namespace submix::model
