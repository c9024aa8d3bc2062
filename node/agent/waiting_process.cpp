// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/waiting_process.hpp"

#include "common/base/log.hpp"
#include "common/cluster/membership.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace submix::agent {
namespace {

constexpr std::chrono::seconds kConnectTime(3);  // a server of this PC is found earlier
constexpr std::chrono::seconds kRetryPause(10);

bool has_membership() {
  const auto membership = cluster::read_membership();
  return !membership || *membership;  // an error: somebody is writing it
}

}  // namespace

WaitingProcess::WaitingProcess(std::filesystem::path program, const NodeOptions& options)
    : program_(std::move(program)), options_(options) {}

void WaitingProcess::tend(LocalTime now, bool has_server) {
  if (!is_wanted(now, has_server)) {
    process_.reset();
    return;
  }
  if (process_ && process_->exit_status()) process_.reset();
  if (!process_ && now >= next_start_) start(now);
}

bool WaitingProcess::is_wanted(LocalTime now, bool has_server) {
  const bool may_wait = options_.invitations != Invitations::off && options_.follows_desk &&
                        !options_.key && !options_.pipe && !has_server && !has_membership();
  free_since_ = may_wait ? std::min(free_since_, now) : LocalTime::max();
  return may_wait && now - free_since_ >= kConnectTime;
}

void WaitingProcess::start(LocalTime now) {
  next_start_ = now + kRetryPause;
  std::vector<std::string> command{program_.string()};
  if (options_.invitations == Invitations::hidden) command.emplace_back("--hidden");
  auto process = ChildProcess::start(command, {});
  if (process)
    process_ = *std::move(process);
  else
    log::info("no desk can invite this PC: {}", process.error().message);
}

}  // namespace submix::agent
