// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/codec.hpp"

#include "common/wire/byte_reader.hpp"
#include "common/wire/byte_writer.hpp"
#include "common/wire/epoch.hpp"

#include <utility>

namespace submix::wire {
namespace {

// As in PNG's signature, the line end reveals a program between the nodes that rewrites text.
constexpr std::array<std::uint8_t, 8> kMagic{'S', 'U', 'B', 'M', 'I', 'X', '\r', '\n'};
constexpr std::uint32_t kStripeFixedBytes = kStripeHeaderBytes - kEnvelopeBytes;

/// Begins a message with its envelope; finish() fills in the length.
class MessageWriter : public ByteWriter {
 public:
  MessageWriter(MessageType type, std::span<std::uint8_t> out) : ByteWriter(out), out_(out) {
    u8(static_cast<std::uint8_t>(type));
    u8(0);
    u16(0);
    u32(0);
  }
  std::size_t finish(std::size_t bytes_to_follow = 0) {
    const auto body_bytes = size() - kEnvelopeBytes + bytes_to_follow;
    ByteWriter(out_.subspan(4)).u32(static_cast<std::uint32_t>(body_bytes));
    return size();
  }
  /// Adds room for the seal, then calls finish().
  std::size_t finish_sealed(std::size_t bytes_to_follow = 0) {
    u64(0);
    u64(0);
    return finish(bytes_to_follow);
  }

 private:
  std::span<std::uint8_t> out_;
};

ByteReader body_of(std::span<const std::uint8_t> message) {
  return ByteReader(message.size() < kEnvelopeBytes ? message.first(0)
                                                    : message.subspan(kEnvelopeBytes));
}

void skip_seal(ByteReader& reader) {
  reader.u64();
  reader.u64();
}

tl::unexpected<Error> malformed(std::string_view what) {
  return fail("{} message: its fields do not fill its length exactly", what);
}

bool is_known(std::uint8_t type) {
  return (type >= 1 && type <= 4) || (type >= 16 && type <= 20) || (type >= 32 && type <= 35);
}

Result<void> check_hello(const Hello& hello) {
  if (hello.stream.empty() || hello.node.empty())
    return fail("hello: the name of stream or node is empty");
  if (!is_allowed(hello.size)) {
    return fail("hello for stream \"{}\": size {}x{} is not within {}x{} to {}x{}", hello.stream,
                hello.size.width, hello.size.height, kSmallestSize.width, kSmallestSize.height,
                kLargestSize.width, kLargestSize.height);
  }
  if (hello.epoch > kEpochMax) {
    return fail("hello for stream \"{}\": epoch {} is greater than {}", hello.stream, hello.epoch,
                kEpochMax);
  }
  const auto& rate = hello.rate;
  if (rate.numerator == 0 || rate.denominator == 0 || rate.numerator > kRateTermMax ||
      rate.denominator > kRateTermMax) {
    return fail("hello for stream \"{}\": rate {}/{} has a term outside 1 to {}", hello.stream,
                rate.numerator, rate.denominator, kRateTermMax);
  }
  if (hello.link_count == 0 || hello.link_count > kLinksMax ||
      hello.link_index >= hello.link_count) {
    return fail("hello for stream \"{}\": link {} of {}, at most {} links", hello.stream,
                hello.link_index, hello.link_count, kLinksMax);
  }
  if (hello.checksum != Checksum::none && hello.checksum != Checksum::xxh3) {
    return fail("hello for stream \"{}\": checksum {} is neither 0 (none) nor 1 (XXH3)",
                hello.stream, static_cast<int>(hello.checksum));
  }
  return {};
}

int dimension(std::uint32_t value) {
  return value > 0x7fffffff ? -1 : static_cast<int>(value);
}

}  // namespace

std::size_t encode(const Hello& hello, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::hello, out);
  writer.bytes(kMagic);
  writer.u16(kProtocolVersion);
  writer.u16(0);
  writer.text8(hello.software, kNameBytesMax);
  writer.text8(hello.stream, kNameBytesMax);
  writer.text8(hello.node, kNameBytesMax);
  writer.u64(hello.epoch);
  writer.u64(hello.first_retained.value);
  writer.u8(hello.link_index);
  writer.u8(hello.link_count);
  writer.u8(static_cast<std::uint8_t>(hello.checksum));
  writer.u8(0);
  writer.u32(static_cast<std::uint32_t>(hello.size.width));
  writer.u32(static_cast<std::uint32_t>(hello.size.height));
  writer.u32(hello.rate.numerator);
  writer.u32(hello.rate.denominator);
  writer.bytes(hello.nonce);
  writer.bytes(hello.proof);
  return writer.finish();
}

