// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/cluster/membership.hpp"
#include "controller/pairing/nearby_pcs.hpp"
#include "controller/pairing/peer_removal.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace submix::ui {

/// What the dialog "Several PCs" and SeveralPcs (shell/several_pcs.hpp) tell each other.
struct SeveralPcsState {
  enum class Wish {
    none,
    make_desk,   ///< this PC becomes the desk
    offer_code,  ///< for the next PC that joins this desk
    join,        ///< this PC joins the chosen desk
    invite,      ///< the chosen PC comes into this desk's show
    leave,       ///< this PC leaves its desk
    remove_pc,   ///< the desk shuts `asked_pc` out
    set_rights   ///< `asked_pc` may do `asked_rights` from now on
  };

  void open() {
    is_open = true;
    asked = Wish::none;
    typed_code.clear();
    error.clear();
  }
  /// The last wish. The most frequent reason is a wrong code, which is typed anew.
  void fail(std::string why) {
    error = std::move(why);
    is_code_next = true;
  }

  bool is_open = false;
  Wish wish = Wish::none;         ///< what a press asks for
  Wish asked = Wish::none;        ///< the dialog asks whether a person means it
  bool is_busy = false;           ///< a wish is being carried out
  std::string error;              ///< why the last wish was not carried out
  bool is_to_start_over = false;  ///< this PC has another desk: the window starts again

  std::optional<cluster::Membership> membership;  ///< empty: this PC has joined nothing
  bool is_broken = false;      ///< the membership cannot be read; `error` says why
  bool is_desk_fixed = false;  ///< by the command line, which named an address or a key

  // While this PC is the desk.
  std::string code;  ///< "123 456"; empty: none is offered
  std::uint64_t code_number = 0;
  LocalTime code_ends{};
  std::vector<std::string> addresses;    ///< of this PC, for those who do not find it
  float code_height = 0;                 ///< of the last code on the screen, in pixels
  std::vector<std::string> news;         ///< who joined and who was shut out, newest last
  std::string notice_error;              ///< why others do not find this desk; empty: they do
  std::optional<pairing::PeersNow> pcs;  ///< that have joined; empty: not known yet
  std::string pcs_error;                 ///< why they are not known
  pairing::PeerNow asked_pc;             ///< that is to be shut out, or is being shut out
  cluster::Rights asked_rights = cluster::Rights::everything;
  /// Nodes that go with it, as the dialog has named them.
  std::vector<std::string> asked_others;
  cluster::PublicKey changed_pc{};  ///< whose rights were changed while it was connected
  LocalTime rights_changed{};
  bool is_removing = false;  ///< `asked_pc` is being shut out

  // While this PC has no desk: desks. While it is the desk: PCs without a show.
  std::vector<pairing::NearbyPc> nearby;
  std::string search_error;             ///< why none can be found
  std::string chosen;                   ///< name of one that is nearby; empty: the typed address
  std::string address;                  ///< as typed
  std::string typed_code;               ///< that the other PC shows
  bool is_code_next = false;            ///< the keyboard goes to the field of the code
  std::set<std::string> seen_nearby{};  ///< names of those that the dialog has listed
};

/// Whether this PC is the desk.
[[nodiscard]] inline bool is_desk(const SeveralPcsState& state) {
  return state.membership && state.membership->is_own && !state.is_broken;
}

/// The PC that a person has chosen; without a choice and a typed address, the only one nearby.
/// Null: the typed address counts.
[[nodiscard]] inline const pairing::NearbyPc* chosen_pc(const SeveralPcsState& state) {
  const bool is_only_one =
      state.chosen.empty() && state.address.empty() && state.nearby.size() == 1;
  for (const auto& pc : state.nearby) {
    if (is_only_one || pc.name == state.chosen) return &pc;
  }
  return nullptr;
}

/// Whether a wish leaves this PC as it is, and lets another in.
[[nodiscard]] inline bool is_for_another_pc(SeveralPcsState::Wish wish) {
  return wish == SeveralPcsState::Wish::offer_code || wish == SeveralPcsState::Wish::invite;
}

}  // namespace submix::ui
