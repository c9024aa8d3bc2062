// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/media_copies.hpp"

#include "common/base/file_state.hpp"
#include "common/base/stoppable_sleep.hpp"
#include "common/base/thread.hpp"
#include "common/cluster/media_part.hpp"
#include "common/show/text.hpp"
#include "node/io/incoming_media.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace submix::agent {
namespace {

using std::chrono::steady_clock;

constexpr int kTriesMax = 5;  // of a part, while its giver or NATS is away
constexpr std::chrono::seconds kTryAgain{1};
constexpr std::chrono::milliseconds kSlack{20};  // of the pace: a thread may wake up late

Error stopped() {
  return {"was stopped; another copy of the file goes on where this one ended"};
}

}  // namespace

MediaCopies::MediaCopies(io::MediaFolders folders, Fetch fetch)
    : folders_(std::move(folders)), fetch_(std::move(fetch)) {
  thread_ = start_thread("copies", [this](const std::stop_token& stop) { run(stop); });
}

Result<cluster::MediaCopy> MediaCopies::ask(const cluster::Command& command) {
  if (!show::is_name(command.from))
    return fail("{}: \"{}\" cannot be the name of a node", command.file, command.from);
  const MutexLock lock(mutex_);
  auto found = std::ranges::find(copies_, command.token, &Copy::token);
  if (found == copies_.end() && command.is_stop)
    return cluster::MediaCopy{.is_over = true, .error = stopped().message};
  if (found == copies_.end()) {
    if (!make_room())
      return fail("{}: {} files wait to be copied already; wait for some of them", command.file,
                  kCopiesMax);
    found = copies_.emplace(copies_.end(), command.token, command.from, command.file);
    changed_.notify_all();
  }
  if (command.is_stop) found->stop.request_stop();
  if (command.is_stop && !found->is_begun) {
    found->progress.is_over = true;
    found->progress.error = stopped().message;
  }
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

MediaCopies::Copy* MediaCopies::begin_next() {
  const auto found =
      std::ranges::find_if(copies_, [](const Copy& copy) { return !copy.progress.is_over; });
  if (found == copies_.end()) return nullptr;
  found->is_begun = true;
  return &*found;
}

void MediaCopies::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    Copy* next = nullptr;
    {
      const MutexLock lock(mutex_);
      const auto has_begun = [&]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS {
        next = begin_next();
        return next != nullptr;
      };
      if (!changed_.wait(mutex_, stop, has_begun)) return;
    }
    // Once it is over, another thread may forget the copy.
    const std::stop_callback end(stop, [source = next->stop]() mutable { source.request_stop(); });
    const auto done = carry_out(*next);
    const MutexLock lock(mutex_);
    next->progress.is_over = true;
    if (!done) next->progress.error = done.error().message;
  }
}

// A file that is there already, the same, is as good as a copy.
Result<void> MediaCopies::carry_out(Copy& copy) {
  SUBMIX_TRY(io::check_copied_name(copy.file));
  const auto first = fetch(copy, 0);
  SUBMIX_TRY(first);
  const auto there = io::open_media({folders_.media, {}}, copy.file);
  const auto state = there ? state_of(there->descriptor.get()) : std::nullopt;
  if (!state || state->bytes != first->bytes_all) return write(copy, *first);
  return compare(copy, *first, there->descriptor.get());
}

Result<void> MediaCopies::compare(Copy& copy, const cluster::MediaPart& first, int descriptor) {
  std::uint64_t offset = 0;
  return take_parts(copy, first, offset, [&](const cluster::MediaPart& part) -> Result<void> {
    const auto own = cluster::read_media_part(descriptor, offset);
    if (!own || own->digest != part.digest)
      return fail("{}: another file of this name is there already; rename one of the two",
                  copy.file);
    offset += part.bytes.size();
    return {};
  });
}

Result<void> MediaCopies::write(Copy& copy, const cluster::MediaPart& first) {
  auto incoming = io::IncomingMedia::open(folders_, copy.file, {first.bytes_all, first.changed_ns});
  SUBMIX_TRY(incoming);
  const auto append = [&](const cluster::MediaPart& part) { return incoming->append(part.bytes); };
  SUBMIX_TRY(take_parts(copy, first, incoming->bytes(), append));
  return incoming->finish();
}

Result<void> MediaCopies::take_parts(Copy& copy, const cluster::MediaPart& first,
                                     std::uint64_t begin, const Take& take) {
  auto due = steady_clock::now();
  for (auto offset = begin; offset < first.bytes_all;) {
    note(copy, offset, first.bytes_all);
    const auto part = fetch(copy, offset);
    SUBMIX_TRY(part);
    if (part->changed_ns != first.changed_ns || part->bytes_all != first.bytes_all)
      return fail("{}: was changed while it was copied; copy it again", copy.file);
    SUBMIX_TRY(take(*part));
    offset += part->bytes.size();
    const std::chrono::duration<double> time(static_cast<double>(part->bytes.size()) /
                                             kBytesPerSecond);
    // Time that was lost is not made up for.
    due = std::max(due, steady_clock::now() - kSlack) +
          std::chrono::duration_cast<steady_clock::duration>(time);
    sleep_until(due, copy.stop.get_token());
  }
  note(copy, first.bytes_all, first.bytes_all);
  return {};
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
    if (part && cluster::is_sound(*part, offset)) return part;
    if (tries == kTriesMax)
      return part ? fail("{}: came damaged {} times; copy it again", copy.file, kTriesMax)
                  : fail("{}: copying stopped: {}", copy.file, part.error().message);
    if (!part) sleep_until(steady_clock::now() + kTryAgain, stop);
  }
}

}  // namespace submix::agent
