// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/sound.hpp"

#include "common/base/plain_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace submix::show {
namespace {

constexpr std::size_t kSoundNameBytesMax = 200;
constexpr std::size_t kQuotedBytesMax = 60;
constexpr int kCardsMax = 256;  // the kernel has 32, each with up to 32 devices

bool is_letter_of_source(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') ||
         std::string_view("._:-").find(letter) != std::string_view::npos;
}

bool is_source(std::string_view device) {
  return !device.starts_with('-') && std::ranges::all_of(device, is_letter_of_source);
}

}  // namespace

std::optional<int> take_card_number(std::string_view& text) {
  int number = 0;
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number >= kCardsMax) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool is_sound_card(std::string_view device) {
  if (!device.starts_with("hw:")) return false;
  device.remove_prefix(3);
  if (!take_card_number(device) || !device.starts_with(',')) return false;
  device.remove_prefix(1);
  return take_card_number(device) && device.empty();
}

Result<void> check_sound_name(std::string_view device) {
  if (device.size() > kSoundNameBytesMax) {
    return fail("the name of a sound input has {} letters, {} are possible; choose a listed input",
                device.size(), kSoundNameBytesMax);
  }
  if (is_sound_card(device) || is_source(device)) return {};
  return fail("\"{}\" is no sound input; write hw:1,0 for a sound card, or choose a listed input",
              plain_text(device, kQuotedBytesMax));
}

}  // namespace submix::show
