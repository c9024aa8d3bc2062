// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/media_part.hpp"

#include "common/base/file_state.hpp"

#include <sodium.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace submix::cluster {
namespace {

// Fewer bytes than asked for: the file ends there.
Result<std::string> read_at(int descriptor, std::uint64_t offset, std::size_t bytes) {
  std::string read(bytes, '\0');
  std::size_t filled = 0;
  while (filled < bytes) {
    const auto got = ::pread(descriptor, read.data() + filled, bytes - filled,
                             static_cast<off_t>(offset + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail("cannot be read: {}", std::strerror(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  read.resize(filled);
  return read;
}

}  // namespace

std::string digest_of(std::string_view bytes) {
  std::array<unsigned char, crypto_generichash_BYTES> digest{};
  ::crypto_generichash(digest.data(), digest.size(),
                       reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr,
                       0);
  std::string text(2 * digest.size() + 1, '\0');
  ::sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  text.pop_back();
  return text;
}

Result<MediaPart> read_media_part(int descriptor, std::uint64_t offset) {
  const auto state = state_of(descriptor);
  if (!state) return fail("cannot be read: {}", std::strerror(errno));
  if (offset >= state->bytes)
    return fail("has {} bytes, but was asked for those after {}", state->bytes, offset);
  const auto left = state->bytes - offset;
  auto bytes = read_at(descriptor, offset, std::min<std::uint64_t>(left, kMediaPartBytes));
  SUBMIX_TRY(bytes);
  auto digest = digest_of(*bytes);
  return MediaPart{state->bytes, state->changed_ns, *std::move(bytes), std::move(digest)};
}

bool is_sound(const MediaPart& part, std::uint64_t offset) {
  if (offset >= part.bytes_all) return false;
  const auto due = std::min<std::uint64_t>(part.bytes_all - offset, kMediaPartBytes);
  return part.bytes.size() == due && part.digest == digest_of(part.bytes);
}

}  // namespace submix::cluster
