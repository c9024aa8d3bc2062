// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/key_question.hpp"

#include "common/base/descriptor.hpp"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>

namespace submix::cluster {
namespace {

constexpr std::string_view kQuestionMagic = "submix-key";
constexpr std::uint8_t kQuestionVersion = 1;
constexpr std::size_t kChallengeDigits = 48;
constexpr std::size_t kQuestionBytes =
    kQuestionMagic.size() + 1 + sizeof(PublicKey) + kChallengeDigits;
constexpr std::size_t kAnswerBytesMax = 2048;  // as of each message at that port

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;
using Deadline = std::chrono::steady_clock::time_point;

bool wait_for(int socket, short events, Deadline deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  ::pollfd waiting{.fd = socket, .events = events, .revents = 0};
  return left.count() > 0 && ::poll(&waiting, 1, static_cast<int>(left.count())) == 1;
}

Descriptor connect_to(const HostPort& desk, Deadline deadline) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST;  // asking for a name may take longer than any patience
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(desk.host.c_str(), std::to_string(desk.port).c_str(), &hints, &found) != 0)
    return Descriptor();
  const Addresses addresses(found, &::freeaddrinfo);
  Descriptor socket(
      ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
  const bool is_begun =
      ::connect(socket.get(), found->ai_addr, found->ai_addrlen) == 0 || errno == EINPROGRESS;
  int problem = 0;
  socklen_t size = sizeof problem;
  const bool is_connected =
      is_begun && wait_for(socket.get(), POLLOUT, deadline) &&
      ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &problem, &size) == 0 && problem == 0;
  return is_connected ? std::move(socket) : Descriptor();
}

bool receive(int socket, std::span<std::uint8_t> bytes, Deadline deadline) {
  while (!bytes.empty()) {
    if (!wait_for(socket, POLLIN, deadline)) return false;
    const auto count = ::recv(socket, bytes.data(), bytes.size(), 0);
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

std::vector<std::uint8_t> receive_message(int socket, Deadline deadline) {
  std::array<std::uint8_t, 2> head{};
  if (!receive(socket, head, deadline)) return {};
  std::vector<std::uint8_t> message(head[0] + 256U * head[1]);
  if (message.size() > kAnswerBytesMax || !receive(socket, message, deadline)) return {};
  return message;
}

}  // namespace

std::vector<std::uint8_t> encode(const KeyQuestion& question) {
  std::vector<std::uint8_t> bytes(kQuestionMagic.begin(), kQuestionMagic.end());
  bytes.push_back(kQuestionVersion);
  bytes.insert(bytes.end(), question.pc.begin(), question.pc.end());
  bytes.insert(bytes.end(), question.challenge.begin(), question.challenge.end());
  return bytes;
}

std::optional<KeyQuestion> parse_key_question(std::span<const std::uint8_t> bytes) {
  if (bytes.size() != kQuestionBytes || bytes[kQuestionMagic.size()] != kQuestionVersion)
    return std::nullopt;
  if (!std::equal(kQuestionMagic.begin(), kQuestionMagic.end(), bytes.begin())) return std::nullopt;
  KeyQuestion question;
  const auto pc = bytes.subspan(kQuestionMagic.size() + 1, question.pc.size());
  std::copy(pc.begin(), pc.end(), question.pc.begin());
  const auto challenge = bytes.last(kChallengeDigits);
  question.challenge.assign(challenge.begin(), challenge.end());
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (question.challenge.find_first_not_of(kDigits) != std::string::npos) return std::nullopt;
  return question;
}

Result<std::string> ask_for_key(const HostPort& desk, const KeyQuestion& question,
                                std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  const auto socket = connect_to(desk, deadline);
  if (!socket) return fail("no desk answers at {}", to_string(desk));
  auto bytes = encode(question);
  bytes.insert(bytes.begin(), {static_cast<std::uint8_t>(bytes.size()), std::uint8_t{0}});
  if (::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(bytes.size()))
    return fail("the desk at {} ended the connection", to_string(desk));
  const auto answer = receive_message(socket.get(), deadline);
  if (answer.empty()) return fail("the desk at {} does not answer", to_string(desk));
  if (answer.front() != 0)
    return fail("the desk at {} does not know this PC: join it by code again", to_string(desk));
  return std::string(answer.begin() + 1, answer.end());
}

}  // namespace submix::cluster
