// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/host/control_block.hpp"
#include "node/host/host_process.hpp"
#include "node/io/clip/course.hpp"

#include <chrono>
#include <string>

/// What both users of a decoder need, for pictures and for sound.
namespace submix::decode {

/// How long a decoder may take to answer: its disk may be slow.
inline constexpr std::chrono::seconds kIdleTimeout(10);

[[nodiscard]] host::DecodeRequest as_request(const io::Course& course);

/// A moment or length that a decoder gave: at least `least`, and no longer than any file.
[[nodiscard]] double seconds_within(double seconds, double least);

/// How the process of a decoder ended. `name` is its file's.
[[nodiscard]] std::string reason_of_end(const host::HostProcess& host, const std::string& name);
/// The decoder wrote over the shared memory.
[[nodiscard]] std::string reason_of_scribble(const std::string& name);

}  // namespace submix::decode
