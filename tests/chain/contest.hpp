// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace submix::chain {

/// A maker of frames that rests while other contenders work.
class Contender {
 public:
  Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;
  virtual ~Contender() = default;

  virtual void go_on() = 0;
  /// Asks the contender to rest. It may still be working when this returns.
  virtual void rest() = 0;
  /// Frames made so far.
  [[nodiscard]] virtual std::uint64_t frames() const = 0;
};

struct Figures {
  double cpu_ms = 0;  ///< for a frame, of all processes
  double fps = 0;
  double page_faults = 0;  ///< for a frame, of this process
};

/// One contender and the figures of its rounds.
struct ContestEntry {
  std::string name;
  std::unique_ptr<Contender> contender;
  std::vector<Figures> rounds = {};
};

/// Disturbances of a virtual machine last some tenths of a second. Turns this short spread them
/// evenly.
inline constexpr std::chrono::milliseconds kShortTurn{120};

/// Measures one more round of each entry: `time` in total, in turns of several frames at least.
/// Each entry also runs half as long again before its measurement. All contenders rest before and
/// after. Throws if a contender makes no frames or never rests.
void contest(std::vector<ContestEntry>& entries, std::chrono::duration<double> time,
             std::chrono::duration<double> turn = kShortTurn);

/// The median over an entry's rounds.
[[nodiscard]] double median_of(const ContestEntry& entry, double Figures::* figure);
/// Ratios round by round, so that neighbours in time are compared.
[[nodiscard]] std::vector<double> ratios(const ContestEntry& entry, const ContestEntry& base,
                                         double Figures::* figure);

}  // namespace submix::chain
