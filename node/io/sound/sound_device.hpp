// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/capture_device.hpp"
#include "common/base/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// The inputs of this computer's sound, and their names in a show.
///
/// A name is empty (the default input), "hw:1,0" (a card's input), or a source of the sound server.
namespace submix::io {

/// Where the kernel lists the inputs and outputs of the sound cards.
inline constexpr const char* kSoundCards = "/proc/asound/pcm";

/// The inputs, as a person chooses among them: the sources of the sound server, or the inputs of
/// the sound cards where no server answers. A server's monitors carry what the computer plays.
///
/// Threads  Synchronized.
/// Cost     A few milliseconds. Waits up to 3 s for each of two answers of a server that hangs.
///          Never starts a server.
[[nodiscard]] std::vector<CaptureDevice> sound_devices(
    const std::filesystem::path& cards = kSoundCards);

/// The inputs of the sound cards alone, such as "hw:1,0". `cards` is the kernel's list.
[[nodiscard]] std::vector<CaptureDevice> sound_card_inputs(
    const std::filesystem::path& cards = kSoundCards);

/// Whether `device` may name an input at all, plugged in or not.
///
/// Errors   Any other name is refused: a show comes from other people, and a name of ALSA may load a
///          plugin or write a file.
[[nodiscard]] Result<void> check_sound_name(std::string_view device);

/// Whether `device` names a sound card's input: "hw:1,0".
[[nodiscard]] bool is_sound_card(std::string_view device);

/// "this computer has hw:1,0 (USB Audio), hw:2,0 (Scarlett)"
[[nodiscard]] std::string list_of_inputs(const std::vector<CaptureDevice>& inputs);

}  // namespace submix::io
