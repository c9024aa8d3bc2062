// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/wire/field_archive.hpp"
#include "common/wire/message.hpp"

#include <array>
#include <cstdint>
#include <string_view>

/// The fields of each message in their order on the wire, as in the tables of PROTOCOL.md.
///
/// Each list serves both directions: `archive` is a FieldWriter with a const message, or a
/// FieldReader with a message to fill in. The envelope and the seal are not part of the lists.
namespace submix::wire {

// As in PNG's signature, the line end reveals a program between the nodes that rewrites text.
inline constexpr std::array<std::uint8_t, 8> kMagic{'S', 'U', 'B', 'M', 'I', 'X', '\r', '\n'};

/// The type of a message, its name in error messages, and whether a seal follows the fields.
struct MessageKind {
  MessageType type;
  std::string_view name;
  bool is_sealed;
};
template <typename Message>
inline constexpr MessageKind kKindOf{};
template <>
inline constexpr MessageKind kKindOf<Hello>{MessageType::hello, "hello", false};
template <>
inline constexpr MessageKind kKindOf<Welcome>{MessageType::welcome, "welcome", false};
template <>
inline constexpr MessageKind kKindOf<Refusal>{MessageType::refusal, "refusal", false};
template <>
inline constexpr MessageKind kKindOf<Proof>{MessageType::proof, "proof", false};
template <>
inline constexpr MessageKind kKindOf<StripeHeader>{MessageType::stripe, "stripe", true};
template <>
inline constexpr MessageKind kKindOf<Ack>{MessageType::ack, "ack", true};
template <>
inline constexpr MessageKind kKindOf<Ping>{MessageType::ping, "ping", true};
template <>
inline constexpr MessageKind kKindOf<Pong>{MessageType::pong, "pong", true};
template <>
inline constexpr MessageKind kKindOf<Goodbye>{MessageType::goodbye, "goodbye", true};
template <>
inline constexpr MessageKind kKindOf<Terms>{MessageType::terms, "terms", true};
template <>
inline constexpr MessageKind kKindOf<Memory>{MessageType::memory, "memory", true};
template <>
inline constexpr MessageKind kKindOf<Loan>{MessageType::loan, "loan", true};
template <>
inline constexpr MessageKind kKindOf<Forget>{MessageType::forget, "forget", true};

/// The beginning of a Hello of any protocol version.
struct HelloStart {
  std::array<std::uint8_t, 8> magic = kMagic;
  std::uint16_t protocol = kProtocolVersion;
};

template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<HelloStart>& start) {
  archive.bytes(start.magic);
  archive.number(start.protocol);
  archive.template reserved<std::uint16_t>();
}

/// The fields after the HelloStart.
template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<Hello>& hello) {
  archive.text8(hello.software, kNameBytesMax);
  archive.text8(hello.stream, kNameBytesMax);
  archive.text8(hello.node, kNameBytesMax);
  archive.number(hello.epoch);
  archive.number(hello.first_retained);
  archive.number(hello.link_index);
  archive.number(hello.link_count);
  archive.number(hello.protection);
  archive.number(hello.format);
  archive.dimension(hello.size.width);
  archive.dimension(hello.size.height);
  archive.number(hello.rate.numerator);
  archive.number(hello.rate.denominator);
  archive.bytes(hello.nonce);
  archive.bytes(hello.public_key);
  archive.bytes(hello.proof);
}

template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<Welcome>& welcome) {
  archive.text8(welcome.software, kNameBytesMax);
  archive.text8(welcome.node, kNameBytesMax);
  archive.number(welcome.instance);
  archive.number(welcome.next_frame);
  archive.number(welcome.credit_limit);
  archive.bytes(welcome.nonce);
  archive.bytes(welcome.public_key);
  archive.bytes(welcome.proof);
}

template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<Refusal>& refusal) {
  archive.number(refusal.code);
  archive.text16(refusal.text, kTextBytesMax);
}

template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<Proof>& proof) {
  archive.bytes(proof.digest);
}

template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<StripeHeader>& stripe) {
  archive.number(stripe.epoch);
  archive.number(stripe.frame);
  archive.number(stripe.pts);
  archive.number(stripe.offset_pixels);
  archive.number(stripe.pixels);
  archive.number(stripe.checksum);
  archive.bytes(stripe.tag);
}

template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<Ack>& ack) {
  archive.number(ack.epoch);
  archive.number(ack.released);
  archive.number(ack.credit_limit);
  archive.number(ack.released_at);
}

template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<Ping>& ping) {
  archive.number(ping.token);
}

template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<Pong>& pong) {
  archive.number(pong.token);
  archive.number(pong.clock);
}

template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<Goodbye>& goodbye) {
  archive.number(goodbye.reason);
  archive.text16(goodbye.text, kTextBytesMax);
}

template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<Terms>& terms) {
  archive.number(terms.frames_lent);
  archive.template reserved<std::uint32_t>();
}

template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<Memory>& memory) {
  archive.number(memory.memory);
  archive.number(memory.size_bytes);
}

template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<Loan>& loan) {
  archive.number(loan.epoch);
  archive.number(loan.frame);
  archive.number(loan.pts);
  archive.number(loan.memory);
  archive.number(loan.offset_bytes);
  archive.number(loan.form);
  archive.template reserved<std::uint32_t>();
}

template <typename Archive>
void fields(Archive& archive, typename Archive::template Of<Forget>& forget) {
  archive.number(forget.memory);
}

}  // namespace submix::wire
