// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/input_count.hpp"
#include "node/plugin/built_ins.hpp"
#include "node/plugin/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::plugin {
namespace {

constexpr unsigned kFull = 256;  // a level of 1
// Bytes of a picture mixed at a time, small enough for the sum to stay in the cache.
constexpr std::size_t kRunBytes = 16384;

using Bytes = std::span<const std::uint8_t>;
using Sum = std::span<std::uint8_t>;

std::uint8_t byte(unsigned value) {
  return static_cast<std::uint8_t>(value);
}

// From `from` to `to` by `share` of kFull.
unsigned between(unsigned from, unsigned to, unsigned share) {
  return (from * (kFull - share) + to * share) / kFull;
}

void put(Sum sum, Bytes layer, unsigned level) {
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = byte(layer[i] * level / kFull);
}

void add(Sum sum, Bytes layer, unsigned level) {
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = byte(std::min(255U, sum[i] + layer[i] * level / kFull));
}

void lighten(Sum sum, Bytes layer, unsigned level) {
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = byte(std::max<unsigned>(sum[i], layer[i] * level / kFull));
}

void screen(Sum sum, Bytes layer, unsigned level) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const unsigned light = layer[i] * level / kFull;
    sum[i] = byte(sum[i] + light - sum[i] * light / 255);
  }
}

// Changes the colours where the layer covers them, and keeps the sum's alpha.
template <typename Meet>
void shade(Sum sum, Bytes layer, unsigned level, Meet meet) {
  for (std::size_t i = 0; i + 3 < sum.size(); i += 4) {
    const unsigned cover = level * layer[i + 3] / 255;
    for (std::size_t c = i; c < i + 3; ++c)
      sum[c] = byte(between(sum[c], meet(sum[c], layer[c]), cover));
  }
}

void darken(Sum sum, Bytes layer, unsigned level) {
  shade(sum, layer, level, [](unsigned below, unsigned above) { return std::min(below, above); });
}

void multiply(Sum sum, Bytes layer, unsigned level) {
  shade(sum, layer, level, [](unsigned below, unsigned above) { return below * above / 255; });
}

// Keeps the sum's alpha: otherwise the difference of two opaque pictures would be transparent.
void differ(Sum sum, Bytes layer, unsigned level) {
  for (std::size_t i = 0; i + 3 < sum.size(); i += 4) {
    for (std::size_t c = i; c < i + 3; ++c)
      sum[c] = byte(static_cast<unsigned>(
          std::abs(static_cast<int>(sum[c]) - static_cast<int>(layer[c] * level / kFull))));
  }
}

// Lays a layer over the sum by the layer's alpha.
void lay_over(Sum sum, Bytes layer, unsigned level) {
  for (std::size_t i = 0; i + 3 < sum.size(); i += 4) {
    const unsigned cover = layer[i + 3] * level;  // of 255 * kFull
    for (std::size_t c = i; c < i + 4; ++c) {
      // The layer's alpha is its coverage.
      const unsigned above = (c == i + 3 ? 255 : layer[c]) * cover;
      sum[c] = byte((above + sum[c] * (255 * kFull - cover)) / (255 * kFull));
    }
  }
}

using Blend = void (*)(Sum, Bytes, unsigned);
constexpr std::array<std::pair<std::string_view, Blend>, 7> kBlends{{{"add", add},
                                                                     {"lighten", lighten},
                                                                     {"over", lay_over},
                                                                     {"screen", screen},
                                                                     {"multiply", multiply},
                                                                     {"darken", darken},
                                                                     {"difference", differ}}};
constexpr std::string_view kAsMode = "as mode";  // the blend of an input without one of its own

// Null: kAsMode.
Blend blend_named(std::string_view name) {
  const auto* found = std::ranges::find(kBlends, name, &decltype(kBlends)::value_type::first);
  return found == kBlends.end() ? nullptr : found->second;
}

// The crossfader goes from bus A to bus B. An input is on one of them, or on both.
enum class Side : std::size_t { both, a, b };
constexpr std::array<std::string_view, 3> kSides{"both", "A", "B"};
enum class Curve : std::size_t { even, smooth, cut };
constexpr std::array<std::string_view, 3> kCurves{"even", "smooth", "cut"};

template <typename Value>
Value value_named(std::span<const std::string_view> names, const show::ParameterValue& name) {
  const auto found = std::ranges::find(names, std::get<std::string>(name));
  return static_cast<Value>(found - names.begin());
}

unsigned level_of(const show::ParameterValue& value) {
  return static_cast<unsigned>(std::lround(std::get<double>(value) * double{kFull}));
}

// The share of bus B, of kFull.
unsigned share_of_b(double crossfade, Curve curve) {
  if (curve == Curve::smooth) crossfade *= crossfade * (3 - 2 * crossfade);
  if (curve == Curve::cut) crossfade = crossfade < 0.5 ? 0 : 1;
  return level_of(crossfade);
}

void crossfade(Sum sum, Bytes b, unsigned share) {
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = byte(between(sum[i], b[i], share));
}

void fill_black(Sum sum) {
  constexpr std::array<std::uint8_t, 4> kBlack{0, 0, 0, 255};
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = kBlack[i % kBlack.size()];
}

