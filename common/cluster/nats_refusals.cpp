// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/nats_refusals.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace submix::cluster {
namespace {

constexpr std::size_t kWordsMax = 64;  // of each connection

}  // namespace

NatsRefusals& NatsRefusals::of_process() {
  static NatsRefusals refusals;
  return refusals;
}

void NatsRefusals::add(const natsConnection* connection, std::string words) {
  const MutexLock lock(mutex_);
  auto& known = words_[connection];
  if (known.size() < kWordsMax) known.insert(std::move(words));
}

bool NatsRefusals::has(const natsConnection* connection, std::string_view subject) {
  const auto wanted = fmt::format("Publish to \"{}\"", subject);
  const MutexLock lock(mutex_);
  const auto found = words_.find(connection);
  if (found == words_.end()) return false;
  for (const auto& words : found->second) {
    if (words.find(wanted) != std::string::npos) return true;
  }
  return false;
}

void NatsRefusals::forget(const natsConnection* connection) {
  const MutexLock lock(mutex_);
  words_.erase(connection);
}

}  // namespace submix::cluster
