// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/key_watch.hpp"

#include "common/base/clock.hpp"
#include "common/base/log.hpp"
#include "common/base/repetition_limiter.hpp"
#include "common/base/stoppable_sleep.hpp"
#include "common/base/thread.hpp"
#include "common/cluster/nats_connection.hpp"

#include <chrono>
#include <utility>

namespace submix::cluster {
namespace {

// How long a lost connection may go unnoticed.
constexpr std::chrono::milliseconds kEntryPatience{100};
constexpr std::chrono::milliseconds kWatchAgain{250};  // between attempts to watch
constexpr std::chrono::seconds kComplaintPause{5};

}  // namespace

KeyWatch::KeyWatch(Connector& connector, std::string bucket, std::string key,
                   std::function<void(const BucketEntry&)> callback)
    : connector_(connector),
      bucket_(std::move(bucket)),
      key_(std::move(key)),
      callback_(std::move(callback)) {
  thread_ = start_thread("watch", [this](const std::stop_token& stop) { run(stop); });
}

KeyWatch::~KeyWatch() {
  thread_.request_stop();
  thread_.join();
}

void KeyWatch::run(const std::stop_token& stop) {
  while (const auto connection = connector_.wait_for_connection(stop)) {
    follow(*connection, stop);
    // A server that refuses a watch must not be asked in a busy loop.
    sleep_until(std::chrono::steady_clock::now() + kWatchAgain, stop);
  }
}

void KeyWatch::follow(NatsConnection& connection, const std::stop_token& stop) {
  auto watcher = connection.watch(bucket_, key_);
  if (!watcher) return complain(watcher.error().message);
  read(**watcher, connection, stop);
  connection.retire(*std::move(watcher));
}

// The bus has already reported a silent store.
void KeyWatch::complain(const std::string& why) {
  if (connector_.is_store_silent()) return;
  static RepetitionLimiter limiter(kComplaintPause);  // without JetStream all fail alike
  const auto said = limiter.admit(why, why, SteadyClock().now());
  if (said) log::warning("{}", *said);
}

void KeyWatch::read(kvWatcher& watcher, NatsConnection& connection, const std::stop_token& stop) {
  const std::stop_callback wake(stop, [&] { kvWatcher_Stop(&watcher); });
  while (!stop.stop_requested() && connection.is_alive()) {
    kvEntry* entry = nullptr;
    const auto status = kvWatcher_Next(&entry, &watcher, kEntryPatience.count());
    const EntryHandle handle(entry);
    if (status != NATS_OK && status != NATS_TIMEOUT) return;
    if (entry == nullptr) continue;  // nothing new, or the mark after the present values
    if (const auto ours = to_bucket_entry(entry)) callback_(*ours);
  }
}

}  // namespace submix::cluster
