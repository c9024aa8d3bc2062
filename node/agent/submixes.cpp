// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/submixes.hpp"

#include "common/link/stream_receiver.hpp"
#include "common/media/frame_pool.hpp"
#include "common/show/lookup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

namespace submix::agent {
namespace {

constexpr std::chrono::milliseconds kReaderPatience(2000);
constexpr std::size_t kMegabyte = 1'000'000;

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::set<std::string> stream_ends(const show::Submix& submix) {
  std::set<std::string> ends;
  for (const auto& slot : submix.slots) {
    if (slot.plugin == show::kStreamInPlugin || slot.plugin == show::kStreamOutPlugin)
      ends.insert(slot.name);
  }
  return ends;
}

/// Whether only parameters differ: a submix that failed for another reason would fail again.
bool is_tuned_only(show::Difference difference) {
  const bool is_tuned =
      difference.is_tempo_changed || !difference.tuned.empty() || !difference.streams_tuned.empty();
  difference.is_tempo_changed = false;
  difference.tuned.clear();
  difference.streams_tuned.clear();
  return is_tuned && difference.is_empty();
}

std::map<std::string, std::vector<show::SlotChange>> by_submix(
    const std::vector<show::SlotChange>& changes) {
  std::map<std::string, std::vector<show::SlotChange>> sorted;
  for (const auto& change : changes)
    sorted[change.slot.submix].push_back(change);
  return sorted;
}

bool is_tuned(const show::Difference& difference, const std::string& submix) {
  return std::any_of(difference.tuned.begin(), difference.tuned.end(),
                     [&](const show::SlotChange& change) { return change.slot.submix == submix; });
}

std::vector<show::Stream> streams_of(const std::string& submix, const show::Show& show) {
  std::vector<show::Stream> streams;
  std::copy_if(show.streams.begin(), show.streams.end(), std::back_inserter(streams),
               [&](const auto& stream) {
                 return stream.from.submix == submix || stream.to.submix == submix;
               });
  return streams;
}

// A reader on another thread would otherwise release the patch last and destroy its plugins there.
void wait_for_readers(const std::vector<std::shared_ptr<engine::Patch>>& patches) {
  const auto is_read = [](const auto& patch) { return patch.use_count() > 1; };
  const SteadyClock clock;
  const auto until = clock.now() + kReaderPatience;
  while (std::any_of(patches.begin(), patches.end(), is_read) && clock.now() < until)
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

bool has_same_slot(const std::string& name, const show::Submix& a, const show::Submix& b) {
  const auto* slot_a = show::find_slot(a, name);
  const auto* slot_b = show::find_slot(b, name);
  return slot_a != nullptr && slot_b != nullptr && *slot_a == *slot_b;
}

/// Removes faults that existed before: the slot is unchanged, or has the same fault. (A reason may
/// name other slots, which have changed.)
void leave_out_old(engine::SlotFaults& faults, const show::Submix& submix,
                   const show::Submix& before, const engine::SlotFaults& old) {
  std::erase_if(faults, [&](const engine::SlotFault& fault) {
    const auto known = std::ranges::find(old, fault.slot, &engine::SlotFault::slot);
    if (known == old.end()) return false;
    return known->reason == fault.reason || has_same_slot(fault.slot, submix, before);
  });
}

/// The least memory of receivers for streams that are new or have another format.
std::size_t receivers_bytes(const show::Show& share, const show::Show& present,
                            bool is_same_format) {
  constexpr std::size_t kFramesMin = link::ReceiverOptions().credits + 1 + plugin::kFramesForEdits;
  const auto is_new = [&](const show::Stream& stream) {
    const auto* before = present.find_stream(stream.name);
    const bool is_there = before != nullptr && before->to == stream.to && is_same_format;
    return share.find_submix(stream.to.submix) != nullptr && !is_there;
  };
  const auto receivers = static_cast<std::size_t>(std::ranges::count_if(share.streams, is_new));
  return receivers * kFramesMin * media::FramePool::seat_bytes(share.size, media::Backing::own);
}

}  // namespace

Submixes::Submixes(const engine::PatchEnvironment& environment, EpochClock& epochs,
                   FindPeersReady find_peers_ready, FindOtherNode find_other_node)
    : environment_(environment),
      epochs_(epochs),
      find_peers_ready_(std::move(find_peers_ready)),
      find_other_node_(std::move(find_other_node)) {}

Submixes::~Submixes() {
  for (const auto& going : going_)
    going.patch->stop();
  for (const auto& [name, patch] : running_.patches())
    remove(name);
}

void Submixes::converge(const show::Show& share, const std::set<std::string>& elsewhere) {
  elsewhere_ = elsewhere;
  const auto is_unwanted = [&](const std::string& name) {
    return share.find_submix(name) == nullptr;
  };
  std::erase_if(standing_, [&](const Standing& standing) {
    return is_unwanted(standing.name) ||
           standing.patch->format() != engine::Format{share.size, share.rate};
  });
  for (auto& going : going_)
    std::erase_if(going.awaited, is_unwanted);
  if (tune_while_waiting(share)) return;
  // A newer show does not wait for peers of an older one.
  go_over([](const Standing&) { return true; });
  const auto difference = show::diff(share_, share);
  auto due = due_submixes(share, difference);
  part_with_removed(difference);
  end_moved_but(share);
  take_back(share, due);
  take_back_moved(share, due);
  const auto built = build(share, due);
  const bool may_wait = await(built, share, difference);
  share_ = share;
  running_.set_wanted(share);
  end_going();
  if (may_wait) {
    stands_until_ = environment_.clock.now() + kMeetPatience;
    start_if_peers_ready();
  } else {
    go_over([](const Standing&) { return true; });
  }
  std::erase_if(due, [&](const auto& entry) { return built.made.contains(entry.first); });
  edit(difference, due);
}

// A moved fader, here or elsewhere, is no reason to stop waiting.
bool Submixes::tune_while_waiting(const show::Show& share) {
  const auto difference = show::diff(share_, share);
  if (standing_.empty() || !(difference.is_empty() || is_tuned_only(difference))) return false;
  if (!due_submixes(share, difference).empty()) return false;
  auto tuned = by_submix(difference.tuned);
  for (const auto& [name, patch, error, rest_by] : standing_) {
    if (!patch->tune(tuned[name], share.tempo)) return false;  // reported once it runs
    // The former patch may have other slots.
    if (const auto former = running_.patch_of(name)) {
      [[maybe_unused]] const auto done = former->tune(tuned[name], share.tempo);
    }
  }
  share_ = share;
  running_.set_wanted(share);
  edit(difference, {});
  return true;
}

Submixes::Due Submixes::due_submixes(const show::Show& share,
                                     const show::Difference& difference) const {
  Due due;
  for (const auto* names : {&difference.added, &difference.rebuilt}) {
    for (const auto& name : *names)
      due[name];
  }
  const auto add_ends = [&](const show::Show& show, const std::vector<std::string>& streams) {
    for (const auto& stream : show.streams) {
      if (!has(streams, stream.name)) continue;
      due[stream.from.submix].insert(stream.from.slot);
      due[stream.to.submix].insert(stream.to.slot);
    }
  };
  add_ends(share, difference.streams_added);
  add_ends(share, difference.streams_changed);
  add_ends(share_, difference.streams_changed);
  add_ends(share_, difference.streams_removed);
  for (const auto& change : difference.tuned) {
    if (is_another_file(change, share)) due[change.slot.submix];  // the patch finds the slots
  }
  for (const auto& report :
       running_.reports()) {  // Failed submixes are tried again: a missing file may be present now.
    const bool may_do = !is_tuned_only(difference) || is_tuned(difference, report.name);
    if (!report.error.empty() && may_do) due[report.name];
  }
  if (!difference.is_format_changed) return due;
  for (const auto& submix :
       share.submixes)  // includes a submix that could not change its format and need not any more
    due[submix.name].merge(stream_ends(submix));
  return due;
}

void Submixes::part_with_removed(const show::Difference& difference) {
  for (const auto& name : difference.removed) {
    if (elsewhere_.contains(name)) {
      if (auto patch = running_.exchange(name, nullptr)) moved_.add(name, std::move(patch));
      remove(name);
      continue;
    }
    moved_.end(name);
    if (auto patch = running_.exchange(name, nullptr))
      going_.push_back({name, std::move(patch), streams_of(name, share_), {}});
    remove(name);
  }
}

void Submixes::end_moved_but(const show::Show& share) {
  auto wanted = elsewhere_;
  for (const auto& submix : share.submixes)
    wanted.insert(submix.name);
  moved_.end_all_but(wanted);
}

// A removed submix that the show has again still runs.
void Submixes::take_back(const show::Show& share, Due& due) {
  std::erase_if(going_, [&](Going& going) {
    const auto* submix = share.find_submix(going.name);
    if (submix == nullptr) return false;
    static_cast<void>(running_.exchange(going.name, std::move(going.patch)));
    due[going.name].merge(stream_ends(*submix));
    return true;
  });
}

// A submix returns before its new node has taken over: its patch goes on, with new stream ends.
void Submixes::take_back_moved(const show::Show& share, Due& due) {
  for (const auto& submix : share.submixes) {
    auto patch = moved_.take_back(submix.name, {share.size, share.rate});
    if (patch == nullptr) continue;
    static_cast<void>(running_.exchange(submix.name, std::move(patch)));
    due[submix.name].merge(stream_ends(submix));
  }
}

Submixes::Built Submixes::build(const show::Show& share, const Due& due) {
  Built built;
  for (const auto& submix : share.submixes) {
    if (!due.contains(submix.name) || patch_of(submix.name, share)) continue;
    moved_.end(submix.name);
    if (auto standing = build_one(submix, share)) {
      standing_.push_back(*std::move(standing));
      built.made.insert(submix.name);
    } else {
      fail_for(submix.name, standing.error().message);
      built.failed.insert(submix.name);
    }
  }
  return built;
}

// Correct frames of another node are better than this node's stand-ins, which would end them.
Result<Submixes::Standing> Submixes::build_one(const show::Submix& submix,
                                               const show::Show& share) {
  held_back_.erase(submix.name);
  auto patch = build_patch(submix, share);
  if (patch) return Standing{submix.name, *std::move(patch), {}};

  const auto other =
      running_.patch_of(submix.name) == nullptr ? other_node_of(submix.name) : std::string();
  if (!other.empty()) {
    held_back_.insert(submix.name);
    return fail("{}; node \"{}\" goes on with the submix: mend the fault, or move the submix back",
                patch.error().message, other);
  }

  auto fallback = fallback_for(submix, nullptr, {share.size, share.rate});
  if (!fallback) return tl::unexpected(patch.error());
  return build_patch(fallback->submix, share).map([&](std::shared_ptr<engine::Patch> made) {
    return Standing{submix.name, std::move(made), fallback->error};
  });
}

void Submixes::build_held_back() {
  const auto is_free = [this](const std::string& name) { return other_node_of(name).empty(); };
  if (std::ranges::none_of(held_back_, is_free)) return;
  const auto share = share_;
  converge(share, std::set(elsewhere_));  // tries failed submixes again
}

std::string Submixes::other_node_of(const std::string& submix) const {
  return find_other_node_ ? find_other_node_(submix) : std::string();
}

std::set<std::string> Submixes::awaited_nodes() const {
  std::set<std::string> nodes;
  for (const auto& name : held_back_)
    nodes.insert(other_node_of(name));
  nodes.erase("");  // from a submix that is about to be built
  return nodes;
}

std::optional<Fallback> Submixes::fallback_for(const show::Submix& wanted,
                                               const show::Submix* running,
                                               const engine::Format& format) const {
  const auto good = running_.find_good(wanted.name);
  return find_fallback(wanted, good ? &*good : nullptr, environment_.catalog,
                       [&](const show::Submix& submix) {
                         return engine::try_submix(submix, running, format, environment_).faults;
                       });
}

Result<std::shared_ptr<engine::Patch>> Submixes::build_patch(const show::Submix& submix,
                                                             const show::Show& share) {
  engine::PatchOptions options;
  options.size = share.size;
  options.rate = share.rate;
  options.tempo = share.tempo;
  options.epoch = epochs_.next();
  return engine::Patch::build(submix, options, environment_).map([](auto patch) {
    return std::shared_ptr<engine::Patch>(std::move(patch));
  });
}

// A failed build must not end running submixes. Replacements may wait for other nodes unless they
// share a stream with a running submix; after a change of format, all stream ends are separate.
bool Submixes::await(const Built& built, const show::Show& share,
                     const show::Difference& difference) {
  std::set<std::string> missing;
  std::copy_if(built.failed.begin(), built.failed.end(), std::inserter(missing, missing.end()),
               [&](const std::string& name) { return has(difference.added, name); });
  std::vector<Going*> fresh;
  for (auto& going : going_) {
    if (gives_way(going, share, built.failed)) {
      going.awaited.clear();
    } else if (has(difference.removed, going.name)) {
      fresh.push_back(&going);
    }
  }
  const bool do_all_stay = !fresh.empty() && fresh.size() == difference.removed.size();
  const bool may_wait = difference.is_format_changed || do_all_stay;
  for (auto* going : fresh) {
    going->awaited = missing;
    if (may_wait) going->awaited.insert(built.made.begin(), built.made.end());
    if (missing.empty()) continue;
    environment_.events.report(
        Severity::warning, going->name,
        fmt::format("the show has it no more, but it goes on until {} can be built, which came in "
                    "its place; "
                    "take {} out of the show to end it",
                    fmt::join(missing, ", "), missing.size() == 1 ? "that" : "those"));
  }
  return may_wait;
}

// A stream end has one owner: only the owner gets its frames.
bool Submixes::gives_way(const Going& going, const show::Show& share,
                         const std::set<std::string>& failed) const {
  // Stream ends of another format are separate.
  if (going.patch->format() != engine::Format{share.size, share.rate}) return false;
  const auto is_taken = [&](const show::Port& before, const show::Port& now) {
    return before.submix == going.name && now.submix != going.name &&
           share.find_submix(now.submix) != nullptr && !failed.contains(now.submix);
  };
  return std::any_of(going.streams.begin(), going.streams.end(), [&](const show::Stream& before) {
    const auto* now = share.find_stream(before.name);
    return now != nullptr && (is_taken(before.from, now->from) || is_taken(before.to, now->to));
  });
}

void Submixes::end_going() {
  auto over = take_over_from_going({});
  end_all(over);
}

Submixes::Patches Submixes::take_over_from_going(const std::vector<Standing>& next) {
  Patches over;
  const auto runs = [&](const std::string& name) {
    return std::any_of(next.begin(), next.end(),
                       [&](const auto& each) { return each.name == name; }) ||
           share_.find_submix(name) == nullptr || patch_of(name, share_);
  };
  std::erase_if(going_, [&](Going& going) {
    std::erase_if(going.awaited, runs);
    if (!going.awaited.empty()) return false;
    over.push_back(std::move(going.patch));
    return true;
  });
  return over;
}

void Submixes::start_if_peers_ready() {
  const bool waits = find_peers_ready_ && !environment_.transport.state().is_paused &&
                     environment_.clock.now() < stands_until_;
  go_over([&](Standing& standing) { return !waits || are_enough_peers_ready(standing); });
}

// Peers that have switched show nothing until this submix switches, too. One peer that is off must
// not freeze them.
bool Submixes::are_enough_peers_ready(Standing& standing) const {
  const auto ready = find_peers_ready_(standing.name);
  if (ready != PeersReady::some) return ready == PeersReady::all;
  const auto now = environment_.clock.now();
  if (!standing.rest_by) standing.rest_by = now + kRestPatience;
  return now >= *standing.rest_by;
}

// A file or a window has one owner at a time: the former patch ends before the next one starts.
void Submixes::go_over(const std::function<bool(Standing&)>& is_due) {
  std::vector<Standing> due;
  std::erase_if(standing_, [&](Standing& standing) {
    if (!is_due(standing)) return false;
    due.push_back(std::move(standing));
    return true;
  });
  if (due.empty()) return;
  auto former = take_over_from_going(due);
  for (const auto& standing : due) {
    if (auto patch = running_.exchange(standing.name, nullptr)) former.push_back(std::move(patch));
  }
  end_all(former);
  for (auto& [name, patch, error, rest_by] : due) {
    patch->start();
    environment_.events.report(Severity::note, name, fmt::format("runs, at {}", format_of(*patch)));
    const auto shape = patch->shape();
    static_cast<void>(running_.exchange(name, std::move(patch)));
    owed_.erase(name);
    if (error.empty()) {
      running_.clear_error(name);
      running_.remember_good({shape});
    } else {
      fail_for(name, error, true);
    }
  }
}

// Edits patches that have the show's size and rate, while frames flow.
void Submixes::edit(const show::Difference& difference, const Due& due) {
  auto tuned = by_submix(difference.tuned);
  for (const auto& submix : share_.submixes) {
    if (!patch_of(submix.name, share_)) continue;
    if (const auto found = due.find(submix.name); found != due.end()) {
      change(submix, share_, found->second);
    } else if (difference.is_tempo_changed || tuned.contains(submix.name)) {
      tune(submix.name, tuned[submix.name], share_.tempo);
    }
  }
}

void Submixes::tend(const HasTakenOver& has_taken_over) {
  build_held_back();
  start_if_peers_ready();
  for (const auto& [name, patch] : running_.patches()) {
    if (patch != nullptr) patch->tend();
  }
  for (const auto& going : going_)
    going.patch->tend();
  moved_.tend(has_taken_over);
}

void Submixes::renew(const show::Port& slot) {
  go_over([&](const Standing& standing) { return standing.name == slot.submix; });
  const auto* submix = share_.find_submix(slot.submix);
  if (submix != nullptr && patch_of(slot.submix, share_)) change(*submix, share_, {slot.slot});
}

bool Submixes::is_another_file(const show::SlotChange& change, const show::Show& share) const {
  const auto* slot = share.find_slot(change.slot);
  const auto description = environment_.catalog.describe(slot == nullptr ? "" : slot->plugin);
  return description && (*description)->kind == plugin::Kind::source &&
         change.parameters.contains("file");
}

void Submixes::remove(const std::string& name) {
  if (const auto patch = running_.exchange(name, nullptr)) patch->stop();
  owed_.erase(name);
  held_back_.erase(name);
  running_.forget(name);
}

void Submixes::change(const show::Submix& submix, const show::Show& share,
                      std::set<std::string> renewed) {
  renewed.merge(owed_[submix.name]);  // from an edit that failed
  const auto patch = patch_of(submix.name, share);
  if (const auto done = patch->edit(submix, renewed, share.tempo); !done) {
    // The running patch follows the tempo; a tuning without slot changes cannot fail.
    [[maybe_unused]] const auto tuned = patch->tune({}, share.tempo);
    if (edit_in_part(submix, *patch, renewed)) return;
    fail_for(submix.name, done.error().message);
    owed_[submix.name] = std::move(renewed);
    return;
  }
  environment_.events.report(Severity::note, submix.name, "runs on, changed");
  running_.clear_error(submix.name);
  // With trouble, it may not start again with these settings.
  if (!has_trouble(*patch)) running_.remember_good({submix});
  owed_.erase(submix.name);
}

// All slots that can follow the show do. Returns false if none can.
bool Submixes::edit_in_part(const show::Submix& wanted, engine::Patch& patch,
                            const std::set<std::string>& renewed) {
  const auto running = patch.shape();
  const auto fallback = fallback_for(wanted, &running, patch.format());
  if (!fallback) return false;
  const bool is_change = fallback->submix != running || !renewed.empty();
  if (is_change && !patch.edit(fallback->submix, renewed)) return false;
  const auto known = running_.find(wanted.name);
  const bool was_followed = known.is_followed && known.error == fallback->error;
  fail_for(wanted.name, fallback->error, is_change || was_followed);
  owed_.erase(wanted.name);
  return true;
}

// A former error stays: change() tries again.
void Submixes::tune(const std::string& submix, const std::vector<show::SlotChange>& changes,
                    const show::Tempo& tempo) {
  const auto tuned = patch_of(submix, share_)->tune(changes, tempo);
  if (!tuned) fail_for(submix, tuned.error().message);
}

// An unchanged submix needs no more memory than now, even if its patch is not built yet.
std::vector<cluster::SubmixFault> Submixes::find_faults(const show::Show& share,
                                                        bool is_whole) const {
  const auto present = running_.wanted();
  const bool is_same_format = present.size == share.size && present.rate == share.rate;
  std::vector<cluster::SubmixFault> faults;
  auto memory_bytes = receivers_bytes(share, present, is_same_format);
  for (const auto& submix : share.submixes) {
    const auto* before = present.find_submix(submix.name);
    const bool is_left = before != nullptr && *before == submix && is_same_format;
    if (is_left && !is_whole) continue;

    engine::Trial trial;
    if (!is_left) trial = try_out(submix, share);
    memory_bytes += trial.memory_bytes;
    if (is_whole) {
      trial = engine::try_submix(submix, nullptr, {share.size, share.rate}, environment_);
    } else if (before != nullptr && !trial.faults.empty()) {
      leave_out_old(trial.faults, submix, *before, try_out(*before, present).faults);
    }
    for (const auto& fault : trial.faults)
      faults.push_back({submix.name, fault.slot, fault.reason});
  }

  const auto free_bytes = environment_.memory_free ? environment_.memory_free() : memory_bytes;
  if (memory_bytes > free_bytes)
    faults.push_back(
        {{},
         {},
         fmt::format("its frames need at least {} MB of memory more, but {} MB are free; take "
                     "slots out, or make the show's size smaller",
                     memory_bytes / kMegabyte, free_bytes / kMegabyte)});
  return faults;
}

engine::Trial Submixes::try_out(const show::Submix& submix, const show::Show& share) const {
  std::optional<show::Submix> running;
  if (const auto patch = patch_of(submix.name, share)) running = patch->shape();
  return engine::try_submix(submix, running ? &*running : nullptr, {share.size, share.rate},
                            environment_);
}

RunningSubmixes::Patches Submixes::moved_patches() const {
  const auto show = running_.wanted();
  auto patches = moved_.patches({show.size, show.rate});
  std::erase_if(patches,
                [&](const auto& moved) { return running_.patch_of(moved.first) != nullptr; });
  return patches;
}

std::vector<telemetry::SubmixReading> Submixes::readings() const {
  std::vector<telemetry::SubmixReading> readings;
  for (const auto& [name, patch] : running_.patches()) {
    if (patch != nullptr) readings.push_back(patch->telemetry());
  }
  for (const auto& [name, patch] : moved_patches())
    readings.push_back(patch->telemetry());
  return readings;
}

Result<std::optional<engine::TapPicture>> Submixes::picture(std::string_view submix,
                                                            std::string_view slot,
                                                            int width_max) const {
  auto patch = running_.patch_of(submix);
  if (patch == nullptr) {
    const auto moved = moved_patches();
    if (const auto found = moved.find(std::string(submix)); found != moved.end())
      patch = found->second;
  }
  if (patch == nullptr) return fail("submix \"{}\" does not run here", submix);
  return patch->picture(slot, width_max);
}

std::shared_ptr<engine::Patch> Submixes::patch_of(const std::string& name,
                                                  const show::Show& share) const {
  auto patch = running_.patch_of(name);
  const bool is_right =
      patch != nullptr && patch->format() == engine::Format{share.size, share.rate};
  return is_right ? patch : nullptr;
}

// Reports an error once, and again when it changes.
void Submixes::fail_for(const std::string& name, const std::string& error, bool is_followed) {
  if (running_.fail_for(name, error, is_followed))
    environment_.events.report(Severity::fault, name, error);
}

}  // namespace submix::agent
