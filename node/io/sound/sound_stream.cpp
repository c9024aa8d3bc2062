// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/sound_stream.hpp"

#include "common/show/sound.hpp"
#include "node/io/sound/alsa_stream.hpp"
#include "node/io/sound/jack_stream.hpp"
#include "node/io/sound/pulse_stream.hpp"
#include "node/io/sound/sound_device.hpp"

namespace submix::io {
namespace {

/// The default input if no PulseAudio or PipeWire server runs. A JACK server has the card to
/// itself.
Result<std::unique_ptr<SoundStream>> open_default_without_pulse(const std::stop_token& stop) {
  if (auto stream = open_jack_stream("jack", stop)) return stream;
  return open_alsa_stream("");
}

}  // namespace

Result<std::unique_ptr<SoundStream>> open_sound(const std::string& device,
                                                const std::stop_token& stop) {
  SUBMIX_TRY(show::check_sound_name(device));
  if (show::is_sound_card(device)) return open_alsa_stream(device);
  if (show::jack_ports(device)) return open_jack_stream(device, stop);
  if (PulseServer::is_here()) return open_pulse_stream(device, stop);
  if (device.empty()) return open_default_without_pulse(stop);
  return fail("no sound input \"{}\" is here: no sound server runs for this user; {}", device,
              list_of_inputs(sound_card_inputs()));
}

}  // namespace submix::io
