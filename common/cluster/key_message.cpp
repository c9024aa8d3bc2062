// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/key_message.hpp"

#include "common/cluster/json_fields.hpp"

namespace submix::cluster {
namespace {

// Both directions between two PCs have the same key: a message names its purpose and its reader.
constexpr std::string_view kOffer = "submix key offer";
constexpr std::string_view kAnswer = "submix key answer";
constexpr std::string_view kReply = "submix key reply";
constexpr std::size_t kOfferBytesMax = std::size_t{512} * 1024;
constexpr std::size_t kMessageMax = 4096;

/// What is sealed.
struct Sealed {
  std::string purpose;
  std::string to;
  std::uint64_t number = 0;
  std::string key;        // of an offer and an answer
  std::string challenge;  // of an answer
  std::string program;    // of a reply
};

template <typename Archive>
void fields(Archive& archive, Item<Archive, Sealed>& sealed) {
  archive.required_text("purpose", sealed.purpose);
  archive.required_text("to", sealed.to);
  archive.integer("number", sealed.number);
  archive.optional_text("key", sealed.key);
  archive.optional_text("challenge", sealed.challenge);
  archive.optional_text("program", sealed.program);
}

/// A sealed text, and the PC that it is for or from.
struct Envelope {
  std::string pc;
  std::string sealed;
};

template <typename Archive>
void fields(Archive& archive, Item<Archive, Envelope>& envelope) {
  archive.required_text("pc", envelope.pc);
  archive.required_text("sealed", envelope.sealed);
}

struct Offer {
  std::vector<Envelope> entries;
};

template <typename Archive>
void fields(Archive& archive, Item<Archive, Offer>& offer) {
  archive.list("entries", offer.entries, kPeersMax + 1);  // the desk's own programs, too
}

std::optional<Sealed> open(const Identity& reader, std::string_view text, const PublicKey& from,
                           std::string_view purpose) {
  const auto opened = reader.open(text, from);
  if (!opened) return std::nullopt;
  auto sealed = read_message<Sealed>(*opened, kMessageMax, "key message");
  if (!sealed || sealed->purpose != purpose || sealed->to != to_text(reader.public_key()))
    return std::nullopt;
  return *std::move(sealed);
}

std::optional<NumberedKey> key_of(const std::optional<Sealed>& sealed) {
  if (!sealed) return std::nullopt;
  const auto key = ShowKey::parse(sealed->key);
  if (!key || sealed->number == 0) return std::nullopt;
  return NumberedKey{*key, sealed->number};
}

std::string seal(const Identity& from, const PublicKey& to, Sealed sealed) {
  sealed.to = to_text(to);
  return from.seal(write_message(sealed), to);
}

}  // namespace

std::string write_offer(const Identity& desk, const std::vector<PublicKey>& pcs,
                        const NumberedKey& key) {
  Offer offer;
  for (const auto& pc : pcs) {
    Sealed sealed{std::string(kOffer), {}, key.number, key.key.text(), {}, {}};
    auto text = seal(desk, pc, std::move(sealed));
    // A key for which nothing can be sealed must not spoil the offer to all others.
    if (!text.empty()) offer.entries.push_back({to_text(pc), std::move(text)});
  }
  return write_message(offer);
}

std::optional<NumberedKey> read_offer(std::string_view text, const Identity& pc,
                                      const PublicKey& desk) {
  const auto offer = read_message<Offer>(text, kOfferBytesMax, "key offer");
  if (!offer) return std::nullopt;
  const auto own = to_text(pc.public_key());
  for (const auto& entry : offer->entries) {
    if (entry.pc == own) return key_of(open(pc, entry.sealed, desk, kOffer));
  }
  return std::nullopt;
}

std::string write_answer(const Identity& desk, const PublicKey& pc, const NumberedKey& key,
                         std::string_view challenge) {
  return seal(desk, pc,
              {std::string(kAnswer), {}, key.number, key.key.text(), std::string(challenge), {}});
}

std::optional<NumberedKey> read_answer(std::string_view answer, const Identity& pc,
                                       const PublicKey& desk, std::string_view challenge) {
  const auto sealed = open(pc, answer, desk, kAnswer);
  if (!sealed || sealed->challenge != challenge) return std::nullopt;
  return key_of(sealed);
}

std::string write_reply(const Identity& pc, const PublicKey& desk, const KeyReply& reply) {
  return write_message(
      Envelope{to_text(pc.public_key()),
               seal(pc, desk, {std::string(kReply), {}, reply.number, {}, {}, reply.program})});
}

std::optional<KeyReply> read_reply(std::string_view text, const Identity& desk) {
  const auto envelope = read_message<Envelope>(text, kMessageMax, "key reply");
  if (!envelope) return std::nullopt;
  const auto from = parse_public_key(envelope->pc);
  if (!from) return std::nullopt;
  const auto sealed = open(desk, envelope->sealed, *from, kReply);
  if (!sealed) return std::nullopt;
  return KeyReply{*from, sealed->program, sealed->number};
}

}  // namespace submix::cluster
