// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/jack_calls.hpp"

#include "common/base/mutex.hpp"
#include "common/base/thread.hpp"

#include <cstdint>

namespace submix::io {
namespace {

using JackTime = std::chrono::steady_clock::time_point;

/// Numbers turns, which end in this order.
class JackTurns {
 public:
  /// A turn that begins at once. Empty: the turns before do not end in time.
  std::optional<std::uint64_t> begin(const std::stop_token& stop, JackTime deadline)
      SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    const auto is_free = [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS { return taken_ == ended_; };
    if (!changed_.wait_until(mutex_, stop, deadline, is_free)) return std::nullopt;
    return ++taken_;
  }
  /// A turn that begins when all before have ended.
  std::uint64_t take() SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return ++taken_;
  }
  void end() SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    ++ended_;
    changed_.notify_all();
  }
  void wait_for_end(std::uint64_t turn) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    while (ended_ < turn)
      changed_.wait(mutex_);
  }
  [[nodiscard]] bool wait_for_end(std::uint64_t turn, const std::stop_token& stop,
                                  JackTime deadline) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return changed_.wait_until(mutex_, stop, deadline,
                               [&]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS { return ended_ >= turn; });
  }

 private:
  Mutex mutex_;
  Condition changed_;
  std::uint64_t taken_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t ended_ SUBMIX_GUARDED_BY(mutex_) = 0;
};

// Shared, because an abandoned thread may outlive the variable.
std::shared_ptr<JackTurns> jack_turns() {
  static const auto kTurns = std::make_shared<JackTurns>();
  return kTurns;
}

void run_in(std::uint64_t turn, std::function<void()> call) {
  auto body = [turns = jack_turns(), turn, call = std::move(call)](auto&&) mutable {
    turns->wait_for_end(turn - 1);
    call();
    call = nullptr;  // destroys what it holds within the turn
    turns->end();
  };
  start_thread("jack", std::move(body)).detach();
}

}  // namespace

Result<void> call_jack(std::function<void()> call, const std::stop_token& stop,
                       std::chrono::milliseconds patience) {
  const auto turns = jack_turns();
  const auto deadline = std::chrono::steady_clock::now() + patience;
  const auto turn = turns->begin(stop, deadline);
  if (turn) run_in(*turn, std::move(call));
  if (turn && turns->wait_for_end(*turn, stop, deadline)) return {};
  if (stop.stop_requested()) return fail("stopped");
  return fail("the JACK server gives no answer for {} ms; start it again", patience.count());
}

void destroy_by_jack(std::shared_ptr<void> object, std::chrono::milliseconds patience) {
  const auto turns = jack_turns();
  const auto deadline = std::chrono::steady_clock::now() + patience;
  const auto turn = turns->take();
  run_in(turn, [object = std::move(object)]() mutable { object.reset(); });
  static_cast<void>(turns->wait_for_end(turn, {}, deadline));
}

}  // namespace submix::io
