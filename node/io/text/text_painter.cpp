// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/text/text_painter.hpp"

#include "common/base/handle.hpp"
#include "common/base/thread.hpp"

#include <pango/pangocairo.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace submix::io {
namespace {

constexpr long kCharactersMax = 2000;
constexpr int kWidthMax = 16384;

// A letter may reach beyond the line's box: slanted ones, and some accents.
constexpr int kMargin = 2;

using Surface = std::unique_ptr<cairo_surface_t, FreeBy<cairo_surface_destroy>>;
using Drawing = std::unique_ptr<cairo_t, FreeBy<cairo_destroy>>;
using Layout = std::unique_ptr<PangoLayout, FreeBy<g_object_unref>>;
using Font = std::unique_ptr<PangoFontDescription, FreeBy<pango_font_description_free>>;
using Utf8 = std::unique_ptr<char, FreeBy<g_free>>;

Drawing drawing_on(const Surface& surface) {
  return Drawing(cairo_create(surface.get()));
}

Surface surface_of(Size size) {
  return Surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, size.width, size.height));
}

Utf8 shown_text(const TextStyle& style) {
  Utf8 text(g_utf8_make_valid(style.text.data(), static_cast<gssize>(style.text.size())));
  if (g_utf8_strlen(text.get(), -1) > kCharactersMax)
    text = Utf8(g_utf8_substring(text.get(), 0, kCharactersMax));
  return text;
}

double line_pixels(const TextStyle& style, Size frame) {
  return std::max(1.0, style.size * frame.height);
}

void set_font(PangoLayout* layout, const TextStyle& style, Size frame) {
  const Font font(pango_font_description_from_string(style.font.c_str()));
  pango_font_description_set_absolute_size(font.get(), line_pixels(style, frame) * PANGO_SCALE);
  if (style.is_bold) pango_font_description_set_weight(font.get(), PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description(layout, font.get());
}

Layout layout_of(cairo_t* drawing, const TextStyle& style, Size frame) {
  constexpr std::array kAligns{PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT};
  Layout layout(pango_cairo_create_layout(drawing));
  set_font(layout.get(), style, frame);
  pango_layout_set_text(layout.get(), shown_text(style).get(), -1);
  pango_layout_set_alignment(layout.get(), kAligns[static_cast<std::size_t>(style.align)]);
  pango_layout_set_single_paragraph_mode(layout.get(), style.is_one_line ? TRUE : FALSE);
  if (!style.is_one_line) {
    pango_layout_set_width(layout.get(), frame.width * PANGO_SCALE);
    pango_layout_set_wrap(layout.get(), PANGO_WRAP_WORD_CHAR);
  }
  return layout;
}

void use(cairo_t* drawing, plugin::Color color) {
  cairo_set_source_rgba(drawing, color.red / 255.0, color.green / 255.0, color.blue / 255.0,
                        color.alpha / 255.0);
}

void draw(cairo_t* drawing, PangoLayout* layout, const TextStyle& style, double outline) {
  if (outline > 0) {
    pango_cairo_layout_path(drawing, layout);
    cairo_set_line_width(drawing, 2 * outline);  // half of it lies below the letters
    cairo_set_line_join(drawing, CAIRO_LINE_JOIN_ROUND);
    use(drawing, style.outline_color);
    cairo_stroke(drawing);
  }
  use(drawing, style.fill);
  pango_cairo_show_layout(drawing, layout);
}

// Cairo's pixels are 32-bit numbers with alpha on top.
std::vector<std::uint8_t> rgba_of(cairo_surface_t* surface, Size size) {
  cairo_surface_flush(surface);
  std::vector<std::uint8_t> rgba(size.pixels() * 4);
  const auto* row = cairo_image_surface_get_data(surface);
  auto to = rgba.begin();
  for (int y = 0; y < size.height; ++y, row += cairo_image_surface_get_stride(surface)) {
    const auto* pixel = row;
    for (int x = 0; x < size.width; ++x, pixel += 4) {
      for (const auto channel : {pixel[2], pixel[1], pixel[0], pixel[3]})
        *to++ = channel;
    }
  }
  return rgba;
}

}  // namespace

TextPicture paint_text(const TextStyle& style, Size frame) {
  TextPicture picture{style, {}, {}, {}};
  if (style.text.empty()) return picture;
  const double outline = std::max(0.0, style.outline) * line_pixels(style, frame);
  const auto layout = layout_of(drawing_on(surface_of({1, 1})).get(), style, frame);
  PangoRectangle ink;
  PangoRectangle box;
  pango_layout_get_pixel_extents(layout.get(), &ink, &box);

  const int border = static_cast<int>(std::ceil(outline)) + kMargin;
  const int left = std::min(ink.x, box.x) - border;
  const int top = std::min(ink.y, box.y) - border;
  const int right = std::max(ink.x + ink.width, box.x + box.width) + border;
  const int bottom = std::max(ink.y + ink.height, box.y + box.height) + border;
  picture.whole_size = {std::max(1, right - left), std::max(1, bottom - top)};
  picture.size = {std::min(picture.whole_size.width, kWidthMax),
                  std::min(picture.whole_size.height, 2 * frame.height)};

  const auto surface = surface_of(picture.size);
  const auto drawing = drawing_on(surface);
  cairo_translate(drawing.get(), -left, -top);
  pango_cairo_update_layout(drawing.get(), layout.get());
  draw(drawing.get(), layout.get(), style, outline);
  picture.rgba = rgba_of(surface.get(), picture.size);
  return picture;
}

TextPainter::TextPainter(Size frame) : frame_(frame) {
  thread_ = start_thread("text", [this](const std::stop_token& stop) { run(stop); });
}

void TextPainter::ask(TextStyle style) {
  const MutexLock lock(mutex_);
  wanted_ = std::move(style);
  changed_.notify_all();
}

std::shared_ptr<const TextPicture> TextPainter::latest() const {
  const MutexLock lock(mutex_);
  return latest_;
}

bool TextPainter::wait(std::chrono::steady_clock::time_point deadline,
                       const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  return changed_.wait_until(mutex_, stop, deadline, [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS {
    return !wanted_ && !is_painting_;
  });
}

void TextPainter::run(const std::stop_token& stop) {
  while (auto style = next(stop)) {
    auto picture = std::make_shared<const TextPicture>(paint_text(*style, frame_));
    const MutexLock lock(mutex_);
    std::swap(latest_, picture);
    is_painting_ = false;
    changed_.notify_all();
  }
}

std::optional<TextStyle> TextPainter::next(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  const bool is_wanted = changed_.wait(
      mutex_, stop, [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS { return wanted_.has_value(); });
  if (!is_wanted || stop.stop_requested()) return std::nullopt;
  is_painting_ = true;
  return std::exchange(wanted_, std::nullopt);
}

}  // namespace submix::io
