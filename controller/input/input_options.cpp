// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/input_options.hpp"

#include "controller/input/settings.hpp"

#include <charconv>

namespace submix::input {

Result<InputOptions> input_options(const CommandLine& typed) {
  InputOptions options{settings_file()};
  options.is_midi_on = typed.is_midi_on;
  options.is_link_on = typed.is_link_on;
  options.is_music_followed = typed.is_music_followed;
  const bool wants_osc = !typed.osc.empty() || !typed.osc_bind.empty() || !typed.osc_to.empty();
  if (wants_osc) options.is_osc_on = typed.osc != "off";
  if (!typed.osc.empty() && options.is_osc_on.value_or(false)) {
    std::uint16_t port = 0;
    const auto* end = typed.osc.data() + typed.osc.size();
    const auto [stop, error] = std::from_chars(typed.osc.data(), end, port);
    if (error != std::errc() || stop != end)
      return fail("--osc {}: write a port from 0 (a free one) to 65535, or off", typed.osc);
    options.osc_port = port;
  }
  if (!typed.osc_bind.empty()) options.osc_host = typed.osc_bind;
  for (const auto& text : typed.osc_to) {
    auto peer = parse_peer(text);
    if (!peer) return fail("--osc-to: {}", peer.error().message);
    options.osc_receivers.push_back(*std::move(peer));
  }
  return options;
}

}  // namespace submix::input
