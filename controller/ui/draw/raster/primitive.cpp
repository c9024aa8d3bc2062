// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/raster/primitive.hpp"

#include "controller/ui/draw/raster/checksum.hpp"
#include "controller/ui/draw/raster/paint.hpp"

#include <array>
#include <cmath>

namespace submix::ui::raster {
namespace {

// Corners farther away are moved to this distance.
constexpr float kFarthest = 1 << 20;

float near(float value) {
  return std::fmin(std::fmax(value, -kFarthest), kFarthest);
}

int floor_of(float value) {
  return static_cast<int>(std::floor(near(value)));
}

/// The part of the draw list that is read.
struct Source {
  const ImDrawVert* vertices = nullptr;
  const ImDrawIdx* indices = nullptr;
  const Texture* texture = nullptr;
  Box clip;

  [[nodiscard]] const ImDrawVert& vertex(int index) const { return vertices[indices[index]]; }
};

/// Two opposite corners.
struct Rectangle {
  ImDrawVert least{};
  ImDrawVert greatest{};
};

bool is_level(const ImDrawVert& a, const ImDrawVert& b) {
  return a.pos.y == b.pos.y && a.uv.y == b.uv.y;
}
bool is_plumb(const ImDrawVert& a, const ImDrawVert& b) {
  return a.pos.x == b.pos.x && a.uv.x == b.uv.x;
}

// Recognises ImGui's rectangles and letters: four corners in order; both triangles contain the
// first and the third.
bool read_rectangle(const Source& source, Rectangle& rectangle) {
  const auto* i = source.indices;
  if (i[3] != i[0] || i[4] != i[2]) return false;
  const auto& a = source.vertex(0);
  const auto& b = source.vertex(1);
  const auto& c = source.vertex(2);
  const auto& d = source.vertex(5);
  if (a.col != b.col || a.col != c.col || a.col != d.col) return false;
  const bool is_row_first = is_level(a, b) && is_plumb(b, c) && is_level(c, d) && is_plumb(d, a);
  const bool is_column_first = is_plumb(a, b) && is_level(b, c) && is_plumb(c, d) && is_level(d, a);
  if (!is_row_first && !is_column_first) return false;
  const bool is_mirrored =
      (a.pos.x < c.pos.x) != (a.uv.x < c.uv.x) || (a.pos.y < c.pos.y) != (a.uv.y < c.uv.y);
  const bool is_plain = a.uv.x == c.uv.x && a.uv.y == c.uv.y;
  if (is_mirrored && !is_plain) return false;
  rectangle = {a, a};
  rectangle.least.pos = {std::fmin(a.pos.x, c.pos.x), std::fmin(a.pos.y, c.pos.y)};
  rectangle.greatest.pos = {std::fmax(a.pos.x, c.pos.x), std::fmax(a.pos.y, c.pos.y)};
  rectangle.least.uv = {std::fmin(a.uv.x, c.uv.x), std::fmin(a.uv.y, c.uv.y)};
  rectangle.greatest.uv = {std::fmax(a.uv.x, c.uv.x), std::fmax(a.uv.y, c.uv.y)};
  return true;
}

// Rounds down to whole pixels, to at least one, so that no hairline is lost.
Box box_of(const Rectangle& rectangle) {
  const auto& [least, greatest] = rectangle;
  const int left = floor_of(least.pos.x);
  const int top = floor_of(least.pos.y);
  const int width = static_cast<int>(near(greatest.pos.x) - near(least.pos.x));
  const int height = static_cast<int>(near(greatest.pos.y) - near(least.pos.y));
  return {left, top, left + std::max(1, width), top + std::max(1, height)};
}

Box texture_box_of(const Rectangle& rectangle, const Texture& texture) {
  const auto place = [](float share, int count) {
    return std::clamp(floor_of(share * static_cast<float>(count) + 0.5F), 0, count);
  };
  const auto& [least, greatest] = rectangle;
  return {place(least.uv.x, texture.size.width), place(least.uv.y, texture.size.height),
          place(greatest.uv.x, texture.size.width), place(greatest.uv.y, texture.size.height)};
}

std::uint64_t sum_of(const Primitive& primitive, const Box& clip) {
  TileChecksum sum(static_cast<std::uint64_t>(primitive.kind));
  sum.add(clip.left, clip.top);
  sum.add(clip.right, clip.bottom);
  if (primitive.texture != nullptr) sum.add(primitive.texture->key);
  if (primitive.kind == Primitive::Kind::triangle) {
    for (int i = 0; i < 3; ++i) {
      const auto& vertex = primitive.vertices[primitive.indices[i]];
      sum.add(vertex.pos.x, vertex.pos.y);
      sum.add(vertex.uv.x, vertex.uv.y);
      sum.add(vertex.col);
    }
    return sum.value();
  }
  sum.add(primitive.color);
  if (primitive.kind == Primitive::Kind::fill) return sum.value();
  sum.add(primitive.from.left, primitive.from.top);
  if (primitive.kind == Primitive::Kind::stamp) return sum.value();
  sum.add(primitive.from.right, primitive.from.bottom);
  sum.add(primitive.to.left, primitive.to.top);
  sum.add(primitive.to.right, primitive.to.bottom);
  return sum.value();
}

bool is_one_to_one(const Primitive& primitive) {
  return primitive.from.width() == primitive.to.width() &&
         primitive.from.height() == primitive.to.height();
}

void add_rectangle(const Rectangle& rectangle, const Source& source,
                   std::vector<Primitive>& primitives) {
  Primitive primitive;
  primitive.color = rectangle.least.col;
  primitive.to = box_of(rectangle);
  primitive.box = common_part(primitive.to, source.clip);
  const bool is_opaque_picture = source.texture != nullptr && source.texture->pixels != nullptr;
  const bool is_unseen = (primitive.color & IM_COL32_A_MASK) == 0 && !is_opaque_picture;
  if (primitive.box.is_empty() || is_unseen) return;
  if (source.texture != nullptr) primitive.from = texture_box_of(rectangle, *source.texture);
  if (!primitive.from.is_empty()) {
    primitive.texture = source.texture;
    const bool is_stamp = source.texture->alpha != nullptr && is_one_to_one(primitive);
    primitive.kind = is_stamp ? Primitive::Kind::stamp : Primitive::Kind::stretch;
    if (is_stamp) primitive.from.left -= primitive.to.left;
    if (is_stamp) primitive.from.top -= primitive.to.top;
  }
  primitive.sum = sum_of(primitive, primitive.box);
  primitives.push_back(primitive);
}

void add_triangle(const Source& source, std::vector<Primitive>& primitives) {
  const auto& a = source.vertex(0);
  const auto& b = source.vertex(1);
  const auto& c = source.vertex(2);
  if (((a.col | b.col | c.col) & IM_COL32_A_MASK) == 0) return;
  Primitive primitive;
  primitive.kind = Primitive::Kind::triangle;
  primitive.texture = source.texture;
  primitive.vertices = source.vertices;
  primitive.indices = source.indices;
  const Box around{floor_of(std::min({a.pos.x, b.pos.x, c.pos.x})),
                   floor_of(std::min({a.pos.y, b.pos.y, c.pos.y})),
                   floor_of(std::max({a.pos.x, b.pos.x, c.pos.x})) + 1,
                   floor_of(std::max({a.pos.y, b.pos.y, c.pos.y})) + 1};
  primitive.box = common_part(around, source.clip);
  if (primitive.box.is_empty()) return;
  primitive.sum = sum_of(primitive, primitive.box);
  primitives.push_back(primitive);
}

void collect_command(Source source, int count, std::vector<Primitive>& primitives) {
  Rectangle rectangle;
  while (count >= 3) {
    const bool is_rectangle = count >= 6 && read_rectangle(source, rectangle);
    if (is_rectangle) {
      add_rectangle(rectangle, source, primitives);
    } else {
      add_triangle(source, primitives);
    }
    const int read = is_rectangle ? 6 : 3;
    source.indices += read;
    count -= read;
  }
}

}  // namespace

void collect(const ImDrawData& data, const Box& canvas, std::vector<Primitive>& primitives) {
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const auto& list = *data.CmdLists[i];
    for (const auto& command : list.CmdBuffer) {
      if (command.UserCallback != nullptr) continue;  // this program makes no callbacks
      const auto& clip = command.ClipRect;
      const Box box{floor_of(clip.x - data.DisplayPos.x), floor_of(clip.y - data.DisplayPos.y),
                    floor_of(clip.z - data.DisplayPos.x), floor_of(clip.w - data.DisplayPos.y)};
      const Source source{
          list.VtxBuffer.Data + command.VtxOffset, list.IdxBuffer.Data + command.IdxOffset,
          static_cast<const Texture*>(command.GetTexID()), common_part(box, canvas)};
      if (!source.clip.is_empty())
        collect_command(source, static_cast<int>(command.ElemCount), primitives);
    }
  }
}

void paint(const Primitive& primitive, const PixelView& canvas, const Box& box) {
  const auto part = common_part(primitive.box, box);
  if (part.is_empty()) return;
  switch (primitive.kind) {
    case Primitive::Kind::fill:
      fill(canvas, part, primitive.color);
      break;
    case Primitive::Kind::stamp:
      stamp(canvas, part, {primitive.texture, primitive.from.left, primitive.from.top},
            primitive.color);
      break;
    case Primitive::Kind::stretch:
      stretch(canvas, part, {primitive.texture, primitive.from, primitive.to}, primitive.color);
      break;
    case Primitive::Kind::triangle:
      fill_triangle(
          canvas, part,
          {primitive.vertices[primitive.indices[0]], primitive.vertices[primitive.indices[1]],
           primitive.vertices[primitive.indices[2]]},
          primitive.texture);
      break;
  }
}

}  // namespace submix::ui::raster
