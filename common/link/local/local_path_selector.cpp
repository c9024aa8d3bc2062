// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/local/local_path_selector.hpp"

#include "common/link/timing.hpp"

#include <utility>

namespace submix::link {
namespace {

constexpr std::size_t kSocketNameMax = 100;  // sun_path has 108
constexpr int kLossesMax = 2;                // then the stream goes over TCP
// between two attempts
constexpr int kTicksToTrial = static_cast<int>(kLocalTrialPause / kTick);
// a loss after this time is not counted
constexpr int kTicksOfTrust = static_cast<int>(kLocalTrust / kTick);

}  // namespace

void LocalPathSelector::trust() {
  is_trusted_ = true;
  is_on_trial_ = is_open_ = false;
  losses_ = 0;
}

void LocalPathSelector::allow(bool is_allowed) {
  if (!std::exchange(is_allowed_, is_allowed) && is_allowed) trust();
  if (!is_allowed) is_open_ = false;
}

bool LocalPathSelector::is_possible() const {
  const bool is_name = !endpoint_.socket.empty() && endpoint_.socket.size() <= kSocketNameMax;
  return is_allowed_ && is_name && !machine_.empty() && endpoint_.machine == machine_;
}

void LocalPathSelector::set_endpoint(const LocalEndpoint& endpoint) {
  if (endpoint == endpoint_) return;
  endpoint_ = endpoint;
  trust();
}

void LocalPathSelector::opened() {
  is_open_ = is_trusted_ = true;
  is_on_trial_ = false;
  ticks_open_ = 0;
}

void LocalPathSelector::lost(const std::string& reason, bool is_local_fault) {
  const bool was_open = std::exchange(is_open_, false);
  if (was_open && ticks_open_ >= kTicksOfTrust) losses_ = 0;
  is_on_trial_ = false;
  if (!is_local_fault) return;
  trouble_ = reason;
  ticks_to_trial_ = kTicksToTrial;
  if (!was_open || ++losses_ >= kLossesMax) is_trusted_ = false;
}

bool LocalPathSelector::tick() {
  if (is_open_) ++ticks_open_;
  if (!is_possible() || is_trusted_ || is_on_trial_ || --ticks_to_trial_ > 0) return false;
  is_on_trial_ = true;
  return true;
}

}  // namespace submix::link
