// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/built_ins.hpp"
#include "node/plugin/choices.hpp"
#include "node/plugin/drawing_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

// Each picture is a pure function of the frame's index and the parameters. A restarted source shows
// the same pictures, on this node or on another.

namespace submix::plugin {
namespace {

constexpr std::array kBars{Color{235, 235, 235, 255}, Color{235, 235, 16, 255},
                           Color{16, 235, 235, 255},  Color{16, 235, 16, 255},
                           Color{235, 16, 235, 255},  Color{235, 16, 16, 255},
                           Color{16, 16, 235, 255},   Color{16, 16, 16, 255}};

/// The values that a pattern needs for one frame.
struct Scene {
  DrawingSurface surface;
  double moved = 0.0;  // pixels since frame 0
  Color color;

  // The position of an object that moves around a circle of `period` pixels.
  [[nodiscard]] int offset(int period) const {
    const double rest = std::fmod(moved, period);
    return static_cast<int>(rest < 0 ? rest + period : rest) % period;
  }
  // The position of an object that bounces between 0 and `range`.
  [[nodiscard]] int bounce(int range) const {
    if (range <= 0) return 0;
    const int position = offset(2 * range);
    return position <= range ? position : 2 * range - position;
  }
};

void draw_bars(Scene& scene) {
  const auto size = scene.surface.size();
  const int shift = scene.offset(size.width);
  for (int x = 0; x < size.width; ++x) {
    const int place = (x + shift) % size.width;
    scene.surface.put(x, 0,
                      kBars[static_cast<std::size_t>(place) * kBars.size() /
                            static_cast<std::size_t>(size.width)]);
  }
  scene.surface.repeat_row(0, 1, size.height);
}

void draw_gradient(Scene& scene) {
  const auto size = scene.surface.size();
  const int shift = scene.offset(size.width);
  for (int x = 0; x < size.width; ++x) {
    const double place = static_cast<double>((x + shift) % size.width) / size.width;
    scene.surface.put(x, 0, scene.color.scaled(1.0 - std::abs(2.0 * place - 1.0)));
  }
  scene.surface.repeat_row(0, 1, size.height);
}

void draw_checkerboard(Scene& scene) {
  const auto size = scene.surface.size();
  const int square = std::max(size.height / 8, 4);
  const int shift = scene.offset(2 * square);
  const Color dark = scene.color.scaled(0.15);
  std::array<int, 2> first_row{-1, -1};  // of each of the two kinds of rows
  for (int y = 0; y < size.height; ++y) {
    const int kind = (y + shift) / square % 2;
    auto& first = first_row[static_cast<std::size_t>(kind)];
    if (first >= 0) {
      scene.surface.repeat_row(first, y, y + 1);
      continue;
    }
    first = y;
    for (int x = 0; x < size.width; ++x) {
      scene.surface.put(x, y, ((x + shift) / square + kind) % 2 == 0 ? scene.color : dark);
    }
  }
}

void draw_box(Scene& scene) {
  const auto size = scene.surface.size();
  const int side = std::max(size.height / 4, 4);
  scene.surface.fill({0, 0, size.width, size.height}, scene.color.scaled(0.15));
  scene.surface.fill(
      {scene.bounce(size.width - side), scene.bounce(size.height - side), side, side}, scene.color);
}

struct Style {
  const char* name;
  void (*draw)(Scene&);
};
constexpr std::array kStyles{Style{"bars", draw_bars}, Style{"gradient", draw_gradient},
                             Style{"checkerboard", draw_checkerboard}, Style{"box", draw_box}};

class Pattern final : public Plugin {
 public:
  explicit Pattern(const Setup& setup) {
    for (const auto& [name, value] : setup.parameters)
      set(name, value);
  }

  std::optional<media::Frame> process(Work& work) override {
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    Scene scene{DrawingSurface(output->rgba(), output->size()),
                way(static_cast<double>(work.stamp.index.value)), color_};
    draw_(scene);
    return std::move(*output).publish();
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    if (parameter == "speed") speed_ = std::get<double>(value);
    if (parameter == "color") color_ = Color::from_parts(std::get<std::vector<double>>(value));
    if (parameter != "style") return;
    const auto* const style = std::find_if(
        kStyles.begin(), kStyles.end(),
        [&](const Style& candidate) { return candidate.name == std::get<std::string>(value); });
    if (style != kStyles.end()) draw_ = style->draw;
  }

 private:
  // The distance moved until frame `index`, in pixels. A new speed continues from there, so the
  // speed may oscillate.
  double way(double index) {
    if (last_speed_ && *last_speed_ != speed_) lead_ += (*last_speed_ - speed_) * index;
    last_speed_ = speed_;
    return lead_ + speed_ * index;
  }

  void (*draw_)(Scene&) = draw_bars;
  Color color_;
  double speed_ = 0.0;
  std::optional<double> last_speed_;  // the speed of the frame before
  double lead_ = 0.0;                 // lead over a pattern that always had the present speed
};

}  // namespace

Description pattern_description() {
  std::vector<std::string> styles;
  for (const auto& style : kStyles)
    styles.emplace_back(style.name);
  return {.id = "pattern",
          .kind = Kind::source,
          .explanation = "Moving test patterns; at one speed, the same for the same frame number",
          .parameters = {choice_parameter("style", "What it shows", styles),
                         {.name = "color",
                          .type = ParameterType::color,
                          .explanation = "Of gradient, checkerboard and box",
                          .initial = std::vector<double>{1.0, 0.6, 0.1}},
                         {.name = "speed",
                          .explanation = "Pixels a frame",
                          .initial = 4.0,
                          .minimum = -64.0,
                          .maximum = 64.0}}};
}

Result<std::unique_ptr<Plugin>> make_pattern(const Setup& setup) {
  return std::make_unique<Pattern>(setup);
}

}  // namespace submix::plugin
