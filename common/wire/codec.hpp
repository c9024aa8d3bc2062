// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/wire/message.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

/// Encodes and decodes messages as PROTOCOL.md defines them. Pure functions. Invalid bytes from a
/// peer are an expected failure, never a bug.
///
/// Cost     Stripe, Loan, Ack, Ping and Pong: no allocation unless they fail.
namespace submix::wire {

/// Writes the whole message with its envelope and returns its length. `out` has room for
/// kControlBytesMax bytes, or for kStripeHeaderBytes in the case of a stripe's header. Texts are
/// cut at their limits. The caller then fills in the proof of a Hello or Welcome, or the seal of a
/// later message; see seal.hpp.
[[nodiscard]] std::size_t encode(const Hello& hello, std::span<std::uint8_t> out);
[[nodiscard]] std::size_t encode(const Welcome& welcome, std::span<std::uint8_t> out);
[[nodiscard]] std::size_t encode(const Refusal& refusal, std::span<std::uint8_t> out);
[[nodiscard]] std::size_t encode(const Proof& proof, std::span<std::uint8_t> out);
[[nodiscard]] std::size_t encode(const StripeHeader& stripe, std::span<std::uint8_t> out);
[[nodiscard]] std::size_t encode(const Ack& ack, std::span<std::uint8_t> out);
[[nodiscard]] std::size_t encode(const Ping& ping, std::span<std::uint8_t> out);
[[nodiscard]] std::size_t encode(const Pong& pong, std::span<std::uint8_t> out);
[[nodiscard]] std::size_t encode(const Goodbye& goodbye, std::span<std::uint8_t> out);
[[nodiscard]] std::size_t encode(const Terms& terms, std::span<std::uint8_t> out);
[[nodiscard]] std::size_t encode(const Memory& memory, std::span<std::uint8_t> out);
[[nodiscard]] std::size_t encode(const Loan& loan, std::span<std::uint8_t> out);
[[nodiscard]] std::size_t encode(const Forget& forget, std::span<std::uint8_t> out);

/// Decodes the first kEnvelopeBytes bytes. Fails on an unknown type, on reserved bits, and on a
/// length that this type cannot have. A body is therefore small, except for a stripe's.
[[nodiscard]] Result<Envelope> decode_envelope(std::span<const std::uint8_t> bytes);

/// Decodes a whole message with its envelope, or a stripe's header. The caller has checked the
/// type. `format` of a stripe's pixels: as the Hello states it.
[[nodiscard]] Result<Hello> decode_hello(std::span<const std::uint8_t> message);
[[nodiscard]] Result<Welcome> decode_welcome(std::span<const std::uint8_t> message);
[[nodiscard]] Result<Refusal> decode_refusal(std::span<const std::uint8_t> message);
[[nodiscard]] Result<Proof> decode_proof(std::span<const std::uint8_t> message);
[[nodiscard]] Result<StripeHeader> decode_stripe(std::span<const std::uint8_t> message,
                                                 PixelFormat format);
[[nodiscard]] Result<Ack> decode_ack(std::span<const std::uint8_t> message);
[[nodiscard]] Result<Ping> decode_ping(std::span<const std::uint8_t> message);
[[nodiscard]] Result<Pong> decode_pong(std::span<const std::uint8_t> message);
[[nodiscard]] Result<Goodbye> decode_goodbye(std::span<const std::uint8_t> message);
[[nodiscard]] Result<Terms> decode_terms(std::span<const std::uint8_t> message);
[[nodiscard]] Result<Memory> decode_memory(std::span<const std::uint8_t> message);
[[nodiscard]] Result<Loan> decode_loan(std::span<const std::uint8_t> message);
[[nodiscard]] Result<Forget> decode_forget(std::span<const std::uint8_t> message);

/// The protocol version and software in a Hello of any version. `is_hello` is false for other
/// bytes.
struct HelloVersion {
  bool is_hello = false;
  std::uint16_t protocol = 0;
  std::string software;
};
[[nodiscard]] HelloVersion peek_version(std::span<const std::uint8_t> message);

}  // namespace submix::wire
