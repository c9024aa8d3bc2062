// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/text/text.hpp"

#include "node/io/text/text_file.hpp"
#include "node/io/text/text_painter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace submix::io {
namespace {

using plugin::ParameterDescription;
using plugin::ParameterType;

constexpr unsigned kOpaque = 255;
constexpr std::chrono::seconds kPatience{5};  // of a patch without pace

constexpr std::array<std::string_view, 3> kAligns{"left", "center", "right"};

unsigned product(unsigned a, unsigned b) {
  return (a * b + kOpaque / 2) / kOpaque;
}

/// The colours of `over` are premultiplied by alpha; those of `below` are not.
void put_over(std::span<const std::uint8_t, 4> over, unsigned opacity,
              std::span<std::uint8_t, 4> below) {
  const unsigned alpha = product(over[3], opacity);
  if (alpha == 0) return;
  const unsigned share_below = product(below[3], kOpaque - alpha);
  const unsigned all = alpha + share_below;
  for (std::size_t c = 0; c < 3; ++c) {
    const unsigned sum = product(over[c], opacity) * kOpaque + below[c] * share_below;
    below[c] = static_cast<std::uint8_t>(std::min(kOpaque, (sum + all / 2) / all));
  }
  below[3] = static_cast<std::uint8_t>(std::min(kOpaque, all));
}

class Text final : public plugin::Plugin {
 public:
  Text(const plugin::Setup& setup, const MediaFolders& folders)
      : frame_(setup.size),
        rate_(setup.rate),
        is_paced_(setup.is_paced),
        events_(setup.events),
        about_(setup.about()),
        file_(folders),
        painter_(setup.size) {
    for (const auto& [name, value] : setup.parameters)
      set(name, value);
    follow_style();
  }

  std::optional<media::Frame> process(plugin::Work& work) override {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    if (!is_paced_) static_cast<void>(file_.wait(deadline, work.stop));
    follow_style();
    if (!is_paced_) static_cast<void>(painter_.wait(deadline, work.stop));
    auto output = begin(work);
    if (!output) return std::nullopt;
    if (const auto text = painter_.latest(); text && !text->rgba.empty()) {
      put(*text, corner(text->size, work.stamp.index), output->rgba());
      tell_if_cut(text);
    }
    return std::move(*output).publish();
  }

  void set(std::string_view name, const show::ParameterValue& value) override {
    if (const auto* text = std::get_if<std::string>(&value)) {
      if (name == "text") written_ = *text;
      if (name == "file") file_.follow(*text);
      if (name == "font") style_.font = *text;
      if (name == "align") style_.align = align_named(*text);
    } else if (const auto* number = std::get_if<double>(&value)) {
      set_number(name, *number);
    } else if (const auto* parts = std::get_if<std::vector<double>>(&value)) {
      auto& color = name == "outline_color" ? style_.outline_color : style_.fill;
      color = plugin::Color::from_parts(*parts);
    } else if (name == "bold") {
      style_.is_bold = std::get<bool>(value);
    }
  }

  void wait_until_ready(std::chrono::steady_clock::time_point deadline) override {
    static_cast<void>(file_.wait(deadline, {}));
    follow_style();
    static_cast<void>(painter_.wait(deadline, {}));
  }

  std::string trouble() const override { return file_.trouble(); }

 private:
  static TextAlign align_named(std::string_view name) {
    const auto* found = std::ranges::find(kAligns, name);
    return found == kAligns.end() ? TextAlign::center
                                  : static_cast<TextAlign>(found - kAligns.begin());
  }

  void tell_if_cut(const std::shared_ptr<const TextPicture>& text) {
    if (text == told_) return;
    told_ = text;
    if (events_ == nullptr || told_->size.width == told_->whole_size.width) return;
    events_->report(Severity::warning, about_,
                    fmt::format("the text is {} pixels wide, and only its first {} are shown: make "
                                "its size smaller, or the text shorter",
                                told_->whole_size.width, told_->size.width));
  }

  void set_number(std::string_view name, double value) {
    if (name == "size") style_.size = value;
    if (name == "outline") style_.outline = value;
    if (name == "x") x_ = value;
    if (name == "y") y_ = value;
    if (name == "opacity") opacity_ = static_cast<unsigned>(std::lround(value * kOpaque));
    if (name == "ticker") ticker_ = value;
  }

  void follow_style() {
    const auto of_file = file_.text();
    style_.text = of_file == nullptr ? written_ : *of_file;
    style_.is_one_line = ticker_ != 0;
    if (style_ == asked_) return;
    asked_ = style_;
    painter_.ask(style_);
  }

  // A source has no input.
  static std::optional<media::WritableFrame> begin(plugin::Work& work) {
    if (!work.inputs.empty()) return work.draw_over_input();
    auto output = work.acquire_output();
    if (output) std::ranges::fill(output->rgba(), std::uint8_t{0});
    return output;
  }

