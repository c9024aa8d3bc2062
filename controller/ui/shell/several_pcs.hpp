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
#include "controller/ui/shell/nearby_look.hpp"

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::ui {

/// What is around the dialog "Several PCs".
struct DeskSurroundings {
  const model::ClusterView& view;
  bool has_nodes = false;      ///< nodes of this window run, which end with it
  bool is_performing = false;  ///< the perform mode: a PC may come in, and nothing else changes
};

/// Carries out what the dialog "Several PCs" asks for: this PC becomes a desk, offers codes,
/// invites PCs and shuts them out, or finds a desk and joins it. When it has another desk, the
/// window must start again.
///
/// Threads  Confined (ui). What may take seconds runs on threads of its own. The destructor ends
///          it, and waits for a name that is being resolved, for an answer of the Avahi daemon, and
///          for a PC that is being shut out.
///          Owns a PairingPort from the first code on; while this window has the desk's server,
///          from the start.
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

  /// To be called with each frame. Cheap if there is nothing to do. Adds what the session is to do.
  void tend(SeveralPcsState& state, LocalTime now, const DeskSurroundings& around,
            std::vector<session::Action>& actions);
  /// To be called several times a second, also without frames. Somebody may have ended a removal
  /// half way: finishes it. Somebody may have mended the desk's list: lets its PCs in.
  void look_after_list(SeveralPcsState& state, LocalTime now);
  /// When a code's seconds change on the screen, or PCs are looked for again.
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
  /// Of a change of the list of PCs that is over. Empty: it failed, and the dialog says why.
  template <typename T>
  [[nodiscard]] std::optional<T> outcome_of(std::future<Result<T>>& change, SeveralPcsState& state,
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
  template <typename Change>
  void begin(Change change);

  const bool has_own_nats_;
  const bool hides_show_;
  pairing::ServerUsers* const users_;
  const std::filesystem::path membership_file_;
  std::optional<FileState> membership_seen_;
  bool was_desk_tried_ = false;  ///< to open
  Notice notice_;
  NearbyLook nearby_;
  std::unique_ptr<pairing::PairingPort> desk_;
  std::vector<std::string> news_of_code_;  // that the next code makes untrue
  LocalTime next_draw_ = LocalTime::max();
  LocalTime next_look_{};
  LocalTime next_pcs_look_{};
  LocalTime next_list_look_{};
  std::vector<RemovedNode> removed_nodes_;
  std::stop_source change_stop_;         // of the change
  std::future<Result<Notice>> notices_;  // invalid: none is under way
  std::future<Result<void>> change_;     // of this PC's desk; invalid: none is under way
  std::future<Result<pairing::PairingEvent>> inviting_;  // invalid: nobody is being invited
  std::future<Result<pairing::PeersNow>> pcs_;           // invalid: nobody looks
  std::future<Result<pairing::Removal>> removal_;        // invalid: none is under way
  std::future<Result<pairing::Peer>> rights_;            // invalid: none is changed
  std::future<Result<void>> finishing_;  // of a broken removal; invalid: none is left
};

/// Opens the dialog.
void show_several_pcs(Panel& panel);

/// One show of several PCs: this PC as the desk, or as one that plays for a desk.
void draw_several_pcs(Panel& panel);

}  // namespace submix::ui
