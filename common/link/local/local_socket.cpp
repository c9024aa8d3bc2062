// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/local/local_socket.hpp"

#include "common/wire/seal.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace submix::link {
namespace {

constexpr std::size_t kRoomBytes = CMSG_SPACE(kDescriptorsMax * sizeof(int));

/// A message header with space for descriptors. It cannot move, because its parts point at each
/// other.
struct Envelope {
  Envelope(std::uint8_t* bytes, std::size_t size) : part{bytes, size} {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = room.data();
    header.msg_controllen = room.size();
  }
  Envelope(const Envelope&) = delete;
  Envelope& operator=(const Envelope&) = delete;

  iovec part;
  alignas(cmsghdr) std::array<std::uint8_t, kRoomBytes> room{};
  msghdr header{};
};

}  // namespace

boost::asio::local::stream_protocol::endpoint abstract_endpoint(const std::string& name) {
  return {std::string(1, '\0') + name};
}

std::string random_socket_name() {
  std::string name = "submix-";
  for (const auto byte : wire::random_nonce())
    name += fmt::format("{:02x}", byte);
  return name;
}

Result<PeerProcess> check_peer_process(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return fail("cannot read which process is at the other end of a socket: {}",
                std::strerror(errno));
  if (peer.uid != ::geteuid() && peer.uid != 0)
    return fail("process {} belongs to user {}, this one to user {}", peer.pid, peer.uid,
                ::geteuid());
  return PeerProcess{peer.pid, peer.uid};
}

ssize_t send_with(int socket, std::span<const std::uint8_t> bytes,
                  std::span<const Descriptor> descriptors) {
  const auto count = std::min(descriptors.size(), kDescriptorsMax);
  Envelope envelope(const_cast<std::uint8_t*>(bytes.data()), bytes.size());  // iovec has no const
  envelope.header.msg_controllen = CMSG_SPACE(count * sizeof(int));
  auto* const control = CMSG_FIRSTHDR(&envelope.header);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(count * sizeof(int));
  for (std::size_t i = 0; i < count; ++i) {
    const int value = descriptors[i].get();
    std::memcpy(CMSG_DATA(control) + i * sizeof value, &value, sizeof value);
  }
  return ::sendmsg(socket, &envelope.header, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t receive_with(int socket, std::span<std::uint8_t> room,
                     std::vector<Descriptor>& descriptors) {
  Envelope envelope(room.data(), room.size());
  const auto received = ::recvmsg(socket, &envelope.header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  for (auto* control = CMSG_FIRSTHDR(&envelope.header); control != nullptr;
       control = CMSG_NXTHDR(&envelope.header, control)) {
    if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = 0; CMSG_LEN(at + sizeof(int)) <= control->cmsg_len; at += sizeof(int)) {
      int value = -1;
      std::memcpy(&value, CMSG_DATA(control) + at, sizeof value);
      descriptors.emplace_back(value);
    }
  }
  if ((envelope.header.msg_flags & MSG_CTRUNC) == 0) return received;
  errno = E2BIG;
  return -1;
}

}  // namespace submix::link
