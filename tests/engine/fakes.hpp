// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "node/engine/patch.hpp"
#include "node/plugin/catalog.hpp"
#include "tests/support/event_log.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace submix::engine {

/// The frames each fake slot has seen, in order, and the gates that are shut. Synchronized.
class Ledger {
 public:
  void note(const std::string& slot, std::uint64_t index) {
    const MutexLock lock(mutex_);
    seen_[slot].push_back(index);
    changed_.notify_all();
  }
  /// Waits until `slot` has seen `count` frames, at most half a minute; returns the frames seen.
  std::vector<std::uint64_t> wait_for(const std::string& slot, std::size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    const MutexLock lock(mutex_);
    while (seen_[slot].size() < count) {
      if (changed_.wait_until(mutex_, deadline) == std::cv_status::timeout) break;
    }
    return seen_[slot];
  }
  std::vector<std::uint64_t> seen(const std::string& slot) { return wait_for(slot, 0); }

  /// An object that lives as long as the slot's newest plugin.
  std::shared_ptr<int> begin_life(const std::string& slot) {
    auto life = std::make_shared<int>();
    const MutexLock lock(mutex_);
    lives_[slot] = life;
    return life;
  }
  std::weak_ptr<int> life_of(const std::string& slot) {
    const MutexLock lock(mutex_);
    return lives_[slot];
  }

  void shut(const std::string& slot) {
    const MutexLock lock(mutex_);
    permits_[slot] = 0;
  }
  void let_through(const std::string& slot, std::uint64_t frames) {
    const MutexLock lock(mutex_);
    permits_[slot] += frames;
    changed_.notify_all();
  }
  /// Waits at `slot`'s gate; false: a stop was requested. An open gate lets it pass.
  bool pass_gate(const std::string& slot, const std::stop_token& stop) {
    const MutexLock lock(mutex_);
    const auto gate = permits_.find(slot);
    if (gate == permits_.end()) return true;
    ++waiting_[slot];
    const bool may_pass = changed_.wait(mutex_, stop, [&] { return gate->second > 0; });
    --waiting_[slot];
    if (may_pass) --gate->second;
    return may_pass;
  }
  /// True: a plugin waits at `slot`'s gate.
  bool has_waiting(const std::string& slot) {
    const MutexLock lock(mutex_);
    return waiting_[slot] > 0;
  }

 private:
  Mutex mutex_;
  Condition changed_;
  std::map<std::string, std::vector<std::uint64_t>> seen_;
  std::map<std::string, std::uint64_t> permits_;
  std::map<std::string, int> waiting_;
  std::map<std::string, std::weak_ptr<int>> lives_;
};

/// A plugin of any kind: passes its gate, notes the frame, makes a frame whose first byte is its
/// level.
class Fake final : public plugin::Plugin {
 public:
  Fake(const plugin::Setup& setup, plugin::Kind kind, Ledger& ledger, bool is_late = false)
      : slot_(setup.slot),
        kind_(kind),
        is_late_(is_late),
        ledger_(ledger),
        frames_behind_(setup.frames_behind),
        has_other_ends_(setup.has_other_ends),
        life_(ledger.begin_life(setup.slot)) {
    for (const auto& [name, value] : setup.parameters)
      set(name, value);
  }

  std::optional<media::Frame> process(plugin::Work& work) override {
    if (!ledger_.pass_gate(slot_, work.stop)) return std::nullopt;
    const auto inputs = work.inputs.first(is_late_ ? 1 : work.inputs.size());
    for (const auto& input : inputs)
      mismatches_ += input.stamp().index != work.stamp.index ? 1 : 0;
    first_ = work.first.value;
    ledger_.note(slot_, work.stamp.index.value);
    if (kind_ == plugin::Kind::output) return work.inputs[0];
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    output->rgba()[0] = level_;
    return std::move(*output).publish();
  }
  void set(std::string_view name, const show::ParameterValue& value) override {
    if (name == "level") level_ = static_cast<std::uint8_t>(std::get<double>(value));
    if (name == "paced") is_paced_ = std::get<bool>(value);
    if (name == "connected") is_connected_ = std::get<bool>(value);
    if (name == "retained") retained_ = static_cast<std::size_t>(std::get<double>(value));
  }
  /// Seats as if from its own pool.
  void lend(std::size_t frames) { lent_ = frames; }
  plugin::PluginTraits traits() const override {
    return {.frames_retained = retained_,
            .frames_lent = lent_,
            .is_connected = is_connected_,
            .shows_inputs = slot_ == "shown"};
  }
  plugin::Pace pace() const override {
    return is_paced_ ? plugin::Pace::receivers : plugin::Pace::show;
  }
  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    return {{"mismatches", mismatches_},
            {"frames_behind", frames_behind_},
            {"other_ends", has_other_ends_ ? 1 : 0},
            {"first", first_}};
  }

 private:
  std::string slot_;
  plugin::Kind kind_;
  bool is_late_;  // its second input is late
  Ledger& ledger_;
  std::size_t frames_behind_;
  bool has_other_ends_;
  std::shared_ptr<int> life_;
  std::size_t retained_ = 0;
  std::optional<std::size_t> lent_;
  bool is_paced_ = false;
  bool is_connected_ = true;
  std::uint8_t level_ = 0;
  std::atomic<std::uint64_t> mismatches_ = 0;
  std::atomic<std::uint64_t> first_ = 0;
};

