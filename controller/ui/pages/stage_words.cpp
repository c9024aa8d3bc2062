// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/stage_words.hpp"

#include "controller/model/edit/stage_names.hpp"
#include "controller/ui/edits/this_pc.hpp"
#include "controller/ui/pages/mix_controls.hpp"
#include "controller/ui/pages/pages.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

namespace submix::ui {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kStageWords{
    {{"node", "PC"},
     {"nodes", "PCs"},
     {"submix", "layer"},
     {"submixes", "layers"},
     {"slot", "effect"},
     {"slots", "effects"},
     {"link", "cable"},
     {"links", "cables"},
     {"NATS", "the server"}}};

std::string_view stage_word(std::string_view word) {
  const auto* found =
      std::ranges::find(kStageWords, word, &std::pair<std::string_view, std::string_view>::first);
  return found == kStageWords.end() ? word : found->second;
}

bool is_of_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-' ||
         letter == '/';
}

// A dot within a word, as in "left.slot", is of the word.
std::size_t length_of_word(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() &&
         (is_of_word(text[length]) || (length > 0 && text[length] == '.' &&
                                       length + 1 < text.size() && is_of_word(text[length + 1]))))
    ++length;
  return length;
}

}  // namespace

std::string stage_words(std::string_view text) {
  std::string words;
  bool is_name = false;
  while (!text.empty()) {
    const auto length = length_of_word(text);
    if (length == 0 && text.front() == '"') is_name = !is_name;
    const auto part = text.substr(0, std::max<std::size_t>(length, 1));
    words += is_name ? part : stage_word(part);
    text.remove_prefix(part.size());
  }
  return words;
}

bool is_on_stage(const Panel& panel) {
  return panel.view.show != nullptr && chosen_page(panel.state).id == "perform";
}

std::string words_of_page(std::string text, Panel& panel) {
  if (!is_on_stage(panel)) return text;
  return stage_words(
      model::with_stage_names(*panel.view.show, mix_of(panel).layers, std::move(text)));
}

std::string pc_of(const std::string& node, const Panel& panel) {
  if (node.empty()) return "no PC";
  const auto* found = panel.view.find_node(node);
  return found != nullptr && is_on_this_pc(*found) ? "this PC" : node;
}

}  // namespace submix::ui
