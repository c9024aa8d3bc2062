// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/path_boxes.hpp"

#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/verdict_colors.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/pages/navigation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace submix::ui {
namespace {

using BoxKind = model::PathBox::Kind;
using BoxState = model::PathBox::State;

constexpr std::size_t kLinksShown = 4;

// Unscaled.
constexpr float kBoxHeight = 106;
constexpr float kArrow = 30;
constexpr float kRowGap = 12;

float width_of_box(BoxKind kind) {
  switch (kind) {
    case BoxKind::queue:
      return 124;
    case BoxKind::links:
      return 222;
    case BoxKind::slot:
    case BoxKind::submix:
      break;
  }
  return 172;
}

/// The corners of consecutive boxes, in rows.
class Flow {
 public:
  Flow(float width, const Panel& panel) : width_(width), panel_(panel) {}

  ImVec2 next(BoxKind kind) {
    const float box = panel_.px(width_of_box(kind) + kArrow);
    if (x_ > 0 && x_ + box > width_) {
      x_ = 0;
      y_ += panel_.px(kBoxHeight + kRowGap);
    }
    const ImVec2 corner(x_, y_);
    x_ += box;
    return corner;
  }
  [[nodiscard]] float height() const { return y_ + panel_.px(kBoxHeight); }

 private:
  float width_;
  const Panel& panel_;
  float x_ = 0;
  float y_ = 0;
};

// Lines of text within one box, one below the other.
class TextLines {
 public:
  TextLines(ImVec2 corner, float width, const Panel& panel)
      : at_(corner.x + panel.px(10), corner.y + panel.px(8)),
        width_(width - panel.px(20)),
        panel_(panel) {
    ImGui::SetCursorScreenPos(at_);
  }
  void next() {
    at_.y += ImGui::GetFontSize() + panel_.px(4);
    ImGui::SetCursorScreenPos(at_);
  }
  [[nodiscard]] float width() const { return width_; }

