// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/stage_control.hpp"

#include "common/media/frame.hpp"

#include <algorithm>
#include <utility>

namespace submix::engine {

StageControl::StageControl(std::size_t workers, bool is_bypassed)
    : for_worker_(workers),
      is_bypassed_(is_bypassed),
      wiring_(std::make_shared<Wiring>()),
      pending_(workers) {}

void StageControl::rewire(std::uint64_t position, Wiring wiring) {
  add_change(position, std::make_shared<const Wiring>(std::move(wiring)));
}

void StageControl::retire(std::uint64_t position) {
  is_retiring_.store(true, std::memory_order_relaxed);
  add_change(position, nullptr);
}

// Readers that wait for the first frame of a change are woken: where slots change their order, a
// stage may wait for a frame from another stage, which in turn waits until the first stage closes
// its old queues.
void StageControl::add_change(std::uint64_t position, std::shared_ptr<const Wiring> wiring) {
  std::shared_ptr<const Wiring> now;
  {
    const MutexLock lock(mutex_);
    changes_.push_back({position, std::move(wiring)});
    update_next_change();
    changed_.notify_all();
    now = wiring_;
  }

  for (const auto& input : now->inputs)
    input.queue->nudge();
}

void StageControl::close() {
  const MutexLock lock(mutex_);
  closed_.request_stop();
  changed_.notify_all();

  const auto close_inputs = [](const Wiring& wiring) {
    for (const auto& input : wiring.inputs)
      input.queue->close();
  };
  close_inputs(*wiring_);
  for (const auto& change : changes_) {
    if (change.wiring) close_inputs(*change.wiring);
  }
}

// A new value also replaces an older value that a parameter would settle to.
void StageControl::tune(const show::Parameters& values) {
  if (values.empty()) return;

  const MutexLock lock(mutex_);
  for (std::size_t worker = 0; worker < pending_.size(); ++worker) {
    auto& pending = pending_[worker];
    for (const auto& [name, value] : values) {
      pending.values.insert_or_assign(name, value);
      for (auto& change : pending.modulations) {
        const auto settled = change.settled.find(name);
        if (settled != change.settled.end()) settled->second = value;
      }
    }
    for_worker_[worker].has_changes.store(true, std::memory_order_relaxed);
  }
}

// A later change for the same frame replaces the earlier change, as in a pause, when no source
// starts a frame. So at most as many changes wait here as frames are in flight, or were since this
// worker last took a frame.
void StageControl::modulate(std::uint64_t position, std::shared_ptr<const Modulation> modulation,
                            const show::Parameters& settled) {
  const MutexLock lock(mutex_);
  modulation_ = std::move(modulation);
  for (std::size_t worker = 0; worker < pending_.size(); ++worker) {
    auto& changes = pending_[worker].modulations;
    if (changes.empty() || changes.back().position != position)
      changes.push_back({position, {}, {}});
    changes.back().modulation = modulation_;
    for (const auto& [name, value] : settled)
      changes.back().settled.insert_or_assign(name, value);
    for_worker_[worker].has_changes.store(true, std::memory_order_relaxed);
  }
}

void StageControl::set_bypassed(bool is_bypassed) {
  const bool was_bypassed = is_bypassed_.exchange(is_bypassed, std::memory_order_relaxed);
  if (!was_bypassed || is_bypassed) return;
  for (auto& worker : for_worker_)
    worker.tries_again.store(true, std::memory_order_relaxed);
}

std::shared_ptr<const Modulation> StageControl::modulation() const {
  const MutexLock lock(mutex_);
  return modulation_;
}

std::shared_ptr<const Wiring> StageControl::wiring() const {
  const MutexLock lock(mutex_);
  return wiring_;
}

StageControl::QueueHistory StageControl::queue_history() const {
  const MutexLock lock(mutex_);
  return {wiring_, ended_};
}

bool StageControl::wait_until_over(LocalTime deadline) const {
  const MutexLock lock(mutex_);
  return changed_.wait_until(mutex_, deadline,
                             [this]() SUBMIX_REQUIRES(mutex_) { return is_over_; });
}

void StageControl::wait_until_over(const std::stop_token& stop) const {
  const MutexLock lock(mutex_);
  static_cast<void>(
      changed_.wait(mutex_, stop, [this]() SUBMIX_REQUIRES(mutex_) { return is_over_; }));
}

void StageControl::begin_with(std::shared_ptr<const Wiring> wiring) {
  const MutexLock lock(mutex_);
  wiring_ = std::move(wiring);
}

std::optional<WiringChange> StageControl::due_change(std::uint64_t position) const {
  const MutexLock lock(mutex_);
  if (changes_.empty() || changes_.front().position > position) return std::nullopt;
  return changes_.front();
}

void StageControl::change_applied() {
  const MutexLock lock(mutex_);
  auto& next = changes_.front().wiring;
  count_ended_queues(*next);
  wiring_ = std::move(next);
  changes_.pop_front();
  update_next_change();
}

// Frames left in a queue that ends are dropped with it: only a delayed edge has any.
void StageControl::count_ended_queues(const Wiring& next) {
  for (std::size_t i = 0; i < wiring_->inputs.size(); ++i) {
    const auto& queue = wiring_->inputs[i].queue;
    if (std::ranges::find(next.inputs, queue, &Wiring::Input::queue) != next.inputs.end()) continue;

    const auto counts = queue->look_through([](const media::Frame&) {});
    auto& ended = ended_[wiring_->edge(i)];
    ended.put += counts.put;
    ended.taken += counts.taken;
  }
}

void StageControl::update_next_change() {
  next_change_.store(changes_.empty() ? kNever : changes_.front().position,
                     std::memory_order_relaxed);
}

bool StageControl::wait_for_change(std::uint64_t position) {
  const MutexLock lock(mutex_);
  while (!is_closed() && (changes_.empty() || changes_.front().position > position))
    changed_.wait(mutex_);
  return !is_closed();
}

ParameterChanges StageControl::take_parameter_changes(std::size_t worker, std::uint64_t position) {
  ParameterChanges taken;
  const MutexLock lock(mutex_);
  auto& [values, modulations] = pending_[worker];
  taken.values.swap(values);
  while (!modulations.empty() && modulations.front().position <= position) {
    taken.modulations.push_back(std::move(modulations.front()));
    modulations.pop_front();
  }
  for_worker_[worker].has_changes.store(!modulations.empty(), std::memory_order_relaxed);
  return taken;
}

void StageControl::set_over() {
  const MutexLock lock(mutex_);
  is_over_ = true;
  changed_.notify_all();
}

}  // namespace submix::engine
