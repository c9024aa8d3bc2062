// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/cards/interfaces.hpp"

#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

namespace submix::link {
namespace {

namespace ip = boost::asio::ip;

std::optional<ip::address> address_of(const sockaddr* from) {
  if (from == nullptr) return std::nullopt;
  if (from->sa_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, from, sizeof in);
    return ip::address_v4(ntohl(in.sin_addr.s_addr));
  }
  if (from->sa_family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, from, sizeof in);
    ip::address_v6::bytes_type bytes;
    std::copy(std::begin(in.sin6_addr.s6_addr), std::end(in.sin6_addr.s6_addr), bytes.begin());
    return ip::address_v6(bytes);
  }
  return std::nullopt;
}

int prefix_of(const ip::address& mask) {
  if (mask.is_v4()) return std::popcount(mask.to_v4().to_uint());
  int bits = 0;
  for (const auto byte : mask.to_v6().to_bytes())
    bits += std::popcount(byte);
  return bits;
}

template <typename Bytes>
bool is_equal_prefix(const Bytes& a, const Bytes& b, int bits) {
  for (std::size_t i = 0; i < a.size() && bits > 0; ++i, bits -= 8) {
    const int unused = std::max(0, 8 - bits);
    if ((a[i] >> unused) != (b[i] >> unused)) return false;
  }
  return true;
}

/// Asks the kernel about cards by name. It uses a socket, because sysfs may show another network
/// namespace.
class CardQueries {
 public:
  CardQueries() : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {}
  ~CardQueries() {
    if (socket_ >= 0) ::close(socket_);
  }
  CardQueries(const CardQueries&) = delete;
  CardQueries& operator=(const CardQueries&) = delete;

  [[nodiscard]] int mtu_bytes(const std::string& card) const {
    auto request = request_for(card);
    return ::ioctl(socket_, SIOCGIFMTU, &request) == 0 ? request.ifr_mtu : 0;
  }
  [[nodiscard]] CardSpeed speed(const std::string& card) const {
    // A first request asks for the number of words of link modes. The kernel answers with that
    // number, negative.
    const auto count = settings(card, 0);
    if (!count || count->mode_words >= 0) return {};
    const auto words = static_cast<std::size_t>(-count->mode_words);
    if (words > kModeWordsMax) return {};
    const auto known = settings(card, words);
    if (!known) return {};
    const bool has_speed = known->speed_mbit != static_cast<__u32>(SPEED_UNKNOWN);
    return {has_speed ? static_cast<int>(known->speed_mbit) : 0,
            greatest_speed(std::span(known->modes).first(words))};
  }

 private:
  static constexpr std::size_t kModeWordsMax = 16;

  struct CardSettings {
    std::int8_t mode_words = 0;  // negative: the number of words available
    std::uint32_t speed_mbit = 0;
    std::array<std::uint32_t, 3 * kModeWordsMax> modes{};  // supported, advertised, the peer's
  };

  static ifreq request_for(const std::string& card) {
    ifreq request{};
    card.copy(request.ifr_name, IFNAMSIZ - 1);
    return request;
  }
  [[nodiscard]] std::optional<CardSettings> settings(const std::string& card,
                                                     std::size_t words) const {
    constexpr std::size_t kHeadBytes = sizeof(ethtool_link_settings);
    CardSettings result;
    ethtool_link_settings head{};  // the words after it are not part of its type
    alignas(ethtool_link_settings) std::array<char, kHeadBytes + sizeof result.modes> bytes{};
    head.cmd = ETHTOOL_GLINKSETTINGS;
    head.link_mode_masks_nwords = static_cast<__s8>(words);
    std::memcpy(bytes.data(), &head, kHeadBytes);
    auto request = request_for(card);
    request.ifr_data = bytes.data();
    if (::ioctl(socket_, SIOCETHTOOL, &request) != 0) return std::nullopt;
    std::memcpy(&head, bytes.data(), kHeadBytes);
    std::memcpy(result.modes.data(), bytes.data() + kHeadBytes, sizeof result.modes);
    result.mode_words = head.link_mode_masks_nwords;
    result.speed_mbit = head.speed;
    return result;
  }

  const int socket_;
};

struct ModeSpeed {
  unsigned bit;
  int mbit;
};

