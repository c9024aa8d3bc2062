// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/local_submix.hpp"

#include "common/base/assert.hpp"

#include <utility>

namespace submix::agent {

std::optional<LocalSubmix::State> LocalSubmix::next(State state, Event event, bool has_patch) {
  const bool is_without_patch = state == State::unbuilt || state == State::held_back;
  switch (event) {
    case Event::fail:
      if (is_without_patch) return State::unbuilt;
      return state == State::running ? std::optional(State::running) : std::nullopt;
    case Event::hold_back:
      return is_without_patch ? std::optional(State::held_back) : std::nullopt;
    case Event::stage:
      if (is_without_patch || state == State::running) return State::staged;
      return std::nullopt;
    case Event::unstage:
      if (state != State::staged) return std::nullopt;
      return has_patch ? State::running : State::unbuilt;
    case Event::start:
      return state == State::staged ? std::optional(State::running) : std::nullopt;
    case Event::retire:
      return state == State::running ? std::optional(State::retiring) : std::nullopt;
    case Event::move_out:
      return state == State::running ? std::optional(State::moving_out) : std::nullopt;
    case Event::take_back:
      if (state == State::retiring || state == State::moving_out) return State::running;
      return std::nullopt;
  }
  return std::nullopt;
}

void LocalSubmix::enter(Event event) {
  const auto entered = next(state_, event, patch_ != nullptr);
  SUBMIX_ASSERT(entered.has_value());
  state_ = *entered;
}

bool LocalSubmix::is_wanted_here() const {
  return state_ != State::retiring && state_ != State::moving_out;
}

LocalSubmix::SharedPatch LocalSubmix::wanted_patch() const {
  return is_wanted_here() ? patch_ : nullptr;
}

bool LocalSubmix::fail(const std::string& error, bool is_followed) {
  enter(Event::fail);
  is_followed_ = is_followed;
  return std::exchange(error_, error) != error;
}

bool LocalSubmix::hold_back(const std::string& error) {
  enter(Event::hold_back);
  is_followed_ = false;
  return std::exchange(error_, error) != error;
}

void LocalSubmix::stage(Successor successor) {
  enter(Event::stage);
  successor_ = std::move(successor);
}

LocalSubmix::SharedPatch LocalSubmix::unstage() {
  enter(Event::unstage);
  auto patch = std::move(successor_->patch);
  successor_.reset();
  return patch;
}

LocalSubmix::SharedPatch LocalSubmix::release_former() {
  SUBMIX_ASSERT(state_ == State::staged);
  return std::exchange(patch_, nullptr);
}

void LocalSubmix::start() {
  enter(Event::start);
  patch_ = std::move(successor_->patch);
  successor_.reset();
  error_.clear();
  to_renew_.clear();
}

void LocalSubmix::retire(std::vector<show::Stream> streams) {
  enter(Event::retire);
  error_.clear();
  to_renew_.clear();
  streams_ = std::move(streams);
}

void LocalSubmix::move_out(LocalTime now) {
  enter(Event::move_out);
  error_.clear();
  to_renew_.clear();
  moved_at_ = now;
}

void LocalSubmix::take_back() {
  enter(Event::take_back);
  streams_.clear();
  awaited_.clear();
}

std::string_view to_string(LocalSubmix::State state) {
  switch (state) {
    case LocalSubmix::State::unbuilt:
      return "unbuilt";
    case LocalSubmix::State::held_back:
      return "held back";
    case LocalSubmix::State::running:
      return "running";
    case LocalSubmix::State::staged:
      return "staged";
    case LocalSubmix::State::retiring:
      return "retiring";
    case LocalSubmix::State::moving_out:
      return "moving out";
  }
  return "unknown";
}

}  // namespace submix::agent
