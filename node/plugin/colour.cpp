// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/built_ins.hpp"
#include "node/plugin/lut_shelf.hpp"
#include "node/plugin/trouble.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace submix::plugin {
namespace {

constexpr int kMixBits = 10;                     // of the weights with which channels are mixed
constexpr std::chrono::seconds kLutPatience{5};  // of a patch without pace, for a file

struct Grade {
  double lift = 0;
  double gamma = 1;
  double gain = 1;
  double red = 1;
  double green = 1;
  double blue = 1;
  double saturation = 1;
  double hue = 0;  ///< degrees

  friend bool operator==(const Grade&, const Grade&) = default;
};

constexpr std::array<std::pair<std::string_view, double Grade::*>, 8> kGradeNumbers{{
    {"lift", &Grade::lift},
    {"gamma", &Grade::gamma},
    {"gain", &Grade::gain},
    {"red", &Grade::red},
    {"green", &Grade::green},
    {"blue", &Grade::blue},
    {"saturation", &Grade::saturation},
    {"hue", &Grade::hue},
}};

using ToneCurve = std::array<std::uint8_t, 256>;

/// Lift moves black and keeps white, gain moves white and keeps black, gamma bends the values
/// between.
ToneCurve curve_of(const Grade& grade, double channel) {
  ToneCurve curve;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double in = static_cast<double>(i) / 255;
    const double lifted = in * grade.gain * channel + grade.lift * (1 - in);
    const double out = std::pow(std::clamp(lifted, 0.0, 1.0), 1 / grade.gamma);
    curve[i] = static_cast<std::uint8_t>(std::lround(out * 255));
  }
  return curve;
}

using Weights = std::array<std::array<int, 3>, 3>;

/// The shares of red, green and blue in each channel of the result.
///
/// Source   The matrices of the SVG filter feColorMatrix for saturate and hueRotate. They keep the
///          brightness by the weights of BT.709.
Weights weights_of(const Grade& grade) {
  constexpr std::array<double, 3> kLuma{0.2126, 0.7152, 0.0722};
  constexpr std::array<std::array<double, 3>, 3> kSine{
      {{-0.2126, -0.7152, 0.9278}, {0.143, 0.140, -0.283}, {-0.7874, 0.7152, 0.0722}}};
  const double angle = grade.hue * std::numbers::pi / 180;
  Weights weights{};
  for (std::size_t to = 0; to < 3; ++to) {
    for (std::size_t from = 0; from < 3; ++from) {
      const double own = to == from ? 1 : 0;
      const double turned =
          kLuma[from] + (own - kLuma[from]) * std::cos(angle) + kSine[to][from] * std::sin(angle);
      const double weight = kLuma[from] + (turned - kLuma[from]) * grade.saturation;
      weights[to][from] = static_cast<int>(std::lround(weight * (1 << kMixBits)));
    }
  }
  return weights;
}

/// The LUT that a slot names. Until a newly named file is read, the former table stays.
///
/// Threads  Confined (the owner thread). trouble(): any.
class SlotLut {
 public:
  SlotLut(const Setup& setup, std::shared_ptr<LutShelf> shelf)
      : about_(setup.about()), events_(setup.events), shelf_(std::move(shelf)) {}

  /// Empty: no LUT.
  void name(const std::string& file) {
    if (lut_ != nullptr && lut_->file() == file) return;
    lut_ = file.empty() ? nullptr : shelf_->ask(file);
    if (lut_ == nullptr) take(std::make_shared<const LutState>());
  }

  void wait(std::chrono::steady_clock::time_point deadline, const std::stop_token& stop) {
    if (lut_ != nullptr) static_cast<void>(shelf_->wait(*lut_, deadline, stop));
  }

  /// Null: the picture stays as it is.
  const ColorTable* table() {
    if (lut_ != nullptr) {
      auto state = lut_->state();
      if (state->is_known && state != state_) take(std::move(state));
    }
    return state_->table.get();
  }

  [[nodiscard]] std::string trouble() const { return trouble_.text(); }

 private:
  void take(std::shared_ptr<const LutState> state) {
    state_ = std::move(state);
    trouble_.set(state_->trouble);
    if (events_ != nullptr && !state_->trouble.empty())
      events_->report(Severity::warning, about_, state_->trouble);
  }

  const std::string about_;
  EventSink* const events_;
  const std::shared_ptr<LutShelf> shelf_;
  std::shared_ptr<const Lut> lut_;
  std::shared_ptr<const LutState> state_ = std::make_shared<const LutState>();
  Trouble trouble_;
};

