// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/remote_line.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

namespace submix::throughput {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kGreetingBytes = 32;
constexpr std::string_view kName = "submix link 2";
constexpr std::size_t kHeadBytes = 4;
constexpr std::uint32_t kTextBytesMax = 64 * 1024;
constexpr std::chrono::milliseconds kLineLook{20};

using Greeting = std::array<std::uint8_t, kGreetingBytes>;

Greeting greeting(const wire::Nonce& nonce) {
  Greeting bytes{};
  std::copy(kName.begin(), kName.end(), bytes.begin());
  std::copy(nonce.begin(), nonce.end(), bytes.end() - nonce.size());
  return bytes;
}

bool send_bytes(int socket, std::span<const std::uint8_t> bytes) {
  return ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(bytes.size());
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

Result<RemoteLine> RemoteLine::begin(Descriptor socket, End end, const wire::Key& key,
                                     std::chrono::milliseconds patience) {
  RemoteLine line(std::move(socket), end, key);
  auto& own = end == End::client ? line.client_nonce_ : line.server_nonce_;
  auto& other = end == End::client ? line.server_nonce_ : line.client_nonce_;
  own = wire::random_nonce();
  if (!send_bytes(line.socket_.get(), greeting(own))) return fail("the other side has gone");
  Greeting heard{};
  auto read = line.read(heard, steady_clock::now() + patience, [] { return Result<void>(); });
  SUBMIX_TRY(read);
  std::copy(heard.end() - other.size(), heard.end(), other.begin());
  if (heard != greeting(other))
    return fail("the other side does not greet as a submix-throughput of this version does");
  return line;
}

wire::Digest RemoteLine::proof(End from, std::uint64_t count, const std::string& text) const {
  std::array<std::uint8_t, sizeof(wire::Nonce) * 2 + sizeof count> before{};
  std::copy(client_nonce_.begin(), client_nonce_.end(), before.begin());
  std::copy(server_nonce_.begin(), server_nonce_.end(), before.begin() + client_nonce_.size());
  for (unsigned i = 0; i < sizeof count; ++i)
    before[2 * sizeof(wire::Nonce) + i] = static_cast<std::uint8_t>(count >> (8 * i));
  return wire::prove(key_, from == End::client ? "submix link client" : "submix link server",
                     before, bytes_of(text));
}

Result<void> RemoteLine::send(const std::string& text) {
  const auto bytes = bytes_of(text);
  const auto digest = proof(end_, sent_++, text);
  std::vector<std::uint8_t> message(kHeadBytes + bytes.size() + digest.size());
  for (unsigned i = 0; i < kHeadBytes; ++i)
    message[i] = static_cast<std::uint8_t>(text.size() >> (8 * i));
  const auto after = std::copy(bytes.begin(), bytes.end(), message.begin() + kHeadBytes);
  std::copy(digest.begin(), digest.end(), after);
  if (!send_bytes(socket_.get(), message))
    return fail("the other side has gone: {}", std::strerror(errno));
  return {};
}

Result<std::string> RemoteLine::receive(std::chrono::milliseconds patience,
                                        const Meanwhile& meanwhile) {
  const auto deadline = steady_clock::now() + patience;
  std::array<std::uint8_t, kHeadBytes> head{};
  SUBMIX_TRY(read(head, deadline, meanwhile));
  std::uint32_t length = 0;
  for (unsigned i = 0; i < head.size(); ++i)
    length |= std::uint32_t{head[i]} << (8 * i);
  if (length > kTextBytesMax)
    return fail("a message of {} bytes is longer than {}", length, kTextBytesMax);
  std::string text(length, '\0');
  if (auto got =
          read({reinterpret_cast<std::uint8_t*>(text.data()), text.size()}, deadline, meanwhile);
      !got)
    return tl::unexpected(got.error());
  wire::Digest shown{};
  SUBMIX_TRY(read(shown, deadline, meanwhile));
  const auto from = end_ == End::client ? End::server : End::client;
  if (!wire::is_equal(shown, proof(from, received_++, text)))
    return fail(
        "the other side has another key: give both the same --key FILE, or none on loopback");
  return text;
}

Result<void> RemoteLine::wait_for_bytes(steady_clock::time_point deadline,
                                        const Meanwhile& meanwhile) const {
  while (steady_clock::now() < deadline) {
    pollfd waiting{socket_.get(), POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(kLineLook.count())) > 0) return {};
    if (auto go_on = meanwhile(); !go_on) return go_on;
  }
  return fail("the other side says nothing");
}

Result<void> RemoteLine::read(std::span<std::uint8_t> bytes, steady_clock::time_point deadline,
                              const Meanwhile& meanwhile) {
  while (!bytes.empty()) {
    if (auto has_bytes = wait_for_bytes(deadline, meanwhile); !has_bytes) return has_bytes;
    const auto received = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
    if (received <= 0)
      return fail("the other side has closed the connection; has it the same key?");
    bytes = bytes.subspan(static_cast<std::size_t>(received));
  }
  return {};
}

}  // namespace submix::throughput
