// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/show/diff.hpp"
#include "node/agent/epoch_clock.hpp"
#include "node/agent/fallback.hpp"
#include "node/agent/find_faults.hpp"
#include "node/agent/local_submix.hpp"
#include "node/agent/peers_ready.hpp"
#include "node/agent/share_changes.hpp"
#include "node/agent/submix_table.hpp"
#include "node/engine/patch.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::agent {

/// Runs this node's submixes and makes them converge to the show. An unchanged submix runs on
/// undisturbed. Parameters change while the patch runs. Everything else is built first and then
/// switched. Each submix is a state machine: see LocalSubmix for its states and their transitions.
///
/// Another size or rate needs new patches; another show has other submixes. The former patches run
/// on until the new ones are built and the peers of their streams are ready; then each gives way to
/// its successor. If a successor cannot be built, the former patch runs on. A removed submix runs
/// on while a submix added by the same change cannot be built. But a removed submix gives way at
/// once if a new one takes a stream of it.
///
/// A slot that cannot follow the show does not hold up its submix. The slot stays as the submix
/// last ran, or a stand-in replaces the slot (fallback.hpp); all other slots follow the show.
///
/// A moved submix runs on here until its new node has taken over, without a time limit. If the show
/// moves it back before, it simply goes on. The new node builds no stand-ins while another node
/// still makes frames of the submix: it reports the submix as failed. It builds the submix with
/// stand-ins once no other node makes frames.
///
/// Threads  converge(), renew(), tend(): Confined (agent). All else: Synchronized.
/// Errors   A failed build is reported, and the former patch runs on. The build is repeated at each
///          change, except a mere tuning of other submixes.
class Submixes {
 public:
  /// Whether the peers of a new patch's streams are ready.
  using FindPeersReady = std::function<PeersReady(const std::string& submix)>;
  /// Whether the new node of a submix delivers its frames.
  using HasTakenOver = std::function<bool(const std::string& submix)>;
  /// Another node still making frames of a submix of this node; empty: none does.
  using FindOtherNode = std::function<std::string(const std::string& submix)>;

  /// `epochs` outlives it. Without `find_peers_ready` no peer is waited for. Without
  /// `find_other_node` no other node makes frames. `is_rendering`: see NodeOptions.
  Submixes(const engine::PatchEnvironment& environment, EpochClock& epochs,
           FindPeersReady find_peers_ready = {}, FindOtherNode find_other_node = {},
           bool is_rendering = false);
  ~Submixes();  ///< stops all patches
  Submixes(const Submixes&) = delete;
  Submixes& operator=(const Submixes&) = delete;

  /// How long a patch of another size or rate waits for its peers, while the former one runs on.
  static constexpr std::chrono::seconds kMeetPatience{2};
  /// How long the patch waits for the remaining peers once the first peers wait for it.
  static constexpr std::chrono::milliseconds kRestPatience{150};
  /// How long a submix counts as just moved: is_handing_over() holds.
  static constexpr std::chrono::seconds kMoveHaste{5};

  /// Follows a show. `share` is the result of share_of(). Submixes that run here but are assigned
  /// `elsewhere` go on until their new node has taken over.
  void converge(const show::Show& share, const std::set<std::string>& elsewhere = {});
  /// Makes a slot's plugin anew, although the show has not changed: the slot's stream is a new one.
  void renew(const show::Port& slot);
  /// Starts patches whose peers are ready. Ends the leftovers of edits, and submixes whose new node
  /// has taken over. Call regularly. Without `has_taken_over` no node has.
  void tend(const HasTakenOver& has_taken_over = {});
  /// Whether tend() should be called often: a submix has just moved, or gives way to another one. A
  /// slow new node is no reason: its report wakes this node.
  [[nodiscard]] bool is_handing_over() const;

  /// Finds the parts of a new share that could not run here. Faults of the present share are left
  /// out. `is_whole`: finds all faults, also in running submixes. Opens files.
  [[nodiscard]] std::vector<cluster::SubmixFault> find_faults(const show::Show& share,
                                                              bool is_whole = false) const {
    return is_whole ? find_all_faults(share, table_, environment_)
                    : find_new_faults(share, table_, environment_);
  }

