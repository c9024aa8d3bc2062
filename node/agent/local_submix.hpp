// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/show/document.hpp"
#include "node/engine/patch.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace submix::agent {

/// One submix on this node, from its first build to its end: a state machine.
///
/// Shape    Each state says what runs here, and why:
///
///          | state      | runs here                        | the show wants the submix     |
///          |------------|----------------------------------|-------------------------------|
///          | unbuilt    | nothing; no build has succeeded  | here                          |
///          | held_back  | nothing; another node runs it on | here                          |
///          | running    | a patch                          | here                          |
///          | staged     | the former patch, if any; its    | here                          |
///          |            | successor waits for its peers    |                               |
///          | retiring   | a patch, until its replacements  | nowhere                       |
///          |            | run                              |                               |
///          | moving_out | a patch, until its new node has  | on another node               |
///          |            | taken over                       |                               |
///
///          Each event leads to a next state; "-" is a bug of the caller, and aborts:
///
///          | event     | unbuilt   | held_back | running    | staged  | retiring | moving_out |
///          |-----------|-----------|-----------|------------|---------|----------|------------|
///          | fail      | unbuilt   | unbuilt   | running    | -       | -        | -          |
///          | hold_back | held_back | held_back | -          | -       | -        | -          |
///          | stage     | staged    | staged    | staged     | -       | -        | -          |
///          | unstage   | -         | -         | -          | running | -        | -          |
///          | start     | -         | -         | -          | running | -        | -          |
///          | retire    | -         | -         | retiring   | -       | -        | -          |
///          | move_out  | -         | -         | moving_out | -       | -        | -          |
///          | take_back | -         | -         | -          | -       | running  | running    |
///
///          unstage() without a former patch leads to unbuilt. A submix ends by its destruction,
///          in any state.
/// Owner    Shares its patches with readers. Never stops a patch: the caller does, without a lock.
/// Threads  Compatible.
class LocalSubmix {
 public:
  enum class State : std::uint8_t { unbuilt, held_back, running, staged, retiring, moving_out };
  enum class Event : std::uint8_t {
    fail,
    hold_back,
    stage,
    unstage,
    start,
    retire,
    move_out,
    take_back
  };
  using SharedPatch = std::shared_ptr<engine::Patch>;

  /// A built patch that starts when its former patch ends.
  struct Successor {
    SharedPatch patch;
    std::string error = {};                     ///< faults of slots with a stand-in; empty: none
    std::optional<LocalTime> waits_until = {};  ///< set once some of its peers are ready
  };

  /// The table above; empty: `event` cannot happen in `state`. `has_patch`: a former patch runs.
  [[nodiscard]] static std::optional<State> next(State state, Event event, bool has_patch);

  [[nodiscard]] State state() const { return state_; }
  /// The patch that runs; null: none.
  [[nodiscard]] const SharedPatch& patch() const { return patch_; }
  /// The same, but null for a submix that the show does not want here.
  [[nodiscard]] SharedPatch wanted_patch() const;
  [[nodiscard]] bool is_wanted_here() const;

  /// Why the submix differs from the show; empty: it does not.
  [[nodiscard]] const std::string& error() const { return error_; }
  /// Whether the submix follows the show except for slots that the error names.
  [[nodiscard]] bool is_followed() const { return is_followed_; }
  void clear_error() { error_.clear(); }
  /// A build or an edit has failed. Returns whether the error is a new one.
  bool fail(const std::string& error, bool is_followed);
  /// The build has failed, and another node still makes frames of the submix. Returns as fail()
  /// does.
  bool hold_back(const std::string& error);

  void stage(Successor successor);
  /// Null: none is staged.
  [[nodiscard]] const Successor* successor() const { return successor_ ? &*successor_ : nullptr; }
  [[nodiscard]] Successor* successor() { return successor_ ? &*successor_ : nullptr; }
  /// Gives the successor up and returns its patch.
  [[nodiscard]] SharedPatch unstage();
  /// Takes the former patch out, which ends before its successor starts; null: there is none.
  [[nodiscard]] SharedPatch release_former();
  /// The successor runs. Forgets the former patch's error and slots to renew.
  void start();

  /// The show has the submix no more. `streams` begin or end in it.
  void retire(std::vector<show::Stream> streams);
  [[nodiscard]] const std::vector<show::Stream>& streams() const { return streams_; }
  /// Submixes that a retiring one waits for; empty: it is over.
  [[nodiscard]] std::set<std::string>& awaited() { return awaited_; }
  [[nodiscard]] const std::set<std::string>& awaited() const { return awaited_; }

  /// The show has assigned the submix to another node.
  void move_out(LocalTime now);
  [[nodiscard]] LocalTime moved_at() const { return moved_at_; }

  /// The show has the submix here again, and its patch still runs.
  void take_back();

  /// Slots to renew with the next edit, since an earlier edit failed.
  [[nodiscard]] std::set<std::string>& to_renew() { return to_renew_; }

 private:
  void enter(Event event);

  State state_ = State::unbuilt;
  SharedPatch patch_;
  std::optional<Successor> successor_;
  std::string error_;
  bool is_followed_ = true;
  std::set<std::string> to_renew_;
  std::vector<show::Stream> streams_;
  std::set<std::string> awaited_;
  LocalTime moved_at_{};
};

[[nodiscard]] std::string_view to_string(LocalSubmix::State state);

}  // namespace submix::agent
