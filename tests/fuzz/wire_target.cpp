// SPDX-License-Identifier: GPL-3.0-or-later
// Handshake and data messages, as an unauthenticated peer may send them.
#include "tests/fuzz/target.hpp"
#include "tests/wire/decode_as_everything.hpp"
#include "tests/wire/sample_messages.hpp"

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
  submix::wire::decode_as_everything({data, size});
  return 0;
}
