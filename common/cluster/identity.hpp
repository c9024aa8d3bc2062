// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace submix::cluster {

/// The public half of an Identity (X25519).
using PublicKey = std::array<std::uint8_t, 32>;

[[nodiscard]] std::string to_text(const PublicKey& key);  ///< 64 hexadecimal digits
[[nodiscard]] std::optional<PublicKey> parse_public_key(std::string_view text);
/// 48 random hexadecimal digits for a question. Its answer repeats them, so an old answer is of no
/// use.
[[nodiscard]] std::string random_challenge();

/// The key pair of one PC. The desk seals what only this PC may read; the PC knows by its own key
/// and the desk's that the desk has sealed it.
///
/// Shape    The secret half, 64 hexadecimal digits in one line of a file of mode 0600.
/// Threads  Immutable.
/// Cost     seal() and open() take about 0.1 ms.
class Identity {
 public:
  [[nodiscard]] static Identity random();
  /// Errors   No such file, another text, or others may read it.
  [[nodiscard]] static Result<Identity> read(const std::filesystem::path& folder);
  /// The identity in `folder`; a new one if there is none.
  [[nodiscard]] static Result<Identity> read_or_make(const std::filesystem::path& folder);
  /// The file of the identity in `folder`.
  [[nodiscard]] static std::filesystem::path file_in(const std::filesystem::path& folder);
  Identity(const Identity&) = default;
  Identity& operator=(const Identity&) = default;
  ~Identity();

  [[nodiscard]] const PublicKey& public_key() const { return public_key_; }

  /// `text` for the owner of `to`, who learns that it comes from here: libsodium's `crypto_box`, as
  /// hexadecimal digits.
  [[nodiscard]] std::string seal(std::string_view text, const PublicKey& to) const;
  /// Empty: it was not sealed by the owner of `from` for this identity, or it was changed.
  [[nodiscard]] std::optional<std::string> open(std::string_view sealed,
                                                const PublicKey& from) const;
  /// 64 hexadecimal digits that only the owners of both keys can compute, another for each
  /// `purpose`. Empty: `other` is no public key of a PC.
  [[nodiscard]] std::string secret_with(const PublicKey& other, std::string_view purpose) const;

 private:
  using Secret = std::array<std::uint8_t, 32>;
  explicit Identity(const Secret& secret);

  Secret secret_{};
  PublicKey public_key_{};
};

}  // namespace submix::cluster
