// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace submix::cluster {

/// The secret shared by all programs of one show: one line in a file that only its owner can read.
///
/// Shape    16 random bytes as 26 letters of base32 plus 2 check letters, "submix-key-xxxx…", so
///          that a person can copy the key to another machine. NATS's password and certificate and
///          the key of the streams are derived from the secret; none reveals the others.
/// Threads  Immutable.
/// Errors   Files that others can read are refused; so are keys with wrong check letters.
class ShowKey {
 public:
  static constexpr std::size_t kSecretBytes = 16;
  using StreamKey = std::array<std::uint8_t, 32>;        ///< the same type as wire::Key
  using CertificateSeed = std::array<std::uint8_t, 32>;  ///< an Ed25519 private key

  [[nodiscard]] static ShowKey random();
  [[nodiscard]] static Result<ShowKey> parse(std::string_view text);
  [[nodiscard]] static Result<ShowKey> read(const std::filesystem::path& file);

  /// Writes the key with mode 0600. An existing file is never replaced.
  [[nodiscard]] Result<void> write_new(const std::filesystem::path& file) const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string nats_password() const;
  [[nodiscard]] CertificateSeed nats_certificate_seed() const;
  [[nodiscard]] StreamKey stream_key() const;

  friend bool operator==(const ShowKey&, const ShowKey&) = default;

 private:
  using Secret = std::array<std::uint8_t, kSecretBytes>;
  explicit ShowKey(const Secret& secret) : secret_(secret) {}
  [[nodiscard]] StreamKey derived(std::string_view purpose) const;

  Secret secret_{};
};

}  // namespace submix::cluster