inline void add_fake(plugin::Catalog& catalog, const std::string& id, plugin::Kind kind,
                     Ledger& ledger, plugin::Memory memory = plugin::Memory::none) {
  std::vector<plugin::ParameterDescription> parameters{{.name = "level", .maximum = 255},
                                                       {.name = "retained", .maximum = 8}};
  if (id == show::kStreamOutPlugin) {
    parameters.push_back(
        {.name = "paced", .type = plugin::ParameterType::boolean, .initial = true});
    parameters.push_back(
        {.name = "connected", .type = plugin::ParameterType::boolean, .initial = true});
  }
  catalog.add(
      {.id = id, .kind = kind, .parameters = std::move(parameters), .memory = memory},
      [id, kind, &ledger](const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
        auto fake = std::make_unique<Fake>(setup, kind, ledger, id == "late-mixer");
        if (id == show::kStreamInPlugin) fake->lend(setup.frames_behind + plugin::kFramesForEdits);
        return fake;
      });
}

/// A slot in a short notation.
inline show::Slot slot(std::string name, std::string plugin,
                       std::optional<std::vector<std::string>> inputs = {}) {
  return {.name = std::move(name),
          .plugin = std::move(plugin),
          .parameters = {},
          .inputs = std::move(inputs)};
}

/// A stream-out without a stream.
inline show::Slot unconnected_out(std::string name,
                                  std::optional<std::vector<std::string>> inputs = {}) {
  auto out = slot(std::move(name), "stream-out", std::move(inputs));
  out.parameters = {{"paced", false}, {"connected", false}};
  return out;
}

/// Builds patches of fakes: source, filter, mixer2, output and stream-out.
class Workbench {
 public:
  explicit Workbench(std::vector<std::filesystem::path> frei0r_folders = {})
      : catalog(std::move(frei0r_folders)) {
    plugin::add_built_ins(catalog);
    add_fake(catalog, "source", plugin::Kind::source, ledger);
    add_fake(catalog, "filter", plugin::Kind::filter, ledger);
    add_fake(catalog, "mixer", plugin::Kind::mixer2, ledger);
    add_fake(catalog, "late-mixer", plugin::Kind::mixer2, ledger);
    add_fake(catalog, "output", plugin::Kind::output, ledger);
    add_fake(catalog, "stream-out", plugin::Kind::output, ledger);
    options.size = {16, 16};
    options.is_free_running = true;
    options.cores = 64;  // otherwise the frames in flight would depend on the machine
  }

  Result<std::unique_ptr<Patch>> build(std::vector<show::Slot> slots) {
    return Patch::build(submix(std::move(slots)), options,
                        {.catalog = catalog,
                         .events = events,
                         .clock = clock,
                         .transport = transport,
                         .sound = sound});
  }
  [[nodiscard]] show::Submix submix(std::vector<show::Slot> slots) const {
    return {.name = "left",
            .node = "",
            .slots = std::move(slots),
            .frames_in_flight = frames_in_flight};
  }
  std::string error_of(std::vector<show::Slot> slots) {
    const auto built = build(std::move(slots));
    return built ? "no error" : built.error().message;
  }

  Ledger ledger;
  plugin::Catalog catalog;
  testing::EventLog events;
  SteadyClock clock;
  Transport transport;
  const SoundSource* sound = nullptr;
  PatchOptions options;
  int frames_in_flight = 0;
};

/// Polls a condition; false after half a minute.
inline bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

inline const telemetry::StageReading& reading_of(const telemetry::SubmixReading& reading,
                                                 std::string_view slot) {
  for (const auto& stage : reading.stages) {
    if (stage.slot == slot) return stage;
  }
  return reading.stages.front();
}

inline std::uint64_t frames_of(const Patch& patch, std::string_view slot) {
  return reading_of(patch.telemetry(), slot).frames;
}

inline std::vector<std::uint64_t> count_up_to(std::size_t count) {
  std::vector<std::uint64_t> indexes(count);
  for (std::size_t i = 0; i < count; ++i)
    indexes[i] = i;
  return indexes;
}

}  // namespace submix::engine