std::size_t encode(const Welcome& welcome, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::welcome, out);
  writer.text8(welcome.software, kNameBytesMax);
  writer.text8(welcome.node, kNameBytesMax);
  writer.u64(welcome.instance);
  writer.u64(welcome.next_frame.value);
  writer.u64(welcome.credit_limit.value);
  writer.bytes(welcome.nonce);
  writer.bytes(welcome.proof);
  return writer.finish();
}

std::size_t encode(const Refusal& refusal, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::refusal, out);
  writer.u16(static_cast<std::uint16_t>(refusal.code));
  writer.text16(refusal.text, kTextBytesMax);
  return writer.finish();
}

std::size_t encode(const Proof& proof, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::proof, out);
  writer.bytes(proof.digest);
  return writer.finish();
}

std::size_t encode(const StripeHeader& stripe, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::stripe, out);
  writer.u64(stripe.epoch);
  writer.u64(stripe.frame.value);
  writer.u64(static_cast<std::uint64_t>(stripe.pts.count()));
  writer.u32(stripe.offset_pixels);
  writer.u32(stripe.pixels);
  writer.u64(stripe.checksum);
  return writer.finish_sealed(std::size_t{stripe.pixels} * 3);
}

std::size_t encode(const Ack& ack, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::ack, out);
  writer.u64(ack.epoch);
  writer.u64(ack.released.value);
  writer.u64(ack.credit_limit.value);
  writer.u64(static_cast<std::uint64_t>(ack.released_at.count()));
  return writer.finish_sealed();
}

std::size_t encode(const Ping& ping, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::ping, out);
  writer.u64(ping.token);
  return writer.finish_sealed();
}

std::size_t encode(const Pong& pong, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::pong, out);
  writer.u64(pong.token);
  writer.u64(static_cast<std::uint64_t>(pong.clock.count()));
  return writer.finish_sealed();
}

std::size_t encode(const Goodbye& goodbye, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::goodbye, out);
  writer.u16(static_cast<std::uint16_t>(goodbye.reason));
  writer.text16(goodbye.text, kTextBytesMax);
  return writer.finish_sealed();
}

std::size_t encode(const Terms& terms, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::terms, out);
  writer.u32(terms.frames_lent);
  writer.u32(0);
  return writer.finish_sealed();
}

std::size_t encode(const Memory& memory, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::memory, out);
  writer.u64(memory.memory);
  writer.u64(memory.size_bytes);
  return writer.finish_sealed();
}

std::size_t encode(const Loan& loan, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::loan, out);
  writer.u64(loan.epoch);
  writer.u64(loan.frame.value);
  writer.u64(static_cast<std::uint64_t>(loan.pts.count()));
  writer.u64(loan.memory);
  writer.u64(loan.offset_bytes);
  writer.u32(static_cast<std::uint32_t>(loan.form));
  writer.u32(0);
  return writer.finish_sealed();
}

std::size_t encode(const Forget& forget, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::forget, out);
  writer.u64(forget.memory);
  return writer.finish_sealed();
}

