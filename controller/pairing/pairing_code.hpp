// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <string>
#include <string_view>

namespace submix::pairing {

/// Six digits that a person reads at the desk and types at another PC.
class PairingCode {
 public:
  static constexpr std::size_t kDigits = 6;

  /// From the system's source of random numbers: each code is equally likely.
  [[nodiscard]] static PairingCode random();
  /// Spaces and dashes between the digits are allowed: "123456", "123 456", "123-456".
  ///
  /// Errors   Anything but six digits.
  [[nodiscard]] static Result<PairingCode> parse(std::string_view text);

  [[nodiscard]] const std::string& digits() const { return digits_; }
  [[nodiscard]] std::string text() const;  ///< for people: "123 456"

  friend bool operator==(const PairingCode&, const PairingCode&) = default;

 private:
  explicit PairingCode(std::string digits) : digits_(std::move(digits)) {}

  std::string digits_;
};

}  // namespace submix::pairing
