// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/congestion.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace submix::link {
namespace {

constexpr std::size_t kNameBytesMax = 16;  // TCP_CA_NAME_MAX, with the final zero

std::string line_of(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

bool choose(int descriptor, std::string_view name) {
  return ::setsockopt(descriptor, IPPROTO_TCP, TCP_CONGESTION, name.data(),
                      static_cast<socklen_t>(name.size())) == 0;
}

std::string in_use(int descriptor) {
  std::array<char, kNameBytesMax> name{};
  socklen_t bytes = name.size() - 1;
  ::getsockopt(descriptor, IPPROTO_TCP, TCP_CONGESTION, name.data(), &bytes);
  return name.data();
}

}  // namespace

CongestionOffer read_congestion_offer() {
  return {line_of("/proc/sys/net/ipv4/tcp_available_congestion_control"),
          line_of("/proc/sys/net/ipv4/tcp_allowed_congestion_control")};
}

std::string congestion_refusal(const std::string& wanted, int error_number,
                               const CongestionOffer& offer) {
  if (error_number == EPERM) {
    return fmt::format(
        "congestion control \"{0}\" is only for root: the kernel allows others \"{1}\"; run "
        "sudo sysctl -w net.ipv4.tcp_allowed_congestion_control=\"{1} {0}\"",
        wanted, offer.allowed);
  }
  if (error_number == ENOENT) {
    return fmt::format(
        "congestion control \"{0}\" is not loaded: the kernel has \"{1}\"; choose one of these, or "
        "run sudo modprobe tcp_{0}",
        wanted, offer.available);
  }
  return fmt::format("congestion control \"{}\" cannot be set: {}", wanted,
                     std::strerror(error_number));
}

Result<void> set_congestion_control(int descriptor, const std::string& wanted) {
  if (choose(descriptor, wanted)) return {};
  const auto refusal = congestion_refusal(wanted, errno, read_congestion_offer());
  choose(descriptor, kCongestionDefault);
  return fail("{}; it uses \"{}\" meanwhile", refusal, in_use(descriptor));
}

}  // namespace submix::link
