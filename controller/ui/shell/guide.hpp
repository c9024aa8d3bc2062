// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/ui/panel.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// The guide (GUIDE.md) in the window, at the page that is shown.
namespace submix::ui {

/// A paragraph of the guide, as plain text. A picture is a place with the picture's title.
struct GuideLine {
  enum class Kind { heading, text, item, place };
  Kind kind = Kind::text;
  std::string text;

  friend bool operator==(const GuideLine&, const GuideLine&) = default;
};

/// Reads Markdown: headings, paragraphs, lists, tables and pictures; emphasis and links become plain
/// words. Pure.
[[nodiscard]] std::vector<GuideLine> read_guide(std::string_view markdown);
/// The place of a page: its picture. Without a picture, the heading that names it; without both, the
/// beginning. Pure.
[[nodiscard]] std::size_t place_of_page(const std::vector<GuideLine>& guide,
                                        std::string_view page_title);

/// Beside the installed programs, or in the source tree.
[[nodiscard]] std::filesystem::path guide_file();

/// Fills a scrolled part of the present window, which has just appeared if `is_new`: then the part
/// is scrolled to the present page.
void draw_guide(ImVec2 size, bool is_new, Panel& panel);

}  // namespace submix::ui
