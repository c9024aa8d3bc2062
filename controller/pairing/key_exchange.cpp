// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/key_exchange.hpp"

#include <botan/auto_rng.h>
#include <botan/bigint.h>
#include <botan/srp6.h>
#include <sodium.h>

#include <algorithm>
#include <exception>

namespace submix::pairing {
namespace {

constexpr const char* kGroup = "modp/srp/2048";
constexpr const char* kHash = "SHA-256";
constexpr const char* kUser = "submix";  // SRP names users; here the code is all there is

using Number = std::array<std::uint8_t, kNumberBytes>;

Number to_bytes(const Botan::BigInt& number) {
  const auto bytes = Botan::BigInt::encode_1363(number, kNumberBytes);
  Number result{};
  std::ranges::copy(bytes, result.begin());
  return result;
}

std::vector<std::uint8_t> salt_of(const ShowingShare& share) {
  return {share.salt.begin(), share.salt.end()};
}

Secret secret_of(const Botan::SymmetricKey& key) {
  Secret secret{};
  ::crypto_generichash(secret.data(), secret.size(), key.begin(), key.size(), nullptr, 0);
  return secret;
}

tl::unexpected<Error> no_exchange(const std::exception& error) {
  return fail("the key exchange failed: {}", error.what());
}

}  // namespace

struct ShowingKeyExchange::State {
  Botan::AutoSeeded_RNG random;
  Botan::SRP6_Server_Session session;
};

Result<ShowingKeyExchange> ShowingKeyExchange::begin(const PairingCode& code) {
  try {
    ShowingKeyExchange exchange;
    auto& [random, session] = *exchange.state_;
    auto& share = exchange.share_;
    random.randomize(share.salt.data(), share.salt.size());
    const auto verifier =
        Botan::generate_srp6_verifier(kUser, code.digits(), salt_of(share), kGroup, kHash);
    share.number = to_bytes(session.step1(verifier, kGroup, kHash, random));
    return exchange;
  } catch (const std::exception& error) {
    return no_exchange(error);
  }
}

ShowingKeyExchange::ShowingKeyExchange() : state_(std::make_unique<State>()) {}
ShowingKeyExchange::ShowingKeyExchange(ShowingKeyExchange&&) noexcept = default;
ShowingKeyExchange& ShowingKeyExchange::operator=(ShowingKeyExchange&&) noexcept = default;
ShowingKeyExchange::~ShowingKeyExchange() = default;

Result<Secret> ShowingKeyExchange::secret_with(const TypingShare& share) {
  try {
    const Botan::BigInt number(share.number.data(), share.number.size());
    return secret_of(state_->session.step2(number));
  } catch (const std::exception& error) {
    return no_exchange(error);
  }
}

Result<AnsweredKeyExchange> answer_key_exchange(const PairingCode& code,
                                                const ShowingShare& share) {
  try {
    Botan::AutoSeeded_RNG random;
    const Botan::BigInt number(share.number.data(), share.number.size());
    const auto [own, key] = Botan::srp6_client_agree(kUser, code.digits(), kGroup, kHash,
                                                     salt_of(share), number, random);
    return AnsweredKeyExchange{{to_bytes(own)}, secret_of(key)};
  } catch (const std::exception& error) {
    return no_exchange(error);
  }
}

}  // namespace submix::pairing
