// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/built_ins.hpp"
#include "node/plugin/choices.hpp"
#include "node/plugin/scope_painter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace submix::plugin {
namespace {

constexpr int kPlaceSideMin = 16;  // pixels; of a smaller picture, the whole

constexpr std::array<std::pair<std::string_view, ScopeKind>, 4> kKinds{{
    {"waveform", ScopeKind::waveform},
    {"parade", ScopeKind::parade},
    {"vectorscope", ScopeKind::vectorscope},
    {"histogram", ScopeKind::histogram},
}};

enum class ScopePlace { whole, top_left, top_right, bottom_left, bottom_right };

constexpr std::array<std::pair<std::string_view, ScopePlace>, 5> kPlaces{{
    {"whole", ScopePlace::whole},
    {"top-left", ScopePlace::top_left},
    {"top-right", ScopePlace::top_right},
    {"bottom-left", ScopePlace::bottom_left},
    {"bottom-right", ScopePlace::bottom_right},
}};

template <typename Table>
auto named(const Table& table, const show::ParameterValue& value) {
  const auto& name = std::get<std::string>(value);
  return std::ranges::find(table, name, &Table::value_type::first)->second;
}

class Scope final : public Plugin {
 public:
  explicit Scope(const Setup& setup) : size_(setup.size), painter_(setup.size) {
    for (const auto& [name, value] : setup.parameters)
      set(name, value);
  }

  std::optional<media::Frame> process(Work& work) override {
    const bool is_covering = place_ == ScopePlace::whole && look_.opacity == 1;
    // Measured first: the output may be drawn into the input's memory.
    painter_.measure(work.inputs[0].rgba(), place(), look_);
    auto output = is_covering ? work.acquire_output() : work.draw_over_input();
    if (!output) return std::nullopt;
    DrawingSurface surface(output->rgba(), output->size());
    painter_.draw(surface);
    return std::move(*output).publish();
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    if (parameter == "kind") look_.kind = named(kKinds, value);
    if (parameter == "place") place_ = named(kPlaces, value);
    if (parameter == "size") part_ = std::get<double>(value);
    if (parameter == "opacity") look_.opacity = std::get<double>(value);
    if (parameter == "brightness") look_.brightness = std::get<double>(value);
  }

 private:
  [[nodiscard]] Rectangle place() const {
    if (place_ == ScopePlace::whole) return {0, 0, size_.width, size_.height};
    int width = side_of(size_.width);
    int height = side_of(size_.height);
    if (look_.kind == ScopeKind::vectorscope) width = height = std::min(width, height);
    const bool is_right = place_ == ScopePlace::top_right || place_ == ScopePlace::bottom_right;
    const bool is_low = place_ == ScopePlace::bottom_left || place_ == ScopePlace::bottom_right;
    return {is_right ? size_.width - width : 0, is_low ? size_.height - height : 0, width, height};
  }
  [[nodiscard]] int side_of(int whole) const {
    return std::clamp(static_cast<int>(std::lround(whole * part_)), std::min(kPlaceSideMin, whole),
                      whole);
  }

  const Size size_;
  ScopePainter painter_;
  ScopeLook look_;
  ScopePlace place_ = ScopePlace::whole;
  double part_ = 1;
};

}  // namespace

Description scope_description() {
  return {.id = "scope",
          .kind = Kind::filter,
          .explanation = "Measures the picture: waveform, parade, vectorscope or histogram",
          .author = "Submix",
          .parameters =
              {choice_parameter("kind",
                                "waveform: brightness over the width; parade: the same of red, "
                                "green and blue; vectorscope: hue and saturation; histogram: how "
                                "often each value occurs",
                                choices_of(kKinds)),
               choice_parameter("place", "In place of the picture, or over a corner of it",
                                choices_of(kPlaces)),
               number_parameter("size", "In a corner, as a part of the picture", 0.35, 0.1, 1),
               number_parameter("opacity", "Of the black behind the trace", 1, 0, 1),
               number_parameter("brightness", "Of the trace", 1, 0, 4)},
          .memory = Memory::none};
}

Result<std::unique_ptr<Plugin>> make_scope(const Setup& setup) {
  return std::make_unique<Scope>(setup);
}

}  // namespace submix::plugin
