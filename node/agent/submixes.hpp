// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/show/diff.hpp"
#include "node/agent/epoch_clock.hpp"
#include "node/agent/fallback.hpp"
#include "node/agent/met.hpp"
#include "node/agent/moved_submixes.hpp"
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

/// The submixes that this node runs, made to converge to what the show asks for: what did not change goes
/// on undisturbed, parameters change while the patch runs, all else is built first and then switched.
///
/// Another size or rate needs other patches, and another show has other submixes. The former ones run on
/// until the new ones are built and the far ends of their streams are there; then each gives way to its
/// successor. One that cannot be built leaves its former one running; and a submix that the show has no more
/// runs on while one that the same change has brought cannot be built. But one that shares a stream with what
/// was built gives way to that at once.
///
/// A slot that cannot be what the show says does not hold up its submix: the slot stays as it was when the
/// submix ran last, or something stands in for it (fallback.hpp), and all other slots follow the show.
///
/// A submix that has moved runs on here until its new node has taken over, for ever if need be. Taken back
/// before that, it simply goes on. So nothing stands in on the new node while another node still makes frames
/// of the submix: it is reported as failed, and built with stand-ins once nobody makes any.
///
/// Threads  converge(), renew(), tend(): Confined (agent). All else: Synchronized.
/// Errors   A submix that cannot be built is reported as failed; what ran in its place goes on. It is tried
///          again with each change but a mere tuning of others.
class Submixes {
 public:
  /// Whether the far ends of a new patch's streams are there: who takes its frames and who sends it some.
  using IsMet = std::function<Met(const std::string& submix)>;
  using HasTakenOver = MovedSubmixes::HasTakenOver;
  /// Another node that makes frames of a submix of this node's still; empty: none does.
  using FindOtherNode = std::function<std::string(const std::string& submix)>;

  /// `epochs` outlives it. Without `is_met` nobody is waited for; without `find_other_node` there is none.
  Submixes(const engine::PatchEnvironment& environment, EpochClock& epochs, IsMet is_met = {},
           FindOtherNode find_other_node = {});
  ~Submixes();  ///< stops all

  /// How long a patch of another size or rate waits for the other nodes', while the former one runs on.
  static constexpr std::chrono::seconds kMeetPatience{2};
  /// How long it waits for the rest of them, once the first ones wait for it.
  static constexpr std::chrono::milliseconds kRestPatience{150};

  /// `share` is what share_of() gives. Submixes that shall run `elsewhere`, and that run here, go on until
  /// their new node has taken over.
  void converge(const show::Show& share, const std::set<std::string>& elsewhere = {});
  /// Makes a slot anew that is what it was, for a stream that is another one.
  void renew(const show::Port& slot);
  /// Goes over to what is met, ends what edits have left behind, and submixes that have moved once another
  /// node has taken over; now and then.
  void tend(const HasTakenOver& has_taken_over = {});
  /// Whether something waits for tend() to be called often: a submix that has just moved, or is to give way
  /// to another one. A new node that takes its time is no haste: its report comes first.
  [[nodiscard]] bool is_handing_over() const { return !standing_.empty() || moved_.are_in_haste(); }

  /// Finds what of a share that is not followed yet could not run here. A fault that the present share has,
  /// too, is left out. `is_whole`: all is looked at anew instead, also what runs. Opens files.
  [[nodiscard]] std::vector<cluster::SubmixFault> find_faults(const show::Show& share,
                                                              bool is_whole = false) const;

  [[nodiscard]] std::vector<cluster::SubmixReport> reports() const { return running_.reports(); }
  /// Submixes of other nodes that run on here. Confined (agent).
  [[nodiscard]] std::vector<cluster::SubmixReport> reports_of_moved() const {
    return moved_.reports({share_.size, share_.rate});
  }
  /// Nodes that go on with submixes of this node which something would have to stand in for. Confined
  /// (agent).
  [[nodiscard]] std::set<std::string> awaited_nodes() const;
  /// Each submix as it ran last without a fault.
  [[nodiscard]] std::vector<show::Submix> good() const { return running_.good(); }
  /// What ran without a fault in an earlier life of this node. Before the first converge().
  void remember_good(std::vector<show::Submix> submixes) {
    running_.remember_good(std::move(submixes));
  }
  /// Also of submixes of other nodes that run on here.
  [[nodiscard]] std::vector<telemetry::SubmixReading> readings() const;
  /// As Patch::picture(); fails for a submix that does not run here, too.
  [[nodiscard]] Result<std::optional<engine::TapPicture>> picture(std::string_view submix,
                                                                  std::string_view slot,
                                                                  int width_max) const;

