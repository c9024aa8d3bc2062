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

constexpr std::string_view kMagic = "submix-pair";
constexpr std::uint8_t kAnswer = 0;  // where a Refusal would stand
constexpr std::string_view kRoleProof = "submix pairing proof";
constexpr std::string_view kRoleInvitation = "submix pairing invitation";

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

std::string sentence_for(Refusal refusal) {
  switch (refusal) {
    case Refusal::no_code:
      return "the desk shows no code at present: press Enter there, then type the code it shows";
    case Refusal::wrong_code:
      return "the desk shows another code; type it again";
    case Refusal::other_version:
      return "the desk speaks another version of the pairing; install the same Submix on both PCs";
    case Refusal::unknown_pc:
      return "the desk does not know this PC; join it by code";
    case Refusal::not_kept:
      return "the desk cannot write down that this PC joins: its terminal says why";
    case Refusal::not_valid:
      break;
  }
  return "the desk did not understand this PC";
}

/// Strips the first byte of a desk's answer.
Result<View> read_answer(View message) {
  if (message.empty()) return fail("the desk's answer is empty");
  if (message.front() == kAnswer) return message.subspan(1);
  return fail("{}", sentence_for(static_cast<Refusal>(message.front())));
}

}  // namespace

Bytes JoiningEnd::hello() {
  Draft draft;
  draft->bytes(bytes_of(kMagic));
  draft->u8(kVersion);
  draft->text8(pc_.name, kNameBytesMax);
  transcript_ = draft.finish();
  return transcript_;
}

Result<Bytes> JoiningEnd::proof_for(View welcome) {
  const auto answer = read_answer(welcome);
  SUBMIX_TRY(answer);
  wire::ByteReader reader(*answer);
  DeskShare share;
  share.salt = reader.array<decltype(share.salt)>();
  share.number = reader.array<decltype(share.number)>();
  if (!reader.is_complete()) return fail("the desk's answer is cut or too long");
  const auto joined = join_key_exchange(code_, share);
  SUBMIX_TRY(joined);

  append(transcript_, welcome);
  append(transcript_, joined->share.number);
  append(transcript_, pc_.key);
  key_ = wire::prove(joined->secret, kRoleInvitation, transcript_);
  Draft draft;
  draft->bytes(joined->share.number);
  draft->bytes(pc_.key);
  draft->bytes(wire::prove(joined->secret, kRoleProof, transcript_));
  return draft.finish();
}

Result<Invitation> JoiningEnd::read_invitation(View message) {
  const auto answer = read_answer(message);
  SUBMIX_TRY(answer);
  constexpr std::size_t kOverhead = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES;
  if (answer->size() < kOverhead) return fail("the desk's invitation is cut");
  std::string text(answer->size() - kOverhead, '\0');
  const auto box = answer->subspan(crypto_secretbox_NONCEBYTES);
  if (::crypto_secretbox_open_easy(reinterpret_cast<std::uint8_t*>(text.data()), box.data(),
                                   box.size(), answer->data(), key_.data()) != 0)
    return fail("the invitation does not come from the desk that shows this code");
  return parse_invitation(text);
}

tl::expected<Bytes, Refusal> DeskEnd::welcome_for(View hello) {
  wire::ByteReader reader(hello);
  const auto magic = reader.bytes(kMagic.size());
  const auto version = reader.u8();
  if (reader.has_failed() || !std::ranges::equal(magic, bytes_of(kMagic)))
    return tl::unexpected(Refusal::not_valid);
  if (version != kVersion) return tl::unexpected(Refusal::other_version);
  pc_ = reader.text8(kNameBytesMax);
  if (!reader.is_complete()) return tl::unexpected(Refusal::not_valid);
  auto exchange = DeskKeyExchange::begin(code_);
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

tl::expected<void, Refusal> DeskEnd::check_proof(View proof) {
  wire::ByteReader reader(proof);
  const auto number = reader.array<decltype(JoiningShare::number)>();
  const auto public_key = reader.array<cluster::PublicKey>();
  const auto proven = reader.array<wire::Digest>();
  if (!reader.is_complete() || !exchange_) return tl::unexpected(Refusal::not_valid);
  const auto secret = exchange_->secret_with({number});
  if (!secret) return tl::unexpected(Refusal::not_valid);
  append(transcript_, number);
  append(transcript_, public_key);
  if (!wire::is_equal(proven, wire::prove(*secret, kRoleProof, transcript_)))
    return tl::unexpected(Refusal::wrong_code);
  key_ = wire::prove(*secret, kRoleInvitation, transcript_);
  public_key_ = public_key;
  return {};
}

Bytes DeskEnd::seal(const Invitation& invitation) const {
  const auto text = to_json(invitation);
  Bytes message(1 + crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + text.size());
  message.front() = kAnswer;
  auto* const nonce = message.data() + 1;
  ::randombytes_buf(nonce, crypto_secretbox_NONCEBYTES);
  ::crypto_secretbox_easy(nonce + crypto_secretbox_NONCEBYTES, bytes_of(text).data(), text.size(),
                          nonce, key_.data());
  return message;
}

Bytes encode(Refusal refusal) {
  return {static_cast<std::uint8_t>(refusal)};
}

}  // namespace submix::pairing
