// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/wire/codec.hpp"
#include "common/wire/seal.hpp"

#include <cstdint>
#include <span>

namespace submix::wire {

/// Calls everything that a peer's bytes can reach. The results do not matter, but each call must
/// return.
inline void decode_as_everything(std::span<const std::uint8_t> bytes) {
  static_cast<void>(decode_envelope(bytes));
  static_cast<void>(decode_hello(bytes));
  static_cast<void>(decode_welcome(bytes));
  static_cast<void>(decode_refusal(bytes));
  static_cast<void>(decode_proof(bytes));
  for (const auto format : {PixelFormat::rgb24, PixelFormat::rgba})
    static_cast<void>(decode_stripe(bytes, format));
  static_cast<void>(decode_ack(bytes));
  static_cast<void>(decode_ping(bytes));
  static_cast<void>(decode_pong(bytes));
  static_cast<void>(decode_goodbye(bytes));
  static_cast<void>(decode_terms(bytes));
  static_cast<void>(decode_memory(bytes));
  static_cast<void>(decode_loan(bytes));
  static_cast<void>(decode_forget(bytes));
  static_cast<void>(peek_version(bytes));
  static_cast<void>(Seal().check(bytes));
  static_cast<void>(is_signed(Key{}, kRoleHello, {}, bytes));
}

}  // namespace submix::wire
