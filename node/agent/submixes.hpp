// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/show/diff.hpp"
#include "node/agent/epoch_clock.hpp"
#include "node/agent/fallback.hpp"
#include "node/agent/moved_submixes.hpp"
#include "node/agent/peers_ready.hpp"
#include "node/agent/running_submixes.hpp"
#include "node/engine/patch.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::agent {

/// The submixes that this node runs, made to converge to the show. An unchanged submix runs on
/// undisturbed. Parameters change while the patch runs. Everything else is built first and then
/// switched.
///
/// Another size or rate needs new patches; another show has other submixes. The former patches run
/// on until the new ones are built and the peers of their streams are ready; then each gives way to
/// its successor. If a successor cannot be built, the former patch runs on. A submix that the show
/// no longer has runs on while a submix added by the same change cannot be built. But a former
/// submix that shares a stream with a new one gives way at once.
///
/// A slot that cannot follow the show does not hold up its submix. The slot stays as it last ran,
/// or a stand-in replaces it (fallback.hpp); all other slots follow the show.
///
/// A submix that has moved runs on here until its new node has taken over, without a time limit. If
/// it returns before, it simply goes on. The new node builds no stand-ins while another node still
/// makes frames of the submix: it reports the submix as failed, and builds it with stand-ins once
/// no other node makes frames.
///
/// Threads  converge(), renew(), tend(): Confined (agent). All else: Synchronized.
/// Errors   A submix that cannot be built is reported as failed; its former patch runs on. The
///          build is repeated at each change, except a mere tuning of other submixes.
class Submixes {
 public:
  /// Whether the peers of a new patch's streams are ready.
  using FindPeersReady = std::function<PeersReady(const std::string& submix)>;
  using HasTakenOver = MovedSubmixes::HasTakenOver;
  /// Another node that still makes frames of a submix of this node; empty: none does.
  using FindOtherNode = std::function<std::string(const std::string& submix)>;

  /// `epochs` outlives it. Without `find_peers_ready` no peer is waited for. Without `find_other_node` no
  /// other node makes frames.
  Submixes(const engine::PatchEnvironment& environment, EpochClock& epochs,
           FindPeersReady find_peers_ready = {}, FindOtherNode find_other_node = {});
  ~Submixes();  ///< stops all patches

  /// How long a patch of another size or rate waits for its peers, while the former one runs on.
  static constexpr std::chrono::seconds kMeetPatience{2};
  /// How long it waits for the remaining peers once the first peers wait for it.
  static constexpr std::chrono::milliseconds kRestPatience{150};

  /// Follows a show. `share` is the result of share_of(). Submixes that run here but are assigned
  /// `elsewhere` go on until their new node has taken over.
  void converge(const show::Show& share, const std::set<std::string>& elsewhere = {});
  /// Makes a slot's plugin anew, although the show has not changed: the slot's stream is a new one.
  void renew(const show::Port& slot);
  /// Starts patches whose peers are ready, and ends what edits have left behind and submixes whose
  /// new node has taken over. Call regularly.
  void tend(const HasTakenOver& has_taken_over = {});
  /// Whether tend() should be called often: a submix has just moved, or gives way to another one. A
  /// slow new node is no reason: its report wakes this node.
  [[nodiscard]] bool is_handing_over() const { return !standing_.empty() || moved_.are_in_haste(); }

  /// Finds the parts of a share, not followed yet, that could not run here. Faults of the present
  /// share are left out. `is_whole`: checks everything instead, including running submixes. Opens
  /// files.
  [[nodiscard]] std::vector<cluster::SubmixFault> find_faults(const show::Show& share,
                                                              bool is_whole = false) const;

  [[nodiscard]] std::vector<cluster::SubmixReport> reports() const { return running_.reports(); }
  /// Reports of submixes of other nodes that still run here. Confined (agent).
  [[nodiscard]] std::vector<cluster::SubmixReport> reports_of_moved() const {
    return moved_.reports({share_.size, share_.rate});
  }
  /// Nodes that go on with submixes of this node which would need a stand-in here. Confined
  /// (agent).
  [[nodiscard]] std::set<std::string> awaited_nodes() const;
  /// Each submix as it last ran without a fault.
  [[nodiscard]] std::vector<show::Submix> good() const { return running_.good(); }
  /// Submixes that ran without a fault in an earlier life of this node. Call before the first
  /// converge().
  void remember_good(std::vector<show::Submix> submixes) {
    running_.remember_good(std::move(submixes));
  }
  /// Includes submixes of other nodes that still run here.
  [[nodiscard]] std::vector<telemetry::SubmixReading> readings() const;
  /// Like Patch::picture(). Also fails for a submix that does not run here.
  [[nodiscard]] Result<std::optional<engine::TapPicture>> picture(std::string_view submix,
                                                                  std::string_view slot,
                                                                  int width_max) const;

