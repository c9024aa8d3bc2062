// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/sound_device.hpp"

#include "common/base/files.hpp"
#include "common/base/plain_text.hpp"
#include "node/io/sound/pulse_server.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>

namespace submix::io {
namespace {

constexpr std::size_t kSoundNameBytesMax = 200;
constexpr std::size_t kTitleBytesMax = 100;
constexpr std::size_t kQuotedBytesMax = 60;
constexpr int kCardsMax = 256;  // the kernel has 32, each with up to 32 devices

/// The number at the beginning of `text`, which loses the digits. Empty: no number of a card.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number >= kCardsMax) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool is_letter_of_source(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') ||
         std::string_view("._:-").find(letter) != std::string_view::npos;
}

bool is_source(std::string_view device) {
  return !device.starts_with('-') && std::ranges::all_of(device, is_letter_of_source);
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// The part between two " : ".
std::string_view field_of(std::string_view line, int index) {
  for (; index > 0; --index) {
    const auto colon = line.find(": ");
    if (colon == std::string_view::npos) return {};
    line.remove_prefix(colon + 2);
  }
  return trimmed(line.substr(0, line.find(": ")));
}

/// Of the kernel's line "01-00: USB Audio : USB Audio : playback 1 : capture 1". Empty: an output.
std::optional<CaptureDevice> card_input(std::string_view line) {
  const auto capture = line.rfind(": capture ");
  if (capture == std::string_view::npos) return std::nullopt;
  auto streams = line.substr(capture + std::string_view(": capture ").size());
  if (!take_number(streams)) return std::nullopt;
  auto numbers = line;
  const auto card = take_number(numbers);
  if (!card || !numbers.starts_with('-')) return std::nullopt;
  numbers.remove_prefix(1);
  const auto device = take_number(numbers);
  if (!device || !numbers.starts_with(':')) return std::nullopt;
  return CaptureDevice{fmt::format("hw:{},{}", *card, *device),
                       plain_text(field_of(line, 1), kTitleBytesMax)};
}

}  // namespace

std::vector<CaptureDevice> sound_card_inputs(const std::filesystem::path& cards) {
  std::vector<CaptureDevice> inputs;
  std::istringstream lines(read_text_file(cards).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    auto input = card_input(line);
    if (input && inputs.size() < kCaptureDevicesMax) inputs.push_back(std::move(*input));
  }
  return inputs;
}

std::vector<CaptureDevice> sound_devices(const std::filesystem::path& cards) {
  if (!PulseServer::is_here()) return sound_card_inputs(cards);
  auto server = PulseServer::connect({});
  if (!server) return sound_card_inputs(cards);
  auto sources = server->sources();
  return sources ? std::move(*sources) : sound_card_inputs(cards);
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

bool is_sound_card(std::string_view device) {
  if (!device.starts_with("hw:")) return false;
  device.remove_prefix(3);
  if (!take_number(device) || !device.starts_with(',')) return false;
  device.remove_prefix(1);
  return take_number(device) && device.empty();
}

std::string list_of_inputs(const std::vector<CaptureDevice>& inputs) {
  std::vector<std::string> names;
  for (const auto& input : inputs)
    names.push_back(fmt::format("{} ({})", input.device, input.name));
  return names.empty() ? "this computer has no sound input"
                       : fmt::format("this computer has {}", fmt::join(names, ", "));
}

}  // namespace submix::io
