// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/submixes.hpp"

#include "common/show/lookup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

namespace submix::agent {
namespace {

using State = LocalSubmix::State;

constexpr std::chrono::milliseconds kReaderPatience(2000);

// A reader on another thread would otherwise release the patch last and destroy its plugins there.
void wait_for_readers(const std::vector<std::shared_ptr<engine::Patch>>& patches) {
  const auto is_read = [](const auto& patch) { return patch.use_count() > 1; };
  const SteadyClock clock;
  const auto until = clock.now() + kReaderPatience;
  while (std::ranges::any_of(patches, is_read) && clock.now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// Asks all patches to stop before waiting for the first. Also destroys what the patches own.
void end_all(std::vector<std::shared_ptr<engine::Patch>>& patches) {
  for (const auto& patch : patches)
    patch->ask_to_stop();
  for (const auto& patch : patches)
    patch->stop();
  wait_for_readers(patches);
  patches.clear();
}

}  // namespace

Submixes::Submixes(const engine::PatchEnvironment& environment, EpochClock& epochs,
                   FindPeersReady find_peers_ready, FindOtherNode find_other_node,
                   bool is_rendering)
    : environment_(environment),
      epochs_(epochs),
      find_peers_ready_(std::move(find_peers_ready)),
      find_other_node_(std::move(find_other_node)),
      is_rendering_(is_rendering) {}

Submixes::~Submixes() {
  Names names;
  for (const auto& [name, submix] : table_.all())
    names.push_back(name);
  end(names);
}

void Submixes::converge(const show::Show& share, const std::set<std::string>& elsewhere) {
  elsewhere_ = elsewhere;
  drop_successors(share);
  if (tune_while_waiting(share)) return;

  // A newer show does not wait for peers of an older one.
  start_staged([](const std::string&) { return true; });

  const auto difference = show::diff(share_, share);
  auto to_rebuild = find_to_rebuild(share, difference);
  leave_removed(difference);
  end_unwanted_moves(share);
  take_back(share, to_rebuild);
  const auto built = build(share, to_rebuild);
  const bool may_wait = await(built, share, difference);

  share_ = share;
  table_.set_wanted(share);
  auto retired = take_retired({});
  end_all(retired);
  if (may_wait) {
    peers_awaited_until_ = environment_.clock.now() + kMeetPatience;
    start_if_peers_ready();
  } else {
    start_staged([](const std::string&) { return true; });
  }

  std::erase_if(to_rebuild, [&](const auto& entry) { return built.made.contains(entry.first); });
  edit(difference, to_rebuild);
}

void Submixes::drop_successors(const show::Show& share) {
  const auto is_unwanted = [&](const std::string& name) {
    return share.find_submix(name) == nullptr;
  };
  for (const auto& name : table_.names_in(State::staged)) {
    const bool is_dropped = is_unwanted(name) || table_.find(name)->successor()->patch->format() !=
                                                     format_of_show(share);
    if (!is_dropped) continue;
    const auto dropped = table_.change(name, [](LocalSubmix& submix) { return submix.unstage(); });
  }
  for (const auto& name : table_.names_in(State::retiring))
    table_.change(name, [&](LocalSubmix& submix) { std::erase_if(submix.awaited(), is_unwanted); });
}

// A moved fader, here or elsewhere, is no reason to stop waiting.
bool Submixes::tune_while_waiting(const show::Show& share) {
  const auto difference = show::diff(share_, share);
  const auto staged = table_.names_in(State::staged);
  if (staged.empty() || !(difference.is_empty() || is_tuned_only(difference))) return false;
  if (!find_to_rebuild(share, difference).empty()) return false;

  auto tuned = by_submix(difference.tuned);
  for (const auto& name : staged) {
    const auto submix = table_.find(name);
    // A failure is reported once the successor runs.
    if (!submix->successor()->patch->tune(tuned[name], share.tempo)) return false;

    // The former patch may have other slots.
    if (const auto& former = submix->patch()) {
      [[maybe_unused]] const auto done = former->tune(tuned[name], share.tempo);
    }
  }

  share_ = share;
  table_.set_wanted(share);
  edit(difference, {});
  return true;
}

ToRebuild Submixes::find_to_rebuild(const show::Show& share,
                                    const show::Difference& difference) const {
  auto to_rebuild = submixes_to_rebuild(difference, share_, share);
  for (const auto& change : difference.tuned) {
    if (is_another_file(change, share))
      to_rebuild.try_emplace(change.slot.submix);  // Patch::edit() finds the slots
  }

  // Failed submixes are tried again: a missing file may be present now.
  const bool is_mere_tuning = is_tuned_only(difference);
  for (const auto& name : table_.names_with_error()) {
    if (!is_mere_tuning || is_tuned(difference, name)) to_rebuild.try_emplace(name);
  }
  return to_rebuild;
}

bool Submixes::is_another_file(const show::SlotChange& change, const show::Show& share) const {
  const auto* slot = share.find_slot(change.slot);
  const auto description = environment_.catalog.describe(slot == nullptr ? "" : slot->plugin);
  return description && (*description)->kind == plugin::Kind::source &&
         change.parameters.contains("file");
}

void Submixes::leave_removed(const show::Difference& difference) {
  const auto now = environment_.clock.now();
  for (const auto& name : difference.removed) {
    const auto submix = table_.find(name);
    if (!submix || submix->state() != State::running) {
      static_cast<void>(table_.take(name));  // it has no patch
    } else if (elsewhere_.contains(name)) {
      table_.change(name, [&](LocalSubmix& moving) { moving.move_out(now); });
    } else {
      table_.change(name,
                    [&](LocalSubmix& retiring) { retiring.retire(streams_of(name, share_)); });
    }
  }
}

void Submixes::end_unwanted_moves(const show::Show& share) {
  auto moving = table_.names_in(State::moving_out);
  std::erase_if(moving, [&](const std::string& name) {
    return elsewhere_.contains(name) || share.find_submix(name) != nullptr;
  });
  end(moving);
}

// A submix that the show has here again still runs: its patch goes on, with new stream ends. A
// moved one of another size or rate does not: build() ends it.
void Submixes::take_back(const show::Show& share, ToRebuild& to_rebuild) {
  for (const auto& submix : share.submixes) {
    const auto found = table_.find(submix.name);
    const auto state = found ? found->state() : State::unbuilt;
    const bool is_taken =
        state == State::retiring ||
        (state == State::moving_out && found->patch()->format() == format_of_show(share));
    if (!is_taken) continue;

    table_.change(submix.name, [](LocalSubmix& back) { back.take_back(); });
    to_rebuild[submix.name].merge(stream_ends(submix));
  }
}

Submixes::Built Submixes::build(const show::Show& share, const ToRebuild& to_rebuild) {
  Built built;
  for (const auto& submix : share.submixes) {
    if (!to_rebuild.contains(submix.name) || patch_of(submix.name, share)) continue;

    if (has(table_.names_in(State::moving_out), submix.name)) end({submix.name});
    auto& names = build_one(submix, share) ? built.made : built.failed;
    names.insert(submix.name);
  }
  return built;
}

// Correct frames of another node are better than this node's stand-ins, which would end them.
bool Submixes::build_one(const show::Submix& submix, const show::Show& share) {
  const auto stage = [&](std::shared_ptr<engine::Patch> patch, const std::string& error) {
    table_.change(submix.name, [&](LocalSubmix& staged) {
      staged.stage({.patch = std::move(patch), .error = error});
    });
    return true;
  };
  auto patch = build_patch(submix, share);
  if (patch) return stage(*std::move(patch), {});

  const bool has_former = table_.patch_of(submix.name) != nullptr;
  const auto other = has_former ? std::string() : other_node_of(submix.name);
  if (!other.empty()) {
    const auto error = fmt::format(
        "{}; node \"{}\" goes on with the submix: mend the fault, or move the submix back",
        patch.error().message, other);
    const bool is_new = table_.change(
        submix.name, [&](LocalSubmix& held_back) { return held_back.hold_back(error); });
    if (is_new) environment_.events.report(Severity::fault, submix.name, error);
    return false;
  }

  const auto fallback = fallback_for(submix, nullptr, format_of_show(share));
  if (fallback) {
    auto in_part = build_patch(fallback->submix, share);
    if (in_part) return stage(*std::move(in_part), fallback->error);
    patch = std::move(in_part);
  }
  fail_for(submix.name, patch.error().message);
  return false;
}

Result<std::shared_ptr<engine::Patch>> Submixes::build_patch(const show::Submix& submix,
                                                             const show::Show& share) {
  engine::PatchOptions options;
  options.size = share.size;
  options.rate = share.rate;
  options.tempo = share.tempo;
  options.epoch = epochs_.next();
  options.is_free_running = is_rendering_;
  options.is_rendering = is_rendering_;
  return engine::Patch::build(submix, options, environment_).map([](auto patch) {
    return std::shared_ptr<engine::Patch>(std::move(patch));
  });
}

void Submixes::build_held_back() {
  const auto is_free = [this](const std::string& name) { return other_node_of(name).empty(); };
  if (std::ranges::none_of(table_.names_in(State::held_back), is_free)) return;

  // Tries failed submixes again.
  const auto share = share_;
  converge(share, std::set(elsewhere_));
}

std::string Submixes::other_node_of(const std::string& submix) const {
  return find_other_node_ ? find_other_node_(submix) : std::string();
}

std::set<std::string> Submixes::awaited_nodes() const {
  std::set<std::string> nodes;
  for (const auto& name : table_.names_in(State::held_back))
    nodes.insert(other_node_of(name));
  nodes.erase("");  // of a submix that is about to be built
  return nodes;
}

std::optional<Fallback> Submixes::fallback_for(const show::Submix& wanted,
                                               const show::Submix* running,
                                               const engine::Format& format) const {
  const auto good = table_.find_good(wanted.name);
  return find_fallback(wanted, good ? &*good : nullptr, environment_.catalog,
                       [&](const show::Submix& submix) {
                         return engine::try_submix(submix, running, format, environment_).faults;
                       });
}

// A failed build must not end running submixes. Replacements may wait for other nodes unless they
// share a stream with a running submix; after a change of format, all stream ends are separate.
bool Submixes::await(const Built& built, const show::Show& share,
                     const show::Difference& difference) {
  std::set<std::string> missing;
  std::ranges::copy_if(built.failed, std::inserter(missing, missing.end()),
                       [&](const std::string& name) { return has(difference.added, name); });

  Names newly_retiring;
  for (const auto& name : table_.names_in(State::retiring)) {
    if (gives_way(name, share, built.failed)) {
      table_.change(name, [](LocalSubmix& submix) { submix.awaited().clear(); });
    } else if (has(difference.removed, name)) {
      newly_retiring.push_back(name);
    }
  }

  const bool do_all_stay =
      !newly_retiring.empty() && newly_retiring.size() == difference.removed.size();
  const bool may_wait = difference.is_format_changed || do_all_stay;
  auto awaited = missing;
  if (may_wait) awaited.insert(built.made.begin(), built.made.end());
  for (const auto& name : newly_retiring) {
    table_.change(name, [&](LocalSubmix& submix) { submix.awaited() = awaited; });
    if (!missing.empty()) warn_of_wait(name, missing);
  }
  return may_wait;
}

void Submixes::warn_of_wait(const std::string& name, const std::set<std::string>& missing) const {
  environment_.events.report(
      Severity::warning, name,
      fmt::format("removed from the show, but goes on until {0} can be built in its place; to end "
                  "it, take {0} out of the show",
                  fmt::join(missing, ", ")));
}

// A stream end has one owner: only the owner gets its frames. Stream ends of another format are
// separate.
bool Submixes::gives_way(const std::string& name, const show::Show& share,
                         const std::set<std::string>& failed) const {
  const auto retiring = table_.find(name);
  return retiring->patch()->format() == format_of_show(share) &&
         gives_stream_away(name, retiring->streams(), share, failed);
}

Submixes::Patches Submixes::take_retired(const Names& next) {
  const auto runs = [&](const std::string& name) {
    return has(next, name) || share_.find_submix(name) == nullptr || patch_of(name, share_);
  };
  Patches retired;
  for (const auto& name : table_.names_in(State::retiring)) {
    auto awaited = table_.find(name)->awaited();
    std::erase_if(awaited, runs);
    const bool is_over = awaited.empty();
    table_.change(name, [&](LocalSubmix& submix) { submix.awaited() = std::move(awaited); });
    if (is_over) retired.push_back(table_.take(name)->patch());
  }
  return retired;
}

void Submixes::end(const Names& names) {
  Patches patches;
  for (const auto& name : names) {
    const auto taken = table_.take(name);
    if (taken && taken->patch() != nullptr) patches.push_back(taken->patch());
  }
  end_all(patches);
}

void Submixes::end_taken_over(const HasTakenOver& has_taken_over) {
  if (!has_taken_over) return;
  for (const auto& name : table_.names_in(State::moving_out)) {
    if (!has_taken_over(name)) continue;
    environment_.events.report(Severity::note, name, "its new node has taken over");
    end({name});
  }
}

void Submixes::start_if_peers_ready() {
  const bool waits = find_peers_ready_ && !environment_.transport.state().is_paused &&
                     environment_.clock.now() < peers_awaited_until_;
  start_staged([&](const std::string& name) { return !waits || are_enough_peers_ready(name); });
}

// Peers that have switched show nothing until this submix switches, too. One peer that is off must
// not freeze them.
bool Submixes::are_enough_peers_ready(const std::string& name) {
  const auto ready = find_peers_ready_(name);
  if (ready != PeersReady::some) return ready == PeersReady::all;

  const auto now = environment_.clock.now();
  return table_.change(name, [now](LocalSubmix& submix) {
    auto& waits_until = submix.successor()->waits_until;
    if (!waits_until) waits_until = now + kRestPatience;
    return now >= *waits_until;
  });
}

// A file or a window has one owner at a time: the former patch ends before the next one starts.
void Submixes::start_staged(const IsDue& is_due) {
  const auto staged = table_.names_in(State::staged);
  Names due;
  for (const auto& submix : share_.submixes) {
    if (has(staged, submix.name) && is_due(submix.name)) due.push_back(submix.name);
  }
  if (due.empty()) return;

  auto former = take_retired(due);
  for (const auto& name : due) {
    auto patch = table_.change(name, [](LocalSubmix& submix) { return submix.release_former(); });
    if (patch) former.push_back(std::move(patch));
  }
  end_all(former);
  for (const auto& name : due)
    start_one(name);
}

void Submixes::start_one(const std::string& name) {
  const auto [patch, error, waits_until] = *table_.find(name)->successor();
  patch->start();
  environment_.events.report(Severity::note, name, fmt::format("runs, at {}", format_of(*patch)));
  const auto shape = patch->shape();
  table_.change(name, [](LocalSubmix& submix) { submix.start(); });

  if (error.empty()) {
    table_.remember_good({shape});
  } else {
    fail_for(name, error, true);
  }
}

void Submixes::tend(const HasTakenOver& has_taken_over) {
  build_held_back();
  start_if_peers_ready();
  for (const auto& [name, submix] : table_.all()) {
    if (submix.patch() != nullptr) submix.patch()->tend();
  }
  end_taken_over(has_taken_over);
}

bool Submixes::is_handing_over() const {
  const auto now = environment_.clock.now();
  const auto submixes = table_.all();
  return std::ranges::any_of(submixes, [&](const auto& entry) {
    const auto& submix = entry.second;
    const bool has_just_moved =
        submix.state() == State::moving_out && now - submix.moved_at() < kMoveHaste;
    return submix.state() == State::staged || has_just_moved;
  });
}

void Submixes::renew(const show::Port& slot) {
  start_staged([&](const std::string& name) { return name == slot.submix; });
  const auto* submix = share_.find_submix(slot.submix);
  if (submix != nullptr && patch_of(slot.submix, share_)) change(*submix, share_, {slot.slot});
}

// Edits patches that have the show's size and rate, while frames flow.
void Submixes::edit(const show::Difference& difference, const ToRebuild& to_rebuild) {
  auto tuned = by_submix(difference.tuned);
  for (const auto& submix : share_.submixes) {
    if (!patch_of(submix.name, share_)) continue;
    if (const auto found = to_rebuild.find(submix.name); found != to_rebuild.end()) {
      change(submix, share_, found->second);
    } else if (difference.is_tempo_changed || tuned.contains(submix.name)) {
      tune(submix.name, tuned[submix.name], share_.tempo);
    }
  }
}

void Submixes::change(const show::Submix& submix, const show::Show& share,
                      std::set<std::string> renewed) {
  // Slots of an edit that failed.
  table_.change(submix.name, [&](LocalSubmix& edited) { renewed.merge(edited.to_renew()); });
  const auto patch = patch_of(submix.name, share);
  if (const auto done = patch->edit(submix, renewed, share.tempo); !done) {
    // The running patch follows the tempo; a tuning without slot changes cannot fail.
    [[maybe_unused]] const auto tuned = patch->tune({}, share.tempo);
    if (edit_in_part(submix, *patch, renewed)) return;
    fail_for(submix.name, done.error().message);
    table_.change(submix.name, [&](LocalSubmix& failed) { failed.to_renew() = renewed; });
    return;
  }

  environment_.events.report(Severity::note, submix.name, "runs on, changed");
  table_.change(submix.name, [](LocalSubmix& edited) {
    edited.clear_error();
    edited.to_renew().clear();
  });
  // With trouble, it may not start again with these settings.
  if (!has_trouble(*patch)) table_.remember_good({submix});
}

// All slots that can follow the show do. Returns false if none can.
bool Submixes::edit_in_part(const show::Submix& wanted, engine::Patch& patch,
                            const std::set<std::string>& renewed) {
  const auto running = patch.shape();
  const auto fallback = fallback_for(wanted, &running, patch.format());
  if (!fallback) return false;

  const bool is_change = fallback->submix != running || !renewed.empty();
  if (is_change && !patch.edit(fallback->submix, renewed)) return false;

  const auto known = table_.find(wanted.name);
  const bool was_followed = known->is_followed() && known->error() == fallback->error;
  fail_for(wanted.name, fallback->error, is_change || was_followed);
  table_.change(wanted.name, [](LocalSubmix& submix) { submix.to_renew().clear(); });
  return true;
}

// A former error stays: change() tries again.
void Submixes::tune(const std::string& submix, const std::vector<show::SlotChange>& changes,
                    const show::Tempo& tempo) {
  const auto tuned = patch_of(submix, share_)->tune(changes, tempo);
  if (!tuned) fail_for(submix, tuned.error().message);
}

Result<std::optional<engine::TapPicture>> Submixes::picture(std::string_view submix,
                                                            std::string_view slot,
                                                            int width_max) const {
  const auto patch = table_.patch_to_show(submix);
  if (patch == nullptr) return fail("submix \"{}\" does not run here", submix);
  return patch->picture(slot, width_max);
}

std::shared_ptr<engine::Patch> Submixes::patch_of(const std::string& name,
                                                  const show::Show& share) const {
  return table_.patch_of(name, format_of_show(share));
}

// Reports an error once, and again when it changes.
void Submixes::fail_for(const std::string& name, const std::string& error, bool is_followed) {
  const bool is_new =
      table_.change(name, [&](LocalSubmix& submix) { return submix.fail(error, is_followed); });
  if (is_new) environment_.events.report(Severity::fault, name, error);
}

}  // namespace submix::agent