// Link modes of usual cards: all up to 2.5 Gbit/s, and the common ones of each speed beyond.
constexpr ModeSpeed kModeSpeeds[] = {
    {ETHTOOL_LINK_MODE_10baseT_Half_BIT, 10},
    {ETHTOOL_LINK_MODE_10baseT_Full_BIT, 10},
    {ETHTOOL_LINK_MODE_100baseT_Half_BIT, 100},
    {ETHTOOL_LINK_MODE_100baseT_Full_BIT, 100},
    {ETHTOOL_LINK_MODE_100baseT1_Full_BIT, 100},
    {ETHTOOL_LINK_MODE_100baseFX_Half_BIT, 100},
    {ETHTOOL_LINK_MODE_100baseFX_Full_BIT, 100},
    {ETHTOOL_LINK_MODE_1000baseT_Half_BIT, 1000},
    {ETHTOOL_LINK_MODE_1000baseT_Full_BIT, 1000},
    {ETHTOOL_LINK_MODE_1000baseKX_Full_BIT, 1000},
    {ETHTOOL_LINK_MODE_1000baseX_Full_BIT, 1000},
    {ETHTOOL_LINK_MODE_1000baseT1_Full_BIT, 1000},
    {ETHTOOL_LINK_MODE_2500baseX_Full_BIT, 2500},
    {ETHTOOL_LINK_MODE_2500baseT_Full_BIT, 2500},
    {ETHTOOL_LINK_MODE_5000baseT_Full_BIT, 5000},
    {ETHTOOL_LINK_MODE_10000baseT_Full_BIT, 10000},
    {ETHTOOL_LINK_MODE_10000baseKX4_Full_BIT, 10000},
    {ETHTOOL_LINK_MODE_10000baseKR_Full_BIT, 10000},
    {ETHTOOL_LINK_MODE_10000baseCR_Full_BIT, 10000},
    {ETHTOOL_LINK_MODE_10000baseSR_Full_BIT, 10000},
    {ETHTOOL_LINK_MODE_10000baseLR_Full_BIT, 10000},
    {ETHTOOL_LINK_MODE_25000baseCR_Full_BIT, 25000},
    {ETHTOOL_LINK_MODE_25000baseKR_Full_BIT, 25000},
    {ETHTOOL_LINK_MODE_25000baseSR_Full_BIT, 25000},
    {ETHTOOL_LINK_MODE_40000baseKR4_Full_BIT, 40000},
    {ETHTOOL_LINK_MODE_40000baseCR4_Full_BIT, 40000},
    {ETHTOOL_LINK_MODE_40000baseSR4_Full_BIT, 40000},
    {ETHTOOL_LINK_MODE_40000baseLR4_Full_BIT, 40000},
    {ETHTOOL_LINK_MODE_50000baseCR2_Full_BIT, 50000},
    {ETHTOOL_LINK_MODE_50000baseKR2_Full_BIT, 50000},
    {ETHTOOL_LINK_MODE_50000baseSR2_Full_BIT, 50000},
    {ETHTOOL_LINK_MODE_100000baseKR4_Full_BIT, 100000},
    {ETHTOOL_LINK_MODE_100000baseSR4_Full_BIT, 100000},
    {ETHTOOL_LINK_MODE_100000baseCR4_Full_BIT, 100000},
};

}  // namespace

