// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/capture_device.hpp"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

/// This computer's sound inputs. show::check_sound_name() says how a show names them.
namespace submix::io {

/// Where the kernel lists the inputs and outputs of the sound cards.
inline constexpr const char* kSoundCards = "/proc/asound/pcm";

/// The inputs that a person can choose: the sources of the sound server, or the inputs of the sound
/// cards if no server answers. A server's monitors carry what the computer plays. If JACK's server
/// runs, its output ports come last.
///
/// Threads  Synchronized.
/// Cost     A few milliseconds; with hanging servers, up to half a second for each of three
///          answers, and less after a stop. Never starts a server.
[[nodiscard]] std::vector<CaptureDevice> sound_devices(
    const std::stop_token& stop = {}, const std::filesystem::path& cards = kSoundCards);

/// The inputs of the sound cards alone, such as "hw:1,0". `cards` is the kernel's list.
[[nodiscard]] std::vector<CaptureDevice> sound_card_inputs(
    const std::filesystem::path& cards = kSoundCards);

/// "the default sound input", "sound input \"hw:1,0\"". `device` is a name in a show.
[[nodiscard]] std::string title_of_input(const std::string& device);

/// "this computer has hw:1,0 (USB Audio), hw:2,0 (Scarlett) and 3 more"
[[nodiscard]] std::string list_of_inputs(const std::vector<CaptureDevice>& inputs);

}  // namespace submix::io
