// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace submix::throughput {
namespace {

constexpr double kWidth = 860;
constexpr double kLabelsEnd = 250;  // x of the first pixel of the bars
constexpr double kBarsEnd = 760;    // x of the figures behind the bars
constexpr double kMargin = 24;
constexpr double kHeadHeight = 68;
constexpr double kPanelHead = 34;
constexpr double kRow = 24;
constexpr double kBarHeight = 15;

// Readable without red and green vision, and in grey.
constexpr const char* kOwnColour = "#0b62a8";
constexpr const char* kOtherColour = "#9aa7b4";

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (c == '"') {
      safe += "&quot;";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string figure(double value) {
  if (value >= 1000) return fmt::format("{:.0f}", value);
  if (value >= 100) return fmt::format("{:.1f}", value);
  return fmt::format("{:.4g}", value);
}

/// Draws from top to bottom.
class SvgCanvas {
 public:
  void text(double x, double y, std::string_view words, const char* style) {
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, style,
                         escaped(words));
  }
  /// Ends at `x`. Uses smaller letters if the label would not fit the picture.
  void label(double x, double y, std::string_view words) {
    constexpr std::size_t kFitting = 29;
    constexpr double kFontSize = 13;
    std::string size;
    if (words.size() > kFitting)
      size =
          fmt::format(" style=\"font-size:{:.1f}px\"", kFontSize * static_cast<double>(kFitting) /
                                                           static_cast<double>(words.size()));
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"label\"{}>{}</text>\n", x, y,
                         size, escaped(words));
  }
  void box(double x, double y, double width, const char* colour) {
    body_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n", x, y,
        std::max(width, 0.5), kBarHeight, colour);
  }
  void line(double x1, double y1, double x2, double y2, const char* style) {
    body_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1,
        x2, y2, style);
  }
  [[nodiscard]] std::string whole(double height) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" "
        "height=\"{1:.0f}\">\n"
        "<style>text{{font:13px sans-serif;fill:#1d2630}}.title{{font-size:19px;font-weight:600}}"
        ".small{{fill:#5a6672}}.panel{{font-weight:600}}.label{{text-anchor:end}}"
        ".mark{{stroke:#b3440f;stroke-dasharray:4 "
        "3}}.range{{stroke:#1d2630;stroke-width:1.5}}</style>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{2}</svg>\n",
        kWidth, height, body_);
  }

 private:
  std::string body_;
};

/// The figure that fills the whole width: the greatest figure. If it is many times all others,
/// which would then be too short to compare, a little more than the second greatest.
double width_of(const Panel& panel) {
  constexpr double kManyTimes = 6;
  constexpr double kLittleMore = 1.25;
  double greatest = panel.mark.value_or(0);
  double second = greatest;
  for (const auto& bar : panel.bars) {
    const double end = std::max(bar.value, bar.high.value_or(0));
    second = std::max(second, std::min(end, greatest));
    greatest = std::max(greatest, end);
  }
  if (second > 0 && greatest > kManyTimes * second) return kLittleMore * second;
  return greatest > 0 ? greatest : 1;
}

/// A bar that continues beyond the picture. Its last part is drawn apart.
void draw_cut_bar(SvgCanvas& canvas, const Bar& bar, double y) {
  constexpr double kGap = 5;
  constexpr double kLastPart = 14;
  const auto* colour = bar.is_own ? kOwnColour : kOtherColour;
  canvas.box(kLabelsEnd, y, kBarsEnd - kLabelsEnd - kLastPart - kGap, colour);
  canvas.box(kBarsEnd - kLastPart, y, kLastPart, colour);
  canvas.text(kBarsEnd + 6, y + kBarHeight / 2 + 4, figure(bar.value), "value");
}

void draw_bar(SvgCanvas& canvas, const Bar& bar, double y, double scale) {
  const double middle = y + kBarHeight / 2;
  canvas.label(kLabelsEnd - 8, middle + 4, bar.label);
  if (kLabelsEnd + bar.value * scale > kBarsEnd) return draw_cut_bar(canvas, bar, y);
  canvas.box(kLabelsEnd, y, bar.value * scale, bar.is_own ? kOwnColour : kOtherColour);
  double end = bar.value;
  if (bar.low && bar.high && *bar.high > *bar.low) {
    canvas.line(kLabelsEnd + *bar.low * scale, middle, kLabelsEnd + *bar.high * scale, middle,
                "range");
    end = std::max(end, *bar.high);
  }
  canvas.text(kLabelsEnd + end * scale + 6, middle + 4, figure(bar.value), "value");
}

double draw_panel(SvgCanvas& canvas, const Panel& panel, double y) {
  canvas.text(kMargin, y + 14, panel.title, "panel");
  const double top = y + kPanelHead - 8;
  const double scale = (kBarsEnd - kLabelsEnd) / width_of(panel);
  double row = top;
  for (const auto& bar : panel.bars) {
    draw_bar(canvas, bar, row, scale);
    row += kRow;
  }
  if (panel.mark) {
    const double x = kLabelsEnd + *panel.mark * scale;
    canvas.line(x, top - 4, x, row - 4, "mark");
  }
  return row + 14;
}

}  // namespace

std::string to_svg(const Chart& chart) {
  SvgCanvas canvas;
  constexpr std::size_t kLongTitle = 72;
  canvas.text(kMargin, 34, chart.title, chart.title.size() > kLongTitle ? "panel" : "title");
  canvas.text(kMargin, 54, chart.subtitle, "small");
  double y = kHeadHeight;
  for (const auto& panel : chart.panels)
    y = draw_panel(canvas, panel, y);
  return canvas.whole(y + kMargin / 2);
}

}  // namespace submix::throughput
