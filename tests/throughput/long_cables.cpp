// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/long_cables.hpp"

#include "common/base/clock.hpp"
#include "common/base/thread.hpp"
#include "tests/throughput/packet_delay.hpp"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <utility>

namespace submix::throughput {
namespace {

constexpr const char* kDevice = "/dev/net/tun";
constexpr std::chrono::milliseconds kStopLook{20};
constexpr int kTurn = 16;  // packets of one direction in a row before the next direction

struct Direction {
  int from;
  int to;
  PacketDelay packets;

  void take() {
    for (int i = 0; i < kTurn; ++i) {
      const auto room = packets.room();
      if (room.empty()) return;
      const auto bytes = ::read(from, room.data(), room.size());
      if (bytes <= 0) return;
      packets.put(static_cast<std::size_t>(bytes), SteadyClock().now());
    }
  }
  // A packet that the card does not take is lost, as on any cable.
  void give() {
    while (packets.due() && *packets.due() <= SteadyClock().now()) {
      const auto packet = packets.front();
      static_cast<void>(::write(to, packet.data(), packet.size()));
      packets.pop();
    }
  }
};

timespec time_until(std::optional<LocalTime> due) {
  const std::chrono::nanoseconds longest(kStopLook);
  auto pause = longest;
  if (due) pause = std::clamp<std::chrono::nanoseconds>(*due - SteadyClock().now(), {}, longest);
  return {pause.count() / 1'000'000'000, pause.count() % 1'000'000'000};
}

void carry(std::deque<Direction>& directions, const std::stop_token& stop) {
  const sched_param lowest{.sched_priority = 1};
  ::pthread_setschedparam(::pthread_self(), SCHED_RR, &lowest);
  ::prctl(PR_SET_TIMERSLACK, 1);
  std::vector<pollfd> polled(directions.size());
  while (!stop.stop_requested()) {
    std::optional<LocalTime> first_due;
    for (std::size_t i = 0; i < directions.size(); ++i) {
      auto& packets = directions[i].packets;
      polled[i] = {packets.room().empty() ? -1 : directions[i].from, POLLIN, 0};
      if (const auto due = packets.due(); due && (!first_due || *due < *first_due)) first_due = due;
    }
    const auto pause = time_until(first_due);
    ::ppoll(polled.data(), polled.size(), &pause, nullptr);
    for (std::size_t i = 0; i < directions.size(); ++i) {
      if (polled[i].revents != 0) directions[i].take();
      directions[i].give();
    }
  }
}

}  // namespace

Result<Descriptor> open_card(const std::string& name) {
  Descriptor card(::open(kDevice, O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (!card) return fail("no card \"{}\": {}: {}", name, kDevice, std::strerror(errno));
  ifreq wish{};
  name.copy(wish.ifr_name, sizeof wish.ifr_name - 1);
  wish.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR;
  // Without these, TCP would have to cut each segment into packets here.
  const unsigned offloads = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6;
  if (::ioctl(card.get(), TUNSETIFF, &wish) != 0 ||
      ::ioctl(card.get(), TUNSETOFFLOAD, offloads) != 0)
    return fail("no card \"{}\" by {}: {}", name, kDevice, std::strerror(errno));
  return card;
}

LongCables::LongCables(std::vector<LongCable> cables) {
  thread_ = start_thread("cables", [cables = std::make_shared<std::vector<LongCable>>(
                                        std::move(cables))](const std::stop_token& stop) {
    std::deque<Direction> directions;
    for (const auto& cable : *cables) {
      directions.push_back({cable.first.get(), cable.second.get(), {cable.delay, cable.bytes_max}});
      directions.push_back({cable.second.get(), cable.first.get(), {cable.delay, cable.bytes_max}});
    }
    carry(directions, stop);
  });
}

}  // namespace submix::throughput
