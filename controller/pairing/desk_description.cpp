// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/desk_description.hpp"

#include "common/base/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace submix::pairing {
namespace {

constexpr std::size_t kToldNameBytesMax = 60;
constexpr std::size_t kEntriesMax = 16;  // a stranger can send any number
constexpr std::array<std::pair<ShowState, std::string_view>, 3> kStates{
    {{ShowState::none, "no show"}, {ShowState::running, "running"}, {ShowState::paused, "paused"}}};

std::string_view word_of(ShowState state) {
  const auto* const found =
      std::ranges::find(kStates, state, &decltype(kStates)::value_type::first);
  return found == kStates.end() ? std::string_view() : found->second;
}

ShowState state_of_word(std::string_view word) {
  const auto* const found =
      std::ranges::find(kStates, word, &decltype(kStates)::value_type::second);
  return found == kStates.end() ? ShowState::untold : found->first;
}

}  // namespace

std::vector<std::string> to_entries(const DeskDescription& description) {
  std::vector<std::string> entries;
  const auto add = [&](std::string_view field, std::string_view value) {
    if (!value.empty())
      entries.push_back(fmt::format("{}={}", field, plain_text(value, kToldNameBytesMax)));
  };
  add("machine", description.machine);
  add("show", description.show);
  add("state", word_of(description.state));
  return entries;
}

DeskDescription description_of(const std::vector<std::string>& entries) {
  DeskDescription description;
  for (std::size_t i = 0; i < std::min(entries.size(), kEntriesMax); ++i) {
    const std::string_view entry = entries[i];
    const auto end = entry.find('=');
    if (end == std::string_view::npos) continue;
    const auto field = entry.substr(0, end);
    const auto value = entry.substr(end + 1);
    if (field == "machine") description.machine = plain_text(value, kToldNameBytesMax);
    if (field == "show") description.show = plain_text(value, kToldNameBytesMax);
    if (field == "state") description.state = state_of_word(value);
  }
  return description;
}

std::string to_text(const DeskDescription& description) {
  auto word = std::string(word_of(description.state));
  if (description.show.empty() || description.state == ShowState::none) return word;
  const auto show = "show " + description.show;
  return word.empty() ? show : fmt::format("{}, {}", show, word);
}

}  // namespace submix::pairing
