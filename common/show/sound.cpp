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
constexpr std::size_t kJackPortsMax = 2;
constexpr std::string_view kJack = "jack";
constexpr std::string_view kJackPorts = "jack:";
constexpr std::string_view kClip = "clip:";
constexpr int kCardsMax = 256;  // the kernel has 32, each with up to 32 devices

bool is_letter_of_source(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') ||
         std::string_view("._:-").find(letter) != std::string_view::npos;
}

bool is_of_jack(std::string_view device) {
  return device == kJack || device.starts_with(kJackPorts);
}

bool is_source(std::string_view device) {
  return !is_of_jack(device) && !device.starts_with(kClip) && !device.starts_with('-') &&
         std::ranges::all_of(device, is_letter_of_source);
}

/// "CLIENT:PORT". People choose both names, so most letters are in use; a comma parts two ports.
bool is_jack_port(std::string_view port) {
  const auto colon = port.find(':');
  const bool has_both = colon != std::string_view::npos && colon > 0 && colon + 1 < port.size();
  return has_both && is_one_plain_line(port);
}

/// "SUBMIX.SLOT". The slot of a macro has further parts.
bool is_slot(std::string_view slot) {
  const auto dot = slot.find('.');
  const bool has_both = dot != std::string_view::npos && dot > 0 && dot + 1 < slot.size();
  return has_both && is_one_plain_line(slot);
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  for (auto comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  parts.emplace_back(text);
  return parts;
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

std::optional<std::vector<std::string>> jack_ports(std::string_view device) {
  if (device == kJack) return std::vector<std::string>();
  if (!device.starts_with(kJackPorts)) return std::nullopt;
  auto ports = split_at_commas(device.substr(kJackPorts.size()));
  if (ports.size() > kJackPortsMax || !std::ranges::all_of(ports, is_jack_port))
    return std::nullopt;
  return ports;
}

std::optional<std::string_view> slot_of_sound(std::string_view device) {
  if (!device.starts_with(kClip)) return std::nullopt;
  const auto slot = device.substr(kClip.size());
  return is_slot(slot) ? std::optional(slot) : std::nullopt;
}

std::string sound_of_slot(std::string_view slot) {
  return std::string(kClip).append(slot);
}

Result<void> check_sound_name(std::string_view device) {
  if (device.size() > kSoundNameBytesMax) {
    return fail("the name of a sound input has {} letters, {} are possible; choose a listed input",
                device.size(), kSoundNameBytesMax);
  }
  if (is_sound_card(device) || is_source(device) || jack_ports(device) || slot_of_sound(device))
    return {};
  const auto quoted = plain_text(device, kQuotedBytesMax);
  if (is_of_jack(device)) {
    return fail(
        "\"{}\" is no sound input; write jack for all capture ports, or name one or two ports: "
        "jack:CLIENT:PORT,CLIENT:PORT",
        quoted);
  }
  return fail(
      "\"{}\" is no sound input; write hw:1,0 for a sound card, jack for JACK, clip:SUBMIX.SLOT "
      "for the sound of a clip, or choose a listed input",
      quoted);
}

}  // namespace submix::show
