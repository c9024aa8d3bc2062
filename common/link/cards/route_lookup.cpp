// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/cards/route_lookup.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace submix::link {
namespace {

namespace ip = boost::asio::ip;

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(const ip::address& address) {
  if (address.is_v4()) {
    const auto bytes = address.to_v4().to_bytes();
    return {bytes.begin(), bytes.end()};
  }
  const auto bytes = address.to_v6().to_bytes();
  return {bytes.begin(), bytes.end()};
}

ip::address address_of(std::span<const std::uint8_t> bytes) {
  if (bytes.size() == 4) {
    ip::address_v4::bytes_type four{};
    std::copy(bytes.begin(), bytes.end(), four.begin());
    return ip::address_v4(four);
  }
  ip::address_v6::bytes_type sixteen{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), sixteen.size()), sixteen.begin());
  return ip::address_v6(sixteen);
}

/// A netlink request for the route from one address to another.
class RouteRequest {
 public:
  RouteRequest(const ip::address& from, const ip::address& to)
      : bytes_(sizeof(nlmsghdr) + sizeof(rtmsg)) {
    rtmsg route{};
    route.rtm_family = to.is_v4() ? AF_INET : AF_INET6;
    route.rtm_src_len = route.rtm_dst_len = to.is_v4() ? 32 : 128;
    std::memcpy(bytes_.data() + sizeof(nlmsghdr), &route, sizeof route);
    add(RTA_DST, bytes_of(to));
    add(RTA_SRC, bytes_of(from));
    nlmsghdr head{};
    head.nlmsg_len = static_cast<__u32>(bytes_.size());
    head.nlmsg_type = RTM_GETROUTE;
    head.nlmsg_flags = NLM_F_REQUEST;
    std::memcpy(bytes_.data(), &head, sizeof head);
  }
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }

 private:
  void add(unsigned short type, const Bytes& value) {  // 4 or 16 bytes, hence aligned
    const rtattr head{static_cast<unsigned short>(sizeof(rtattr) + value.size()), type};
    const auto* begin = reinterpret_cast<const std::uint8_t*>(&head);
    bytes_.insert(bytes_.end(), begin, begin + sizeof head);
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }

  Bytes bytes_;
};

/// The attributes of an RTM_NEWROUTE. Empty for any other message and for a truncated one.
std::optional<KernelRoute> read_answer(std::span<const std::uint8_t> bytes) {
  nlmsghdr head{};
  if (bytes.size() < sizeof head + sizeof(rtmsg)) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.nlmsg_type != RTM_NEWROUTE || head.nlmsg_len > bytes.size()) return std::nullopt;
  KernelRoute route;
  auto rest = bytes.first(head.nlmsg_len).subspan(sizeof head + sizeof(rtmsg));
  while (rest.size() >= sizeof(rtattr)) {
    rtattr attribute{};
    std::memcpy(&attribute, rest.data(), sizeof attribute);
    if (attribute.rta_len < sizeof attribute || attribute.rta_len > rest.size()) break;
    const auto value = rest.subspan(sizeof attribute, attribute.rta_len - sizeof attribute);
    if (attribute.rta_type == RTA_GATEWAY) route.gateway = address_of(value).to_string();
    if (attribute.rta_type == RTA_OIF && value.size() == sizeof(unsigned)) {
      unsigned index = 0;
      std::memcpy(&index, value.data(), sizeof index);
      std::array<char, IF_NAMESIZE> name{};
      if (::if_indextoname(index, name.data()) != nullptr) route.card = name.data();
    }
    rest = rest.subspan(std::min<std::size_t>(rest.size(), RTA_ALIGN(attribute.rta_len)));
  }
  if (route.card.empty()) return std::nullopt;
  return route;
}

}  // namespace

std::optional<KernelRoute> look_up_route(const std::string& from, const std::string& to) {
  boost::system::error_code failed;
  const auto source = ip::make_address(from, failed);
  if (failed) return std::nullopt;
  const auto destination = ip::make_address(to, failed);
  if (failed || source.is_v4() != destination.is_v4()) return std::nullopt;
  const int socket = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (socket < 0) return std::nullopt;
  const RouteRequest request(source, destination);
  std::array<std::uint8_t, 4096> answer{};
  auto bytes = ::send(socket, request.bytes().data(), request.bytes().size(), 0);
  // The kernel has answered by the time send() returns.
  if (bytes > 0) bytes = ::recv(socket, answer.data(), answer.size(), MSG_DONTWAIT);
  ::close(socket);
  if (bytes <= 0) return std::nullopt;
  return read_answer(std::span(answer).first(static_cast<std::size_t>(bytes)));
}

}  // namespace submix::link