  struct Corner {
    int x = 0;
    int y = 0;
  };

  // A ticker comes in at one side, and starts again when it has left completely at the other.
  [[nodiscard]] Corner corner(Size text, FrameIndex frame) const {
    const double top = (frame_.height - text.height) / 2.0 + y_ * frame_.height;
    double left = (frame_.width - text.width) / 2.0 + x_ * frame_.width;
    if (ticker_ != 0) {
      const double way = frame_.width + text.width;
      const double seconds = std::chrono::duration<double>(rate_.time_of(frame)).count();
      const double passed = std::fmod(seconds * std::abs(ticker_) * frame_.width, way);
      left = ticker_ > 0 ? frame_.width - passed : passed - text.width;
    }
    return {static_cast<int>(std::lround(left)), static_cast<int>(std::lround(top))};
  }

  void put(const TextPicture& text, Corner corner, std::span<std::uint8_t> rgba) const {
    const int first_column = std::max(0, -corner.x);
    const int columns = std::min(text.size.width, frame_.width - corner.x) - first_column;
    const int last_row = std::min(text.size.height, frame_.height - corner.y);
    if (columns <= 0) return;
    const auto at = [](int column, int row, int width) {
      return (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
              static_cast<std::size_t>(column)) *
             4;
    };
    for (int row = std::max(0, -corner.y); row < last_row; ++row) {
      auto from = std::span(text.rgba).subspan(at(first_column, row, text.size.width));
      auto to = rgba.subspan(at(corner.x + first_column, corner.y + row, frame_.width));
      for (std::size_t i = 0; i < static_cast<std::size_t>(columns) * 4; i += 4)
        put_over(from.subspan(i).first<4>(), opacity_, to.subspan(i).first<4>());
    }
  }

  const Size frame_;
  const FrameRate rate_;
  const bool is_paced_;
  EventSink* const events_;  // may be null
  const std::string about_;
  std::string written_;  // the parameter
  TextFile file_;
  TextStyle style_;
  TextStyle asked_;
  double x_ = 0;  // of the text's middle from the frame's, in widths of the frame
  double y_ = 0;  // likewise, in heights
  unsigned opacity_ = kOpaque;
  double ticker_ = 0;  // widths of the frame a second, to the left
  TextPainter painter_;
  std::shared_ptr<const TextPicture> told_;  // shown last
};

ParameterDescription color(std::string name, std::string explanation, double gray) {
  return {.name = std::move(name),
          .type = ParameterType::color,
          .explanation = std::move(explanation),
          .initial = std::vector<double>{gray, gray, gray}};
}

std::vector<ParameterDescription> parameters() {
  return {
      {.name = "text",
       .type = ParameterType::text,
       .explanation = "What is written, up to 2,000 characters",
       .initial = std::string("Your text")},
      {.name = "file",
       .type = ParameterType::text,
       .explanation = "Text file of the media folder, in place of the text; changes are followed",
       .initial = std::string()},
      plugin::number_parameter("size", "Height of a line, as a part of the frame's height", 0.15,
                               0.01, 1),
      plugin::number_parameter("x", "To the right, in widths of the frame", 0, -1.5, 1.5),
      plugin::number_parameter("y", "Down, in heights of the frame", 0, -1.5, 1.5),
      plugin::number_parameter("opacity", "0 hides it", 1, 0, 1),
      color("color", "Of the letters", 1),
      plugin::number_parameter("outline", "Width of the outline, as a part of a line's height",
                               0.04, 0, 0.3),
      color("outline_color", "Of the outline", 0),
      {.name = "font",
       .type = ParameterType::text,
       .explanation = "Family of an installed font, such as Sans, Serif or Monospace",
       .initial = std::string("Sans")},
      {.name = "bold",
       .type = ParameterType::boolean,
       .explanation = "Thick letters",
       .initial = true},
      {.name = "align",
       .type = ParameterType::text,
       .explanation = "Where shorter lines stand",
       .initial = std::string("center"),
       .choices = {kAligns.begin(), kAligns.end()}},
      plugin::number_parameter(
          "ticker", "Runs through the frame, widths a second; below 0 to the right", 0, -2, 2)};
}

}  // namespace

plugin::Description text_description() {
  return {.id = "text",
          .kind = plugin::Kind::filter,
          .explanation = "Writes a text over the picture",
          .author = "Submix",
          .parameters = parameters(),
          .memory = plugin::Memory::frames};
}

plugin::Description title_description() {
  return {.id = "title",
          .kind = plugin::Kind::source,
          .explanation = "A text alone, with transparency around it",
          .author = "Submix",
          .parameters = parameters()};
}

Result<std::unique_ptr<plugin::Plugin>> make_text(const plugin::Setup& setup,
                                                  const MediaFolders& folders) {
  return std::make_unique<Text>(setup, folders);
}

}  // namespace submix::io
