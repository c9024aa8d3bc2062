// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/submixes.hpp"

#include "common/show/text.hpp"

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

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::set<std::string> stream_ends(const show::Submix& submix) {
  std::set<std::string> ends;
  for (const auto& slot : submix.slots) {
    if (slot.plugin == show::kStreamInPlugin || slot.plugin == show::kStreamOutPlugin) ends.insert(slot.name);
  }
  return ends;
}

/// Whether numbers are all that differs: who failed for other reasons fails again.
bool is_tuned_only(show::Difference difference) {
  const bool is_tuned =
      difference.is_tempo_changed || !difference.tuned.empty() || !difference.streams_tuned.empty();
  difference.is_tempo_changed = false;
  difference.tuned.clear();
  difference.streams_tuned.clear();
  return is_tuned && difference.is_empty();
}

std::map<std::string, std::vector<show::SlotChange>> by_submix(const std::vector<show::SlotChange>& changes) {
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
  std::copy_if(
      show.streams.begin(), show.streams.end(), std::back_inserter(streams),
      [&](const auto& stream) { return stream.from.submix == submix || stream.to.submix == submix; });
  return streams;
}

// Who reads one on another thread would else be the last to have it, and end its plugins there and then.
void wait_for_readers(const std::vector<std::shared_ptr<engine::Patch>>& patches) {
  const auto is_read = [](const auto& patch) { return patch.use_count() > 1; };
  const SteadyClock clock;
  const auto until = clock.now() + kReaderPatience;
  while (std::any_of(patches.begin(), patches.end(), is_read) && clock.now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// All are asked before one is waited for. What they own ends, too.
void end_all(std::vector<std::shared_ptr<engine::Patch>>& patches) {
  for (const auto& patch : patches)
    patch->ask_to_stop();
  for (const auto& patch : patches)
    patch->stop();
  wait_for_readers(patches);
  patches.clear();
}

std::string format_of(const engine::Patch& patch) {
  const auto& [size, rate] = patch.format();
  return fmt::format("{}x{} and {} fps", size.width, size.height, show::to_string(rate));
}

}  // namespace

Submixes::Submixes(const engine::PatchEnvironment& environment, EpochClock& epochs, IsMet is_met)
    : environment_(environment), epochs_(epochs), is_met_(std::move(is_met)) {}

Submixes::~Submixes() {
  for (const auto& leaving : leaving_)
    leaving.patch->stop();
  for (const auto& going : going_)
    going.patch->stop();
  for (const auto& [name, patch] : patches())
    remove(name);
}

// ---- converging
// ----------------------------------------------------------------------------------------------

void Submixes::converge(const show::Show& share, const std::set<std::string>& moved) {
  const auto is_unwanted = [&](const std::string& name) { return share.find_submix(name) == nullptr; };
  std::erase_if(standing_, [&](const Standing& standing) {
    return is_unwanted(standing.name) || standing.patch->format() != engine::Format{share.size, share.rate};
  });
  for (auto& going : going_)
    std::erase_if(going.awaited, is_unwanted);
  if (tune_while_waiting(share)) return;
  go_over([](const Standing&) { return true; });  // a newer show waits for nothing of an older one
  const auto difference = show::diff(share_, share);
  auto due = due_submixes(share, difference);
  part_with_removed(difference, moved);
  take_back(share, due);
  const auto built = build(share, due);
  const bool may_wait = await(built, share, difference);
  share_ = share;
  end_going();
  if (may_wait) {
    stands_until_ = environment_.clock.now() + kMeetPatience;
    go_over_when_met();
  } else {
    go_over([](const Standing&) { return true; });
  }
  std::erase_if(due, [&](const auto& entry) { return built.made.contains(entry.first); });
  edit(difference, due);
}

// A fader moves, here or elsewhere: that is no reason to wait no longer.
bool Submixes::tune_while_waiting(const show::Show& share) {
  const auto difference = show::diff(share_, share);
  if (standing_.empty() || !(difference.is_empty() || is_tuned_only(difference))) return false;
  if (!due_submixes(share, difference).empty()) return false;
  auto tuned = by_submix(difference.tuned);
  for (const auto& [name, patch, rest_by] : standing_) {
    if (!patch->tune(tuned[name], share.tempo)) return false;  // said once it runs
    // The former one may have other slots.
    if (const auto former = patch_of(name)) {
      [[maybe_unused]] const auto done = former->tune(tuned[name], share.tempo);
    }
  }
  share_ = share;
  edit(difference, {});
  return true;
}

Submixes::Due Submixes::due_submixes(const show::Show& share, const show::Difference& difference) const {
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
    if (is_another_file(change, share)) due[change.slot.submix];  // the patch sees which
  }
  for (const auto& report : reports()) {  // what failed is tried again: its file may be there by now
    const bool may_do = !is_tuned_only(difference) || is_tuned(difference, report.name);
    if (report.state == cluster::SubmixState::failed && may_do) due[report.name];
  }
  if (!difference.is_format_changed) return due;
  for (const auto& submix : share.submixes)  // also one that could not go over, and need not any more
    due[submix.name].merge(stream_ends(submix));
  return due;
}

