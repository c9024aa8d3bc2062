// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/identity.hpp"

#include "common/base/files.hpp"

#include <sodium.h>
#include <sys/stat.h>

#include <algorithm>
#include <span>
#include <vector>

namespace submix::cluster {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSealedBytesMax = 4096;
constexpr unsigned kIdentityMode = 0600;
constexpr std::size_t kOverhead = crypto_box_NONCEBYTES + crypto_box_MACBYTES;
constexpr std::size_t kChallengeBytes = 24;

void make_sodium_ready() {
  [[maybe_unused]] static const int ready = ::sodium_init();
}

const std::uint8_t* bytes_in(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  std::string text(bytes.size() * 2 + 1, '\0');
  ::sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
  text.pop_back();
  return text;
}

std::optional<std::vector<std::uint8_t>> from_hex(std::string_view text) {
  std::vector<std::uint8_t> bytes(text.size() / 2);
  std::size_t count = 0;
  const char* end = nullptr;
  const bool is_hex = !text.empty() && text.size() % 2 == 0 &&
                      ::sodium_hex2bin(bytes.data(), bytes.size(), text.data(), text.size(),
                                       nullptr, &count, &end) == 0 &&
                      count == bytes.size();
  if (!is_hex) return std::nullopt;
  return bytes;
}

bool is_for_owner_only(const fs::path& file) {
  struct stat status{};
  return ::stat(file.c_str(), &status) == 0 && (status.st_mode & 077U) == 0;
}

}  // namespace

std::string to_text(const PublicKey& key) {
  return to_hex(key);
}

std::optional<PublicKey> parse_public_key(std::string_view text) {
  PublicKey key{};
  const auto bytes = from_hex(text);
  if (!bytes || bytes->size() != key.size()) return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), key.begin());
  return key;
}

std::string random_challenge() {
  make_sodium_ready();
  std::array<std::uint8_t, kChallengeBytes> bytes{};
  ::randombytes_buf(bytes.data(), bytes.size());
  return to_hex(bytes);
}

Identity::Identity(const Secret& secret) : secret_(secret) {
  ::crypto_scalarmult_base(public_key_.data(), secret_.data());
}

Identity::~Identity() {
  ::sodium_memzero(secret_.data(), secret_.size());
}

Identity Identity::random() {
  make_sodium_ready();
  Secret secret{};
  ::randombytes_buf(secret.data(), secret.size());
  return Identity(secret);
}

fs::path Identity::file_in(const fs::path& folder) {
  return folder / "identity.key";
}

Result<Identity> Identity::read(const fs::path& folder) {
  make_sodium_ready();
  const auto file = file_in(folder);
  auto text = read_text_file(file, 2 * sizeof(Secret) + 1);
  SUBMIX_TRY(text);
  if (!is_for_owner_only(file))
    return fail("{}: others can read this PC's identity; run: chmod 600 {}", file.string(),
                file.string());
  if (text->ends_with('\n')) text->pop_back();
  const auto secret = parse_public_key(*text);  // the same form
  ::sodium_memzero(text->data(), text->size());
  if (!secret)
    return fail("{}: is no identity of a PC; remove the file, then join the desk again",
                file.string());
  return Identity(*secret);
}

Result<Identity> Identity::read_or_make(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(file_in(folder), error)) return read(folder);
  fs::create_directories(folder, error);
  auto made = random();
  SUBMIX_TRY(write_file_atomically(file_in(folder), to_hex(made.secret_) + "\n", kIdentityMode));
  return made;
}

std::string Identity::seal(std::string_view text, const PublicKey& to) const {
  std::vector<std::uint8_t> bytes(kOverhead + text.size());
  auto* const nonce = bytes.data();
  ::randombytes_buf(nonce, crypto_box_NONCEBYTES);
  // Fails only for a public key of low order, which no PC has: nobody can open zeros.
  if (::crypto_box_easy(nonce + crypto_box_NONCEBYTES, bytes_in(text), text.size(), nonce,
                        to.data(), secret_.data()) != 0)
    return {};
  return to_hex(bytes);
}

std::optional<std::string> Identity::open(std::string_view sealed, const PublicKey& from) const {
  if (sealed.size() > kSealedBytesMax) return std::nullopt;
  const auto bytes = from_hex(sealed);
  if (!bytes || bytes->size() < kOverhead) return std::nullopt;
  std::string text(bytes->size() - kOverhead, '\0');
  const auto* const nonce = bytes->data();
  if (::crypto_box_open_easy(reinterpret_cast<std::uint8_t*>(text.data()),
                             nonce + crypto_box_NONCEBYTES, bytes->size() - crypto_box_NONCEBYTES,
                             nonce, from.data(), secret_.data()) != 0)
    return std::nullopt;
  return text;
}

std::string Identity::secret_with(const PublicKey& other, std::string_view purpose) const {
  std::array<std::uint8_t, crypto_box_BEFORENMBYTES> shared{};
  if (::crypto_box_beforenm(shared.data(), other.data(), secret_.data()) != 0) return {};
  std::array<std::uint8_t, crypto_generichash_BYTES> digest{};
  ::crypto_generichash(digest.data(), digest.size(), bytes_in(purpose), purpose.size(),
                       shared.data(), shared.size());
  ::sodium_memzero(shared.data(), shared.size());
  return to_hex(digest);
}

}  // namespace submix::cluster
