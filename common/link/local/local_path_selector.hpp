// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"

#include <string>

namespace submix::link {

/// Decides whether a stream uses shared memory: when the show allows it and the receiver is on this
/// machine. After failures the stream uses TCP, and shared memory is tried again now and then.
///
/// Threads  Compatible. No socket, no clock: it counts ticks.
class LocalPathSelector {
 public:
  explicit LocalPathSelector(std::string machine) : machine_(std::move(machine)) {}

  /// False: the show forbids shared memory.
  void allow(bool is_allowed);
  /// The receiver's endpoint. A new endpoint is trusted at once.
  void set_endpoint(const LocalEndpoint& endpoint);

  /// A local link shall exist, or be tried now.
  [[nodiscard]] bool is_wanted() const { return is_possible() && (is_trusted_ || is_on_trial_); }
  /// TCP links are needed.
  [[nodiscard]] bool needs_tcp() const { return !is_possible() || !is_trusted_; }
  /// A local link is open, so TCP links are not needed.
  [[nodiscard]] bool is_open() const { return is_possible() && is_open_; }
  [[nodiscard]] const LocalEndpoint& endpoint() const { return endpoint_; }
  /// Why shared memory fails although it should work; empty: it works, or is not wanted.
  [[nodiscard]] std::string trouble() const {
    return is_possible() && !is_trusted_ ? trouble_ : "";
  }

  void opened();
  /// `is_local_fault`: TCP may do better. False when the receiver is merely not ready yet.
  void lost(const std::string& reason, bool is_local_fault);
  /// Called once in kTick. True: is_wanted() has changed.
  [[nodiscard]] bool tick();

 private:
  [[nodiscard]] bool is_possible() const;
  void trust();

  const std::string machine_;
  LocalEndpoint endpoint_;
  bool is_allowed_ = true;
  bool is_trusted_ = true;
  bool is_on_trial_ = false;
  bool is_open_ = false;
  int losses_ = 0;  // losses in quick succession
  int ticks_open_ = 0;
  int ticks_to_trial_ = 0;
  std::string trouble_;
};

}  // namespace submix::link