std::vector<NetworkInterface> list_interfaces() {
  ifaddrs* raw = nullptr;
  if (::getifaddrs(&raw) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> list(raw, &::freeifaddrs);
  const CardQueries queries;
  std::vector<NetworkInterface> interfaces;
  for (const auto* each = list.get(); each != nullptr; each = each->ifa_next) {
    const auto address = address_of(each->ifa_addr);
    const auto mask = address_of(each->ifa_netmask);
    if (!address || !mask || (address->is_v6() && address->to_v6().is_link_local())) continue;
    const unsigned needed = IFF_UP | IFF_RUNNING;
    interfaces.push_back({.name = each->ifa_name,
                          .address = address->to_string(),
                          .prefix_length = prefix_of(*mask),
                          .mtu_bytes = queries.mtu_bytes(each->ifa_name),
                          .is_up = (each->ifa_flags & needed) == needed});
  }
  return interfaces;
}

CardSpeed speed_of(const std::string& card) {
  return CardQueries().speed(card);
}

void add_speeds(std::vector<NetworkInterface>& interfaces) {
  const CardQueries queries;
  for (auto& each : interfaces) {
    const auto speed = queries.speed(each.name);
    each.speed_mbit = speed.now_mbit;
    each.speed_max_mbit = speed.max_mbit;
  }
}

void add_speeds(std::vector<DataEndpoint>& endpoints,
                std::span<const NetworkInterface> interfaces) {
  for (auto& each : endpoints) {
    const auto* card = find_address(each.address, interfaces);
    if (card == nullptr) continue;
    each.speed_mbit = card->speed_mbit;
    each.speed_max_mbit = card->speed_max_mbit;
  }
}

int greatest_speed(std::span<const std::uint32_t> supported_modes) {
  constexpr unsigned kBits = 32;
  int greatest = 0;
  for (const auto& [bit, mbit] : kModeSpeeds) {
    if (bit / kBits >= supported_modes.size()) continue;
    if ((supported_modes[bit / kBits] >> (bit % kBits) & 1U) != 0)
      greatest = std::max(greatest, mbit);
  }
  return greatest;
}

const NetworkInterface* find_address(const std::string& address,
                                     std::span<const NetworkInterface> interfaces) {
  boost::system::error_code failed;
  // People may write fd00:0::1, but the list has fd00::1.
  const auto parsed = ip::make_address(address, failed);
  if (failed) return nullptr;
  const auto text = parsed.to_string();
  const auto found = std::find_if(interfaces.begin(), interfaces.end(),
                                  [&](const auto& each) { return each.address == text; });
  return found == interfaces.end() ? nullptr : &*found;
}

bool is_loopback(const std::string& address) {
  boost::system::error_code failed;
  const auto parsed = ip::make_address(address, failed);
  return !failed && parsed.is_loopback();
}

bool is_link_local(const std::string& address) {
  boost::system::error_code failed;
  const auto parsed = ip::make_address(address, failed);
  return !failed && parsed.is_v6() && parsed.to_v6().is_link_local();
}

bool is_in_subnet(const std::string& address, const std::string& of, int prefix_length) {
  boost::system::error_code failed;
  const auto a = ip::make_address(address, failed);
  if (failed) return false;
  const auto b = ip::make_address(of, failed);
  if (failed || a.is_v4() != b.is_v4() || prefix_length <= 0) return false;
  if (a.is_v4()) return is_equal_prefix(a.to_v4().to_bytes(), b.to_v4().to_bytes(), prefix_length);
  return is_equal_prefix(a.to_v6().to_bytes(), b.to_v6().to_bytes(), prefix_length);
}

bool is_of_this_machine(const std::string& address, std::span<const NetworkInterface> interfaces) {
  return is_loopback(address) || find_address(address, interfaces) != nullptr;
}

int prefix_length_of(const std::string& address, std::span<const NetworkInterface> interfaces) {
  if (const auto* card = find_address(address, interfaces)) return card->prefix_length;
  boost::system::error_code failed;
  const auto wanted = ip::make_address(address, failed);
  if (failed || !wanted.is_loopback() || !wanted.is_v4()) return 0;
  for (const auto& each : interfaces) {
    const auto other = ip::make_address(each.address, failed);
    if (failed || !other.is_v4() || !other.is_loopback()) continue;
    const ip::network_v4 subnet(other.to_v4(), static_cast<unsigned short>(each.prefix_length));
    if (subnet.canonical() == ip::network_v4(wanted.to_v4(), subnet.prefix_length()).canonical()) {
      return each.prefix_length;
    }
  }
  return 0;
}

std::vector<std::string> offered_addresses(std::span<const NetworkInterface> interfaces,
                                           bool has_key, std::span<const std::string> offered) {
  std::vector<std::string> addresses;
  for (const auto& known : offered) {  // offered ones first, in their order: links keep their pairs
    if (find_address(known, interfaces) != nullptr && !is_loopback(known))
      addresses.push_back(known);
  }
  for (const auto& card : interfaces) {
    const bool is_known =
        std::find(addresses.begin(), addresses.end(), card.address) != addresses.end();
    if (has_key && card.is_up && !is_known && !is_loopback(card.address))
      addresses.push_back(card.address);
  }
  if (addresses.empty()) addresses.emplace_back("127.0.0.1");
  return addresses;
}

Result<void> bind_to_card(int socket, const std::string& card) {
  if (::setsockopt(socket, SOL_SOCKET, SO_BINDTODEVICE, card.data(),
                   static_cast<socklen_t>(card.size())) == 0) {
    return {};
  }
  return fail("cannot bind a link to card {}: {}", card, std::strerror(errno));
}

}  // namespace submix::link
