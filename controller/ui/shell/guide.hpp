// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/ui/panel.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// The guide (GUIDE.md) in the window, scrolled to the present page.
namespace submix::ui {

/// A paragraph of the guide, as plain text. A picture becomes a `place` with the picture's title.
struct GuideLine {
  enum class Kind { heading, text, item, place };
  Kind kind = Kind::text;
  std::string text;

  friend bool operator==(const GuideLine&, const GuideLine&) = default;
};

/// Reads Markdown: headings, paragraphs, lists, tables and pictures; emphasis and links become
/// plain words. Pure.
[[nodiscard]] std::vector<GuideLine> read_guide(std::string_view markdown);
/// The index of a page's picture. Without a picture: of the heading that names the page; without
/// both: 0. Pure.
[[nodiscard]] std::size_t place_of_page(const std::vector<GuideLine>& guide,
                                        std::string_view page_title);

/// Beside the installed programs, or in the source tree.
[[nodiscard]] std::filesystem::path guide_file();

/// Draws the guide as a scrolled part of the present window. `is_new`: the part has just appeared,
/// and scrolls to the present page.
void draw_guide(ImVec2 size, bool is_new, Panel& panel);

}  // namespace submix::ui