 private:
  ImVec2 at_;
  float width_;
  const Panel& panel_;
};

void draw_slot_lines(const model::PathBox& box, TextLines& lines, Panel& panel) {
  const auto* submix = panel.view.find_submix(box.submix);
  const auto* stage = submix == nullptr ? nullptr : submix->find_stage(box.slot);
  if (stage == nullptr) return;
  const double frame_ms =
      stage->fps > 0 ? stage->shares.working * stage->helpers / stage->fps * 1e3 : 0;
  text_cut(
      fmt::format("{} fps {} {:.1f} ms a frame", rate_text(stage->fps), panel.fonts.dot, frame_ms),
      lines.width());
  lines.next();
  text(fmt::format("w {} {} s {} {} b {}", percent_text(stage->shares.working), panel.fonts.dot,
                   percent_text(stage->shares.starved), panel.fonts.dot,
                   percent_text(stage->shares.blocked)),
       color::kDim);
  lines.next();
  const std::array parts{BarPart{stage->shares.working, color::kGood},
                         BarPart{stage->shares.starved, color::kWaiting},
                         BarPart{stage->shares.blocked, blocked_color(panel.view)}};
  parts_bar(parts, ImVec2(lines.width(), panel.px(6)));
}

void draw_queue_lines(const model::PathBox& box, TextLines& lines, Panel& panel) {
  const bool has_capacity = box.capacity > 0;
  text_cut(has_capacity ? fmt::format("{} of {} frames", box.queued, box.capacity)
                        : fmt::format("{} frame{}", box.queued, box.queued == 1 ? "" : "s"),
           lines.width());
  lines.next();
  if (has_capacity)
    seats_bar({box.queued, box.capacity, blocked_color(panel.view)},
              ImVec2(lines.width(), panel.px(8)));
}

std::string_view word_of(const model::LinkView& link) {
  if (!link.is_open())
    return link.state == telemetry::LinkState::refused ? "refused" : "connecting";
  if (link.shares.blocked >= link.shares.sending && link.shares.blocked >= link.shares.idle)
    return "blocked";
  return link.shares.sending >= link.shares.idle ? "sending" : "idle";
}

ImU32 color_of_link(const model::LinkView& link, const Panel& panel) {
  const auto word = word_of(link);
  if (word == "idle") return color::kWaiting;
  if (word == "sending") return color::kGood;
  if (word == "blocked") return blocked_color(panel.view);
  return word == "refused" ? color::kBad : color::kWarning;
}

void draw_link_lines(const model::PathBox& box, TextLines& lines, Panel& panel) {
  const auto* stream = panel.view.find_stream(box.stream);
  if (stream == nullptr) return;
  const auto& links = stream->links();
  const auto limit =
      panel.view.bottleneck->stream == box.stream ? panel.view.bottleneck->link : std::nullopt;
  for (std::size_t i = 0; i < std::min(links.size(), kLinksShown); ++i) {
    const auto& link = links[i];
    const auto mark = limit == link.index ? "!" : "";
    const float left = ImGui::GetCursorScreenPos().x;
    badge(fmt::format("{}{} {}", mark, link.index, word_of(link)), color_of_link(link, panel));
    ImGui::SameLine();
    const auto figures = link.capacity_mb_per_second > 0
                             ? fmt::format("{} of {} MB/s", rate_text(link.mb_per_second),
                                           rate_text(link.capacity_mb_per_second))
                             : rate_text(link.mb_per_second) + " MB/s";
    const auto top = ImGui::GetCursorScreenPos().y;
    ImGui::SetCursorScreenPos(ImVec2(left + lines.width() - ui::width_of(figures), top));
    text(figures, color::kDim);
    lines.next();
  }
  if (links.empty()) text("no links yet", color::kDim);
}

void open_thing(const model::PathBox& box, Panel& panel) {
  if (!box.stream.empty()) return open_stream(panel, box.stream);
  if (box.kind == BoxKind::submix) return open_node(panel, box.node);
  open_slot(panel, box.submix, box.slot);
}

void draw_arrow(ImVec2 tip, float length, ImU32 paint) {
  auto* draw = ImGui::GetWindowDrawList();
  const float half = std::round(length * 0.25F);
  draw->AddRectFilled(ImVec2(tip.x + half, tip.y - 1), ImVec2(tip.x + length, tip.y + 1), paint);
  draw->AddTriangleFilled(tip, ImVec2(tip.x + half, tip.y - half),
                          ImVec2(tip.x + half, tip.y + half), paint);
}

ImU32 paint_of(const model::PathBox& box, const Panel& panel) {
  const bool is_blocked = box.state == BoxState::blocked || box.state == BoxState::full;
  return is_blocked ? blocked_color(panel.view) : color_of(box.state);
}

void draw_frame(const model::PathBox& box, ImVec2 corner, ImVec2 size, Panel& panel) {
  auto* draw = ImGui::GetWindowDrawList();
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  draw->AddRectFilled(corner, end, ImGui::IsItemHovered() ? color::kCardHovered : color::kCard);
  draw->AddRectFilled(corner, ImVec2(corner.x + panel.px(4), end.y), paint_of(box, panel));
  if (box.is_limit) draw->AddRect(corner, end, color::kBad, 0, 0, std::max(2.0F, panel.px(2)));
}

void draw_lines(const model::PathBox& box, TextLines lines, Panel& panel) {
  text_cut(box.name, lines.width(), box.is_limit ? color::kBad : color::kText);
  lines.next();
  ImGui::PushFont(panel.fonts.small);
  text_cut(box.is_limit ? "holds the show back, on " + box.node : "on " + box.node, lines.width(),
           color::kDim);
  lines.next();
  if (box.kind != BoxKind::links) {
    badge(to_string(box.state), paint_of(box, panel));
    lines.next();
  }
  switch (box.kind) {
    case BoxKind::slot:
      draw_slot_lines(box, lines, panel);
      break;
    case BoxKind::queue:
      draw_queue_lines(box, lines, panel);
      break;
    case BoxKind::links:
      draw_link_lines(box, lines, panel);
      break;
    case BoxKind::submix:
      text_cut(box.remark, lines.width(), color::kBad);
      break;
  }
  ImGui::PopFont();
}

std::string shares_text(const model::PathBox& box, const Panel& panel) {
  const auto* submix = panel.view.find_submix(box.submix);
  const auto* stage =
      box.kind != BoxKind::slot || submix == nullptr ? nullptr : submix->find_stage(box.slot);
  if (stage == nullptr) return {};
  return fmt::format("{}: working {}, starved {}, blocked {}\n", stage->plugin,
                     percent_text(stage->shares.working), percent_text(stage->shares.starved),
                     percent_text(stage->shares.blocked));
}

void tooltip_of(const model::PathBox& box, const Panel& panel) {
  if (!ImGui::IsItemHovered()) return;
  const bool has_remark = !box.remark.empty();
  tooltip(fmt::format("{}, {}{}{}\n{}Click to go there", box.name, to_string(box.state),
                      has_remark ? ": " : "", box.remark, shares_text(box, panel)));
}

void draw_box(const model::PathBox& box, ImVec2 corner, Panel& panel) {
  const ImVec2 size(panel.px(width_of_box(box.kind)), panel.px(kBoxHeight));
  ImGui::SetCursorScreenPos(corner);
  if (ImGui::InvisibleButton("box", size)) open_thing(box, panel);
  tooltip_of(box, panel);
  draw_frame(box, corner, size, panel);
  ImGui::PushClipRect(corner, ImVec2(corner.x + size.x, corner.y + size.y), true);
  draw_lines(box, TextLines(corner, size.x, panel), panel);
  ImGui::PopClipRect();
}

}  // namespace

