// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/receiving.hpp"

#include "common/base/mutex.hpp"
#include "common/base/thread.hpp"

#include <atomic>
#include <memory>
#include <thread>
#include <utility>

namespace submix::throughput {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr milliseconds kReceiverLook{50};
constexpr std::chrono::seconds kReceiverPatience{
    3};  // for frames that were sent before the sender ended

/// Shared by the streams of one process. Synchronized.
struct ReceivingShared {
  std::atomic<std::uint64_t> frames{0};  // relaxed: an independent count
  std::atomic<bool> has_failed{false};
  Mutex mutex;
  Error first_error SUBMIX_GUARDED_BY(mutex);

  void fail_with(Error error) SUBMIX_EXCLUDES(mutex) {
    const MutexLock lock(mutex);
    if (!has_failed.exchange(true)) first_error = std::move(error);
  }
};

/// Receives one stream's frames. Confined (its thread) until the thread has ended.
class Receiving {
 public:
  Receiving(std::size_t number, const Job& job, FrameInput& input, const Ledger& ledger,
            ReceivingShared& shared)
      : number_(number),
        job_(job),
        input_(input),
        ledger_(ledger),
        shared_(shared),
        check_(static_cast<std::uint32_t>(number), ledger.shape().frames_max) {}

  void run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const auto pixels = input_.receive_for(kReceiverLook, stop);
      if (!pixels) return shared_.fail_with(pixels.error());
      if (*pixels)
        take(**pixels, monotonic_ns(), static_cast<std::int64_t>(input_.waiting_bytes()));
    }
  }
  /// Received frames, valid or not. Synchronized.
  [[nodiscard]] std::uint64_t frames() const { return come_.load(std::memory_order_relaxed); }
  void report(SideReport& report, std::uint64_t frames_sent) const {
    report.frames.push_back(check_.frames());
    report.faults += check_.faults(frames_sent);
    if (number_ != 0) return;
    report.is_measured = is_measured_;
    report.used = usage_end_ - usage_begin_;
    report.frames_measured = frames_end_ - frames_begin_;
  }

 private:
  void take(const PixelRange<const std::uint8_t>& pixels, std::int64_t now_ns,
            std::int64_t waiting_bytes) {
    const auto reading = read_marks(pixels);
    check_.take(reading);
    shared_.frames.fetch_add(1, std::memory_order_relaxed);
    come_.fetch_add(1, std::memory_order_relaxed);
    if (!reading.is_whole() || reading.mark->index >= ledger_.shape().frames_max) return;
    auto& times = ledger_.times(number_, reading.mark->index);
    if (times.released == 0) {
      times.released = now_ns;
      times.waiting_bytes = waiting_bytes;
    }
    if (job_.is_remote) choose_window(reading.mark->index, now_ns);
    if (number_ == 0) sample(reading.mark->index);
  }
  void choose_window(std::uint64_t index, std::int64_t now_ns) {
    auto& window = ledger_.window(number_);
    if (first_ns_ == 0) first_ns_ = now_ns;
    if (window.begin.load() == Window::kOpen) {
      if (nanoseconds(now_ns - first_ns_) < job_.warm_up) return;
      window.begin.store(index);
      begin_ns_ = now_ns;
    } else if (window.end.load() == Window::kOpen &&
               nanoseconds(now_ns - begin_ns_) >= job_.duration) {
      window.end.store(index);
    }
  }
  // The sender announces the window before it offers its first frame.
  void sample(std::uint64_t index) {
    const auto& window = ledger_.window(number_);
    if (index == window.begin.load(std::memory_order_acquire)) {
      usage_begin_ = usage_now();
      frames_begin_ = shared_.frames.load(std::memory_order_relaxed);
    } else if (index == window.end.load(std::memory_order_acquire)) {
      usage_end_ = usage_now();
      frames_end_ = shared_.frames.load(std::memory_order_relaxed);
      is_measured_ = usage_begin_.at.count() > 0;
    }
  }

  const std::size_t number_;
  const Job& job_;
  FrameInput& input_;
  const Ledger& ledger_;
  ReceivingShared& shared_;
  SequenceCheck check_;
  std::atomic<std::uint64_t> come_{0};
  Usage usage_begin_;
  Usage usage_end_;
  std::int64_t first_ns_ = 0;  // with begin_ns_, for a window of its own
  std::int64_t begin_ns_ = 0;
  std::uint64_t frames_begin_ = 0;
  std::uint64_t frames_end_ = 0;
  bool is_measured_ = false;
};

using Streams = std::vector<std::unique_ptr<Receiving>>;

bool have_all_come(const Streams& streams, const std::vector<std::uint64_t>& sent) {
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (streams[i]->frames() < sent.at(i)) return false;
  }
  return true;
}

/// Waits until all sent frames have arrived, or no more arrive. Returns the sent frames of each
/// stream.
Result<std::vector<std::uint64_t>> wait_for_all(const Streams& streams, ReceivingShared& shared,
                                                const AskForEnding& ask_for_ending) {
  std::optional<std::vector<std::uint64_t>> sent;
  std::uint64_t seen = 0;
  auto moved_ns = monotonic_ns();
  while (!shared.has_failed) {
    if (!sent) {
      auto answer = ask_for_ending();
      SUBMIX_TRY(answer);
      sent = std::move(*answer);
      moved_ns = monotonic_ns();
      continue;
    }
    if (have_all_come(streams, *sent)) return *sent;
    const auto frames = shared.frames.load(std::memory_order_relaxed);
    if (frames != seen) moved_ns = monotonic_ns();
    seen = frames;
    if (nanoseconds(monotonic_ns() - moved_ns) > kReceiverPatience) return *sent;
    std::this_thread::sleep_for(milliseconds(5));
  }
  const MutexLock lock(shared.mutex);
  return tl::unexpected(shared.first_error);
}

}  // namespace

Result<SideReport> receive_frames(const Job& job, Inputs& inputs, const Ledger& ledger,
                                  const AskForEnding& ask_for_ending) {
  ReceivingShared shared;
  static_cast<void>(usage_now());  // touches the memory that it will need
  Streams streams;
  for (std::size_t i = 0; i < job.streams; ++i)
    streams.push_back(std::make_unique<Receiving>(i, job, *inputs.streams[i], ledger, shared));
  std::vector<std::jthread> threads;
  for (const auto& stream : streams) {
    const auto body = [&stream](const std::stop_token& stop) { stream->run(stop); };
    threads.push_back(start_thread("receive", body, Urgency::stage));
  }
  const auto sent = wait_for_all(streams, shared, ask_for_ending);
  for (auto& thread : threads)
    thread.request_stop();
  threads.clear();
  SUBMIX_TRY(sent);
  SideReport report;
  for (std::size_t i = 0; i < streams.size(); ++i)
    streams[i]->report(report, sent->at(i));
  return report;
}

}  // namespace submix::throughput