class Colour final : public Plugin {
 public:
  Colour(const Setup& setup, std::shared_ptr<LutShelf> shelf)
      : is_paced_(setup.is_paced), lut_(setup, std::move(shelf)) {
    for (const auto& [name, value] : setup.parameters)
      set(name, value);
  }

  std::optional<media::Frame> process(Work& work) override {
    if (!is_paced_) lut_.wait(std::chrono::steady_clock::now() + kLutPatience, work.stop);
    const auto* table = lut_.table();
    const bool is_graded = grade_ != Grade();
    const bool is_looked_up = table != nullptr && lut_share_ > 0;
    if (!is_graded && !is_looked_up) return work.inputs[0];
    auto output = work.draw_over_input();
    if (!output) return std::nullopt;
    if (is_graded) {
      follow_grade();
      apply(output->rgba());
    }
    if (is_looked_up) table->apply(output->rgba(), lut_share_);
    return std::move(*output).publish();
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    if (parameter == "lut") return lut_.name(std::get<std::string>(value));
    if (parameter == "lut_mix") {
      lut_share_ = static_cast<unsigned>(
          std::lround(std::get<double>(value) * double{ColorTable::kWholeShare}));
      return;
    }
    const auto* number =
        std::ranges::find(kGradeNumbers, parameter, &decltype(kGradeNumbers)::value_type::first);
    if (number != kGradeNumbers.end()) grade_.*(number->second) = std::get<double>(value);
  }

  void wait_until_ready(std::chrono::steady_clock::time_point deadline) override {
    lut_.wait(deadline, {});
  }

  [[nodiscard]] std::string trouble() const override { return lut_.trouble(); }

 private:
  void follow_grade() {
    if (grade_ == applied_) return;
    applied_ = grade_;
    curves_ = {curve_of(grade_, grade_.red), curve_of(grade_, grade_.green),
               curve_of(grade_, grade_.blue)};
    weights_ = weights_of(grade_);
  }

  void apply(std::span<std::uint8_t> rgba) const {
    const bool is_mixed = grade_.saturation != 1 || grade_.hue != 0;
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
      auto* pixel = &rgba[i];
      const std::array<int, 3> curved{curves_[0][pixel[0]], curves_[1][pixel[1]],
                                      curves_[2][pixel[2]]};
      for (std::size_t c = 0; c < 3; ++c)
        pixel[c] = is_mixed ? mixed(curved, weights_[c]) : static_cast<std::uint8_t>(curved[c]);
    }
  }

  static std::uint8_t mixed(const std::array<int, 3>& from, const std::array<int, 3>& weights) {
    const int sum = from[0] * weights[0] + from[1] * weights[1] + from[2] * weights[2];
    return static_cast<std::uint8_t>(std::clamp((sum + (1 << (kMixBits - 1))) >> kMixBits, 0, 255));
  }

  const bool is_paced_;
  SlotLut lut_;
  unsigned lut_share_ = ColorTable::kWholeShare;
  Grade grade_;
  Grade applied_;  // the grade for which the tables below were made
  std::array<ToneCurve, 3> curves_{};
  Weights weights_{};
};

}  // namespace

Description colour_description() {
  return {
      .id = "colour",
      .kind = Kind::filter,
      .explanation = "Grades the picture: lift, gamma, gain, saturation, hue and a LUT",
      .author = "Submix",
      .parameters = {number_parameter("lift", "Brightens or darkens the dark parts", 0, -1, 1),
                     number_parameter("gamma", "Brightens or darkens what is between", 1, 0.2, 5),
                     number_parameter("gain", "Brightens or darkens the bright parts", 1, 0, 4),
                     number_parameter("saturation", "0: gray", 1, 0, 4),
                     number_parameter("hue", "Turns all colours, in degrees", 0, -180, 180),
                     number_parameter("red", "More or less of red", 1, 0, 2),
                     number_parameter("green", "More or less of green", 1, 0, 2),
                     number_parameter("blue", "More or less of blue", 1, 0, 2),
                     {.name = "lut",
                      .type = ParameterType::text,
                      .explanation = "A .cube file below the node's media folder, applied last",
                      .initial = std::string()},
                     number_parameter("lut_mix", "How much of the LUT is seen", 1, 0, 1)},
      .memory = Memory::none};
}

Result<std::unique_ptr<Plugin>> make_colour(const Setup& setup, std::shared_ptr<LutShelf> shelf) {
  return std::make_unique<Colour>(setup, std::move(shelf));
}

}  // namespace submix::plugin