Result<Envelope> decode_envelope(std::span<const std::uint8_t> bytes) {
  ByteReader reader(bytes.first(std::min(bytes.size(), kEnvelopeBytes)));
  const auto type = reader.u8();
  const auto reserved = reader.u8() + reader.u16();
  const auto body_bytes = reader.u32();
  if (!reader.is_complete())
    return fail("envelope: {} bytes, {} needed", bytes.size(), kEnvelopeBytes);
  if (!is_known(type)) return fail("envelope: unknown message type {}", type);
  if (reserved != 0)
    return fail("envelope: reserved bits are set; they must be 0 in version {}", kProtocolVersion);
  const Envelope envelope{static_cast<MessageType>(type), body_bytes};
  if (envelope.type == MessageType::stripe) {
    constexpr auto limit = kStripeFixedBytes + kStripePixelsMax * 3;
    if (body_bytes < kStripeFixedBytes || body_bytes > limit) {
      return fail("stripe length {} is not within {} to {}", body_bytes, kStripeFixedBytes, limit);
    }
  } else if (body_bytes > kControlBytesMax - kEnvelopeBytes) {
    return fail("message length {} > {}", body_bytes, kControlBytesMax - kEnvelopeBytes);
  }
  return envelope;
}

Result<Hello> decode_hello(std::span<const std::uint8_t> message) {
  auto reader = body_of(message);
  const bool is_magic = reader.array<std::array<std::uint8_t, 8>>() == kMagic;
  const auto protocol = reader.u16();
  const auto reserved = reader.u16();
  Hello hello;
  hello.software = reader.text8(kNameBytesMax);
  hello.stream = reader.text8(kNameBytesMax);
  hello.node = reader.text8(kNameBytesMax);
  hello.epoch = reader.u64();
  hello.first_retained.value = reader.u64();
  hello.link_index = reader.u8();
  hello.link_count = reader.u8();
  hello.checksum = static_cast<Checksum>(reader.u8());
  const auto also_reserved = reader.u8();
  hello.size.width = dimension(reader.u32());
  hello.size.height = dimension(reader.u32());
  hello.rate.numerator = reader.u32();
  hello.rate.denominator = reader.u32();
  hello.nonce = reader.array<Nonce>();
  hello.proof = reader.array<Digest>();
  if (!is_magic) return fail("hello: its first bytes are not SUBMIX's");
  if (protocol != kProtocolVersion)
    return fail("hello: protocol {} is not {}", protocol, kProtocolVersion);
  if (!reader.is_complete() || reserved != 0 || also_reserved != 0) return malformed("hello");
  SUBMIX_TRY(check_hello(hello));
  return hello;
}

Result<Welcome> decode_welcome(std::span<const std::uint8_t> message) {
  auto reader = body_of(message);
  Welcome welcome;
  welcome.software = reader.text8(kNameBytesMax);
  welcome.node = reader.text8(kNameBytesMax);
  welcome.instance = reader.u64();
  welcome.next_frame.value = reader.u64();
  welcome.credit_limit.value = reader.u64();
  welcome.nonce = reader.array<Nonce>();
  welcome.proof = reader.array<Digest>();
  if (!reader.is_complete()) return malformed("welcome");
  return welcome;
}

Result<Refusal> decode_refusal(std::span<const std::uint8_t> message) {
  auto reader = body_of(message);
  Refusal refusal;
  refusal.code = static_cast<RefusalCode>(reader.u16());
  refusal.text = reader.text16(kTextBytesMax);
  if (!reader.is_complete()) return malformed("refusal");
  return refusal;
}

Result<Proof> decode_proof(std::span<const std::uint8_t> message) {
  auto reader = body_of(message);
  const Proof proof{reader.array<Digest>()};
  if (!reader.is_complete()) return malformed("proof");
  return proof;
}

