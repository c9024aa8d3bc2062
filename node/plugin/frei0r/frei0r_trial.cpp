// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/frei0r/frei0r_trial.hpp"

#include "node/plugin/frei0r/frei0r_library.hpp"

#include "common/media/frame.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace submix::plugin {
namespace {

constexpr std::uint32_t kNoises = 6;
// Levels that plugins may take as nothing to draw.
constexpr std::array<std::uint8_t, 2> kFlat{0, 255};
constexpr std::size_t kAlignment = 64;

using Texts = std::span<const std::string_view>;

// The known texts of frei0r 1.8. Each plugin describes them in its explanation in other words.
// Files and splines have none.
constexpr std::array<std::string_view, 18> kBlendModes{
    "normal",     "add",       "saturate",   "multiply",      "screen",    "overlay",
    "darken",     "lighten",   "colordodge", "colorburn",     "hardlight", "softlight",
    "difference", "exclusion", "hslhue",     "hslsaturation", "hslcolor",  "hslluminosity"};
constexpr std::array<std::string_view, 2> kGradients{"gradient_linear", "gradient_radial"};
constexpr std::array<std::string_view, 8> kTables{"xpro",      "sepia", "heat",  "red_green",
                                                  "old_photo", "xray",  "esses", "yellow_blue"};
constexpr std::array<std::string_view, 11> kMedians{
    "Cross5", "Square3x3", "Bilevel", "Diamond3x3", "Square5x5", "Temp3",
    "Temp5",  "ArceBI",    "ML3D",    "ML3dEX",     "VarSize"};
constexpr std::array<std::string_view, 4> kMasks{"0", "1", "2", "3"};
constexpr std::array<std::string_view, 3> kOperations{"0", "1", "2"};
constexpr std::array<std::string_view, 4> kColorMaps{"grayscale", "earth", "heat", "rainbow"};
constexpr std::array<std::string_view, 3> kChannels{"r", "g", "b"};
constexpr std::array<std::string_view, 2> kIndexes{"ndvi", "vi"};
constexpr std::array<std::string_view, 2> kLegends{"off", "bottom"};

struct KnownTexts {
  std::string_view parameter;
  Texts texts;
};
constexpr std::array kKnownTexts{KnownTexts{"blend mode", kBlendModes},
                                 KnownTexts{"pattern", kGradients},
                                 KnownTexts{"table", kTables},
                                 KnownTexts{"Type", kMedians},
                                 KnownTexts{"Mask type", kMasks},
                                 KnownTexts{"Operation 1", kOperations},
                                 KnownTexts{"Operation 2", kOperations},
                                 KnownTexts{"Color Map", kColorMaps},
                                 KnownTexts{"Visible Channel", kChannels},
                                 KnownTexts{"NIR Channel", kChannels},
                                 KnownTexts{"Index Calculation", kIndexes},
                                 KnownTexts{"Legend", kLegends}};

Texts texts_of(const ParameterDescription& parameter) {
  if (parameter.type != ParameterType::text) return {};
  const auto* const found = std::ranges::find(kKnownTexts, parameter.name, &KnownTexts::parameter);
  return found == kKnownTexts.end() ? Texts() : found->texts;
}

show::ParameterValue value_at(const ParameterDescription& parameter, double level) {
  switch (parameter.type) {
    case ParameterType::boolean:
      return level >= 0.5;
    case ParameterType::color:
      return std::vector<double>{level, 1 - level, level};
    case ParameterType::position:
      return std::vector<double>{level, level};
    case ParameterType::number:
      return parameter.minimum + level * (parameter.maximum - parameter.minimum);
    case ParameterType::text:
      break;
  }
  return parameter.initial;
}

/// The level of each parameter between its limits, one after the other.
class Levels {
 public:
  explicit Levels(int setting) : setting_(setting), random_(static_cast<std::uint32_t>(setting)) {}

  double next() {
    constexpr std::array kLevels{0.0, 0.35, 0.7, 1.0};
    const auto level = static_cast<std::size_t>(setting_) - 1;
    return level < kLevels.size() ? kLevels.at(level)
                                  : std::generate_canonical<double, 32>(random_);
  }

 private:
  const int setting_;
  std::mt19937 random_;
};

}  // namespace

TrialPicture::TrialPicture(Size size)
    : bytes_(size.pixels() * media::kBytesPerRgbaPixel + kAlignment) {}

std::span<std::uint8_t> TrialPicture::rgba() {
  void* begin = bytes_.data();
  auto room = bytes_.size();
  const auto size = bytes_.size() - kAlignment;
  std::align(kAlignment, size, begin, room);
  return {static_cast<std::uint8_t*>(begin), size};
}

void TrialPicture::fill(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto low = random() % 128;
  const auto pixels = rgba();
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const bool is_opaque = i % media::kBytesPerRgbaPixel == 3 && seed % 2 == 0;
    pixels[i] =
        is_opaque ? std::uint8_t{255} : static_cast<std::uint8_t>(low + random() % (255 - low));
  }
}

Trial::Trial(const Frei0rLibrary& library, Size size) : library_(library), size_(size) {
  for (std::uint32_t seed = 0; seed < kNoises; ++seed)
    pictures_.emplace_back(size).fill(seed);
  for (const auto level : kFlat)
    std::ranges::fill(pictures_.emplace_back(size).rgba(), level);
}

int Trial::settings_to_try() const {
  int settings = kLevelSettings;
  for (const auto& parameter : library_.description.parameters)
    settings = std::max(settings, 1 + static_cast<int>(texts_of(parameter).size()));
  return settings;
}

Result<std::unique_ptr<Frei0rInstance>> Trial::make(int setting) const {
  Setup setup;
  setup.slot = "trial";
  setup.size = size_;
  Levels levels(setting);
  for (const auto& parameter : library_.description.parameters) {
    const bool is_initial = setting == 0;
    auto value = is_initial ? parameter.initial : value_at(parameter, levels.next());
    if (const auto texts = texts_of(parameter); !is_initial && !texts.empty())
      value = std::string(texts[static_cast<std::size_t>(setting) % texts.size()]);
    setup.parameters.emplace(parameter.name, std::move(value));
  }
  return Frei0rInstance::make(library_, setup);
}

void Trial::draw(Frei0rInstance& instance, int frame, TrialPicture& output) {
  instance.draw(std::chrono::milliseconds(40) * frame, inputs(instance, frame), output.rgba());
}

void Trial::draw_over(Frei0rInstance& instance, int frame, TrialPicture& output) {
  instance.draw_over(std::chrono::milliseconds(40) * frame, inputs(instance, frame), output.rgba());
}

Frei0rInstance::Inputs Trial::inputs(const Frei0rInstance& instance, int frame) {
  Frei0rInstance::Inputs inputs{};
  for (std::size_t i = 0; i < instance.input_count(); ++i)
    inputs[i] = pictures_[(static_cast<std::size_t>(frame) + 2 * i) % pictures_.size()].rgba();
  return inputs;
}

}  // namespace submix::plugin