// Keeps the alpha: a faded picture becomes black, not transparent.
void dim(Sum sum, unsigned level) {
  for (std::size_t i = 0; i + 3 < sum.size(); i += 4) {
    for (std::size_t c = i; c < i + 3; ++c)
      sum[c] = byte(sum[c] * level / kFull);
  }
}

class Mix final : public Plugin {
 public:
  explicit Mix(const Setup& setup) : bus_b_(kRunBytes) {
    for (const auto& [name, value] : setup.parameters)
      set(name, value);
  }

  std::optional<media::Frame> process(Work& work) override {
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    const bool has_sides = std::ranges::any_of(
        std::span(inputs_).first(work.inputs.size()), [](auto side) { return side != Side::both; },
        &Input::side);
    const unsigned share = has_sides ? share_of_b(crossfade_, curve_) : 0;
    const auto picture = output->rgba();
    for (std::size_t done = 0; done < picture.size(); done += kRunBytes) {
      const auto run = picture.subspan(done, std::min(kRunBytes, picture.size() - done));
      mix(run, work.inputs, done, share);
      if (master_ < kFull) dim(run, master_);
    }
    return std::move(*output).publish();
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    if (parameter == "mode") mode_ = blend_named(std::get<std::string>(value));
    if (parameter == "master") master_ = level_of(value);
    if (parameter == "crossfade") crossfade_ = std::get<double>(value);
    if (parameter == "curve") curve_ = value_named<Curve>(kCurves, value);
    const auto of_input = show::input_parameter(parameter);
    if (!of_input) return;
    auto& input = inputs_.at(of_input->number - 1);
    if (of_input->kind == show::kLevelOfInput) input.level = level_of(value);
    if (of_input->kind == show::kBlendOfInput)
      input.blend = blend_named(std::get<std::string>(value));
    if (of_input->kind == show::kSideOfInput) input.side = value_named<Side>(kSides, value);
  }

 private:
  struct Input {
    unsigned level = kFull;
    Blend blend = nullptr;  // null: mode_
    Side side = Side::both;
  };

  // The part `run` of the picture that begins at byte `offset`.
  void mix(Sum run, std::span<const media::Frame> frames, std::size_t offset, unsigned share) {
    if (share == kFull) return mix_bus(run, frames, offset, Side::a);
    mix_bus(run, frames, offset, Side::b);
    if (share == 0) return;
    const auto b = std::span(bus_b_).first(run.size());
    mix_bus(b, frames, offset, Side::a);
    crossfade(run, b, share);
  }

  // All inputs, except those that are on the other bus only.
  void mix_bus(Sum sum, std::span<const media::Frame> frames, std::size_t offset, Side other) {
    bool is_first = true;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const auto& input = inputs_[i];
      if (input.side == other) continue;
      const auto layer = frames[i].rgba().subspan(offset, sum.size());
      if (std::exchange(is_first, false)) {
        put(sum, layer, input.level);
      } else {
        (input.blend == nullptr ? mode_ : input.blend)(sum, layer, input.level);
      }
    }
    if (is_first) fill_black(sum);
  }

  Blend mode_ = add;
  unsigned master_ = kFull;
  double crossfade_ = 0;
  Curve curve_ = Curve::even;
  std::array<Input, show::kMixerInputs.most> inputs_{};
  std::vector<std::uint8_t> bus_b_;
};

void add_input_parameters(std::size_t number, std::vector<ParameterDescription>& parameters) {
  auto blends = choices_of(kBlends);
  blends.emplace(blends.begin(), kAsMode);
  parameters.push_back({.name = show::parameter_of_input(show::kLevelOfInput, number),
                        .explanation = fmt::format("How much of input {} is seen", number),
                        .initial = 1.0});
  parameters.push_back(choice_parameter(
      show::parameter_of_input(show::kBlendOfInput, number),
      fmt::format("How input {} meets the inputs before it", number), std::move(blends)));
  parameters.push_back(
      choice_parameter(show::parameter_of_input(show::kSideOfInput, number),
                       fmt::format("The crossfader's side that shows input {}", number),
                       {kSides.begin(), kSides.end()}));
}

}  // namespace

Description mix_description() {
  Description mix{
      .id = std::string(show::kMixPlugin),
      .kind = Kind::mixer,
      .explanation = "Brings 2 to 16 pictures together, with a crossfader and a master"};
  mix.parameters.push_back(
      choice_parameter("mode", "How each input meets those before it; \"over\" goes by its alpha",
                       choices_of(kBlends)));
  mix.parameters.push_back(
      {.name = "master", .explanation = "Of the whole mix; 0 is black", .initial = 1.0});
  mix.parameters.push_back(
      {.name = "crossfade", .explanation = "From side A at 0 to side B at 1", .initial = 0.0});
  mix.parameters.push_back(
      choice_parameter("curve", "Of the crossfader; \"cut\" changes sides in the middle",
                       {kCurves.begin(), kCurves.end()}));
  for (std::size_t number = 1; number <= show::kMixerInputs.most; ++number)
    add_input_parameters(number, mix.parameters);
  mix.memory = Memory::none;
  return mix;
}

Result<std::unique_ptr<Plugin>> make_mix(const Setup& setup) {
  return std::make_unique<Mix>(setup);
}

}  // namespace submix::plugin
