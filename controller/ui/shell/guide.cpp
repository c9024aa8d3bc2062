// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/guide.hpp"

#include "common/base/files.hpp"
#include "common/base/program_folder.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/pages/pages.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace submix::ui {
namespace {

using LineKind = GuideLine::Kind;

// "**Tap** the [beat](x.md)" becomes "Tap the beat".
std::string plain_words(std::string_view markdown) {
  std::string plain;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    const char c = markdown[i];
    if (c == '*' || c == '`' || c == '[') continue;
    if (c != ']') {
      plain += c;
      continue;
    }
    const auto end = markdown.substr(i + 1).starts_with('(') ? markdown.find(')', i) : i;
    i = std::min(end, markdown.size());
  }
  return plain;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// "| F1 | lists all keys |" becomes "F1: lists all keys". Empty: a line below a table's heads.
std::string words_of_row(std::string_view row) {
  if (row.starts_with("| ---")) return {};
  std::string words;
  std::istringstream cells{std::string(row.substr(1))};
  for (std::string cell; std::getline(cells, cell, '|');) {
    const auto text = trimmed(cell);
    if (text.empty()) continue;
    if (!words.empty()) words += words.find(':') == std::string::npos ? ": " : ", ";
    words += text;
  }
  return plain_words(words);
}

/// Joins the lines of a paragraph.
class GuideReader {
 public:
  void read(std::string_view line) {
    const auto text = trimmed(line);
    if (text.empty()) return end_paragraph();
    if (text.starts_with('#')) return add(LineKind::heading, text.substr(text.find(' ') + 1));
    if (text.starts_with("![")) return add(LineKind::place, text.substr(2, text.find(']') - 2));
    if (text.starts_with('|')) return add_row(text);
    const bool is_item = text.starts_with("- ");
    if (is_item) end_paragraph();
    if (paragraph_.text.empty()) {
      paragraph_.kind = is_item ? LineKind::item : LineKind::text;
    } else {
      paragraph_.text += ' ';
    }
    paragraph_.text += is_item ? text.substr(2) : text;
  }
  std::vector<GuideLine> take() {
    end_paragraph();
    return std::move(lines_);
  }

 private:
  void add(LineKind kind, std::string_view text) {
    end_paragraph();
    lines_.push_back({kind, plain_words(text)});
  }
  void add_row(std::string_view row) {
    end_paragraph();
    if (auto words = words_of_row(row); !words.empty())
      lines_.push_back({LineKind::item, std::move(words)});
  }
  void end_paragraph() {
    if (paragraph_.text.empty()) return;
    lines_.push_back({paragraph_.kind, plain_words(paragraph_.text)});
    paragraph_.text.clear();
  }

  std::vector<GuideLine> lines_;
  GuideLine paragraph_;
};

// Read once, when somebody asks for it.
const std::vector<GuideLine>& guide() {
  static const auto kGuide = [] {
    const auto text = read_text_file(guide_file());
    return text ? read_guide(*text)
                : std::vector<GuideLine>{
                      {LineKind::text, "The guide is not here: " + text.error().message}};
  }();
  return kGuide;
}

void draw_line(const GuideLine& line, const Panel& panel) {
  switch (line.kind) {
    case LineKind::heading:
      ImGui::Dummy(ImVec2(0, panel.px(8)));
      return text_in(panel.fonts.strong, line.text);
    case LineKind::item:
      ImGui::Bullet();
      return text_wrapped(line.text);
    case LineKind::text:
      text_wrapped(line.text);
      return ImGui::Dummy(ImVec2(0, panel.px(2)));
    case LineKind::place:
      return;
  }
}

}  // namespace

std::vector<GuideLine> read_guide(std::string_view markdown) {
  GuideReader reader;
  std::istringstream lines{std::string(markdown)};
  for (std::string line; std::getline(lines, line);)
    reader.read(line);
  return reader.take();
}

std::size_t place_of_page(const std::vector<GuideLine>& guide, std::string_view page_title) {
  const auto picture =
      std::ranges::find(guide, GuideLine{LineKind::place, std::string(page_title)});
  if (picture != guide.end()) return static_cast<std::size_t>(picture - guide.begin());
  const auto heading = std::ranges::find_if(guide, [&](const GuideLine& line) {
    return line.kind == LineKind::heading && line.text.find(page_title) != std::string::npos;
  });
  return heading == guide.end() ? 0 : static_cast<std::size_t>(heading - guide.begin());
}

std::filesystem::path guide_file() {
  auto installed = program_folder().parent_path() / "share/submix/GUIDE.md";
  return std::filesystem::exists(installed) ? installed
                                            : program_folder() / "../../../controller/ui/GUIDE.md";
}

void draw_guide(ImVec2 size, bool is_new, Panel& panel) {
  const auto place = place_of_page(guide(), chosen_page(panel.state).title);
  ImGui::BeginChild("guide", size);
  for (std::size_t i = 0; i < guide().size(); ++i) {
    draw_line(guide()[i], panel);
    if (is_new && i == place) ImGui::SetScrollHereY(0);
  }
  ImGui::EndChild();
}

}  // namespace submix::ui
