// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/cluster/messages.hpp"
#include "common/show/diff.hpp"
#include "node/agent/epoch_clock.hpp"
#include "node/agent/met.hpp"
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
/// Threads  converge(), renew(), tend(): Confined (agent). All else: Synchronized.
/// Errors   A submix that cannot be built is reported as failed; what ran in its place goes on. It is tried
///          again with each change but a mere tuning of others.
class Submixes {
 public:
  /// Whether the far ends of a new patch's streams are there: who takes its frames and who sends it some.
  using IsMet = std::function<Met(const std::string& submix)>;

  /// `epochs` outlives it. Without `is_met` nobody is waited for.
  Submixes(const engine::PatchEnvironment& environment, EpochClock& epochs, IsMet is_met = {});
  ~Submixes();  ///< stops all

  /// How long a submix that has moved runs on here, where its new node does not take over.
  static constexpr std::chrono::seconds kMovePatience{5};
  /// How long a patch of another size or rate waits for the other nodes', while the former one runs on.
  static constexpr std::chrono::seconds kMeetPatience{2};
  /// How long it waits for the rest of them, once the first ones wait for it.
  static constexpr std::chrono::milliseconds kRestPatience{150};

  /// `share` is what share_of() gives. Submixes that `moved` names, and that run here, go on until their new
  /// node has taken over.
  void converge(const show::Show& share, const std::set<std::string>& moved = {}) SUBMIX_EXCLUDES(mutex_);
  /// Makes a slot anew that is what it was, for a stream that is another one.
  void renew(const show::Port& slot) SUBMIX_EXCLUDES(mutex_);
  /// Goes over to what is met, ends what edits have left behind, and submixes that have moved once
  /// `is_taken_over(name)`; now and then.
  void tend(const std::function<bool(const std::string&)>& is_taken_over = {}) SUBMIX_EXCLUDES(mutex_);
  /// Whether something waits for tend(): a submix that has moved, or is to give way to another one.
  [[nodiscard]] bool is_handing_over() const { return !leaving_.empty() || !standing_.empty(); }

  [[nodiscard]] std::vector<cluster::SubmixReport> reports() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::vector<telemetry::SubmixReading> readings() const SUBMIX_EXCLUDES(mutex_);
  /// As Patch::picture(); fails for a submix that does not run here, too.
  [[nodiscard]] Result<std::optional<engine::TapPicture>> picture(std::string_view submix,
                                                                  std::string_view slot, int width_max) const
      SUBMIX_EXCLUDES(mutex_);

 private:
  struct Running {
    std::shared_ptr<engine::Patch> patch;  // null: never built
    std::string error;                     // why it is not what the show asks for
  };
  /// Slots whose plugin must be made anew, though the show states the same one: their stream is another one.
  /// By submix; one without any is there where its slots changed.
  using Due = std::map<std::string, std::set<std::string>>;
  using Patches = std::vector<std::shared_ptr<engine::Patch>>;
  /// What runs on for its new node to take over.
  struct Leaving {
    std::string name;
    std::shared_ptr<engine::Patch> patch;
    LocalTime ends_by;
  };
  /// What has been built, and starts when its former patch ends.
  struct Standing {
    std::string name;
    std::shared_ptr<engine::Patch> patch;
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
  [[nodiscard]] bool tune_while_waiting(const show::Show& share) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Due due_submixes(const show::Show& share, const show::Difference& difference) const
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool is_another_file(const show::SlotChange& change, const show::Show& share) const;
  void part_with_removed(const show::Difference& difference, const std::set<std::string>& moved)
      SUBMIX_EXCLUDES(mutex_);
  void take_back(const show::Show& share, Due& due) SUBMIX_EXCLUDES(mutex_);
  void remove(const std::string& name) SUBMIX_EXCLUDES(mutex_);
  void leave(const std::string& name) SUBMIX_EXCLUDES(mutex_);
  void end_leaving(std::string_view name);
  /// Builds what has no patch of the show's size and rate.
  [[nodiscard]] Built build(const show::Show& share, const Due& due) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<std::shared_ptr<engine::Patch>> build_one(const show::Submix& submix,
                                                                 const show::Show& share);
  /// What the removed ones go on for; whether what was built may wait for its streams' other ends.
  [[nodiscard]] bool await(const Built& built, const show::Show& share, const show::Difference& difference)
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool gives_way(const Going& going, const show::Show& share,
                               const std::set<std::string>& failed) const;
  void end_going() SUBMIX_EXCLUDES(mutex_);
  /// Those that go on for nobody else, once `next` run; they are forgotten.
  [[nodiscard]] Patches take_over_from_going(const std::vector<Standing>& next) SUBMIX_EXCLUDES(mutex_);
  void go_over(const std::function<bool(Standing&)>& is_due) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool has_met_enough(Standing& standing) const;
  void go_over_when_met() SUBMIX_EXCLUDES(mutex_);
  void edit(const show::Difference& difference, const Due& due) SUBMIX_EXCLUDES(mutex_);
  void change(const show::Submix& submix, const show::Show& share, std::set<std::string> renewed)
      SUBMIX_EXCLUDES(mutex_);
  void tune(const std::string& submix, const std::vector<show::SlotChange>& changes, const show::Tempo& tempo)
      SUBMIX_EXCLUDES(mutex_);
  /// Its patch, if that has the show's size and rate; null: it has none.
  [[nodiscard]] std::shared_ptr<engine::Patch> patch_of(const std::string& name,
                                                        const show::Show& share) const
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::shared_ptr<engine::Patch> patch_of(std::string_view name) const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::map<std::string, std::shared_ptr<engine::Patch>> patches() const SUBMIX_EXCLUDES(mutex_);
  std::shared_ptr<engine::Patch> exchange(const std::string& name, std::shared_ptr<engine::Patch> patch)
      SUBMIX_EXCLUDES(mutex_);
  void fail_for(const std::string& name, const std::string& error) SUBMIX_EXCLUDES(mutex_);
  void set_error(const std::string& name, std::string error) SUBMIX_EXCLUDES(mutex_);

  const engine::PatchEnvironment environment_;
  EpochClock& epochs_;
  const IsMet is_met_;
  // These six: agent's thread.
  std::vector<Leaving> leaving_;
  std::vector<Standing> standing_;
  LocalTime stands_until_{};
  std::vector<Going> going_;
  std::map<std::string, std::set<std::string>> owed_;  // slots to be renewed with the next edit
  show::Show share_;                                   // what converge() was told last
  mutable Mutex mutex_;
  std::map<std::string, Running, std::less<>> running_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::agent
