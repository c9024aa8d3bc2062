// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/messages.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// Parts of a media file that is copied from one computer to another one.
namespace submix::cluster {

/// The part of an open plain file that begins at `offset`.
///
/// Cost     Waits for the disk.
/// Errors   The file cannot be read, or ends at `offset`.
[[nodiscard]] Result<MediaPart> read_media_part(int descriptor, std::uint64_t offset);

/// Whether a part is the part at `offset` of a file of its size, and came as it was sent.
[[nodiscard]] bool is_sound(const MediaPart& part, std::uint64_t offset);

/// BLAKE2b of 256 bits, in hexadecimal digits.
[[nodiscard]] std::string digest_of(std::string_view bytes);

}  // namespace submix::cluster
