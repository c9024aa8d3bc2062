// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/built_ins.hpp"
#include "node/plugin/choices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace submix::plugin {
namespace {

// Shares of red, green and blue, of 1024.
//
// Source   BT.709, full range.
constexpr std::array kLuma{218, 732, 74};
constexpr std::array kCb{-117, -395, 512};
constexpr std::array kCr{512, -465, -47};

constexpr int share_of(const std::array<int, 3>& shares, const std::uint8_t* rgb) {
  return (shares[0] * rgb[0] + shares[1] * rgb[1] + shares[2] * rgb[2] + 512) >> 10;
}

constexpr std::array kGreenScreen{0.15, 0.75, 0.2};  // as seen by cameras

/// The alpha of a pixel, 0 to 255, by its distance from the key: 0 within the tolerance, 255 beyond
/// tolerance and softness.
std::uint8_t opacity(double distance, double tolerance, double softness) {
  const double part =
      softness > 0 ? (distance - tolerance) / softness : (distance > tolerance ? 1.0 : 0.0);
  return static_cast<std::uint8_t>(std::lround(std::clamp(part, 0.0, 1.0) * 255));
}

struct Key {
  bool is_luma = false;
  std::vector<double> color{kGreenScreen.begin(), kGreenScreen.end()};
  double tolerance = 0.25;
  double softness = 0.1;
  double spill = 0.5;
  bool is_inverted = false;

  friend bool operator==(const Key&, const Key&) = default;
};

/// Makes a colour or the dark transparent. Whole numbers and tables only, so that all computers
/// make the same picture.
class Keyer final : public Plugin {
 public:
  explicit Keyer(const Setup& setup) {
    for (const auto& [name, value] : setup.parameters)
      set(name, value);
    fill_tables();
  }

  std::optional<media::Frame> process(Work& work) override {
    auto output = work.draw_over_input();
    if (!output) return std::nullopt;
    if (key_ != filled_) fill_tables();
    apply(output->rgba());
    return std::move(*output).publish();
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    if (parameter == "mode") key_.is_luma = std::get<std::string>(value) == "luma";
    if (parameter == "color") key_.color = std::get<std::vector<double>>(value);
    if (parameter == "tolerance") key_.tolerance = std::get<double>(value);
    if (parameter == "softness") key_.softness = std::get<double>(value);
    if (parameter == "spill") key_.spill = std::get<double>(value);
    if (parameter == "invert") key_.is_inverted = std::get<bool>(value);
  }

 private:
  static constexpr std::size_t kSteps = 128;  // of each colour difference: every second one

  void fill_tables() {
    filled_ = key_;
    std::array<std::uint8_t, 3> rgb{};
    for (std::size_t i = 0; i < rgb.size(); ++i)
      rgb[i] = static_cast<std::uint8_t>(std::lround(std::clamp(key_.color[i], 0.0, 1.0) * 255));
    const int keyed_cb = share_of(kCb, rgb.data());
    const int keyed_cr = share_of(kCr, rgb.data());
    strongest_ =
        static_cast<std::size_t>(std::ranges::max_element(key_.color) - key_.color.begin());
    others_ = {(strongest_ + 1) % 3, (strongest_ + 2) % 3};
    spill_ = key_.is_luma ? 0 : static_cast<int>(std::lround(key_.spill * 256));
    for (int luma = 0; luma < 256; ++luma)
      by_luma_[static_cast<std::size_t>(luma)] = kept(luma / 255.0);
    for (std::size_t cb = 0; cb < kSteps; ++cb) {
      for (std::size_t cr = 0; cr < kSteps; ++cr) {
        // In units of the distance from gray to the purest green.
        constexpr double kPurest = 151;
        const auto off = [](std::size_t step, int key) {
          return 2 * static_cast<double>(step) - 127.5 - key;
        };
        by_color_[cb * kSteps + cr] =
            kept(std::hypot(off(cb, keyed_cb), off(cr, keyed_cr)) / kPurest);
      }
    }
  }

  static std::size_t step_of(int difference) {
    const int level = std::min(difference + 128, 255);
    return static_cast<std::size_t>(level) / 2;
  }

  [[nodiscard]] std::uint8_t kept(double distance) const {
    const auto kept = opacity(distance, key_.tolerance, key_.softness);
    return key_.is_inverted ? static_cast<std::uint8_t>(255 - kept) : kept;
  }

  void apply(std::span<std::uint8_t> rgba) const {
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
      auto* pixel = &rgba[i];
      const unsigned stays = key_.is_luma ? stays_by_luma(pixel) : stays_by_color(pixel);
      if (spill_ > 0) take_spill(pixel);
      // To the nearest whole number, without a division.
      const unsigned product = pixel[3] * stays + 128;
      pixel[3] = static_cast<std::uint8_t>((product + (product >> 8U)) >> 8U);
    }
  }

  [[nodiscard]] std::uint8_t stays_by_luma(const std::uint8_t* pixel) const {
    const int luma = std::min(share_of(kLuma, pixel), 255);
    return by_luma_[static_cast<std::size_t>(luma)];
  }
  [[nodiscard]] std::uint8_t stays_by_color(const std::uint8_t* pixel) const {
    return by_color_[step_of(share_of(kCb, pixel)) * kSteps + step_of(share_of(kCr, pixel))];
  }

  // Lowers the key's strongest channel towards the next one, by the spill.
  void take_spill(std::uint8_t* pixel) const {
    const int next = std::max(pixel[others_[0]], pixel[others_[1]]);
    const int excess = std::max(0, pixel[strongest_] - next);
    pixel[strongest_] = static_cast<std::uint8_t>(pixel[strongest_] - ((excess * spill_) >> 8));
  }

  Key key_;
  Key filled_;  // the key for which the tables were made
  std::array<std::size_t, 2> others_{};
  std::size_t strongest_ = 0;  // channel of the key
  int spill_ = 0;              // of 256
  std::array<std::uint8_t, 256> by_luma_{};
  std::array<std::uint8_t, kSteps * kSteps> by_color_{};
};

}  // namespace

Description keyer_description() {
  return {
      .id = "keyer",
      .kind = Kind::filter,
      .explanation = "Makes a colour, or the dark, transparent: layers below show through",
      .author = "Submix",
      .parameters = {choice_parameter("mode", "chroma: by the colour; luma: the dark goes",
                                      {"chroma", "luma"}),
                     {.name = "color",
                      .type = ParameterType::color,
                      .explanation = "The colour that goes, such as the green of a screen",
                      .initial = std::vector<double>(kGreenScreen.begin(), kGreenScreen.end())},
                     number_parameter("tolerance", "How near a colour must be to go", 0.25, 0, 1),
                     number_parameter("softness", "How gently the edge begins", 0.1, 0, 1),
                     number_parameter("spill", "Takes the key's light off what stays", 0.5, 0, 1),
                     {.name = "invert",
                      .type = ParameterType::boolean,
                      .explanation = "Keeps what would go",
                      .initial = false}},
      .memory = Memory::none};
}

Result<std::unique_ptr<Plugin>> make_keyer(const Setup& setup) {
  return std::make_unique<Keyer>(setup);
}

}  // namespace submix::plugin
