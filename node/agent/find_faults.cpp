// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/find_faults.hpp"

#include "common/link/stream_receiver.hpp"
#include "common/media/frame_pool.hpp"
#include "common/show/lookup.hpp"
#include "node/engine/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace submix::agent {
namespace {

constexpr std::size_t kMegabyte = 1'000'000;
// Controllers wait 4 s for an answer. A clip's trial takes 0.2 s here, and a file that hangs 3 s.
constexpr std::chrono::seconds kTrialsMax{2};

bool has_same_format(const show::Show& a, const show::Show& b) {
  return a.size == b.size && a.rate == b.rate;
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
std::size_t receivers_bytes(const show::Show& share, const show::Show& present) {
  constexpr std::size_t kFramesMin = link::ReceiverOptions().credits + 1 + plugin::kFramesForEdits;
  const bool is_same_format = has_same_format(share, present);
  const auto is_new = [&](const show::Stream& stream) {
    const auto* before = present.find_stream(stream.name);
    const bool is_there = before != nullptr && before->to == stream.to && is_same_format;
    return share.find_submix(stream.to.submix) != nullptr && !is_there;
  };
  const auto receivers = static_cast<std::size_t>(std::ranges::count_if(share.streams, is_new));
  return receivers * kFramesMin * media::FramePool::seat_bytes(share.size, media::Backing::own);
}

/// The trials of one share.
class FaultSearch {
 public:
  FaultSearch(const show::Show& share, const SubmixTable& submixes,
              const engine::PatchEnvironment& environment)
      : share_(share),
        submixes_(submixes),
        environment_(environment),
        present_(submixes.wanted()),
        memory_bytes_(receivers_bytes(share, present_)) {}

  std::vector<cluster::SubmixFault> find(bool is_whole) {
    for (const auto& submix : share_.submixes)
      try_one(submix, is_whole);
    check_memory();
    tell_of_untried();
    return std::move(faults_);
  }

 private:
  // An unchanged submix needs no more memory than now, even if its patch is not built yet.
  void try_one(const show::Submix& submix, bool is_whole) {
    const auto* before = present_.find_submix(submix.name);
    const bool is_unchanged =
        before != nullptr && *before == submix && has_same_format(present_, share_);
    if (is_unchanged && !is_whole) return;

    auto trial = trial_of(submix, is_whole);
    memory_bytes_ += is_unchanged ? 0 : trial.memory_bytes;
    if (!is_whole && before != nullptr && !trial.faults.empty())
      leave_out_old(trial.faults, submix, *before, try_as_edit(*before, present_).faults);
    for (const auto& fault : trial.faults)
      faults_.push_back({submix.name, fault.slot, fault.reason});
  }

  engine::Trial trial_of(const show::Submix& submix, bool is_whole) {
    if (is_whole) return try_as_whole(submix);
    if (environment_.clock.now() < began_ + kTrialsMax) return try_as_edit(submix, share_);
    ++untried_;
    return without_trial(submix);
  }

  /// As an edit of the patch that runs in the size and rate of `share`, if one does.
  [[nodiscard]] engine::Trial try_as_edit(const show::Submix& submix,
                                          const show::Show& share) const {
    const engine::Format format{share.size, share.rate};
    const auto running = running_as(submix.name, format);
    return engine::try_submix(submix, running ? &*running : nullptr, format, environment_);
  }

  /// Only the memory that an edit takes.
  [[nodiscard]] engine::Trial without_trial(const show::Submix& submix) const {
    const engine::Format format{share_.size, share_.rate};
    const auto running = running_as(submix.name, format);
    return {
        {},
        engine::memory_of_new_pools(submix, running ? &*running : nullptr, format, environment_)};
  }

  /// All slots, each once; the memory is that of an edit.
  [[nodiscard]] engine::Trial try_as_whole(const show::Submix& submix) const {
    const engine::Format format{share_.size, share_.rate};
    const auto running = running_as(submix.name, format);
    auto trial = engine::try_submix(submix, nullptr, format, environment_);
    if (running)
      trial.memory_bytes = engine::memory_of_new_pools(submix, &*running, format, environment_);
    return trial;
  }

  [[nodiscard]] std::optional<show::Submix> running_as(const std::string& name,
                                                       const engine::Format& format) const {
    const auto patch = submixes_.patch_of(name, format);
    return patch ? std::optional(patch->shape()) : std::nullopt;
  }

  void check_memory() {
    const auto free_bytes = environment_.memory_free ? environment_.memory_free() : memory_bytes_;
    if (memory_bytes_ <= free_bytes) return;
    faults_.push_back(
        {{},
         {},
         fmt::format("its frames need at least {} MB of memory more, but {} MB are free; take "
                     "slots out, or make the show's size smaller",
                     memory_bytes_ / kMegabyte, free_bytes / kMegabyte)});
  }

  void tell_of_untried() const {
    if (untried_ == 0) return;
    environment_.events.report(
        Severity::note, "show",
        fmt::format("{} of {} submixes of a change were not tried beforehand, because the others' "
                    "files took {} s; what cannot run among them is reported once they start",
                    untried_, share_.submixes.size(), kTrialsMax.count()));
  }

  const show::Show& share_;
  const SubmixTable& submixes_;
  const engine::PatchEnvironment& environment_;
  const LocalTime began_ = environment_.clock.now();
  const show::Show present_;
  std::size_t memory_bytes_;
  std::size_t untried_ = 0;
  std::vector<cluster::SubmixFault> faults_;
};

}  // namespace

std::vector<cluster::SubmixFault> find_new_faults(const show::Show& share,
                                                  const SubmixTable& submixes,
                                                  const engine::PatchEnvironment& environment) {
  return FaultSearch(share, submixes, environment).find(false);
}

std::vector<cluster::SubmixFault> find_all_faults(const show::Show& share,
                                                  const SubmixTable& submixes,
                                                  const engine::PatchEnvironment& environment) {
  return FaultSearch(share, submixes, environment).find(true);
}

}  // namespace submix::agent
