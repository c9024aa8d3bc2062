// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/messages.hpp"

#include <cstdint>
#include <stop_token>
#include <string>

/// The two ends of a copy of a media file: the one that has it reads parts, the other one checks
/// the whole.
namespace submix::cluster {

/// The part of an open plain file that begins at `offset`. The part at the file's end has no bytes,
/// but the digest of the whole file.
///
/// Cost     Waits for the disk; the part at the end reads the whole file.
/// Errors   The file cannot be read, or ends before `offset`.
[[nodiscard]] Result<MediaPart> read_media_part(int descriptor, std::uint64_t offset);

/// The digest of a whole open file: BLAKE2b of 256 bits, in hexadecimal digits.
///
/// Errors   The file cannot be read, or a stop was requested.
[[nodiscard]] Result<std::string> digest_of(int descriptor, const std::stop_token& stop = {});

}  // namespace submix::cluster
