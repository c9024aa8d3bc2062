// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/sound.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::show {

using submix::Sound;

/// Where the sound comes from that a show follows. One PC listens, and tells all others how loud
/// the sound is.
struct SoundInput {
  std::string node;    ///< the PC that listens; empty: no PC listens
  std::string device;  ///< of this PC, as its node lists them; empty: the default input

  friend bool operator==(const SoundInput&, const SoundInput&) = default;
};

/// Whether `device` may name an input at all, plugged in or not: empty for the default, "hw:1,0"
/// for a card, "jack" or "jack:CLIENT:PORT" for JACK, "clip:SUBMIX.SLOT" for the clip that a slot
/// plays, or a source of the sound server.
///
/// Errors   Any other name is refused: a show comes from other people, and a name of ALSA may load
///          a plugin or write a file.
[[nodiscard]] Result<void> check_sound_name(std::string_view device);
/// Whether `device` names a sound card's input: "hw:1,0".
[[nodiscard]] bool is_sound_card(std::string_view device);
/// The one or two ports of JACK in `device`: "jack:Mixer:left,Mixer:right". None for "jack", which
/// means all capture ports. Empty: `device` names nothing of JACK's.
[[nodiscard]] std::optional<std::vector<std::string>> jack_ports(std::string_view device);
/// The slot in `device`: "left.clip" of "clip:left.clip". Empty: `device` names no clip's sound.
[[nodiscard]] std::optional<std::string_view> slot_of_sound(std::string_view device);
/// The input that is the sound of the clip in slot `slot`, such as "left.clip".
[[nodiscard]] std::string sound_of_slot(std::string_view slot);
/// The number at the beginning of `text`, which loses the digits. Empty: no number of a card.
[[nodiscard]] std::optional<int> take_card_number(std::string_view& text);

}  // namespace submix::show
