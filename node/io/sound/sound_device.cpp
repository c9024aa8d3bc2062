// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/sound_device.hpp"

#include "common/base/files.hpp"
#include "common/base/plain_text.hpp"
#include "common/show/sound.hpp"
#include "node/io/sound/jack_server.hpp"
#include "node/io/sound/pulse_server.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <string>

namespace submix::io {
namespace {

constexpr std::size_t kTitleBytesMax = 100;
constexpr std::size_t kInputsTold = 5;
constexpr std::chrono::milliseconds kLookPatience{500};  // others wait for the caller of this

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

/// The input of the kernel's line "01-00: USB Audio : USB Audio : playback 1 : capture 1". Empty:
/// the line is an output.
std::optional<CaptureDevice> card_input(std::string_view line) {
  const auto capture = line.rfind(": capture ");
  if (capture == std::string_view::npos) return std::nullopt;
  auto streams = line.substr(capture + std::string_view(": capture ").size());
  if (!show::take_card_number(streams)) return std::nullopt;
  auto numbers = line;
  const auto card = show::take_card_number(numbers);
  if (!card || !numbers.starts_with('-')) return std::nullopt;
  numbers.remove_prefix(1);
  const auto device = show::take_card_number(numbers);
  if (!device || !numbers.starts_with(':')) return std::nullopt;
  return CaptureDevice{fmt::format("hw:{},{}", *card, *device),
                       plain_text(field_of(line, 1), kTitleBytesMax)};
}

std::vector<CaptureDevice> inputs_without_jack(const std::stop_token& stop,
                                               const std::filesystem::path& cards) {
  if (!PulseServer::is_here()) return sound_card_inputs(cards);
  auto server = PulseServer::connect(stop, kLookPatience);
  if (!server) return sound_card_inputs(cards);
  auto sources = server->sources();
  return sources ? std::move(*sources) : sound_card_inputs(cards);
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

std::vector<CaptureDevice> sound_devices(const std::stop_token& stop,
                                         const std::filesystem::path& cards) {
  auto inputs = inputs_without_jack(stop, cards);
  auto ports = jack_inputs(stop, kLookPatience);
  std::ranges::move(ports, std::back_inserter(inputs));
  inputs.resize(std::min(inputs.size(), kCaptureDevicesMax));
  return inputs;
}

std::string title_of_input(const std::string& device) {
  return device.empty() ? "the default sound input" : fmt::format("sound input \"{}\"", device);
}

std::string list_of_inputs(const std::vector<CaptureDevice>& inputs) {
  if (inputs.empty()) return "this computer has no sound input";
  std::vector<std::string> names;
  for (const auto& [device, name] : std::span(inputs).first(std::min(inputs.size(), kInputsTold)))
    names.push_back(fmt::format("{} ({})", device, name));
  const auto rest = inputs.size() - names.size();
  return fmt::format("this computer has {}{}", fmt::join(names, ", "),
                     rest == 0 ? "" : fmt::format(" and {} more", rest));
}

}  // namespace submix::io