void Submixes::part_with_removed(const show::Difference& difference, const std::set<std::string>& moved) {
  for (const auto& name : difference.removed) {
    if (moved.contains(name)) {
      leave(name);
      continue;
    }
    end_leaving(name);
    if (auto patch = exchange(name, nullptr))
      going_.push_back({name, std::move(patch), streams_of(name, share_), {}});
    remove(name);
  }
}

// What a show has again runs still.
void Submixes::take_back(const show::Show& share, Due& due) {
  std::erase_if(going_, [&](Going& going) {
    const auto* submix = share.find_submix(going.name);
    if (submix == nullptr) return false;
    static_cast<void>(exchange(going.name, std::move(going.patch)));
    due[going.name].merge(stream_ends(*submix));
    return true;
  });
}

Submixes::Built Submixes::build(const show::Show& share, const Due& due) {
  Built built;
  for (const auto& submix : share.submixes) {
    if (!due.contains(submix.name) || patch_of(submix.name, share)) continue;
    end_leaving(submix.name);  // it is back before its other node has taken over
    if (auto patch = build_one(submix, share)) {
      standing_.push_back({submix.name, std::move(*patch)});
      built.made.insert(submix.name);
    } else {
      fail_for(submix.name, patch.error().message);
      built.failed.insert(submix.name);
    }
  }
  return built;
}

Result<std::shared_ptr<engine::Patch>> Submixes::build_one(const show::Submix& submix,
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

// A show of which something cannot be built shall not end what runs. What takes its place may wait for other
// nodes unless they share a stream: of another size or rate, that has ends of its own.
bool Submixes::await(const Built& built, const show::Show& share, const show::Difference& difference) {
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
        fmt::format("the show has it no more, but it goes on until {} can be built, which came in its place; "
                    "take {} out of the show to end it",
                    fmt::join(missing, ", "), missing.size() == 1 ? "that" : "those"));
  }
  return may_wait;
}

// An end of a stream has one owner: nobody else would get its frames.
bool Submixes::gives_way(const Going& going, const show::Show& share,
                         const std::set<std::string>& failed) const {
  if (going.patch->format() != engine::Format{share.size, share.rate})
    return false;  // others' ends are theirs
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
    return std::any_of(next.begin(), next.end(), [&](const auto& each) { return each.name == name; }) ||
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

void Submixes::go_over_when_met() {
  const bool waits =
      is_met_ && !environment_.transport.state().is_paused && environment_.clock.now() < stands_until_;
  go_over([&](Standing& standing) { return !waits || has_met_enough(standing); });
}

// Who has gone over already shows nothing until this one has, too: one that is off shall not freeze it.
bool Submixes::has_met_enough(Standing& standing) const {
  const auto met = is_met_(standing.name);
  if (met != Met::some) return met == Met::all;
  const auto now = environment_.clock.now();
  if (!standing.rest_by) standing.rest_by = now + kRestPatience;
  return now >= *standing.rest_by;
}

// A file, or a window, has one owner at a time: the former patch has ended when the next one starts.
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
    if (auto patch = exchange(standing.name, nullptr)) former.push_back(std::move(patch));
  }
  end_all(former);
  for (auto& [name, patch, rest_by] : due) {
    patch->start();
    environment_.events.report(Severity::note, name, fmt::format("runs, at {}", format_of(*patch)));
    static_cast<void>(exchange(name, std::move(patch)));
    owed_.erase(name);
  }
}

// What runs in the show's size and rate already, while frames flow.
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

void Submixes::tend(const std::function<bool(const std::string&)>& is_taken_over) {
  go_over_when_met();
  for (const auto& [name, patch] : patches()) {
    if (patch != nullptr) patch->tend();
  }
  for (const auto& going : going_)
    going.patch->tend();
  const auto now = environment_.clock.now();
  std::erase_if(leaving_, [&](Leaving& leaving) {
    leaving.patch->tend();
    if (environment_.transport.state().is_paused) leaving.ends_by = now + kMovePatience;  // nobody is late
    const bool is_over = is_taken_over && is_taken_over(leaving.name);
    if (!is_over && now < leaving.ends_by) return false;
    leaving.patch->stop();
    environment_.events.report(is_over ? Severity::note : Severity::warning, leaving.name,
                               is_over ? "its new node has taken over"
                                       : "its new node has not taken over in time: ended here all the same");
    return true;
  });
}

void Submixes::renew(const show::Port& slot) {
  go_over([&](const Standing& standing) { return standing.name == slot.submix; });
  const auto* submix = share_.find_submix(slot.submix);
  if (submix != nullptr && patch_of(slot.submix, share_)) change(*submix, share_, {slot.slot});
}

