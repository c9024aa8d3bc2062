// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/capture_device.hpp"
#include "common/base/result.hpp"

#include <jack/jack.h>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

/// This user's JACK server: jackd, or PipeWire in its place. JACK_DEFAULT_SERVER names another one.
namespace submix::io {

/// Closes a client. Waits for its server: only in calls of jack_calls.hpp.
struct JackDeleter {
  void operator()(jack_client_t* client) const { ::jack_client_close(client); }
};
using JackClient = std::unique_ptr<jack_client_t, JackDeleter>;

/// Never starts a server. `name` is for people. Only in calls of jack_calls.hpp.
[[nodiscard]] Result<JackClient> open_jack_client(const char* name);

/// The output ports that carry sound. `is_capture`: only those of the sound card.
[[nodiscard]] std::vector<std::string> jack_outputs(jack_client_t* client, bool is_capture);

/// The inputs as a show names them: "jack" for all capture ports, each port, and both ports of a
/// client with exactly two. `outputs` are all ports.
[[nodiscard]] std::vector<CaptureDevice> jack_inputs_of(const std::vector<std::string>& outputs,
                                                        bool has_capture);
/// The inputs of a running server; none if no server runs.
///
/// Cost     A few milliseconds; up to `patience` for a server that hangs, and less after a stop.
[[nodiscard]] std::vector<CaptureDevice> jack_inputs(const std::stop_token& stop,
                                                     std::chrono::milliseconds patience);

}  // namespace submix::io
