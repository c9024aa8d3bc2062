// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/built_ins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace submix::plugin {
namespace {

constexpr std::string_view kLevel = "level";
constexpr unsigned kFull = 256;  // a level of 1
// Bytes of a picture mixed at a time, small enough for the sum to stay in the cache.
constexpr std::size_t kRunBytes = 16384;

using Bytes = std::span<const std::uint8_t>;
using Sum = std::span<std::uint8_t>;

void put(Sum sum, Bytes layer, unsigned level) {
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = static_cast<std::uint8_t>(layer[i] * level / kFull);
}

void add(Sum sum, Bytes layer, unsigned level) {
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = static_cast<std::uint8_t>(std::min(255U, sum[i] + layer[i] * level / kFull));
}

void lighten(Sum sum, Bytes layer, unsigned level) {
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = static_cast<std::uint8_t>(std::max<unsigned>(sum[i], layer[i] * level / kFull));
}

// Lays a layer over the sum by the layer's alpha.
void lay_over(Sum sum, Bytes layer, unsigned level) {
  for (std::size_t i = 0; i + 3 < sum.size(); i += 4) {
    const unsigned cover = layer[i + 3] * level;  // of 255 * kFull
    for (std::size_t c = i; c < i + 4; ++c) {
      // The alpha covers as much as it is.
      const unsigned above = (c == i + 3 ? 255 : layer[c]) * cover;
      sum[c] = static_cast<std::uint8_t>((above + sum[c] * (255 * kFull - cover)) / (255 * kFull));
    }
  }
}

using Mode = void (*)(Sum, Bytes, unsigned);
constexpr std::array<std::pair<std::string_view, Mode>, 3> kModes{
    {{"add", add}, {"lighten", lighten}, {"over", lay_over}}};

// "level7" belongs to input 7, at index 6.
std::size_t place_of(std::string_view parameter) {
  std::size_t number = 0;
  const auto digits = parameter.substr(kLevel.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number - 1;
}

class Mix final : public Plugin {
 public:
  explicit Mix(const Setup& setup) {
    for (const auto& [name, value] : setup.parameters)
      set(name, value);
  }

  std::optional<media::Frame> process(Work& work) override {
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    const auto picture = output->rgba();
    for (std::size_t done = 0; done < picture.size(); done += kRunBytes) {
      const auto run = picture.subspan(done, std::min(kRunBytes, picture.size() - done));
      put(run, work.inputs[0].rgba().subspan(done, run.size()), levels_[0]);
      for (std::size_t i = 1; i < work.inputs.size(); ++i)
        mode_(run, work.inputs[i].rgba().subspan(done, run.size()), levels_[i]);
    }
    return std::move(*output).publish();
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    if (parameter == "mode") {
      for (const auto& [name, mode] : kModes)
        mode_ = name == std::get<std::string>(value) ? mode : mode_;
    } else if (parameter.starts_with(kLevel)) {
      levels_.at(place_of(parameter)) =
          static_cast<unsigned>(std::lround(std::get<double>(value) * static_cast<double>(kFull)));
    }
  }

 private:
  Mode mode_ = add;
  std::array<unsigned, show::kMixerInputs.most> levels_{};
};

}  // namespace

Description mix_description() {
  Description mix{.id = "mix",
                  .kind = Kind::mixer,
                  .explanation = "Brings 2 to 16 pictures together, each at its level"};
  mix.parameters.push_back({.name = "mode",
                            .type = ParameterType::text,
                            .explanation =
                                "add light, keep the lighter, or lay each over those before it "
                                "by its alpha",
                            .initial = std::string(kModes[0].first)});
  for (const auto& [name, mode] : kModes)
    mix.parameters.back().choices.emplace_back(name);
  for (std::size_t number = 1; number <= show::kMixerInputs.most; ++number) {
    mix.parameters.push_back({.name = show::level_of_input(number),
                              .explanation = fmt::format("Of input {}", number),
                              .initial = 1.0});
  }
  mix.memory = Memory::none;
  return mix;
}

Result<std::unique_ptr<Plugin>> make_mix(const Setup& setup) {
  return std::make_unique<Mix>(setup);
}

}  // namespace submix::plugin