void Submixes::leave(const std::string& name) {
  auto patch = exchange(name, nullptr);
  end_leaving(name);
  if (patch) leaving_.push_back({name, std::move(patch), environment_.clock.now() + kMovePatience});
  remove(name);
}

void Submixes::end_leaving(std::string_view name) {
  std::erase_if(leaving_, [&](const Leaving& leaving) {
    if (leaving.name != name) return false;
    leaving.patch->stop();
    return true;
  });
}

bool Submixes::is_another_file(const show::SlotChange& change, const show::Show& share) const {
  const auto* slot = share.find_slot(change.slot);
  const auto description = environment_.catalog.describe(slot == nullptr ? "" : slot->plugin);
  return description && (*description)->kind == plugin::Kind::source && change.parameters.contains("file");
}

void Submixes::remove(const std::string& name) {
  if (const auto patch = exchange(name, nullptr)) patch->stop();
  owed_.erase(name);
  MutexLock lock(mutex_);
  running_.erase(name);
}

void Submixes::change(const show::Submix& submix, const show::Show& share, std::set<std::string> renewed) {
  renewed.merge(owed_[submix.name]);  // of an edit that failed
  const auto patch = patch_of(submix.name, share);
  if (const auto done = patch->edit(submix, renewed, share.tempo); !done) {
    // What ran follows the tempo; without a change of a slot that cannot fail.
    [[maybe_unused]] const auto tuned = patch->tune({}, share.tempo);
    fail_for(submix.name, done.error().message);
    owed_[submix.name] = std::move(renewed);
    return;
  }
  environment_.events.report(Severity::note, submix.name, "runs on, changed");
  set_error(submix.name, "");
  owed_.erase(submix.name);
}

// An error of before stays: what it is about is tried again by change().
void Submixes::tune(const std::string& submix, const std::vector<show::SlotChange>& changes,
                    const show::Tempo& tempo) {
  const auto tuned = patch_of(submix, share_)->tune(changes, tempo);
  if (!tuned) fail_for(submix, tuned.error().message);
}

// ---- any thread
// ----------------------------------------------------------------------------------------------

std::vector<cluster::SubmixReport> Submixes::reports() const {
  MutexLock lock(mutex_);
  std::vector<cluster::SubmixReport> reports;
  for (const auto& [name, running] : running_) {
    if (running.error.empty()) {
      reports.push_back({name, cluster::SubmixState::running, ""});
    } else {
      const auto kept =
          running.patch ? fmt::format("; what ran before goes on, at {}", format_of(*running.patch)) : "";
      reports.push_back({name, cluster::SubmixState::failed, running.error + kept});
    }
  }
  return reports;
}

std::vector<telemetry::SubmixReading> Submixes::readings() const {
  std::vector<telemetry::SubmixReading> readings;
  for (const auto& [name, patch] : patches()) {
    if (patch != nullptr) readings.push_back(patch->telemetry());
  }
  return readings;
}

Result<std::optional<engine::TapPicture>> Submixes::picture(std::string_view submix, std::string_view slot,
                                                            int width_max) const {
  const auto patch = patch_of(submix);
  if (patch == nullptr) return fail("submix \"{}\" does not run here", submix);
  return patch->picture(slot, width_max);
}

std::shared_ptr<engine::Patch> Submixes::patch_of(const std::string& name, const show::Show& share) const {
  auto patch = patch_of(name);
  const bool is_right = patch != nullptr && patch->format() == engine::Format{share.size, share.rate};
  return is_right ? patch : nullptr;
}

std::shared_ptr<engine::Patch> Submixes::patch_of(std::string_view name) const {
  MutexLock lock(mutex_);
  const auto found = running_.find(name);
  return found == running_.end() ? nullptr : found->second.patch;
}

std::map<std::string, std::shared_ptr<engine::Patch>> Submixes::patches() const {
  MutexLock lock(mutex_);
  std::map<std::string, std::shared_ptr<engine::Patch>> patches;
  for (const auto& [name, running] : running_)
    patches.emplace(name, running.patch);
  return patches;
}

std::shared_ptr<engine::Patch> Submixes::exchange(const std::string& name,
                                                  std::shared_ptr<engine::Patch> patch) {
  MutexLock lock(mutex_);
  auto& running = running_[name];
  running.error.clear();
  return std::exchange(running.patch, std::move(patch));
}

// Said once, and again when it is another one.
void Submixes::fail_for(const std::string& name, const std::string& error) {
  bool is_news = false;
  {
    MutexLock lock(mutex_);
    auto& running = running_[name];
    is_news = running.error != error;
    running.error = error;
  }
  if (is_news) environment_.events.report(Severity::fault, name, error);
}

void Submixes::set_error(const std::string& name, std::string error) {
  MutexLock lock(mutex_);
  running_[name].error = std::move(error);
}

}  // namespace submix::agent
