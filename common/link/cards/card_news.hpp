// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/network.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace submix::link {

/// Decides which card events people hear. A loss is reported at once. One more event follows when
/// the card has been quiet for kCardsSettle, however often it came and went meanwhile.
///
/// Threads  Compatible. No clock, no socket.
class CardNews {
 public:
  struct CardEvent {
    Severity severity = Severity::note;
    std::string about;
    std::string text;
  };

  /// `addresses` are the addresses that streams use. The first call reports nothing.
  [[nodiscard]] std::vector<CardEvent> update(std::span<const NetworkInterface> cards,
                                              std::span<const std::string> addresses,
                                              LocalTime now);
  /// Reports the cards that have become quiet. Call it now and then while is_restless().
  [[nodiscard]] std::vector<CardEvent> settle(LocalTime now);
  [[nodiscard]] bool is_restless() const;

 private:
  struct CardState {
    std::string card;
    bool is_up = false;
    std::uint64_t losses = 0;
    LocalTime unrest_began{};
    LocalTime last_change{};
    bool is_restless = false;
  };

  void change(const std::string& address, CardState& state, LocalTime now,
              std::vector<CardEvent>& events);

  std::map<std::string, CardState> states_;  // by address
  bool has_begun_ = false;
};

}  // namespace submix::link
