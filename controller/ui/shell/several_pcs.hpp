// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/file_state.hpp"
#include "common/base/result.hpp"
#include "controller/pairing/nearby_desks.hpp"
#include "controller/pairing/pairing_desk.hpp"
#include "controller/ui/pages/several_pcs_state.hpp"
#include "controller/ui/panel.hpp"

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace submix::ui {

/// Carries out what the dialog "Several PCs" asks for: this PC becomes a desk and offers codes, or
/// finds a desk and joins it. When it has another desk, the window must start again.
///
/// Threads  Confined (ui). What may take seconds runs on threads of its own. The destructor ends
///          it, and waits for a name that is being resolved and for an answer of the Avahi daemon.
///          Owns a PairingDesk from the first code on.
class SeveralPcs {
 public:
  /// `has_own_nats`: the window has started the NATS server, and ends it before it starts again.
  explicit SeveralPcs(bool has_own_nats);
  ~SeveralPcs();
  SeveralPcs(const SeveralPcs&) = delete;
  SeveralPcs& operator=(const SeveralPcs&) = delete;

  /// Cheap if there is nothing to do. `has_nodes`: nodes of this window run, which end with it.
  void tend(SeveralPcsState& state, LocalTime now, bool has_nodes);
  /// When a code's seconds change on the screen, or desks are looked for again.
  [[nodiscard]] LocalTime next_draw() const { return next_draw_; }

 private:
  using Desks = std::vector<pairing::NearbyDesk>;
  using Notice = std::unique_ptr<pairing::DeskNotice>;

  void carry_out(SeveralPcsState& state, LocalTime now);
  void take_results(SeveralPcsState& state, LocalTime now);
  void look_at_membership(SeveralPcsState& state, LocalTime now);
  void take_events(SeveralPcsState& state);
  void look_for_desks(const SeveralPcsState& state, LocalTime now);
  [[nodiscard]] Result<void> offer_code(SeveralPcsState& state, LocalTime now);
  [[nodiscard]] Result<void> open_desk(SeveralPcsState& state);
  [[nodiscard]] Result<void> begin_joining(const SeveralPcsState& state);
  template <typename Change>
  void begin(Change change);

  const bool has_own_nats_;
  const std::filesystem::path membership_file_;
  std::optional<FileState> membership_seen_;
  Notice notice_;
  std::unique_ptr<pairing::PairingDesk> desk_;
  LocalTime next_draw_ = LocalTime::max();
  LocalTime next_search_{};
  LocalTime next_look_{};
  std::stop_source stop_;                // of the search
  std::stop_source change_stop_;         // of the change
  std::future<Result<Notice>> notices_;  // invalid: none is under way
  std::future<Result<Desks>> search_;    // invalid: none is under way
  std::future<Result<void>> change_;     // of this PC's desk; invalid: none is under way
};

/// Opens the dialog.
void show_several_pcs(Panel& panel);

/// One show of several PCs: this PC as the desk, or as one that plays for a desk.
void draw_several_pcs(Panel& panel);

}  // namespace submix::ui
