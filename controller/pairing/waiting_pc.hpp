// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "common/base/stop_signal.hpp"
#include "controller/pairing/invite_pc.hpp"
#include "controller/pairing/nearby_notice.hpp"
#include "controller/pairing/pairing_port.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace submix::pairing {

/// This PC, which has no show, as one that waits to be invited. It shows a code, and another one
/// every two minutes: also after three wrong tries, so that nobody can try more often.
///
/// Threads  Confined (main). Owns a PairingPort.
class WaitingPc {
 public:
  struct Settings {
    std::filesystem::path folder;  ///< for the membership
    std::vector<std::string> listen{"0.0.0.0"};
    std::uint16_t port = kWaitingPort;
    bool is_shown = true;  ///< by Avahi
    std::chrono::milliseconds lifetime = PairingPort::kLifetime;
  };

  /// Errors   As check_free(); a port that another program has.
  [[nodiscard]] static Result<std::unique_ptr<WaitingPc>> open(const Settings& settings);

  /// To be called several times a second. What a person at this PC should read, a line each.
  [[nodiscard]] std::vector<std::string> look(LocalTime now);
  /// Whether this PC has a desk now: by an invitation, or by the desk's code.
  [[nodiscard]] bool has_desk() const;
  [[nodiscard]] std::uint16_t port() const { return port_->port(); }

 private:
  explicit WaitingPc(Settings settings) : settings_(std::move(settings)) {}
  [[nodiscard]] std::string next_code(LocalTime now);

  const Settings settings_;
  LocalTime next_code_{};
  std::vector<std::string> remarks_;
  std::unique_ptr<NearbyNotice> notice_;
  std::unique_ptr<PairingPort> port_;
};

/// Shows codes by `say` until this PC has a desk (true) or a signal has come (false).
[[nodiscard]] bool wait_for_desk(WaitingPc& pc, StopSignal& stop,
                                 const std::function<void(const std::string&)>& say);

}  // namespace submix::pairing
