// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/built_ins.hpp"
#include "node/plugin/drawing_surface.hpp"
#include "node/plugin/strip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace submix::plugin {
namespace {

class Stamp final : public Plugin {
 public:
  explicit Stamp(const Setup& setup) {
    for (const auto& [name, value] : setup.parameters)
      set(name, value);
    text_.reserve(kTextMax);
  }

  std::optional<media::Frame> process(Work& work) override {
    const auto* const picture = work.inputs[0].rgba().data();
    auto output = work.draw_over_input();
    if (!output) return std::nullopt;
    if (output->rgba().data() != picture) copied_.fetch_add(1, std::memory_order_relaxed);
    DrawingSurface surface(output->rgba(), output->size());
    if (has_digits_) draw_digits(surface, work.stamp.index);
    if (has_strip_ && strip_fits(output->size(), place_)) {
      draw_strip(surface, place_, {source_, work.stamp.epoch, work.stamp.index.value});
    }
    return std::move(*output).publish();
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    if (parameter == "text") text_ = std::get<std::string>(value).substr(0, kTextMax);
    if (parameter == "value") value_ = std::get<double>(value);
    if (parameter == "show_value") has_value_ = std::get<bool>(value);
    if (parameter == "digits") has_digits_ = std::get<bool>(value);
    if (parameter == "position") position_ = std::get<std::vector<double>>(value);
    if (parameter == "strip") has_strip_ = std::get<bool>(value);
    if (parameter == "source")
      source_ = static_cast<std::uint16_t>(std::lround(std::get<double>(value)));
    if (parameter == "place") place_ = static_cast<int>(std::lround(std::get<double>(value)));
  }

  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    return {{"copied", copied_.load(std::memory_order_relaxed)}};
  }

 private:
  static constexpr std::size_t kTextMax = 24;

  void draw_digits(DrawingSurface& surface, FrameIndex index) const {
    std::array<char, 96> buffer{};
    const auto end = has_value_
                         ? fmt::format_to_n(buffer.data(), buffer.size(), "{}{}{:06} {:.3f}", text_,
                                            text_.empty() ? "" : " ", index.value, value_)
                         : fmt::format_to_n(buffer.data(), buffer.size(), "{}{}{:06}", text_,
                                            text_.empty() ? "" : " ", index.value);
    const std::string_view line(buffer.data(), std::min(end.size, buffer.size()));
    const auto size = surface.size();
    // 720 rows give digits 56 pixels high. A long line becomes smaller until it fits.
    const int scale = std::max(1, std::min(size.height / 90, size.width / (text_width(line) + 2)));
    const int width = (text_width(line) + 2) * scale;
    const int height = (kGlyphHeight + 2) * scale;
    const int x = static_cast<int>(std::lround(position_[0] * std::max(0, size.width - width)));
    const int y = static_cast<int>(std::lround(position_[1] * std::max(0, size.height - height)));
    surface.fill({x, y, width, height}, {0, 0, 0, 255});
    draw_text(surface, x + scale, y + scale, scale, line, {255, 255, 255, 255});
  }

  std::string text_;
  double value_ = 0.0;
  bool has_value_ = false;
  bool has_digits_ = true;
  bool has_strip_ = true;
  std::vector<double> position_{0.5, 0.95};
  std::uint16_t source_ = 0;
  int place_ = 0;
  std::atomic<std::uint64_t> copied_ = 0;  // pictures copied because other slots had them too
};

}  // namespace

Description stamp_description() {
  return {
      .id = "stamp",
      .kind = Kind::filter,
      .explanation =
          "Writes the frame's number on the picture, for people and as a strip for checker",
      .parameters =
          {{.name = "text",
            .type = ParameterType::text,
            .explanation = "Stands before the number, at most 24 letters",
            .initial = std::string()},
           {.name = "digits",
            .type = ParameterType::boolean,
            .explanation = "Draw the number",
            .initial = true},
           {.name = "value", .explanation = "A number to watch", .minimum = -1e6, .maximum = 1e6},
           {.name = "show_value",
            .type = ParameterType::boolean,
            .explanation = "Draw it too",
            .initial = false},
           {.name = "position",
            .type = ParameterType::position,
            .explanation = "Of the digits",
            .initial = std::vector<double>{0.5, 0.95}},
           {.name = "strip",
            .type = ParameterType::boolean,
            .explanation = "Write the strip for checker",
            .initial = true},
           {.name = "source",
            .explanation = "Told by the strip",
            .minimum = 0,
            .maximum = 65535,
            .is_integer = true},
           {.name = "place",
            .explanation = "Where the strip stands, so that several fit in one picture",
            .minimum = 0,
            .maximum = kStripPlaces - 1,
            .is_integer = true}},
      .memory = Memory::none};
}

Result<std::unique_ptr<Plugin>> make_stamp(const Setup& setup) {
  const int place = static_cast<int>(std::lround(std::get<double>(setup.parameters.at("place"))));
  if (std::get<bool>(setup.parameters.at("strip")) && !strip_fits(setup.size, place)) {
    const auto least = strip_size_min(place);
    return fail(
        "plugin \"stamp\": the strip at place {} needs {}x{} pixels, the picture has {}x{}; "
        "take a larger size, or strip = false",
        place, least.width, least.height, setup.size.width, setup.size.height);
  }
  return std::make_unique<Stamp>(setup);
}

}  // namespace submix::plugin
