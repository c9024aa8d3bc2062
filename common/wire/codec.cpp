// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/codec.hpp"

#include "common/wire/byte_reader.hpp"
#include "common/wire/byte_writer.hpp"
#include "common/wire/epoch.hpp"
#include "common/wire/field_archive.hpp"
#include "common/wire/fields.hpp"

#include <string_view>

namespace submix::wire {
namespace {

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
  /// Adds room for a seal.
  void leave_seal() {
    u64(0);
    u64(0);
  }
  std::size_t finish(std::size_t bytes_to_follow = 0) {
    const auto body_bytes = size() - kEnvelopeBytes + bytes_to_follow;
    ByteWriter(out_.subspan(4)).u32(static_cast<std::uint32_t>(body_bytes));
    return size();
  }

 private:
  std::span<std::uint8_t> out_;
};

FieldReader body_of(std::span<const std::uint8_t> message) {
  const auto body =
      message.size() < kEnvelopeBytes ? message.first(0) : message.subspan(kEnvelopeBytes);
  return FieldReader(ByteReader(body));
}

tl::unexpected<Error> malformed(std::string_view what) {
  return fail("{} message: its fields do not fill its length exactly", what);
}

/// Any message but a Hello. `bytes_to_follow`: a stripe's pixels.
template <typename Message>
std::size_t encode_message(const Message& message, std::span<std::uint8_t> out,
                           std::size_t bytes_to_follow = 0) {
  constexpr auto kKind = kKindOf<Message>;
  static_assert(!kKind.name.empty());

  MessageWriter writer(kKind.type, out);
  FieldWriter archive(writer);
  fields(archive, message);
  if (kKind.is_sealed) writer.leave_seal();
  return writer.finish(bytes_to_follow);
}

/// Any message but a Hello. Checks the length, the texts and the reserved bytes.
template <typename Message>
Result<Message> decode_message(std::span<const std::uint8_t> bytes) {
  constexpr auto kKind = kKindOf<Message>;
  static_assert(!kKind.name.empty());

  auto archive = body_of(bytes);
  Message message;
  fields(archive, message);
  if (kKind.is_sealed) archive.skip_seal();
  if (!archive.is_complete()) return malformed(kKind.name);
  return message;
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
  if (hello.protection > Protection::chacha20_poly1305) {
    return fail("hello for stream \"{}\": protection {} is not known; 0 to {} are", hello.stream,
                static_cast<int>(hello.protection),
                static_cast<int>(Protection::chacha20_poly1305));
  }
  if (hello.format != PixelFormat::rgb24 && hello.format != PixelFormat::rgba) {
    return fail("hello for stream \"{}\": pixel format {} is neither 0 (RGB24) nor 1 (RGBA)",
                hello.stream, static_cast<int>(hello.format));
  }
  return {};
}

}  // namespace

std::size_t encode(const Hello& hello, std::span<std::uint8_t> out) {
  MessageWriter writer(MessageType::hello, out);
  FieldWriter archive(writer);
  fields(archive, HelloStart{});
  fields(archive, hello);
  return writer.finish();
}

std::size_t encode(const Welcome& welcome, std::span<std::uint8_t> out) {
  return encode_message(welcome, out);
}

std::size_t encode(const Refusal& refusal, std::span<std::uint8_t> out) {
  return encode_message(refusal, out);
}

std::size_t encode(const Proof& proof, std::span<std::uint8_t> out) {
  return encode_message(proof, out);
}

std::size_t encode(const StripeHeader& stripe, std::span<std::uint8_t> out) {
  return encode_message(stripe, out, stripe.pixel_bytes());
}

std::size_t encode(const Ack& ack, std::span<std::uint8_t> out) {
  return encode_message(ack, out);
}

std::size_t encode(const Ping& ping, std::span<std::uint8_t> out) {
  return encode_message(ping, out);
}

std::size_t encode(const Pong& pong, std::span<std::uint8_t> out) {
  return encode_message(pong, out);
}

std::size_t encode(const Goodbye& goodbye, std::span<std::uint8_t> out) {
  return encode_message(goodbye, out);
}

std::size_t encode(const Terms& terms, std::span<std::uint8_t> out) {
  return encode_message(terms, out);
}

