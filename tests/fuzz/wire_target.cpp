// SPDX-License-Identifier: GPL-3.0-or-later
// Handshake and data messages, as an unauthenticated peer may send them.
#include "tests/fuzz/target.hpp"
#include "tests/wire/sample_messages.hpp"

#include <span>

namespace submix::fuzz {
namespace {

template <typename Bytes>
std::string text_of(const Bytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<std::string> seeds() {
  namespace sample = wire::sample;
  const sample::Handshake handshake;
  return {text_of(handshake.hello),
          text_of(handshake.welcome),
          text_of(sample::encoded(sample::refusal())),
          text_of(sample::encoded(sample::stripe())),
          text_of(sample::encoded(sample::goodbye())),
          text_of(handshake.proof),
          text_of(sample::encoded(sample::ack())),
          text_of(sample::encoded(sample::ping())),
          text_of(sample::encoded(sample::pong())),
          text_of(sample::encoded(sample::terms())),
          text_of(sample::encoded(sample::memory())),
          text_of(sample::encoded(sample::loan())),
          text_of(sample::encoded(sample::forget()))};
}

}  // namespace submix::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace submix::wire;
  const std::span<const std::uint8_t> bytes(data, size);
  static_cast<void>(decode_envelope(bytes));
  static_cast<void>(decode_hello(bytes));
  static_cast<void>(decode_welcome(bytes));
  static_cast<void>(decode_refusal(bytes));
  static_cast<void>(decode_proof(bytes));
  for (const auto format : {submix::PixelFormat::rgb24, submix::PixelFormat::rgba})
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
  return 0;
}