void draw_path_boxes(Panel& panel) {
  const auto path = model::critical_path(panel.view, *panel.view.bottleneck);
  if (path.empty()) return text("The path of its frames is not known yet.", color::kDim);
  const auto origin = ImGui::GetCursorScreenPos();
  Flow flow(ImGui::GetContentRegionAvail().x, panel);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto place = flow.next(path[i].kind);
    const ImVec2 corner(origin.x + place.x, origin.y + place.y);
    ImGui::PushID(static_cast<int>(i));
    draw_box(path[i], corner, panel);
    ImGui::PopID();
    const float width = panel.px(width_of_box(path[i].kind));
    if (i + 1 < path.size())
      draw_arrow(ImVec2(corner.x + width + panel.px(3), corner.y + panel.px(kBoxHeight / 2)),
                 panel.px(kArrow - 6), color::kFaint);
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy(ImVec2(1, flow.height()));
}

float path_boxes_height(float width, Panel& panel) {
  Flow flow(width, panel);
  for (const auto& box : model::critical_path(panel.view, *panel.view.bottleneck))
    flow.next(box.kind);
  return flow.height();
}

ImU32 color_of(BoxState state) {
  switch (state) {
    case BoxState::working:
    case BoxState::paced:
    case BoxState::sending:
      return color::kGood;
    case BoxState::starved:
    case BoxState::empty:
    case BoxState::idle:
      return color::kWaiting;
    case BoxState::blocked:
    case BoxState::full:
      return color::kWarning;
    case BoxState::filling:
      return color::kAccent;
    case BoxState::closed:
    case BoxState::away:
      return color::kBad;
    case BoxState::unknown:
      return color::kDim;
  }
  return color::kDim;
}

ImU32 color_of(model::Bottleneck::Kind kind) {
  switch (kind) {
    case model::Bottleneck::Kind::nothing:
      return color::kGood;
    case model::Bottleneck::Kind::paused:
      return color::kWaiting;
    case model::Bottleneck::Kind::unknown:
      return color::kFaint;
    case model::Bottleneck::Kind::standstill:
      return color::kBad;
    default:
      return color::kWarning;
  }
}

}  // namespace submix::ui
