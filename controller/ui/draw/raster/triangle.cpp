// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/raster/paint.hpp"

#include <cmath>
#include <utility>

namespace submix::ui::raster {
namespace {

// Parts of a pixel's side: exact edges leave no gap between neighbours.
constexpr std::int64_t kSubpixels = 256;

// Far outside of any window. Products of nearer coordinates fit into 64 bits.
constexpr float kFarthestCorner = 1 << 19;

struct Corner {
  std::int64_t x = 0;
  std::int64_t y = 0;
};

// Points with a * x + b * y + c >= 0 are inside.
struct Edge {
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t c = 0;
};

Corner corner_of(const ImDrawVert& vertex) {
  const auto fine = [](float value) {
    return std::llround(std::fmin(std::fmax(value, -kFarthestCorner), kFarthestCorner) *
                        static_cast<float>(kSubpixels));
  };
  return {fine(vertex.pos.x), fine(vertex.pos.y)};
}

// Left and upper edges include their points; other edges exclude them.
Edge edge_between(const Corner& from, const Corner& to) {
  Edge edge{from.y - to.y, to.x - from.x, 0};
  edge.c = -(edge.a * from.x + edge.b * from.y);
  const bool is_own = edge.a > 0 || (edge.a == 0 && edge.b > 0);
  if (!is_own) --edge.c;
  return edge;
}

std::int64_t floor_of(std::int64_t part, std::int64_t whole) {
  return part / whole - static_cast<std::int64_t>(part % whole != 0 && (part < 0) != (whole < 0));
}

/// The pixels of one row, the last one excluded.
struct Span {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

// Keeps the pixels whose centres are inside the edge.
void cut(Span& span, const Edge& edge, std::int64_t y) {
  const std::int64_t half = kSubpixels / 2;
  const std::int64_t rest =
      edge.b * (y * kSubpixels + half) + edge.c + edge.a * half;  // at pixel 0
  const std::int64_t step = edge.a * kSubpixels;
  if (step == 0) {
    if (rest < 0) span.to = span.from;
  } else if (step > 0) {
    span.from = std::max(span.from, -floor_of(rest, step));
  } else {
    span.to = std::min(span.to, floor_of(rest, -step) + 1);
  }
}

/// A value that varies linearly between the corners: value + by_x * x + by_y * y.
struct Slope {
  float value = 0;
  float by_x = 0;
  float by_y = 0;

  [[nodiscard]] float at(float x, float y) const { return value + by_x * x + by_y * y; }
};

Slope slope_of(const std::array<ImDrawVert, 3>& corners, const std::array<float, 3>& values) {
  const auto& origin = corners[0].pos;
  const float x1 = corners[1].pos.x - origin.x;
  const float y1 = corners[1].pos.y - origin.y;
  const float x2 = corners[2].pos.x - origin.x;
  const float y2 = corners[2].pos.y - origin.y;
  const float area = x1 * y2 - x2 * y1;
  const float v1 = values[1] - values[0];
  const float v2 = values[2] - values[0];
  Slope slope;
  if (area != 0) {
    slope.by_x = (v1 * y2 - v2 * y1) / area;
    slope.by_y = (v2 * x1 - v1 * x2) / area;
  }
  slope.value = values[0] - slope.by_x * origin.x - slope.by_y * origin.y;
  return slope;
}

/// The colour at any point of a triangle with differently coloured corners.
class Shade {
 public:
  Shade(const std::array<ImDrawVert, 3>& corners, const Texture* texture) : texture_(texture) {
    for (int channel = 0; channel < 4; ++channel) {
      std::array<float, 3> values{};
      for (std::size_t i = 0; i < 3; ++i)
        values.at(i) = static_cast<float>((corners.at(i).col >> (8 * channel)) & 0xFF);
      channels_.at(static_cast<std::size_t>(channel)) = slope_of(corners, values);
    }
    u_ = slope_of(corners, {corners[0].uv.x, corners[1].uv.x, corners[2].uv.x});
    v_ = slope_of(corners, {corners[0].uv.y, corners[1].uv.y, corners[2].uv.y});
  }
  [[nodiscard]] ImU32 at(float x, float y) const {
    ImU32 color = 0;
    for (int channel = 0; channel < 4; ++channel) {
      float value = channels_.at(static_cast<std::size_t>(channel)).at(x, y);
      if (channel * 8 == IM_COL32_A_SHIFT) value *= alpha_at(x, y);
      color |= static_cast<ImU32>(std::clamp(value + 0.5F, 0.0F, 255.0F)) << (8 * channel);
    }
    return color;
  }

 private:
  [[nodiscard]] float alpha_at(float x, float y) const {
    if (texture_ == nullptr || texture_->alpha == nullptr) return 1;
    const auto place = [](float share, int count) {
      return std::clamp(static_cast<int>(share * static_cast<float>(count)), 0, count - 1);
    };
    const auto column = place(u_.at(x, y), texture_->size.width);
    const auto row = place(v_.at(x, y), texture_->size.height);
    const auto index = static_cast<std::ptrdiff_t>(row) * texture_->size.width + column;
    return static_cast<float>(texture_->alpha[index]) / 255;
  }

  const Texture* texture_;
  std::array<Slope, 4> channels_;
  Slope u_;
  Slope v_;
};

bool is_uniform(const std::array<ImDrawVert, 3>& corners) {
  const auto is_like_first = [&](const ImDrawVert& corner) {
    return corner.col == corners[0].col && corner.uv.x == corners[0].uv.x &&
           corner.uv.y == corners[0].uv.y;
  };
  return is_like_first(corners[1]) && is_like_first(corners[2]);
}

}  // namespace

void fill_triangle(const PixelView& canvas, const Box& box,
                   const std::array<ImDrawVert, 3>& corners, const Texture* texture) {
  std::array<Corner, 3> points{corner_of(corners[0]), corner_of(corners[1]), corner_of(corners[2])};
  const auto& [p, q, r] = points;
  const auto area = (q.x - p.x) * (r.y - p.y) - (r.x - p.x) * (q.y - p.y);
  if (area == 0) return;
  if (area < 0) std::swap(points[1], points[2]);
  const std::array<Edge, 3> edges{edge_between(points[0], points[1]),
                                  edge_between(points[1], points[2]),
                                  edge_between(points[2], points[0])};
  const Shade shade(corners, texture);
  const bool has_one_color = is_uniform(corners);
  const ImU32 color = shade.at(corners[0].pos.x, corners[0].pos.y);
  for (int y = box.top; y < box.bottom; ++y) {
    Span span{box.left, box.right};
    for (const auto& edge : edges)
      cut(span, edge, y);
    const int from = static_cast<int>(span.from);
    const int to = static_cast<int>(std::max(span.from, span.to));
    if (has_one_color && to > from) fill(canvas, {from, y, to, y + 1}, color);
    for (int x = from; x < to && !has_one_color; ++x)
      fill(canvas, {x, y, x + 1, y + 1},
           shade.at(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F));
  }
}

}  // namespace submix::ui::raster
