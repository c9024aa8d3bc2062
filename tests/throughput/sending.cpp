// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/sending.hpp"

#include "common/base/mutex.hpp"
#include "common/base/thread.hpp"

#include <sys/prctl.h>
#include <time.h>

#include <atomic>
#include <thread>
#include <utility>

namespace submix::throughput {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::milliseconds kSenderLook{20};
constexpr std::chrono::seconds kSenderPatience{10};

void sleep_until(std::int64_t time_ns) {
  const timespec until{time_ns / 1'000'000'000, time_ns % 1'000'000'000};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) != 0) {
  }
}

/// Shared by the streams of one process. Synchronized.
struct SendingShared {
  explicit SendingShared(const Job& described) : job(described) {}

  const Job& job;
  std::stop_source stop;
  std::atomic<std::uint64_t> frames{0};  // all three relaxed: independent counts
  std::atomic<std::size_t> windows_ended{0};
  std::atomic<std::size_t> streams_done{0};
  std::atomic<bool> has_failed{false};

  void fail_with(Error error) SUBMIX_EXCLUDES(mutex) {
    const MutexLock lock(mutex);
    if (!has_failed.exchange(true)) first_error = std::move(error);
    stop.request_stop();
  }
  Mutex mutex;
  Error first_error SUBMIX_GUARDED_BY(mutex);
  Usage used;  // written by the first stream's thread, read after its end
  std::uint64_t frames_measured = 0;
};

/// Sends one stream's frames. Confined (its thread).
class Sending {
 public:
  Sending(std::size_t number, FrameOutput& output, const Ledger& ledger, SendingShared& shared)
      : number_(number), output_(output), ledger_(ledger), shared_(shared) {}

  void run() {
    ::prctl(PR_SET_TIMERSLACK, 1);  // a frame is due to the microsecond
    start_ns_ = monotonic_ns();
    while (!is_over() && !shared_.stop.stop_requested()) {
      if (auto sent = send_one(); !sent) return shared_.fail_with(sent.error());
      ++index_;
    }
  }
  [[nodiscard]] std::uint64_t frames() const { return index_; }

 private:
  enum class Phase { warming, measuring, cooling };

  Result<void> send_one() {
    if (index_ >= ledger_.shape().frames_max)
      return fail("{} frames were not enough for the time asked for; ask for --frames", index_);
    auto& times = ledger_.times(number_, index_);
    const auto& rate = shared_.job.rate;
    if (rate) {
      times.due = start_ns_ + rate->time_of({index_}).count();
      sleep_until(times.due);
    }
    advance_phase(monotonic_ns());
    const auto stop = shared_.stop.get_token();
    const auto pixels = output_.begin_frame(stop);
    SUBMIX_TRY(pixels);
    write_marks(*pixels, {static_cast<std::uint32_t>(number_), index_});
    times.offered = monotonic_ns();
    if (!rate) times.due = times.offered;
    if (auto sent = output_.send_frame(stop); !sent) return sent;
    times.begun = output_.waits_for_credit() ? monotonic_ns() : times.offered;
    shared_.frames.fetch_add(1, std::memory_order_relaxed);
    return {};
  }

  void advance_phase(std::int64_t now_ns) {
    const auto& job = shared_.job;
    if (phase_ == Phase::warming && nanoseconds(now_ns - start_ns_) >= job.warm_up) {
      phase_ = Phase::measuring;
      begin_ = index_;
      begin_ns_ = now_ns;
      sample(usage_begin_, frames_begin_);
      ledger_.window(number_).begin.store(index_, std::memory_order_release);
    } else if (phase_ == Phase::measuring && is_measured(now_ns)) {
      phase_ = Phase::cooling;
      Usage usage_end;
      std::uint64_t frames_end = 0;
      sample(usage_end, frames_end);
      if (number_ == 0) {
        shared_.used = usage_end - usage_begin_;
        shared_.frames_measured = frames_end - frames_begin_;
      }
      ledger_.window(number_).end.store(index_, std::memory_order_release);
      shared_.windows_ended.fetch_add(1, std::memory_order_relaxed);
    }
  }
  [[nodiscard]] bool is_measured(std::int64_t now_ns) const {
    const auto& job = shared_.job;
    if (job.frames > 0) return index_ - begin_ >= job.frames;
    return nanoseconds(now_ns - begin_ns_) >= job.duration;
  }
  // A stream goes on until the windows of the others have ended: they need its load.
  bool is_over() {
    if (phase_ != Phase::cooling) return false;
    if (shared_.windows_ended.load(std::memory_order_relaxed) < shared_.job.streams) return false;
    return cooling_frames_++ > 2 * shared_.job.credits;
  }
  void sample(Usage& usage, std::uint64_t& frames) const {
    if (number_ != 0) return;
    usage = usage_now();
    frames = shared_.frames.load(std::memory_order_relaxed);
  }

  const std::size_t number_;
  FrameOutput& output_;
  const Ledger& ledger_;
  SendingShared& shared_;
  Phase phase_ = Phase::warming;
  std::uint64_t index_ = 0;
  std::uint64_t begin_ = 0;
  std::int64_t start_ns_ = 0;
  std::int64_t begin_ns_ = 0;
  std::size_t cooling_frames_ = 0;
  Usage usage_begin_;
  std::uint64_t frames_begin_ = 0;
};

/// Returns when all streams have ended. Stops them if nothing moves.
void watch(SendingShared& shared, std::size_t streams) {
  std::uint64_t seen = 0;
  auto moved_ns = monotonic_ns();
  while (shared.streams_done.load() < streams) {
    std::this_thread::sleep_for(kSenderLook);
    const auto frames = shared.frames.load(std::memory_order_relaxed);
    if (frames != seen || shared.stop.stop_requested()) moved_ns = monotonic_ns();
    seen = frames;
    if (nanoseconds(monotonic_ns() - moved_ns) > kSenderPatience)
      shared.fail_with({fmt::format("after {} frames nothing was taken for {} s", frames,
                                    kSenderPatience.count())});
  }
}

}  // namespace

Result<SideReport> send_frames(const Job& job, Outputs& outputs, const Ledger& ledger) {
  SendingShared shared(job);
  static_cast<void>(usage_now());  // touches the memory that it will need
  std::vector<std::unique_ptr<Sending>> streams;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    streams.push_back(std::make_unique<Sending>(i, *outputs[i], ledger, shared));
  {
    std::vector<std::jthread> threads;
    for (const auto& stream : streams) {
      const auto body = [&shared, &stream](const std::stop_token&) {
        stream->run();
        shared.streams_done.fetch_add(1);
      };
      threads.push_back(start_thread("send", body, Urgency::stage));
    }
    watch(shared, streams.size());
  }
  const MutexLock lock(shared.mutex);
  if (shared.has_failed) return tl::unexpected(shared.first_error);
  SideReport report;
  for (const auto& stream : streams)
    report.frames.push_back(stream->frames());
  report.is_measured = true;
  report.used = shared.used;
  report.frames_measured = shared.frames_measured;
  report.links = outputs.front()->links();
  report.clock_offset = outputs.front()->clock_offset();
  report.complaints = outputs.front()->complaints();
  return report;
}

}  // namespace submix::throughput
