// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/show_key.hpp"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <vector>

namespace submix::cluster {
namespace {

constexpr std::string_view kPrefix = "submix-key-";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz234567";  // RFC 4648, lower case
constexpr std::size_t kSecretLetters = 26;  // 16 bytes are 25.6 letters
constexpr std::size_t kCheckLetters = 2;

void use_sodium() {
  [[maybe_unused]] static const int ready = ::sodium_init();
}

// Five bits for each letter, beginning with the most significant bit. The last letter is padded
// with zeros.
std::string to_letters(std::span<const std::uint8_t> bytes, std::size_t letters) {
  std::string text;
  for (std::size_t i = 0; i < letters; ++i) {
    unsigned value = 0;
    for (std::size_t bit = i * 5; bit < i * 5 + 5; ++bit) {
      const unsigned byte = bit / 8 < bytes.size() ? bytes[bit / 8] : 0;
      value = value * 2 + ((byte >> (7 - bit % 8)) & 1U);
    }
    text += kLetters[value];
  }
  return text;
}

std::string check_letters(std::span<const std::uint8_t> secret) {
  std::array<std::uint8_t, 16> digest{};
  ::crypto_generichash(digest.data(), digest.size(), secret.data(), secret.size(), nullptr, 0);
  return to_letters(digest, kCheckLetters);
}

}  // namespace

ShowKey ShowKey::random() {
  use_sodium();
  Secret secret{};
  ::randombytes_buf(secret.data(), secret.size());
  return ShowKey(secret);
}

Result<ShowKey> ShowKey::parse(std::string_view text) {
  use_sodium();
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  const auto letters = text.substr(std::min(kPrefix.size(), text.size()));
  if (!text.starts_with(kPrefix) || letters.size() != kSecretLetters + kCheckLetters) {
    return fail(
        "not a key: {} bytes instead of one line \"{}…\" of {}; make one with: submix key new FILE",
        text.size(), kPrefix, kPrefix.size() + kSecretLetters + kCheckLetters);
  }
  Secret secret{};
  for (std::size_t i = 0; i < kSecretLetters; ++i) {
    const auto value = kLetters.find(letters[i]);
    if (value == std::string_view::npos)
      return fail("not a key: letter {} cannot be in one; copy it again", i + 1);
    for (std::size_t bit = i * 5; bit < i * 5 + 5 && bit / 8 < secret.size(); ++bit) {
      const auto digit = (value >> (4 - (bit - i * 5))) & 1U;
      secret[bit / 8] = static_cast<std::uint8_t>(secret[bit / 8] | digit << (7 - bit % 8));
    }
  }
  const ShowKey key(secret);
  if (key.text() != text) return fail("not a key: its check letters do not fit; copy it again");
  return key;
}

Result<ShowKey> ShowKey::read(const std::filesystem::path& file) {
  // A pipe must not block the caller.
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return fail("key file {}: {}; make one with: submix key new {}", file.string(),
                std::strerror(errno), file.string());
  struct stat status{};
  std::array<char, 256> buffer{};
  const bool is_file = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  const auto bytes = is_file ? ::read(fd, buffer.data(), buffer.size()) : -1;
  ::close(fd);
  if (bytes < 0) return fail("key file {}: is not a file that can be read", file.string());
  // First: no remedy may concern a file that is no key, such as /etc/passwd.
  auto key = parse({buffer.data(), static_cast<std::size_t>(bytes)});
  if (!key) return fail("key file {}: {}", file.string(), key.error().message);
  if ((status.st_mode & 077U) != 0) {
    return fail("key file {}: mode {:04o} lets others use it; run: chmod 600 {}", file.string(),
                status.st_mode & 07777U, file.string());
  }
  return key;
}

Result<void> ShowKey::write_new(const std::filesystem::path& file) const {
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0 && errno == EEXIST)
    return fail("key file {}: is there already, and is not overwritten; name another",
                file.string());
  if (fd < 0) return fail("key file {}: cannot be made: {}", file.string(), std::strerror(errno));
  const auto line = text() + "\n";
  const bool is_written =
      ::write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
      ::fsync(fd) == 0;
  const int reason = errno;
  ::close(fd);
  if (is_written) return {};
  ::unlink(file.c_str());
  return fail("key file {}: cannot be written: {}", file.string(), std::strerror(reason));
}

std::string ShowKey::text() const {
  return std::string(kPrefix) + to_letters(secret_, kSecretLetters) + check_letters(secret_);
}

std::string ShowKey::nats_password() const {
  return to_letters(derived("submix nats token 1"), 52);
}

ShowKey::CertificateSeed ShowKey::nats_certificate_seed() const {
  return derived("submix nats certificate 1");
}

ShowKey::StreamKey ShowKey::stream_key() const {
  return derived("submix stream key 1");
}

// Keyed BLAKE2b: a derived value reveals neither the secret nor the other derived values.
ShowKey::StreamKey ShowKey::derived(std::string_view purpose) const {
  StreamKey result{};
  const std::vector<std::uint8_t> message(purpose.begin(), purpose.end());
  ::crypto_generichash(result.data(), result.size(), message.data(), message.size(), secret_.data(),
                       secret_.size());
  return result;
}

}  // namespace submix::cluster
