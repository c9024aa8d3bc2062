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

Result<MediaPart> read_media_part(int descriptor, std::uint64_t offset) {
  const auto state = state_of(descriptor);
  if (!state) return fail("cannot be read: {}", std::strerror(errno));
  if (offset > state->bytes)
    return fail("has {} bytes, but was asked for those after {}", state->bytes, offset);
  MediaPart part{.bytes_all = state->bytes, .changed_ns = state->changed_ns};
  if (offset == state->bytes) {
    auto digest = digest_of(descriptor);
    SUBMIX_TRY(digest);
    part.digest = *std::move(digest);
    return part;
  }
  const auto left = state->bytes - offset;
  auto bytes = read_at(descriptor, offset, std::min<std::uint64_t>(left, kMediaPartBytes));
  SUBMIX_TRY(bytes);
  part.bytes = *std::move(bytes);
  return part;
}

Result<std::string> digest_of(int descriptor, const std::stop_token& stop) {
  crypto_generichash_state state;
  ::crypto_generichash_init(&state, nullptr, 0, crypto_generichash_BYTES);
  for (std::uint64_t offset = 0;;) {
    if (stop.stop_requested()) return fail("was stopped");
    const auto bytes = read_at(descriptor, offset, kMediaPartBytes);
    SUBMIX_TRY(bytes);
    if (bytes->empty()) break;
    offset += bytes->size();
    ::crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(bytes->data()),
                                bytes->size());
  }
  std::array<unsigned char, crypto_generichash_BYTES> digest{};
  ::crypto_generichash_final(&state, digest.data(), digest.size());
  std::string text(2 * digest.size() + 1, '\0');
  ::sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  text.pop_back();
  return text;
}

}  // namespace submix::cluster