 private:
  /// Slots whose plugin must be made anew, although the show has not changed them: their stream is
  /// a new one. By submix; an empty set: the submix's own slots changed.
  using Due = std::map<std::string, std::set<std::string>>;
  using Patches = std::vector<std::shared_ptr<engine::Patch>>;
  /// A built patch that starts when its former patch ends.
  struct Standing {
    std::string name;
    std::shared_ptr<engine::Patch> patch;
    std::string error;                      // faults of slots with a stand-in
    std::optional<LocalTime> rest_by = {};  // deadline, set once some peers are ready
  };
  /// A submix removed from the show that runs until its replacements do.
  struct Going {
    std::string name;
    std::shared_ptr<engine::Patch> patch;
    std::vector<show::Stream> streams;  // streams that begin or end in it
    std::set<std::string> awaited;
  };
  /// The result of build().
  struct Built {
    std::set<std::string> made;
    std::set<std::string> failed;
  };

  /// Whether staged patches go on waiting because `share` only tunes.
  [[nodiscard]] bool tune_while_waiting(const show::Show& share);
  [[nodiscard]] Due due_submixes(const show::Show& share, const show::Difference& difference) const;
  [[nodiscard]] bool is_another_file(const show::SlotChange& change, const show::Show& share) const;
  void part_with_removed(const show::Difference& difference);
  /// Ends moved submixes that no node shall run any more.
  void end_moved_but(const show::Show& share);
  void take_back(const show::Show& share, Due& due);
  void take_back_moved(const show::Show& share, Due& due);
  void remove(const std::string& name);
  /// Builds submixes without a patch of the show's size and rate.
  [[nodiscard]] Built build(const show::Show& share, const Due& due);
  /// Builds submixes that were held back for a node that has ended.
  void build_held_back();
  [[nodiscard]] std::string other_node_of(const std::string& submix) const;
  [[nodiscard]] Result<Standing> build_one(const show::Submix& submix, const show::Show& share);
  [[nodiscard]] Result<std::shared_ptr<engine::Patch>> build_patch(const show::Submix& submix,
                                                                   const show::Show& share);
  /// Null `running`: no patch runs in this size and rate.
  [[nodiscard]] std::optional<Fallback> fallback_for(const show::Submix& wanted,
                                                     const show::Submix* running,
                                                     const engine::Format& format) const;
  [[nodiscard]] bool edit_in_part(const show::Submix& wanted, engine::Patch& patch,
                                  const std::set<std::string>& renewed);
  /// Sets which submixes the removed ones wait for. Returns whether new patches may wait for their
  /// peers.
  [[nodiscard]] bool await(const Built& built, const show::Show& share,
                           const show::Difference& difference);
  [[nodiscard]] bool gives_way(const Going& going, const show::Show& share,
                               const std::set<std::string>& failed) const;
  void end_going();
  /// Takes the patches of removed submixes whose replacements all run once `next` run.
  [[nodiscard]] Patches take_over_from_going(const std::vector<Standing>& next);
  void go_over(const std::function<bool(Standing&)>& is_due);
  [[nodiscard]] bool are_enough_peers_ready(Standing& standing) const;
  void start_if_peers_ready();
  void edit(const show::Difference& difference, const Due& due);
  void change(const show::Submix& submix, const show::Show& share, std::set<std::string> renewed);
  void tune(const std::string& submix, const std::vector<show::SlotChange>& changes,
            const show::Tempo& tempo);
  /// The patch of `name` if it has the show's size and rate; null: none.
  [[nodiscard]] std::shared_ptr<engine::Patch> patch_of(const std::string& name,
                                                        const show::Show& share) const;
  /// Patches of other nodes' submixes that still run here; any thread.
  [[nodiscard]] RunningSubmixes::Patches moved_patches() const;
  [[nodiscard]] engine::Trial try_out(const show::Submix& submix, const show::Show& share) const;
  void fail_for(const std::string& name, const std::string& error, bool is_followed = false);

  const engine::PatchEnvironment environment_;
  EpochClock& epochs_;
  const FindPeersReady find_peers_ready_;
  const FindOtherNode find_other_node_;
  RunningSubmixes running_;
  // The following members: agent's thread only.
  MovedSubmixes moved_{environment_};
  std::vector<Standing> standing_;
  LocalTime stands_until_{};
  std::vector<Going> going_;
  std::map<std::string, std::set<std::string>> owed_;  // slots to renew with the next edit
  std::set<std::string> elsewhere_;                    // submixes assigned to other nodes
  std::set<std::string> held_back_;                    // built only once no other node runs them
  show::Show share_;                                   // the share last given to converge()
};

}  // namespace submix::agent
