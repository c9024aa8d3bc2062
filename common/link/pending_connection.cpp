// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/pending_connection.hpp"

#include "common/base/host_port.hpp"
#include "common/base/version.hpp"
#include "common/link/local/local_receiver_link.hpp"
#include "common/link/receiver_core.hpp"
#include "common/link/tcp_receiver_link.hpp"
#include "common/link/timing.hpp"

#include <fmt/format.h>

#include <utility>

namespace submix::link {
namespace {

constexpr std::size_t kBytes = 2 * wire::kControlBytesMax;

std::string peer_text(StreamSocket& socket) {
  boost::system::error_code error;
  const auto endpoint = socket.remote_endpoint(error);
  return error ? "a peer that is gone" : to_text(endpoint);
}

}  // namespace

PendingConnection::PendingConnection(std::shared_ptr<NetContext> context, tcp::socket socket)
    : Channel(Connection(std::move(socket), kBytes, kBytes),
              std::make_shared<LinkStats>(0U, context->now()), context->clock()),
      context_(std::move(context)),
      timer_(context_->io),
      peer_(peer_text(connection_.socket())) {}

PendingConnection::PendingConnection(std::shared_ptr<NetContext> context,
                                     asio::local::stream_protocol::socket socket, pid_t process)
    : Channel(Connection(std::move(socket), kBytes, kBytes),
              std::make_shared<LinkStats>(0U, context->now()), context->clock()),
      context_(std::move(context)),
      timer_(context_->io),
      peer_(fmt::format("process {} of this machine", process)) {
  connection_.set_local();
}

void PendingConnection::begin() {
  timer_.expires_after(kHandshakeTimeout);
  timer_.async_wait([this, self = shared_from_this()](const boost::system::error_code& error) {
    if (!error && !is_closed())
      lose(fmt::format("no complete handshake within {} ms", kHandshakeTimeout.count()));
  });
  start();
}

void PendingConnection::close_quietly() {
  timer_.cancel();
  close();
}

Result<void> PendingConnection::handle_input() {
  while (!is_closed()) {
    const auto input = connection_.input();
    // Input that does not begin as a Hello gets no answer: it may be anything.
    if (!hello_ && !input.empty() &&
        input[0] != static_cast<std::uint8_t>(wire::MessageType::hello)) {
      return fail("sent something that is not a hello of Submix");
    }
    const auto message = next_message();
    SUBMIX_TRY(message);
    if (message->empty()) return {};
    const auto size = message->size();
    if (hello_) {
      const std::vector<std::uint8_t> proof(message->begin(), message->end());
      connection_.consume(size);  // before the connection is handed over
      return handle_proof(proof);
    }
    if (auto handled = handle_hello(*message); !handled) return handled;
    connection_.consume(size);
  }
  return {};
}

std::optional<wire::Refusal> PendingConnection::objection(
    std::span<const std::uint8_t> message) const {
  const auto version = wire::peek_version(message);
  if (!version.is_hello)
    return wire::Refusal{wire::RefusalCode::malformed, "this is not a hello of Submix"};
  if (version.protocol != wire::kProtocolVersion) {
    return wire::Refusal{wire::RefusalCode::version,
                         fmt::format("node {} speaks stream protocol {} (Submix {}), its peer {} "
                                     "(Submix {}); update the older one",
                                     context_->node, wire::kProtocolVersion, submix::version(),
                                     version.protocol, version.software)};
  }
  const auto hello = wire::decode_hello(message);
  if (!hello) return wire::Refusal{wire::RefusalCode::malformed, hello.error().message};
  if (!context_->keys.may_send(hello->node)) {
    return wire::Refusal{
        wire::RefusalCode::stream,
        fmt::format("node {} does not know node {} (yet)", context_->node, hello->node)};
  }
  if (!context_->keys.signer(hello->node, wire::kRoleHello, message, context_->now())) {
    return wire::Refusal{wire::RefusalCode::key,
                         fmt::format("node {} has another key; join both PCs to one desk, or give "
                                     "both nodes the same key file",
                                     context_->node)};
  }
  if (auto gap = version_gap({fmt::format("node {}", context_->node)},
                             {fmt::format("node {}", hello->node), hello->software}))
    return wire::Refusal{wire::RefusalCode::version, *std::move(gap)};
  if (connection_.is_local() && hello->protection != Protection::none)
    return wire::Refusal{wire::RefusalCode::malformed, "a local link carries no pixels to protect"};
  const auto receiver = context_->find_receiver(*hello);
  if (!receiver) {
    return wire::Refusal{
        wire::RefusalCode::stream,
        fmt::format("node {} does not receive stream \"{}\" (yet)", context_->node, hello->stream)};
  }
  return receiver->objection(*hello);
}

Result<void> PendingConnection::handle_hello(std::span<const std::uint8_t> message) {
  if (auto refusal = objection(message)) return refuse(refusal->code, refusal->text);
  hello_ = *wire::decode_hello(message);
  hello_bytes_.assign(message.begin(), message.end());
  const auto& keys = context_->keys;
  show_key_ =
      keys.signer(hello_->node, wire::kRoleHello, message, context_->now()).value_or(show_key_);
  key_ = keys.key_with(hello_->node, show_key_);
  const auto receiver = context_->find_receiver(*hello_);
  if (!receiver) return fail("stream \"{}\" has just ended", hello_->stream);
  auto welcome = receiver->welcome(*hello_);
  welcome.public_key = ephemeral_key_.emplace().public_key();
  const auto room = connection_.room();
  const auto bytes = room.first(wire::encode(welcome, room));
  wire::sign(key_, wire::kRoleWelcome, hello_bytes_, bytes);
  welcome_bytes_.assign(bytes.begin(), bytes.end());
  connection_.commit(bytes.size());
  wake();
  return {};
}

Result<void> PendingConnection::refuse(wire::RefusalCode code, const std::string& text) {
  is_expected_ = code == wire::RefusalCode::stream || code == wire::RefusalCode::shape;
  put(wire::Refusal{code, text});
  static_cast<void>(connection_.send());
  return fail("refused: {}", text);
}

Result<void> PendingConnection::handle_proof(std::span<const std::uint8_t> message) {
  const auto proof = wire::decode_proof(message);
  const auto expected = wire::prove(key_, wire::kRoleProof, hello_bytes_, welcome_bytes_);
  if (wire::decode_envelope(message)->type != wire::MessageType::proof || !proof)
    return fail("no proof of its key");
  if (!wire::is_equal(proof->digest, expected))
    return fail("its proof is wrong: another key, or a replayed hello");
  if (!context_->keys.is_valid(show_key_, context_->now())) return fail("the show has a new key");
  const auto receiver = context_->find_receiver(*hello_);
  if (!receiver) return fail("stream \"{}\" has just ended", hello_->stream);
  auto peer = begin_session();
  SUBMIX_TRY(peer);
  const auto make_link = [&](std::shared_ptr<LinkStats> stats) -> std::shared_ptr<IncomingLink> {
    const auto& clock = context_->clock();
    if (peer->connection.is_local())
      return std::make_shared<LocalReceiverLink>(receiver, clock, std::move(*peer),
                                                 std::move(stats));
    return std::make_shared<TcpReceiverLink>(receiver, clock, std::move(*peer), std::move(stats));
  };
  receiver->admit(*hello_, make_link);
  timer_.cancel();
  return {};
}

Result<AdmittedPeer> PendingConnection::begin_session() {
  const auto session = ephemeral_key_->session_key(key_, hello_->public_key);
  SUBMIX_TRY(session);
  using Direction = wire::Seal::Direction;
  const wire::Seal outgoing(*session, Direction::receiver_to_sender, hello_bytes_, welcome_bytes_);
  const wire::Seal incoming(*session, Direction::sender_to_receiver, hello_bytes_, welcome_bytes_);
  std::optional<wire::PixelCipher> cipher;
  if (is_cipher(hello_->protection)) {
    auto opened =
        wire::PixelCipher::open(hello_->protection, wire::PixelCipher::Use::decrypt, *session);
    SUBMIX_TRY(opened);
    cipher = std::move(*opened);
  }
  return AdmittedPeer{release(), *hello_, show_key_, outgoing, incoming, std::move(cipher), peer_};
}

void PendingConnection::on_lost(const std::string& reason) {
  timer_.cancel();
  if (is_expected_) return;
  const auto who = hello_ ? fmt::format("{} (node {})", peer_, hello_->node) : peer_;
  // The limit counts each machine separately, so that one noisy machine does not hide another.
  context_->events.report(Severity::warning, fmt::format("pending {}", without_port(peer_)),
                          "data port", fmt::format("connection from {}: {}; closed", who, reason));
}

}  // namespace submix::link
