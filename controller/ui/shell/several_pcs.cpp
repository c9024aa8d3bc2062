// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/several_pcs.hpp"

#include "common/base/files.hpp"
#include "common/base/host_name.hpp"
#include "common/base/host_port.hpp"
#include "common/base/is_ready.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/reachable.hpp"
#include "controller/local/own_addresses.hpp"
#include "controller/local/start_nats.hpp"
#include "controller/pairing/joining.hpp"
#include "controller/pairing/own_desk.hpp"
#include "controller/ui/shell/window.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace submix::ui {
namespace {

using Wish = SeveralPcsState::Wish;

constexpr std::chrono::seconds kSearchTime{2};
constexpr std::chrono::seconds kSearchPause{1};
constexpr std::chrono::seconds kMembershipLook{1};
constexpr std::size_t kNewsMax = 6;

Result<void> make_desk(bool has_own_nats) {
  const auto key = pairing::key_for_own_desk();
  SUBMIX_TRY(key);
  const std::string url(cluster::kDefaultUrl);
  if (!has_own_nats) {
    if (const auto served = pairing::is_served(url, *key); !served)
      return fail("{}; end it first", served.error().message);
  }
  return pairing::join_own_desk(url, *key, state_home() / "nats");
}

/// Errors   Another program goes on as the server of this desk.
Result<void> leave(const std::optional<cluster::Membership>& membership, bool has_own_nats) {
  const bool is_served_here = membership && membership->is_own && !has_own_nats;
  const auto key = is_served_here ? pairing::key_of_own_desk() : std::nullopt;
  SUBMIX_TRY(key);
  if (*key && cluster::is_reachable(membership->nats_url, *key))
    return fail("`submix desk` or a service of this PC is the desk's server: end it first");
  return cluster::remove_membership(config_home());
}

/// Where this desk's server answers on this PC.
HostPort end_of_nats(const std::string& url) {
  constexpr std::string_view kScheme = "nats://";
  return parse_host_port(std::string_view(url).substr(kScheme.size()))
      .value_or(HostPort{"127.0.0.1", local::kDefaultNatsPort});
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

SeveralPcs::SeveralPcs(bool has_own_nats)
    : has_own_nats_(has_own_nats),
      membership_file_(cluster::membership_file(config_home())),
      membership_seen_(state_of(membership_file_)) {}

SeveralPcs::~SeveralPcs() {
  stop_.request_stop();
  change_stop_.request_stop();  // the futures then wait for their threads
}

void SeveralPcs::tend(SeveralPcsState& state, LocalTime now, bool has_nodes) {
  take_results(state, now);
  if (!has_nodes && !has_own_nats_) look_at_membership(state, now);
  if (state.wish != Wish::none) carry_out(state, now);
  if (state.is_open)
    look_for_desks(state, now);
  else
    change_stop_.request_stop();  // a closed dialog changes nothing later
  const bool is_searching = state.is_open && !state.membership && !search_.valid();
  if (next_draw_ > now) return;
  next_draw_ = !state.code.empty() ? now + std::chrono::seconds(1)
               : is_searching      ? next_search_
                                   : LocalTime::max();
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
    next_draw_ = std::min(next_draw_, next_search_);
  }
  if (is_ready(notices_)) {
    auto shown = notices_.get();
    state.notice_error = shown ? "" : shown.error().message;
    if (shown) notice_ = *std::move(shown);
  }
  if (desk_ != nullptr) take_events(state);
}

// Another window or a command of this PC may change the desk, too.
void SeveralPcs::look_at_membership(SeveralPcsState& state, LocalTime now) {
  if (state.is_desk_fixed || state.is_broken || change_.valid()) return;
  if (now < next_look_) return;
  next_look_ = now + kMembershipLook;
  const auto seen = state_of(membership_file_);
  if (seen == membership_seen_) return;
  const auto present = cluster::read_membership();
  if (!present) return;  // somebody is writing it
  membership_seen_ = seen;
  state.is_to_start_over = *present != state.membership;
}

void SeveralPcs::take_events(SeveralPcsState& state) {
  for (const auto& event : desk_->take_events()) {
    state.news.push_back(to_text(event));
    if (state.news.size() > kNewsMax) state.news.erase(state.news.begin());
    if (is_code_used_up(event) && event.code_number == state.code_number) state.code.clear();
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
  if (wish == Wish::leave)
    begin([own = has_own_nats_, desk = state.membership] { return leave(desk, own); });
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
  change_stop_ = {};
  begin([ends = *ends, code = *code, stop = change_stop_.get_token()]() -> Result<void> {
    SUBMIX_TRY(pairing::join(config_home(), ends, code, stop));
    return {};
  });
  return {};
}

Result<void> SeveralPcs::offer_code(SeveralPcsState& state, LocalTime now) {
  if (desk_ == nullptr) SUBMIX_TRY(open_desk(state));
  state.addresses = local::own_ipv4_addresses();
  state.code = desk_->offer().text();
  state.code_number = desk_->codes();
  state.code_ends = now + pairing::PairingDesk::kLifetime;
  next_draw_ = now;
  return {};
}

Result<void> SeveralPcs::open_desk(SeveralPcsState& state) {
  const auto key = pairing::key_of_own_desk();
  SUBMIX_TRY(key);
  if (!*key) return fail("this PC is no desk any more: close this window and open it again");
  const auto end = end_of_nats(state.membership->nats_url);
  const auto invite = [end](const pairing::Joiner& pc, const std::string& address) {
    const auto addresses =
        cluster::is_loopback(end.host) ? local::own_ipv4_addresses() : std::vector{end.host};
    return pairing::admit_to_own_desk(pc, local::nats_urls(addresses, end.port, address));
  };
  auto desk = pairing::PairingDesk::open(
      {.invite = invite, .answer = &pairing::answer_of_own_desk, .on_news = &Window::wake});
  SUBMIX_TRY(desk);
  desk_ = *std::move(desk);
  notices_ = std::async(std::launch::async, [port = desk_->port()] {
    auto shown = pairing::DeskNotice::show(host_name(), port);
    Window::wake();
    return shown;
  });
  return {};
}

}  // namespace submix::ui
