// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"

#include <string>

namespace submix::link {

/// Whether a stream goes by shared memory: it does where it may and its receiver's door is on this machine.
/// Where that does not work, TCP has to do, and the door is tried again now and then.
///
/// Threads  Compatible. No socket, no clock: it counts ticks.
class LocalWay {
 public:
  explicit LocalWay(std::string machine) : machine_(std::move(machine)) {}

  /// False: the show refuses it.
  void allow(bool is_allowed);
  /// The receiver's; another one than before is given a chance at once.
  void set_door(const LocalEndpoint& door);

  /// A local link shall be there, or be tried now.
  [[nodiscard]] bool is_wanted() const { return is_possible() && (is_trusted_ || is_on_trial_); }
  /// Links by TCP are to be opened.
  [[nodiscard]] bool needs_others() const { return !is_possible() || !is_trusted_; }
  /// Links by TCP are of no use any more.
  [[nodiscard]] bool is_open() const { return is_possible() && is_open_; }
  [[nodiscard]] const LocalEndpoint& door() const { return door_; }
  /// Why it does not work although it should; empty: it does, or should not.
  [[nodiscard]] std::string trouble() const {
    return is_possible() && !is_trusted_ ? trouble_ : "";
  }

  void opened();
  /// `is_its_fault`: TCP may do better. False for a receiver that is not there yet.
  void lost(const std::string& reason, bool is_its_fault);
  /// Once in kTick. True: is_wanted() has changed.
  [[nodiscard]] bool tick();

 private:
  [[nodiscard]] bool is_possible() const;
  void trust();

  const std::string machine_;
  LocalEndpoint door_;
  bool is_allowed_ = true;
  bool is_trusted_ = true;
  bool is_on_trial_ = false;
  bool is_open_ = false;
  int losses_ = 0;  // one soon after the other
  int ticks_open_ = 0;
  int ticks_to_trial_ = 0;
  std::string trouble_;
};

}  // namespace submix::link
