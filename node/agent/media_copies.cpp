// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/media_copies.hpp"

#include "common/base/thread.hpp"
#include "common/cluster/media_part.hpp"
#include "node/io/incoming_media.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace submix::agent {
namespace {

using std::chrono::steady_clock;

constexpr int kTriesMax = 5;  // of a part, while its giver or NATS is away
constexpr std::chrono::seconds kTryAgain{1};

Error stopped() {
  return {"was stopped; another copy of the file goes on where this one ended"};
}

// Waits, or until a stop is requested.
void wait_until(steady_clock::time_point moment, const std::stop_token& stop) {
  Mutex mutex;
  Condition never;
  const MutexLock lock(mutex);
  static_cast<void>(never.wait_until(mutex, stop, moment, [] { return false; }));
}

}  // namespace

MediaCopies::MediaCopies(io::MediaFolders folders, Fetch fetch)
    : folders_(std::move(folders)), fetch_(std::move(fetch)) {
  thread_ = start_thread("copies", [this](const std::stop_token& stop) { run(stop); });
}

Result<cluster::MediaCopy> MediaCopies::ask(const cluster::Command& command) {
  const MutexLock lock(mutex_);
  auto found = std::ranges::find(copies_, command.token, &Copy::token);
  if (found == copies_.end() && command.is_stop) return cluster::MediaCopy{.is_over = true};
  if (found == copies_.end()) {
    if (!make_room())
      return fail("{}: {} files wait to be copied already; wait for some of them", command.file,
                  kCopiesMax);
    found = copies_.emplace(copies_.end(), command.token, command.from, command.file);
    changed_.notify_all();
  }
  if (command.is_stop) found->stop.request_stop();
  return found->progress;
}

bool MediaCopies::make_room() {
  if (copies_.size() < kCopiesMax) return true;
  const auto over =
      std::ranges::find_if(copies_, [](const Copy& copy) { return copy.progress.is_over; });
  if (over == copies_.end()) return false;
  copies_.erase(over);
  return true;
}

MediaCopies::Copy* MediaCopies::find_waiting() {
  const auto found =
      std::ranges::find_if(copies_, [](const Copy& copy) { return !copy.progress.is_over; });
  return found == copies_.end() ? nullptr : &*found;
}

void MediaCopies::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    Copy* next = nullptr;
    {
      const MutexLock lock(mutex_);
      const auto is_waiting = [&]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS {
        next = find_waiting();
        return next != nullptr;
      };
      if (!changed_.wait(mutex_, stop, is_waiting)) return;
    }
    const std::stop_callback end(stop, [next] { next->stop.request_stop(); });
    const auto done = carry_out(*next);
    const MutexLock lock(mutex_);
    next->progress.is_over = true;
    if (!done) next->progress.error = done.error().message;
  }
}

// A file that is there already, the same, is as good as a copy.
Result<void> MediaCopies::carry_out(Copy& copy) {
  const auto first = fetch(copy, 0);
  SUBMIX_TRY(first);
  const auto there = io::open_media(folders_, copy.file);
  const auto state = io::state_of_media(folders_, copy.file);
  if (!there || !state || state->bytes != first->bytes_all) return take_parts(copy, *first);
  const auto end = fetch(copy, first->bytes_all);
  SUBMIX_TRY(end);
  const auto digest = cluster::digest_of(there->descriptor.get(), copy.stop.get_token());
  SUBMIX_TRY(digest);
  if (*digest != end->digest)
    return fail("{}: another file of this name is there already; rename one of the two",
                there->path.string());
  note(copy, first->bytes_all, first->bytes_all);
  return {};
}

Result<void> MediaCopies::take_parts(Copy& copy, const cluster::MediaPart& first) {
  auto incoming = io::IncomingMedia::open(folders_, copy.file, {first.bytes_all, first.changed_ns});
  SUBMIX_TRY(incoming);
  const auto begun = steady_clock::now();
  const auto had = incoming->bytes();
  while (incoming->bytes() < first.bytes_all) {
    note(copy, incoming->bytes(), first.bytes_all);
    const auto part = fetch(copy, incoming->bytes());
    SUBMIX_TRY(part);
    if (part->changed_ns != first.changed_ns || part->bytes_all != first.bytes_all)
      return fail("{}: was changed while it was copied; copy it again", copy.file);
    SUBMIX_TRY(incoming->append(part->bytes));
    const std::chrono::duration<double> due(static_cast<double>(incoming->bytes() - had) /
                                            kBytesPerSecond);
    wait_until(begun + std::chrono::duration_cast<steady_clock::duration>(due),
               copy.stop.get_token());
  }
  note(copy, incoming->bytes(), first.bytes_all);
  const auto end = fetch(copy, first.bytes_all);
  SUBMIX_TRY(end);
  const auto digest = cluster::digest_of(incoming->descriptor(), copy.stop.get_token());
  SUBMIX_TRY(digest);
  if (*digest != end->digest) {
    incoming->discard();
    return fail("{}: is not the same as where it came from; copy it again", copy.file);
  }
  return incoming->finish();
}

void MediaCopies::note(Copy& copy, std::uint64_t bytes, std::uint64_t bytes_all) {
  const MutexLock lock(mutex_);
  copy.progress.bytes = bytes;
  copy.progress.bytes_all = bytes_all;
}

Result<cluster::MediaPart> MediaCopies::fetch(const Copy& copy, std::uint64_t offset) const {
  const auto stop = copy.stop.get_token();
  for (int tries = 1;; ++tries) {
    if (stop.stop_requested()) return tl::unexpected(stopped());
    auto part = fetch_(copy.from, copy.file, offset);
    const bool is_short = part && part->bytes.empty() && offset < part->bytes_all;
    if (part && !is_short) return part;
    if (tries == kTriesMax)
      return part ? fail("{}: ends too soon", copy.file)
                  : fail("{}: copying stopped: {}", copy.file, part.error().message);
    wait_until(steady_clock::now() + kTryAgain, stop);
  }
}

}  // namespace submix::agent