  [[nodiscard]] std::vector<cluster::SubmixReport> reports() const { return table_.reports(); }
  /// Reports of submixes of other nodes that still run here.
  [[nodiscard]] std::vector<cluster::SubmixReport> reports_of_moved() const {
    return table_.reports_of_moving_out();
  }
  /// Nodes that go on with submixes of this node. Here these submixes would need a stand-in.
  [[nodiscard]] std::set<std::string> awaited_nodes() const;
  /// Each submix as it last ran without a fault.
  [[nodiscard]] std::vector<show::Submix> good() const { return table_.good(); }
  /// Submixes that ran without a fault in an earlier life of this node. Call before the first
  /// converge().
  void remember_good(std::vector<show::Submix> submixes) {
    table_.remember_good(std::move(submixes));
  }
  /// Includes submixes of other nodes that still run here.
  [[nodiscard]] std::vector<telemetry::SubmixReading> readings() const { return table_.readings(); }
  /// Like Patch::picture(). Also fails for a submix that does not run here.
  [[nodiscard]] Result<std::optional<engine::TapPicture>> picture(std::string_view submix,
                                                                  std::string_view slot,
                                                                  int width_max) const;

 private:
  using Names = std::vector<std::string>;
  using Patches = std::vector<std::shared_ptr<engine::Patch>>;
  using IsDue = std::function<bool(const std::string& submix)>;
  /// What build() has staged, and what could not be built.
  struct Built {
    std::set<std::string> made;
    std::set<std::string> failed;
  };

  /// Gives up the successors of submixes that `share` does not want, or wants in another format.
  void drop_successors(const show::Show& share);
  /// Whether staged patches go on waiting because `share` only tunes.
  [[nodiscard]] bool tune_while_waiting(const show::Show& share);
  [[nodiscard]] ToRebuild find_to_rebuild(const show::Show& share,
                                          const show::Difference& difference) const;
  [[nodiscard]] bool is_another_file(const show::SlotChange& change, const show::Show& share) const;
  /// Submixes that leave the share retire, or move out.
  void leave_removed(const show::Difference& difference);
  /// Ends moved submixes that no node shall run any more.
  void end_unwanted_moves(const show::Show& share);
  void take_back(const show::Show& share, ToRebuild& to_rebuild);

  /// Stages submixes without a patch of the show's size and rate.
  [[nodiscard]] Built build(const show::Show& share, const ToRebuild& to_rebuild);
  /// Returns whether a patch was built. Otherwise the submix has failed, or is held back.
  [[nodiscard]] bool build_one(const show::Submix& submix, const show::Show& share);
  [[nodiscard]] Result<std::shared_ptr<engine::Patch>> build_patch(const show::Submix& submix,
                                                                   const show::Show& share);
  /// Builds the submixes held back for a node that has ended.
  void build_held_back();
  [[nodiscard]] std::string other_node_of(const std::string& submix) const;
  /// Null `running`: no patch runs in this size and rate.
  [[nodiscard]] std::optional<Fallback> fallback_for(const show::Submix& wanted,
                                                     const show::Submix* running,
                                                     const engine::Format& format) const;

  /// Sets which submixes the retiring ones wait for. Returns whether new patches may wait for their
  /// peers.
  [[nodiscard]] bool await(const Built& built, const show::Show& share,
                           const show::Difference& difference);
  [[nodiscard]] bool gives_way(const std::string& name, const show::Show& share,
                               const std::set<std::string>& failed) const;
  void warn_of_wait(const std::string& name, const std::set<std::string>& missing) const;
  /// Takes out the retiring submixes whose replacements all run once `next` run.
  [[nodiscard]] Patches take_retired(const Names& next);
  void end(const Names& names);
  void end_taken_over(const HasTakenOver& has_taken_over);

  void start_staged(const IsDue& is_due);
  void start_one(const std::string& name);
  void start_if_peers_ready();
  [[nodiscard]] bool are_enough_peers_ready(const std::string& name);

  void edit(const show::Difference& difference, const ToRebuild& to_rebuild);
  void change(const show::Submix& submix, const show::Show& share, std::set<std::string> renewed);
  [[nodiscard]] bool edit_in_part(const show::Submix& wanted, engine::Patch& patch,
                                  const std::set<std::string>& renewed);
  void tune(const std::string& submix, const std::vector<show::SlotChange>& changes,
            const show::Tempo& tempo);
  /// The patch of `name` if it has the show's size and rate; null: none.
  [[nodiscard]] std::shared_ptr<engine::Patch> patch_of(const std::string& name,
                                                        const show::Show& share) const;
  void fail_for(const std::string& name, const std::string& error, bool is_followed = false);

  const engine::PatchEnvironment environment_;
  EpochClock& epochs_;
  const FindPeersReady find_peers_ready_;
  const FindOtherNode find_other_node_;
  const bool is_rendering_;
  SubmixTable table_;
  // The following members: agent's thread only.
  LocalTime peers_awaited_until_{};
  std::set<std::string> elsewhere_;  // submixes assigned to other nodes
  show::Show share_;                 // the share last given to converge()
};

}  // namespace submix::agent
