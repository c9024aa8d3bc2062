// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/several_pcs.hpp"

#include "common/base/files.hpp"
#include "common/base/host_name.hpp"
#include "common/cluster/address.hpp"
#include "controller/local/own_addresses.hpp"
#include "controller/local/start_nats.hpp"
#include "controller/pairing/joining.hpp"
#include "controller/pairing/own_desk.hpp"
#include "controller/ui/shell/window.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace submix::ui {
namespace {

using Wish = SeveralPcsState::Wish;

constexpr std::chrono::seconds kSearchTime{2};
constexpr std::chrono::seconds kSearchPause{1};
constexpr std::size_t kNewsMax = 6;

template <typename Value>
bool is_ready(const std::future<Value>& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

Result<void> make_desk(bool has_own_nats) {
  const auto key = pairing::key_for_own_desk();
  SUBMIX_TRY(key);
  const std::string url(cluster::kDefaultUrl);
  if (!has_own_nats) {
    if (const auto served = pairing::is_served(url, *key); !served)
      return fail("{}; end it first", served.error().message);
  }
  return pairing::join_own_desk(url, *key);
}

/// Where the chosen desk is.
Result<std::vector<HostPort>> ends_of(const SeveralPcsState& state) {
  const auto desk = std::ranges::find(state.desks, state.chosen, &pairing::NearbyDesk::name);
  if (!state.chosen.empty() && desk != state.desks.end()) return desk->ends;
  if (state.address.empty()) return fail("choose a desk, or type its address");
  auto end = pairing::parse_desk_end(state.address);
  SUBMIX_TRY(end);
  return std::vector{*std::move(end)};
}

}  // namespace

SeveralPcs::~SeveralPcs() {
  stop_.request_stop();  // the futures then wait for their threads
}

void SeveralPcs::tend(SeveralPcsState& state, LocalTime now) {
  take_results(state, now);
  if (state.wish != Wish::none) carry_out(state, now);
  if (state.is_open) look_for_desks(state, now);
  if (next_draw_ <= now)
    next_draw_ = state.code.empty() ? LocalTime::max() : now + std::chrono::seconds(1);
}

void SeveralPcs::take_results(SeveralPcsState& state, LocalTime now) {
  if (is_ready(change_)) {
    const auto changed = change_.get();
    state.is_busy = false;
    state.is_to_start_over = changed.has_value();
    if (!changed) state.error = changed.error().message;
  }
  if (is_ready(search_)) {
    auto found = search_.get();
    state.search_error = found ? "" : found.error().message;
    if (found) state.desks = *std::move(found);
    next_search_ = now + kSearchPause;
  }
  if (desk_ == nullptr) return;
  for (const auto& event : desk_->take_events()) {
    state.news.push_back(to_text(event));
    if (state.news.size() > kNewsMax) state.news.erase(state.news.begin());
    if (is_code_used_up(event)) state.code.clear();
  }
}

void SeveralPcs::look_for_desks(const SeveralPcsState& state, LocalTime now) {
  if (state.membership || state.is_desk_fixed || search_.valid() || now < next_search_) return;
  search_ = std::async(std::launch::async, [stop = stop_.get_token()] {
    auto desks = pairing::find_desks(kSearchTime, stop);
    Window::wake();
    return desks;
  });
}

void SeveralPcs::carry_out(SeveralPcsState& state, LocalTime now) {
  const auto wish = std::exchange(state.wish, Wish::none);
  if (change_.valid()) return;
  state.error.clear();
  Result<void> begun;
  if (wish == Wish::make_desk) begin([own = has_own_nats_] { return make_desk(own); });
  if (wish == Wish::leave) begin([] { return cluster::remove_membership(config_home()); });
  if (wish == Wish::join) begun = begin_joining(state);
  if (wish == Wish::offer_code) begun = offer_code(state, now);
  state.is_busy = change_.valid();
  if (!begun) state.error = begun.error().message;
}

template <typename Change>
void SeveralPcs::begin(Change change) {
  change_ = std::async(std::launch::async, [change = std::move(change)]() -> Result<void> {
    auto changed = change();
    Window::wake();
    return changed;
  });
}

Result<void> SeveralPcs::begin_joining(const SeveralPcsState& state) {
  const auto ends = ends_of(state);
  SUBMIX_TRY(ends);
  const auto code = pairing::PairingCode::parse(state.typed_code);
  SUBMIX_TRY(code);
  begin([ends = *ends, code = *code, stop = stop_.get_token()]() -> Result<void> {
    SUBMIX_TRY(pairing::join(config_home(), ends, code, stop));
    return {};
  });
  return {};
}

Result<void> SeveralPcs::offer_code(SeveralPcsState& state, LocalTime now) {
  if (desk_ == nullptr) SUBMIX_TRY(open_desk(state));
  state.addresses = local::own_ipv4_addresses();
  state.code = desk_->offer().text();
  state.code_ends = now + pairing::PairingDesk::kLifetime;
  next_draw_ = now;
  return {};
}

Result<void> SeveralPcs::open_desk(SeveralPcsState& state) {
  const auto key = pairing::key_of_own_desk();
  SUBMIX_TRY(key);
  if (!*key) return fail("this PC is no desk any more: close this window and open it again");
  const auto invite = [key = **key](const std::string& address) {
    return pairing::Invitation{
        host_name(),
        local::nats_urls(local::own_ipv4_addresses(), local::kDefaultNatsPort, address), key};
  };
  auto desk = pairing::PairingDesk::open({.invite = invite, .on_news = &Window::wake});
  SUBMIX_TRY(desk);
  desk_ = *std::move(desk);
  auto notice = pairing::DeskNotice::show(host_name(), desk_->port());
  state.notice_error = notice ? "" : notice.error().message;
  if (notice) notice_ = *std::move(notice);
  return {};
}

}  // namespace submix::ui
