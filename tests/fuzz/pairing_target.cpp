// SPDX-License-Identifier: GPL-3.0-or-later
// The messages of a pairing, as a stranger may send them to a desk or to a PC that joins.
#include "common/cluster/key_question.hpp"
#include "controller/pairing/handshake.hpp"
#include "tests/fuzz/target.hpp"

#include <cstdlib>
#include <span>

namespace submix::fuzz {
namespace {

using namespace pairing;

const auto kCode = PairingCode::parse("123456").value();

/// A whole invitation.
struct InvitingSample {
  InvitingSample() {
    static_cast<void>(pc.check_proof(proof));
    introduction = pc.seal(Joiner{"rack1", {}});
    invitation =
        desk.seal(Invitation{"desk", "nats://198.18.0.1:4222", cluster::ShowKey::random()});
    receipt = pc.seal_receipt();
  }

  TypingEnd desk{kCode, {"desk"}, Purpose::invite};
  ShowingEnd pc{kCode, Purpose::invite};
  Bytes hello = desk.hello();
  Bytes proof = desk.proof_for(pc.welcome_for(hello).value()).value();
  Bytes introduction;
  Bytes invitation;
  Bytes receipt;
};

/// A whole pairing.
struct Sample {
  Sample() {
    const cluster::ShowKey key = cluster::ShowKey::random();
    static_cast<void>(desk.check_proof(proof));
    invitation = desk.seal(Invitation{"desk", "nats://198.18.0.1:4222", key});
  }

  TypingEnd joining{kCode, {"rack1"}};
  ShowingEnd desk{kCode};
  Bytes hello = joining.hello();
  Bytes welcome = desk.welcome_for(hello).value();
  Bytes proof = joining.proof_for(welcome).value();
  Bytes invitation;
};

std::string text_of(const Bytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

// What another pairing proved, or what nobody proved, must not open this one.
void must_refuse_as_proof(std::span<const std::uint8_t> bytes) {
  static const Bytes hello = Sample().hello;
  ShowingEnd desk(kCode);
  static_cast<void>(desk.welcome_for(hello));
  if (desk.check_proof(bytes)) std::abort();
}

// What others sealed, or nobody, must open nothing.
void must_refuse_as_sealed(std::span<const std::uint8_t> bytes) {
  static const InvitingSample own;
  if (own.desk.read_introduction(bytes) || own.pc.read_invitation(bytes) ||
      own.desk.read_receipt(bytes))
    std::abort();
}

}  // namespace

std::vector<std::string> seeds() {
  const Sample sample;
  const InvitingSample inviting;
  return {text_of(sample.hello),
          text_of(sample.welcome),
          text_of(sample.proof),
          text_of(sample.invitation),
          text_of(inviting.hello),
          text_of(inviting.introduction),
          text_of(inviting.invitation),
          text_of(inviting.receipt),
          R"({"desk":"desk","nats":"nats://198.18.0.1:4222","key":""})"};
}

}  // namespace submix::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace submix;
  const std::span<const std::uint8_t> bytes(data, size);
  static_cast<void>(pairing::ShowingEnd(fuzz::kCode).welcome_for(bytes));
  static_cast<void>(pairing::ShowingEnd(fuzz::kCode, pairing::Purpose::invite).welcome_for(bytes));
  fuzz::must_refuse_as_proof(bytes);
  fuzz::must_refuse_as_sealed(bytes);
  pairing::TypingEnd joining(fuzz::kCode, {"rack1"});
  static_cast<void>(joining.hello());
  static_cast<void>(joining.proof_for(bytes));
  static_cast<void>(joining.read_invitation(bytes));
  static_cast<void>(cluster::parse_key_question(bytes));
  static_cast<void>(pairing::parse_invitation({reinterpret_cast<const char*>(data), size}));
  return 0;
}
