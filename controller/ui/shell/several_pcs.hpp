// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/file_state.hpp"
#include "common/base/result.hpp"
#include "controller/pairing/nearby_notice.hpp"
#include "controller/pairing/pairing_port.hpp"
#include "controller/pairing/peer_removal.hpp"
#include "controller/pairing/server_users.hpp"
#include "controller/ui/pages/several_pcs_state.hpp"
#include "controller/ui/panel.hpp"
#include "controller/ui/shell/background.hpp"
#include "controller/ui/shell/nearby_look.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::ui {

/// The state of the window around the dialog "Several PCs".
struct DeskSurroundings {
  const model::ClusterView& view;
  bool has_nodes = false;      ///< the window has started nodes, and ends them
  bool is_performing = false;  ///< the perform mode: a PC may join; nothing else changes
};

/// Carries out the wishes of the dialog "Several PCs": this PC becomes a desk, offers codes,
/// invites PCs and shuts them out, or finds a desk and joins it. When this PC has changed its desk,
/// the window must start again.
///
/// Owner    Owns a PairingPort: from the start if this window has the desk's server, else from the
///          first code on.
/// Threads  Confined (ui). Work of seconds runs on threads of its own. The destructor cancels it,
///          but waits for a name that is being resolved, an answer of the Avahi daemon, and the
///          removal of a PC.
class SeveralPcs {
 public:
  /// `has_own_nats`: the window has started the NATS server, and ends it before it starts again.
  /// `hides_show`: the network is not told which show this desk has. `users`: of the window's own
  /// server, which this object keeps up to date; null: there is none.
  explicit SeveralPcs(bool has_own_nats, bool hides_show = false,
                      pairing::ServerUsers* users = nullptr);
  ~SeveralPcs();
  SeveralPcs(const SeveralPcs&) = delete;
  SeveralPcs& operator=(const SeveralPcs&) = delete;

  /// Call it with each frame. Cheap if there is nothing to do. Adds to the session's `actions`.
  void tend(SeveralPcsState& state, LocalTime now, const DeskSurroundings& around,
            std::vector<session::Action>& actions);
  /// Call it several times a second, also without frames. Finishes a removal that was broken off.
  /// Admits the PCs of the desk's list once a person has repaired the list.
  void look_after_list(SeveralPcsState& state, LocalTime now);
  /// When to draw again: a code's seconds change, or the search for PCs goes on.
  [[nodiscard]] LocalTime next_draw() const { return next_draw_; }

 private:
  using Notice = std::unique_ptr<pairing::NearbyNotice>;
  struct RemovedNode {
    std::string name;
    LocalTime since;
  };

  void carry_out(SeveralPcsState& state, LocalTime now);
  void take_results(SeveralPcsState& state, LocalTime now);
  void look_at_membership(SeveralPcsState& state, LocalTime now);
  void take_events(SeveralPcsState& state);
  void forget_code(SeveralPcsState& state);
  /// The result of an ended change of the list of PCs. Empty: it failed, and the dialog says why.
  template <typename T>
  [[nodiscard]] std::optional<T> outcome_of(Background<Result<T>>& change, SeveralPcsState& state,
                                            LocalTime now);
  void take_rights(SeveralPcsState& state, LocalTime now);
  void take_invited(SeveralPcsState& state, LocalTime now);
  void take_removal(SeveralPcsState& state, LocalTime now);
  void forget_removed_nodes(LocalTime now, const model::ClusterView& view,
                            std::vector<session::Action>& actions);
  void look_for_pcs(const SeveralPcsState& state, LocalTime now);
  [[nodiscard]] Result<void> offer_code(SeveralPcsState& state, LocalTime now);
  void begin_removal(SeveralPcsState& state);
  void begin_rights(const SeveralPcsState& state);
  [[nodiscard]] Result<void> open_desk();
  void show_nearby();
  [[nodiscard]] Result<void> begin_joining(const SeveralPcsState& state);
  [[nodiscard]] Result<void> begin_inviting(const SeveralPcsState& state);
  [[nodiscard]] bool is_busy() const;
  [[nodiscard]] LocalTime next_draw_after(const SeveralPcsState& state, LocalTime now) const;

  const bool has_own_nats_;
  const bool hides_show_;
  pairing::ServerUsers* const users_;
  const std::filesystem::path membership_file_;
  std::optional<FileState> membership_seen_;
  bool was_desk_tried_ = false;  // open_desk() was called
  Notice notice_;
  NearbyLook nearby_;
  std::unique_ptr<pairing::PairingPort> desk_;
  std::vector<std::string> news_of_code_;  // news about the present code
  LocalTime next_draw_ = LocalTime::max();
  LocalTime next_look_{};
  LocalTime next_pcs_look_{};
  LocalTime next_list_look_{};
  std::vector<RemovedNode> removed_nodes_;
  std::stop_source change_stop_;  // of change_ and inviting_
  Background<Result<Notice>> notices_;
  Background<Result<void>> change_;  // of this PC's desk
  Background<Result<pairing::PairingEvent>> inviting_;
  Background<Result<pairing::PeersNow>> pcs_;
  Background<Result<pairing::Removal>> removal_;
  Background<Result<pairing::Peer>> rights_;
  Background<Result<void>> finishing_;  // of a broken removal
};

/// Opens the dialog.
void show_several_pcs(Panel& panel);

/// One show of several PCs: this PC as the desk, or as one that plays for a desk.
void draw_several_pcs(Panel& panel);

}  // namespace submix::ui
