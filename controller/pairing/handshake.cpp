// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/handshake.hpp"

#include "common/wire/byte_reader.hpp"
#include "common/wire/byte_writer.hpp"
#include "common/wire/seal.hpp"

#include <sodium.h>

#include <algorithm>
#include <string_view>

namespace submix::pairing {
namespace {

// Of equal length.
constexpr std::string_view kMagicOfJoining = "submix-pair";
constexpr std::string_view kMagicOfInviting = "submix-call";
constexpr std::uint8_t kAnswer = 0;  // where a Refusal would stand
constexpr std::string_view kRoleProof = "submix pairing proof";
constexpr std::string_view kRoleInvitation = "submix pairing invitation";
constexpr std::string_view kRoleIntroduction = "submix pairing introduction";
constexpr std::string_view kRoleReceipt = "submix pairing receipt";
constexpr std::size_t kSealBytes = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES;

using View = std::span<const std::uint8_t>;

/// A message in the making.
class Draft {
 public:
  Draft() : bytes_(kMessageBytesMax), writer_(bytes_) {}
  wire::ByteWriter* operator->() { return &writer_; }
  [[nodiscard]] Bytes finish() {
    bytes_.resize(writer_.size());
    return std::move(bytes_);
  }

 private:
  Bytes bytes_;
  wire::ByteWriter writer_;
};

View bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void append(Bytes& transcript, View message) {
  transcript.insert(transcript.end(), message.begin(), message.end());
}

std::string_view magic_of(Purpose purpose) {
  return purpose == Purpose::join ? kMagicOfJoining : kMagicOfInviting;
}

/// Who shows the code: for the person who typed it.
std::string_view shower_of(Purpose purpose) {
  return purpose == Purpose::join ? "the desk" : "the PC";
}

std::string no_code_sentence(Purpose purpose) {
  return purpose == Purpose::join
             ? "the desk shows no code at present: press Enter there, then type the code it shows"
             : "the PC shows no code at present: it shows another one within two minutes";
}

std::string other_purpose_sentence(Purpose purpose) {
  return purpose == Purpose::join
             ? "that PC is no desk, but waits to be invited: type its code at the desk"
             : "that PC is a desk, and does not wait to be invited";
}

std::string sentence_for(Refusal refusal, Purpose purpose) {
  const auto shower = shower_of(purpose);
  switch (refusal) {
    case Refusal::no_code:
      return no_code_sentence(purpose);
    case Refusal::wrong_code:
      return fmt::format("{} shows another code; type it again", shower);
    case Refusal::other_version:
      return fmt::format(
          "{} speaks another version of the pairing; install the same Submix on both PCs", shower);
    case Refusal::unknown_pc:
      return "the desk does not know this PC; join it by code";
    case Refusal::not_kept:
      return fmt::format("{} cannot write down that {}: its terminal says why", shower,
                         purpose == Purpose::join ? "this PC joins" : "it is invited");
    case Refusal::other_purpose:
      return other_purpose_sentence(purpose);
    case Refusal::not_valid:
      break;
  }
  return fmt::format("{} did not understand this PC", shower);
}

/// Strips the first byte of a message after the Hello.
Result<View> read_answer(View message, Purpose purpose) {
  if (message.empty()) return fail("{} sent an empty answer", shower_of(purpose));
  if (message.front() == kAnswer) return message.subspan(1);
  return fail("{}", sentence_for(static_cast<Refusal>(message.front()), purpose));
}

}  // namespace

Bytes ProvenEnd::seal(std::string_view role, View content) const {
  const auto key = wire::prove(secret_, role, transcript_);
  Bytes message(1 + kSealBytes + content.size());
  message.front() = kAnswer;
  auto* const nonce = message.data() + 1;
  ::randombytes_buf(nonce, crypto_secretbox_NONCEBYTES);
  ::crypto_secretbox_easy(nonce + crypto_secretbox_NONCEBYTES, content.data(), content.size(),
                          nonce, key.data());
  return message;
}

Result<Bytes> ProvenEnd::open(std::string_view role, View message) const {
  const auto answer = read_answer(message, purpose_);
  SUBMIX_TRY(answer);
  if (answer->size() < kSealBytes) return fail("the answer of {} is cut", shower_of(purpose_));
  const auto key = wire::prove(secret_, role, transcript_);
  Bytes content(answer->size() - kSealBytes);
  const auto box = answer->subspan(crypto_secretbox_NONCEBYTES);
  if (::crypto_secretbox_open_easy(content.data(), box.data(), box.size(), answer->data(),
                                   key.data()) != 0)
    return fail("the answer does not come from {} that shows this code", shower_of(purpose_));
  return content;
}

Bytes ProvenEnd::seal(const Invitation& invitation) const {
  return seal(kRoleInvitation, bytes_of(to_json(invitation)));
}

Result<Invitation> ProvenEnd::read_invitation(View message) const {
  const auto content = open(kRoleInvitation, message);
  SUBMIX_TRY(content);
  return parse_invitation({reinterpret_cast<const char*>(content->data()), content->size()});
}

Bytes ProvenEnd::seal(const Joiner& pc) const {
  Draft draft;
  draft->text8(pc.name, kNameBytesMax);
  draft->bytes(pc.key);
  return seal(kRoleIntroduction, draft.finish());
}

Result<Joiner> ProvenEnd::read_introduction(View message) const {
  const auto content = open(kRoleIntroduction, message);
  SUBMIX_TRY(content);
  wire::ByteReader reader(*content);
  Joiner pc;
  pc.name = reader.text8(kNameBytesMax);
  pc.key = reader.array<cluster::PublicKey>();
  if (!reader.is_complete()) return fail("the PC's introduction is cut or too long");
  return pc;
}

Bytes ProvenEnd::seal_receipt() const {
  return seal(kRoleReceipt, {});
}

Result<void> ProvenEnd::read_receipt(View message) const {
  SUBMIX_TRY(open(kRoleReceipt, message));
  return {};
}

Bytes TypingEnd::hello() {
  Draft draft;
  draft->bytes(bytes_of(magic_of(purpose_)));
  draft->u8(kVersion);
  draft->text8(self_.name, kNameBytesMax);
  transcript_ = draft.finish();
  return transcript_;
}

Result<Bytes> TypingEnd::proof_for(View welcome) {
  const auto answer = read_answer(welcome, purpose_);
  SUBMIX_TRY(answer);
  wire::ByteReader reader(*answer);
  ShowingShare share;
  share.salt = reader.array<decltype(share.salt)>();
  share.number = reader.array<decltype(share.number)>();
  if (!reader.is_complete())
    return fail("the answer of {} is cut or too long", shower_of(purpose_));
  const auto joined = answer_key_exchange(code_, share);
  SUBMIX_TRY(joined);

  append(transcript_, welcome);
  append(transcript_, joined->share.number);
  append(transcript_, self_.key);
  secret_ = joined->secret;
  Draft draft;
  draft->bytes(joined->share.number);
  draft->bytes(self_.key);
  draft->bytes(wire::prove(secret_, kRoleProof, transcript_));
  return draft.finish();
}

tl::expected<Bytes, Refusal> ShowingEnd::welcome_for(View hello) {
  wire::ByteReader reader(hello);
  const auto magic = reader.bytes(kMagicOfJoining.size());
  const auto version = reader.u8();
  const auto is = [&](Purpose purpose) {
    return std::ranges::equal(magic, bytes_of(magic_of(purpose)));
  };
  if (reader.has_failed() || (!is(Purpose::join) && !is(Purpose::invite)))
    return tl::unexpected(Refusal::not_valid);
  if (!is(purpose_)) return tl::unexpected(Refusal::other_purpose);
  if (version != kVersion) return tl::unexpected(Refusal::other_version);
  pc_ = reader.text8(kNameBytesMax);
  if (!reader.is_complete()) return tl::unexpected(Refusal::not_valid);
  auto exchange = ShowingKeyExchange::begin(code_);
  if (!exchange) return tl::unexpected(Refusal::not_valid);
  exchange_ = *std::move(exchange);

  Draft draft;
  draft->u8(kAnswer);
  draft->bytes(exchange_->share().salt);
  draft->bytes(exchange_->share().number);
  auto welcome = draft.finish();
  append(transcript_, hello);
  append(transcript_, welcome);
  return welcome;
}

tl::expected<void, Refusal> ShowingEnd::check_proof(View proof) {
  wire::ByteReader reader(proof);
  const auto number = reader.array<decltype(TypingShare::number)>();
  const auto public_key = reader.array<cluster::PublicKey>();
  const auto proven = reader.array<wire::Digest>();
  if (!reader.is_complete() || !exchange_) return tl::unexpected(Refusal::not_valid);
  const auto secret = exchange_->secret_with({number});
  if (!secret) return tl::unexpected(Refusal::not_valid);
  append(transcript_, number);
  append(transcript_, public_key);
  if (!wire::is_equal(proven, wire::prove(*secret, kRoleProof, transcript_)))
    return tl::unexpected(Refusal::wrong_code);
  secret_ = *secret;
  public_key_ = public_key;
  return {};
}

Bytes encode(Refusal refusal) {
  return {static_cast<std::uint8_t>(refusal)};
}

}  // namespace submix::pairing
