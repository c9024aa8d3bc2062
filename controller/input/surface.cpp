// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/surface.hpp"

#include "common/show/document.hpp"
#include "controller/input/osc_space.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace submix::input {
namespace {

constexpr int kOscMax = 1'000'000;  // a float has about as many steps
constexpr std::size_t kKeyBytesMax = 60;
constexpr std::size_t kAddressBytesMax = 200;

struct SurfaceText {
  std::string operator()(const MidiControl& control) const { return to_string(control); }
  std::string operator()(const KeyControl& control) const { return "key " + control.key; }
  std::string operator()(const OscControl& control) const { return control.address; }
};

struct SurfaceWords {
  std::string_view device;

  std::string operator()(const MidiControl& control) const {
    return fmt::format("{} of {}", to_string(control), device);
  }
  std::string operator()(const KeyControl& control) const { return "the key " + control.key; }
  std::string operator()(const OscControl& control) const { return "OSC's " + control.address; }
};

std::optional<double> position_of(const OscMessage& message) {
  if (message.arguments.empty()) return 1;
  const auto number = number_of(message.arguments.front());
  if (!number || std::isnan(*number)) return std::nullopt;
  return std::clamp(*number, 0.0, 1.0);
}

}  // namespace

std::optional<SurfaceEvent> event_of(std::string device, std::span<const std::uint8_t> midi) {
  const auto event = decode(midi);
  if (!event) return std::nullopt;
  return SurfaceEvent{std::move(device), event->control, event->value};
}

std::optional<SurfaceEvent> event_of(const OscMessage& message) {
  const auto position = position_of(message);
  auto control = parse_osc_control(message.address);
  if (!position || !control) return std::nullopt;
  return SurfaceEvent{std::string(kOscPrograms), *std::move(control),
                      static_cast<int>(std::lround(*position * kOscMax))};
}

int value_max(const SurfaceControl& control) {
  if (const auto* midi = std::get_if<MidiControl>(&control)) return value_max(midi->kind);
  return std::holds_alternative<KeyControl>(control) ? 1 : kOscMax;
}

bool is_button(const SurfaceControl& control) {
  const auto* midi = std::get_if<MidiControl>(&control);
  return midi == nullptr ? std::holds_alternative<KeyControl>(control)
                         : midi->kind == MidiControl::Kind::note;
}

bool can_be_endless(const SurfaceControl& control) {
  const auto* midi = std::get_if<MidiControl>(&control);
  return midi != nullptr && midi->kind == MidiControl::Kind::cc;
}

std::string to_string(const SurfaceControl& control) {
  return std::visit(SurfaceText{}, control);
}

std::string words_of(const SurfaceControl& control, std::string_view device) {
  return std::visit(SurfaceWords{device}, control);
}

Result<KeyControl> parse_key_control(std::string_view text) {
  if (text.empty() || text.size() > kKeyBytesMax || !show::is_plain_text(text))
    return fail(R"("{}" is no key; write it as the window does, such as "A" or "Shift+F5")",
                text.substr(0, 60));
  return KeyControl{std::string(text)};
}

Result<OscControl> parse_osc_control(std::string_view text) {
  const auto is_allowed = [](char c) {
    return c > ' ' && c < 127 && std::string_view("#*,?[]{}").find(c) == std::string_view::npos;
  };
  if (!text.starts_with('/') || text.size() > kAddressBytesMax ||
      !std::ranges::all_of(text, is_allowed))
    return fail(R"("{}" is no address of an OSC program; it looks like "/1/fader3")",
                text.substr(0, 60));
  if (is_own_address(text))
    return fail("\"{}\" is one of Submix's own addresses and needs no mapping", text);
  return OscControl{std::string(text)};
}

}  // namespace submix::input
