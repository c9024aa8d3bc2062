// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace submix::chain {

/// Something that makes frames, and rests while others do.
class Contender {
 public:
  Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;
  virtual ~Contender() = default;

  virtual void go_on() = 0;
  /// It comes to rest; it need not have when this returns.
  virtual void rest() = 0;
  /// That it has made so far.
  [[nodiscard]] virtual std::uint64_t frames() const = 0;
};

struct Figures {
  double cpu_ms = 0;  ///< for a frame, of all processes
  double fps = 0;
  double page_faults = 0;  ///< for a frame, of this process
};

/// One way to make the same frames, and what each round of it gave.
struct Way {
  std::string name;
  std::unique_ptr<Contender> contender;
  std::vector<Figures> rounds = {};
};

/// What disturbs a virtual machine lasts for some tenths of a second: in turns as short it meets all alike.
inline constexpr std::chrono::milliseconds kShortTurn{120};

/// One round more of each: `time` altogether, in turns that are as long as some frames at least. Half as long
/// again each runs before it is measured. All have been told to rest, and rest after it. Throws where one
/// makes no frames, or never rests.
void contest(std::vector<Way>& ways, std::chrono::duration<double> time,
             std::chrono::duration<double> turn = kShortTurn);

/// Of a way's rounds.
[[nodiscard]] double median_of(const Way& way, double Figures::* figure);
/// Round by round: neighbours in time are compared.
[[nodiscard]] std::vector<double> ratios(const Way& way, const Way& base, double Figures::* figure);

}  // namespace submix::chain
