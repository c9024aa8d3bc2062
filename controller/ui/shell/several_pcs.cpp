// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/several_pcs.hpp"

#include "common/base/files.hpp"
#include "common/base/host_name.hpp"
#include "common/base/log.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/reachable.hpp"
#include "controller/local/own_addresses.hpp"
#include "controller/pairing/invite_pc.hpp"
#include "controller/pairing/joining.hpp"
#include "controller/pairing/key_change.hpp"
#include "controller/pairing/own_desk.hpp"
#include "controller/pairing/peer_rights.hpp"
#include "controller/ui/pages/overview_panels.hpp"
#include "controller/ui/shell/window.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <utility>

namespace submix::ui {
namespace {

using Wish = SeveralPcsState::Wish;

constexpr std::chrono::seconds kMembershipLook{1};
constexpr std::chrono::seconds kPcsLook{2};
constexpr std::chrono::seconds kListLook{1};
constexpr std::chrono::seconds kFarewell{10};  // longer than a node takes to be gone
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

/// Where the chosen desk or PC is.
Result<std::vector<HostPort>> ends_of(const SeveralPcsState& state) {
  if (const auto* const pc = chosen_pc(state)) return pc->ends;
  if (state.address.empty())
    return fail("choose a {}, or type its address", is_desk(state) ? "PC" : "desk");
  auto end = pairing::parse_desk_end(
      state.address, is_desk(state) ? pairing::kWaitingPort : pairing::kDefaultPort);
  SUBMIX_TRY(end);
  return std::vector{*std::move(end)};
}

/// What everybody on the network may know.
pairing::DeskDescription description_of(const model::ClusterView& view) {
  using pairing::ShowState;
  pairing::DeskDescription told{host_name()};
  if (view.connection != model::ConnectionState::connected || !view.show_error.empty()) return told;
  const bool has_show = view.show != nullptr && !view.show->submixes.empty();
  if (view.show != nullptr) told.show = view.show->name;
  told.state = !has_show                  ? ShowState::none
               : view.transport.is_paused ? ShowState::paused
                                          : ShowState::running;
  return told;
}

void tell(SeveralPcsState& state, std::string news) {
  state.news.push_back(std::move(news));
  if (state.news.size() > kNewsMax) state.news.erase(state.news.begin());
}

/// Cuts off others only if the person has read their names.
Result<void> consent(const std::vector<std::string>& seen, const std::vector<std::string>& nodes) {
  const auto was_named = [&](const std::string& node) {
    return std::ranges::find(seen, node) != seen.end();
  };
  if (std::ranges::all_of(nodes, was_named)) return {};
  return fail("{} did not join by a code, and would be shut out, too: look again",
              fmt::join(nodes, ", "));
}

}  // namespace

SeveralPcs::SeveralPcs(bool has_own_nats, bool hides_show, pairing::ServerUsers* users)
    : has_own_nats_(has_own_nats),
      hides_show_(hides_show),
      users_(users),
      membership_file_(cluster::membership_file(config_home())),
      membership_seen_(state_of(membership_file_)) {}

SeveralPcs::~SeveralPcs() {
  change_stop_.request_stop();  // then the members wait for their tasks
}

void SeveralPcs::tend(SeveralPcsState& state, LocalTime now, const DeskSurroundings& around,
                      std::vector<session::Action>& actions) {
  take_results(state, now);
  if (!around.has_nodes && !has_own_nats_) look_at_membership(state, now);
  if (around.is_performing && !is_for_another_pc(state.wish)) state.wish = Wish::none;
  if (state.wish != Wish::none) carry_out(state, now);
  forget_removed_nodes(now, around.view, actions);
  if (notice_ != nullptr && !hides_show_) notice_->tell(description_of(around.view));
  nearby_.tend(state, now);
  if (state.is_open) {
    look_for_pcs(state, now);
  } else {
    change_stop_.request_stop();  // a closed dialog changes nothing later
  }
  if (next_draw_ <= now) next_draw_ = next_draw_after(state, now);
  next_draw_ = std::min(next_draw_, nearby_.next());
}

LocalTime SeveralPcs::next_draw_after(const SeveralPcsState& state, LocalTime now) const {
  if (!state.code.empty()) return now + std::chrono::seconds(1);
  if (!state.is_open) return LocalTime::max();
  return is_desk(state) && !pcs_.is_under_way() ? next_pcs_look_ : LocalTime::max();
}

void SeveralPcs::look_after_list(SeveralPcsState& state, LocalTime now) {
  if (users_ != nullptr) users_->look(now, state_home() / "nats");
  if (finishing_.is_ready()) {
    const auto finished = finishing_.take();
    if (!finished && finished.error().message != state.error) {
      state.error = finished.error().message;
      log::warning("{}", state.error);
    }
  }
  if (!is_desk(state) || now < next_list_look_) return;
  next_list_look_ = now + kListLook;
  // Others ask here for a new key. Without a server of its own, another program answers them.
  if (has_own_nats_ && !std::exchange(was_desk_tried_, true)) {
    const auto opened = open_desk();
    if (!opened) log::info("{}", opened.error().message);  // a desk that runs already answers
  }
  if (finishing_.is_under_way() || removal_.is_under_way()) return;
  const auto list = pairing::PeerBook::read(config_home());
  if (!list || !list->next_key) return;
  finishing_ = Background<Result<void>>(&pairing::finish_key_change_if_left);
}

void SeveralPcs::take_results(SeveralPcsState& state, LocalTime now) {
  if (change_.is_ready()) {
    const auto changed = change_.take();
    state.is_busy = false;
    state.is_to_start_over = changed.has_value();
    if (!changed) state.fail(changed.error().message);
  }
  if (notices_.is_ready()) {
    auto shown = notices_.take();
    state.notice_error = shown ? "" : shown.error().message;
    if (shown) notice_ = *std::move(shown);
  }
  if (pcs_.is_ready()) {
    auto pcs = pcs_.take();
    state.pcs_error = pcs ? "" : pcs.error().message;
    if (pcs) state.pcs = *std::move(pcs);
    next_pcs_look_ = now + kPcsLook;
    next_draw_ = std::min(next_draw_, next_pcs_look_);
  }
  if (removal_.is_ready()) take_removal(state, now);
  if (rights_.is_ready()) take_rights(state, now);
  if (inviting_.is_ready()) take_invited(state, now);
  if (desk_ != nullptr) take_events(state);
}

template <typename T>
std::optional<T> SeveralPcs::outcome_of(Background<Result<T>>& change, SeveralPcsState& state,
                                        LocalTime now) {
  auto outcome = change.take();
  state.is_busy = is_busy();
  next_pcs_look_ = now;
  if (outcome) return *std::move(outcome);
  state.fail(outcome.error().message);
  return std::nullopt;
}

void SeveralPcs::take_rights(SeveralPcsState& state, LocalTime now) {
  const auto peer = outcome_of(rights_, state, now);
  if (!peer) return;
  if (!state.asked_pc.programs.empty()) {
    state.changed_pc = peer->key;
    state.rights_changed = now;
  }
  tell(state, fmt::format("{} {}.", peer->name, words_of(*peer)));
  if (!state.pcs) return;
  for (auto& pc : state.pcs->peers) {
    if (pc.peer.key == peer->key) pc.peer = *peer;
  }
}

void SeveralPcs::take_invited(SeveralPcsState& state, LocalTime now) {
  const auto invited = outcome_of(inviting_, state, now);
  if (!invited) return;
  tell(state, to_text(*invited));
  state.typed_code.clear();
  state.chosen.clear();
  state.address.clear();
}

void SeveralPcs::take_removal(SeveralPcsState& state, LocalTime now) {
  state.is_removing = false;
  const auto removal = outcome_of(removal_, state, now);
  if (!removal) return;
  tell(state, fmt::format("{} ({}) is shut out. The others go on.", removal->peer.name,
                          removal->peer.address));
  std::set<std::string> silent;
  for (const auto& each : removal->without_reply)
    silent.insert(each.pc);
  if (!silent.empty())
    tell(state, fmt::format("No answer yet from {}. It follows as soon as it answers.",
                            fmt::join(silent, ", ")));
  for (const auto& node : removal->nodes)
    removed_nodes_.push_back({node, now});
  if (state.pcs) {
    std::erase_if(state.pcs->peers,
                  [&](const pairing::PeerNow& pc) { return pc.peer.key == removal->peer.key; });
  }
}

// As soon as such a node is gone, and the show does not name it, nobody sees it any more.
void SeveralPcs::forget_removed_nodes(LocalTime now, const model::ClusterView& view,
                                      std::vector<session::Action>& actions) {
  std::erase_if(removed_nodes_, [&](const RemovedNode& removed) {
    const auto* node = view.find_node(removed.name);
    const bool is_over = now > removed.since + kFarewell;
    if (node == nullptr) return is_over;
    if (node->health == model::Health::healthy) return is_over;  // it has come back
    if (!may_be_forgotten(*node, view)) return false;
    actions.emplace_back(session::ForgetNode{removed.name});
    return true;
  });
}

// Another window or a command of this PC may change the desk, too.
void SeveralPcs::look_at_membership(SeveralPcsState& state, LocalTime now) {
  if (state.is_desk_fixed || state.is_broken || change_.is_under_way()) return;
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
  using Kind = pairing::PairingEvent::Kind;
  for (const auto& event : desk_->take_events()) {
    const bool is_about_code = event.kind == Kind::wrong_code || event.kind == Kind::over;
    if (is_about_code && event.code_number != state.code_number) continue;
    tell(state, to_text(event));
    if (is_about_code) news_of_code_.push_back(state.news.back());
    next_pcs_look_ = {};
    if (is_code_used_up(event) && event.code_number == state.code_number) state.code.clear();
  }
}

// Its tries do not count for the next one.
void SeveralPcs::forget_code(SeveralPcsState& state) {
  for (const auto& news : std::exchange(news_of_code_, {}))
    std::erase(state.news, news);
}

void SeveralPcs::look_for_pcs(const SeveralPcsState& state, LocalTime now) {
  if (!is_desk(state) || pcs_.is_under_way() || removal_.is_under_way() || now < next_pcs_look_)
    return;
  pcs_ = Background<Result<pairing::PeersNow>>(&pairing::peers_now);
}

void SeveralPcs::carry_out(SeveralPcsState& state, LocalTime now) {
  const auto wish = std::exchange(state.wish, Wish::none);
  if (is_busy()) return;
  state.error.clear();
  Result<void> begun;
  if (wish == Wish::make_desk)
    change_ = Background<Result<void>>([own = has_own_nats_] { return make_desk(own); });
  if (wish == Wish::leave)
    change_ = Background<Result<void>>(
        [own = has_own_nats_, desk = state.membership] { return leave(desk, own); });
  if (wish == Wish::join) begun = begin_joining(state);
  if (wish == Wish::invite) begun = begin_inviting(state);
  if (wish == Wish::offer_code) begun = offer_code(state, now);
  if (wish == Wish::remove_pc) begin_removal(state);
  if (wish == Wish::set_rights) begin_rights(state);
  state.is_busy = is_busy();
  if (!begun) state.fail(begun.error().message);
}

Result<void> SeveralPcs::begin_joining(const SeveralPcsState& state) {
  const auto ends = ends_of(state);
  SUBMIX_TRY(ends);
  const auto code = pairing::PairingCode::parse(state.typed_code);
  SUBMIX_TRY(code);
  change_stop_ = {};
  change_ = Background<Result<void>>(
      [ends = *ends, code = *code, stop = change_stop_.get_token()]() -> Result<void> {
        SUBMIX_TRY(pairing::join(config_home(), ends, code, stop));
        return {};
      });
  return {};
}

Result<void> SeveralPcs::begin_inviting(const SeveralPcsState& state) {
  const auto ends = ends_of(state);
  SUBMIX_TRY(ends);
  const auto code = pairing::PairingCode::parse(state.typed_code);
  SUBMIX_TRY(code);
  change_stop_ = {};
  inviting_ = Background<Result<pairing::PairingEvent>>(
      [ends = *ends, code = *code, stop = change_stop_.get_token()] {
        return pairing::invite_to_own_desk(ends, code, stop);
      });
  return {};
}

bool SeveralPcs::is_busy() const {
  return change_.is_under_way() || removal_.is_under_way() || inviting_.is_under_way() ||
         rights_.is_under_way();
}

void SeveralPcs::begin_removal(SeveralPcsState& state) {
  state.is_removing = true;
  removal_ = Background<Result<pairing::Removal>>(
      [pc = state.asked_pc.peer.key, others = state.asked_others] {
        return pairing::remove_peer(
            pc, [&](const std::vector<std::string>& nodes) { return consent(others, nodes); });
      });
}

void SeveralPcs::begin_rights(const SeveralPcsState& state) {
  rights_ = Background<Result<pairing::Peer>>(
      [pc = state.asked_pc.peer.key, rights = state.asked_rights, others = state.asked_others] {
        return pairing::set_rights(pc, rights, [&](const std::vector<std::string>& nodes) {
          return consent(others, nodes);
        });
      });
}

Result<void> SeveralPcs::offer_code(SeveralPcsState& state, LocalTime now) {
  if (desk_ == nullptr) SUBMIX_TRY(open_desk());
  if (notice_ == nullptr && !notices_.is_under_way()) show_nearby();
  forget_code(state);
  state.addresses = local::own_ipv4_addresses();
  state.code = desk_->offer().text();
  state.code_number = desk_->codes();
  state.code_ends = now + pairing::PairingPort::kLifetime;
  next_draw_ = now;
  return {};
}

Result<void> SeveralPcs::open_desk() {
  const auto key = pairing::key_of_own_desk();
  SUBMIX_TRY(key);
  if (!*key) return fail("this PC is no desk any more: close this window and open it again");
  auto desk = pairing::PairingPort::open({.port = pairing::pairing_port_of_own_desk(),
                                          .invite = &pairing::admit_by_own_desk,
                                          .answer = &pairing::answer_of_own_desk,
                                          .on_news = &Window::wake});
  SUBMIX_TRY(desk);
  desk_ = *std::move(desk);
  return {};
}

// From the first code on.
void SeveralPcs::show_nearby() {
  notices_ = Background<Result<Notice>>([port = desk_->port()] {
    return pairing::NearbyNotice::show(pairing::NearbyKind::desk, host_name(), port, {host_name()});
  });
}

}  // namespace submix::ui
