// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/pairing_code.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>

namespace submix::pairing {

PairingCode PairingCode::random() {
  [[maybe_unused]] static const int ready = ::sodium_init();
  constexpr std::uint32_t kCodes = 1'000'000;
  return PairingCode(fmt::format("{:06}", ::randombytes_uniform(kCodes)));
}

Result<PairingCode> PairingCode::parse(std::string_view text) {
  std::string digits;
  for (const char letter : text) {
    if (letter == ' ' || letter == '-' || letter == '\r' || letter == '\n') continue;
    if (letter < '0' || letter > '9')
      return fail("a code has digits only, such as 123 456; type the code that the other PC shows");
    digits += letter;
  }
  if (digits.size() != kDigits) {
    return fail("a code has {} digits, not {}; type the code that the other PC shows", kDigits,
                digits.size());
  }
  return PairingCode(std::move(digits));
}

std::string PairingCode::text() const {
  return digits_.substr(0, kDigits / 2) + " " + digits_.substr(kDigits / 2);
}

}  // namespace submix::pairing