 private:
  /// Slots whose plugin must be made anew, though the show states the same one: their stream is another one.
  /// By submix; one without any is there where its slots changed.
  using Due = std::map<std::string, std::set<std::string>>;
  using Patches = std::vector<std::shared_ptr<engine::Patch>>;
  /// What has been built, and starts when its former patch ends.
  struct Standing {
    std::string name;
    std::shared_ptr<engine::Patch> patch;
    std::string error;                      // of slots that something stands in for
    std::optional<LocalTime> rest_by = {};  // once some of the other nodes wait for it
  };
  /// What the show has no more, and goes on until others run.
  struct Going {
    std::string name;
    std::shared_ptr<engine::Patch> patch;
    std::vector<show::Stream> streams;  // that it has an end of
    std::set<std::string> awaited;
  };
  /// What build() has come to.
  struct Built {
    std::set<std::string> made;
    std::set<std::string> failed;
  };

  /// Whether something waits on and `share` only tunes.
  [[nodiscard]] bool tune_while_waiting(const show::Show& share);
  [[nodiscard]] Due due_submixes(const show::Show& share, const show::Difference& difference) const;
  [[nodiscard]] bool is_another_file(const show::SlotChange& change, const show::Show& share) const;
  void part_with_removed(const show::Difference& difference);
  /// Those that the show has no more, or that no node shall run.
  void end_moved_but(const show::Show& share);
  void take_back(const show::Show& share, Due& due);
  void take_back_moved(const show::Show& share, Due& due);
  void remove(const std::string& name);
  /// Builds what has no patch of the show's size and rate.
  [[nodiscard]] Built build(const show::Show& share, const Due& due);
  /// Builds what was held back for a node that has ended by now.
  void build_held_back();
  [[nodiscard]] std::string other_node_of(const std::string& submix) const;
  [[nodiscard]] Result<Standing> build_one(const show::Submix& submix, const show::Show& share);
  [[nodiscard]] Result<std::shared_ptr<engine::Patch>> build_patch(const show::Submix& submix,
                                                                   const show::Show& share);
  /// Null `running`: nothing runs in this size and rate.
  [[nodiscard]] std::optional<Fallback> fallback_for(const show::Submix& wanted,
                                                     const show::Submix* running,
                                                     const engine::Format& format) const;
  [[nodiscard]] bool edit_in_part(const show::Submix& wanted, engine::Patch& patch,
                                  const std::set<std::string>& renewed);
  /// What the removed ones go on for; whether what was built may wait for its streams' other ends.
  [[nodiscard]] bool await(const Built& built, const show::Show& share,
                           const show::Difference& difference);
  [[nodiscard]] bool gives_way(const Going& going, const show::Show& share,
                               const std::set<std::string>& failed) const;
  void end_going();
  /// Those that go on for nobody else, once `next` run; they are forgotten.
  [[nodiscard]] Patches take_over_from_going(const std::vector<Standing>& next);
  void go_over(const std::function<bool(Standing&)>& is_due);
  [[nodiscard]] bool has_met_enough(Standing& standing) const;
  void go_over_when_met();
  void edit(const show::Difference& difference, const Due& due);
  void change(const show::Submix& submix, const show::Show& share, std::set<std::string> renewed);
  void tune(const std::string& submix, const std::vector<show::SlotChange>& changes,
            const show::Tempo& tempo);
  /// Its patch, if that has the show's size and rate; null: it has none.
  [[nodiscard]] std::shared_ptr<engine::Patch> patch_of(const std::string& name,
                                                        const show::Show& share) const;
  /// As a change of what runs in the size and rate of `share`.
  /// Of submixes that run on here, and are some other node's by now; any thread.
  [[nodiscard]] RunningSubmixes::Patches moved_patches() const;
  [[nodiscard]] engine::Trial try_out(const show::Submix& submix, const show::Show& share) const;
  void fail_for(const std::string& name, const std::string& error, bool is_followed = false);

  const engine::PatchEnvironment environment_;
  EpochClock& epochs_;
  const IsMet is_met_;
  const FindOtherNode find_other_node_;
  RunningSubmixes running_;
  // These eight: agent's thread.
  MovedSubmixes moved_{environment_};
  std::vector<Standing> standing_;
  LocalTime stands_until_{};
  std::vector<Going> going_;
  std::map<std::string, std::set<std::string>> owed_;  // slots to be renewed with the next edit
  std::set<std::string> elsewhere_;                    // submixes that other nodes shall run
  std::set<std::string> held_back_;  // another node goes on with them, and without a fault
  show::Show share_;                 // what converge() was told last
};

}  // namespace submix::agent