Result<StripeHeader> decode_stripe(std::span<const std::uint8_t> message) {
  const auto envelope = decode_envelope(message);
  SUBMIX_TRY(envelope);
  auto reader = body_of(message);
  StripeHeader stripe;
  stripe.epoch = reader.u64();
  stripe.frame.value = reader.u64();
  stripe.pts = std::chrono::nanoseconds(static_cast<std::int64_t>(reader.u64()));
  stripe.offset_pixels = reader.u32();
  stripe.pixels = reader.u32();
  stripe.checksum = reader.u64();
  skip_seal(reader);
  if (!reader.is_complete()) return malformed("stripe");
  const auto pixel_bytes = envelope->body_bytes - kStripeFixedBytes;
  if (stripe.pixels == 0 || pixel_bytes != std::uint64_t{stripe.pixels} * 3) {
    return fail("stripe: {} pixels in {} bytes of them", stripe.pixels, pixel_bytes);
  }
  return stripe;
}

Result<Ack> decode_ack(std::span<const std::uint8_t> message) {
  auto reader = body_of(message);
  Ack ack;
  ack.epoch = reader.u64();
  ack.released.value = reader.u64();
  ack.credit_limit.value = reader.u64();
  ack.released_at = std::chrono::nanoseconds(static_cast<std::int64_t>(reader.u64()));
  skip_seal(reader);
  if (!reader.is_complete()) return malformed("ack");
  return ack;
}

Result<Ping> decode_ping(std::span<const std::uint8_t> message) {
  auto reader = body_of(message);
  const Ping ping{reader.u64()};
  skip_seal(reader);
  if (!reader.is_complete()) return malformed("ping");
  return ping;
}

Result<Pong> decode_pong(std::span<const std::uint8_t> message) {
  auto reader = body_of(message);
  Pong pong;
  pong.token = reader.u64();
  pong.clock = std::chrono::nanoseconds(static_cast<std::int64_t>(reader.u64()));
  skip_seal(reader);
  if (!reader.is_complete()) return malformed("pong");
  return pong;
}

Result<Goodbye> decode_goodbye(std::span<const std::uint8_t> message) {
  auto reader = body_of(message);
  Goodbye goodbye;
  goodbye.reason = static_cast<GoodbyeReason>(reader.u16());
  goodbye.text = reader.text16(kTextBytesMax);
  skip_seal(reader);
  if (!reader.is_complete()) return malformed("goodbye");
  return goodbye;
}

Result<Terms> decode_terms(std::span<const std::uint8_t> message) {
  auto reader = body_of(message);
  const Terms terms{reader.u32()};
  const auto reserved = reader.u32();
  skip_seal(reader);
  if (!reader.is_complete() || reserved != 0) return malformed("terms");
  return terms;
}

Result<Memory> decode_memory(std::span<const std::uint8_t> message) {
  auto reader = body_of(message);
  Memory memory;
  memory.memory = reader.u64();
  memory.size_bytes = reader.u64();
  skip_seal(reader);
  if (!reader.is_complete()) return malformed("memory");
  return memory;
}

Result<Loan> decode_loan(std::span<const std::uint8_t> message) {
  auto reader = body_of(message);
  Loan loan;
  loan.epoch = reader.u64();
  loan.frame.value = reader.u64();
  loan.pts = std::chrono::nanoseconds(static_cast<std::int64_t>(reader.u64()));
  loan.memory = reader.u64();
  loan.offset_bytes = reader.u64();
  const auto form = reader.u32();
  const auto reserved = reader.u32();
  skip_seal(reader);
  if (!reader.is_complete() || reserved != 0) return malformed("loan");
  if (form != static_cast<std::uint32_t>(PixelForm::rgba))
    return fail("loan: form {} of pixels is not known here", form);
  return loan;
}

Result<Forget> decode_forget(std::span<const std::uint8_t> message) {
  auto reader = body_of(message);
  const Forget forget{reader.u64()};
  skip_seal(reader);
  if (!reader.is_complete()) return malformed("forget");
  return forget;
}

HelloVersion peek_version(std::span<const std::uint8_t> message) {
  auto reader = body_of(message);
  HelloVersion version;
  version.is_hello = reader.array<std::array<std::uint8_t, 8>>() == kMagic;
  version.protocol = reader.u16();
  reader.u16();
  version.software = reader.text8(kNameBytesMax);
  version.is_hello = version.is_hello && !reader.has_failed();
  return version;
}

}  // namespace submix::wire