std::size_t encode(const Memory& memory, std::span<std::uint8_t> out) {
  return encode_message(memory, out);
}

std::size_t encode(const Loan& loan, std::span<std::uint8_t> out) {
  return encode_message(loan, out);
}

std::size_t encode(const Forget& forget, std::span<std::uint8_t> out) {
  return encode_message(forget, out);
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
    constexpr auto limit =
        kStripeFixedBytes + kStripePixelsMax * bytes_per_pixel(PixelFormat::rgba);
    if (body_bytes < kStripeFixedBytes || body_bytes > limit) {
      return fail("stripe length {} is not within {} to {}", body_bytes, kStripeFixedBytes, limit);
    }
  } else if (body_bytes > kControlBytesMax - kEnvelopeBytes) {
    return fail("message length {} > {}", body_bytes, kControlBytesMax - kEnvelopeBytes);
  }
  return envelope;
}

Result<Hello> decode_hello(std::span<const std::uint8_t> message) {
  auto archive = body_of(message);
  HelloStart start;
  Hello hello;
  fields(archive, start);
  fields(archive, hello);
  if (start.magic != kMagic) return fail("hello: its first bytes are not SUBMIX's");
  if (start.protocol != kProtocolVersion)
    return fail("hello: protocol {} is not {}", start.protocol, kProtocolVersion);
  if (!archive.is_complete()) return malformed("hello");

  SUBMIX_TRY(check_hello(hello));
  return hello;
}

Result<Welcome> decode_welcome(std::span<const std::uint8_t> message) {
  return decode_message<Welcome>(message);
}

Result<Refusal> decode_refusal(std::span<const std::uint8_t> message) {
  return decode_message<Refusal>(message);
}

Result<Proof> decode_proof(std::span<const std::uint8_t> message) {
  return decode_message<Proof>(message);
}

Result<StripeHeader> decode_stripe(std::span<const std::uint8_t> message, PixelFormat format) {
  const auto envelope = decode_envelope(message);
  SUBMIX_TRY(envelope);
  auto stripe = decode_message<StripeHeader>(message);
  SUBMIX_TRY(stripe);

  stripe->format = format;
  const auto bytes = envelope->body_bytes - kStripeFixedBytes;
  if (stripe->pixels == 0 || bytes != stripe->pixel_bytes()) {
    return fail("stripe: {} pixels in {} bytes of them", stripe->pixels, bytes);
  }
  if (stripe->pixels > kStripePixelsMax)
    return fail("stripe: {} pixels are more than {}", stripe->pixels, kStripePixelsMax);
  return stripe;
}

Result<Ack> decode_ack(std::span<const std::uint8_t> message) {
  return decode_message<Ack>(message);
}

Result<Ping> decode_ping(std::span<const std::uint8_t> message) {
  return decode_message<Ping>(message);
}

Result<Pong> decode_pong(std::span<const std::uint8_t> message) {
  return decode_message<Pong>(message);
}

Result<Goodbye> decode_goodbye(std::span<const std::uint8_t> message) {
  return decode_message<Goodbye>(message);
}

Result<Terms> decode_terms(std::span<const std::uint8_t> message) {
  return decode_message<Terms>(message);
}

Result<Memory> decode_memory(std::span<const std::uint8_t> message) {
  return decode_message<Memory>(message);
}

Result<Loan> decode_loan(std::span<const std::uint8_t> message) {
  auto loan = decode_message<Loan>(message);
  SUBMIX_TRY(loan);
  if (loan->form != PixelForm::rgba) {
    return fail("loan: form {} of pixels is not known here",
                static_cast<std::uint32_t>(loan->form));
  }
  return loan;
}

Result<Forget> decode_forget(std::span<const std::uint8_t> message) {
  return decode_message<Forget>(message);
}

HelloVersion peek_version(std::span<const std::uint8_t> message) {
  auto archive = body_of(message);
  HelloStart start;
  HelloVersion version;
  fields(archive, start);
  archive.text8(version.software, kNameBytesMax);
  version.protocol = start.protocol;
  version.is_hello = start.magic == kMagic && !archive.has_failed();
  return version;
}

}  // namespace submix::wire
