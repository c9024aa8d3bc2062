// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/cards/card_news.hpp"

#include "common/link/cards/interfaces.hpp"
#include "common/link/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace submix::link {
namespace {

std::string about(const std::string& card, const std::string& address) {
  return fmt::format("card {} ({})", card, address);
}

}  // namespace

std::vector<CardNews::CardEvent> CardNews::update(std::span<const NetworkInterface> cards,
                                                  std::span<const std::string> addresses,
                                                  LocalTime now) {
  std::vector<CardEvent> events;
  std::erase_if(states_, [&](const auto& entry) {
    const bool is_used =
        std::find(addresses.begin(), addresses.end(), entry.first) != addresses.end();
    return !is_used && !entry.second.is_up && !entry.second.is_restless;
  });
  for (const auto& address : addresses) {
    if (!is_loopback(address)) states_.try_emplace(address);
  }
  for (auto& [address, state] : states_) {
    const auto* card = find_address(address, cards);
    const bool is_up = card != nullptr && card->is_up;
    const bool is_new = state.card.empty();
    if (card != nullptr) state.card = card->name;
    if (state.card.empty()) state.card = "?";
    if (!has_begun_) state.is_up = is_up;
    if (has_begun_ && is_new && is_up) {
      events.push_back(
          {Severity::note, about(state.card, address), "is there; streams may use it from now on"});
      state.is_up = true;
    }
    if (state.is_up == is_up) continue;
    state.is_up = is_up;
    change(address, state, now, events);
  }
  has_begun_ = true;
  return events;
}

void CardNews::change(const std::string& address, CardState& state, LocalTime now,
                      std::vector<CardEvent>& events) {
  if (!state.is_restless) {
    state.is_restless = true;
    state.unrest_began = now;
    state.losses = 0;
    if (!state.is_up) {
      events.push_back(
          {Severity::warning, about(state.card, address),
           "is off, has no carrier or lost its address: its links are closed, others take over"});
    }
  }
  state.last_change = now;
  if (!state.is_up) ++state.losses;
}

std::vector<CardNews::CardEvent> CardNews::settle(LocalTime now) {
  std::vector<CardEvent> events;
  for (auto& [address, state] : states_) {
    if (!state.is_restless || now - state.last_change < kCardsSettle) continue;
    state.is_restless = false;
    const auto lasted =
        std::chrono::duration<double>(state.last_change - state.unrest_began).count();
    const auto times =
        state.losses > 1 ? fmt::format(" after {} losses in {:.1f} s", state.losses, lasted) : "";
    if (state.is_up) {
      events.push_back({Severity::note, about(state.card, address), "is back" + times});
    } else if (state.losses > 1) {
      events.push_back({Severity::warning, about(state.card, address), "stays lost" + times});
    }
  }
  return events;
}

bool CardNews::is_restless() const {
  return std::any_of(states_.begin(), states_.end(),
                     [](const auto& entry) { return entry.second.is_restless; });
}

}  // namespace submix::link
