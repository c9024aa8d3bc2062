// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/pairing/invitation.hpp"
#include "controller/pairing/join_desk.hpp"
#include "controller/pairing/pairing_code.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::pairing {

/// What happened at a desk.
struct DeskEvent {
  enum class Kind {
    joined,      ///< the PC has the invitation; the code is used up
    lost,        ///< the PC knew the code but went too early; the code is used up
    wrong_code,  ///< somebody there guessed or mistyped
    over,        ///< nobody used the code in time
    not_kept     ///< the PC knew the code, but `remark` kept it off; the code is used up
  };
  Kind kind = Kind::over;
  std::string pc{};  ///< as the PC calls itself, one plain line; may be anything
  std::string address{};
  int tries_left = 0;             ///< 0: the code is used up
  std::string remark{};           ///< `joined`: Admission::remark; `not_kept`: why
  std::uint64_t code_number = 0;  ///< as PairingDesk::codes() when the code was offered
};

/// For people: "rack1 (198.18.0.2) has joined".
[[nodiscard]] std::string to_text(const DeskEvent& event);
/// Whether nobody can join by the code any more.
[[nodiscard]] bool is_code_used_up(const DeskEvent& event);

/// Offers one code at a time: for one PC, two minutes and three tries. While there is no code, all are
/// refused.
///
/// Threads  Synchronized. Owns the thread `pairing`, which calls `invite` and `on_news`.
/// Errors   A port that cannot be had.
class PairingDesk {
 public:
  static constexpr int kTries = 3;
  static constexpr std::chrono::minutes kLifetime{2};  ///< of a code
  static constexpr std::size_t kEventsMax = 100;       ///< that wait; the oldest give way

  struct Settings {
    std::vector<std::string> listen{"0.0.0.0"};  ///< addresses
    std::uint16_t port = kDefaultPort;           ///< 0: any that is free
    /// For a PC that reached the desk at this address of the desk's. An error refuses the PC, and
    /// is told by the desk.
    std::function<Result<Admission>(const Joiner& pc, const std::string& address)> invite;
    /// The key, sealed for a PC that was off. Empty: the PC is not listed. Null: there is no list.
    std::function<std::optional<std::string>(const cluster::KeyQuestion&)> answer = {};
    std::function<void()> on_news = [] {};  ///< an event waits
    std::chrono::milliseconds lifetime = kLifetime;
  };

  [[nodiscard]] static Result<std::unique_ptr<PairingDesk>> open(Settings settings);
  PairingDesk(const PairingDesk&) = delete;
  PairingDesk& operator=(const PairingDesk&) = delete;
  ~PairingDesk();

  /// Offers a new code. The code before becomes void.
  [[nodiscard]] PairingCode offer();
  /// How many codes were offered.
  [[nodiscard]] std::uint64_t codes() const;
  /// What has happened since the last call.
  [[nodiscard]] std::vector<DeskEvent> take_events();
  [[nodiscard]] std::uint16_t port() const;

 private:
  class Service;
  explicit PairingDesk(std::unique_ptr<Service> service);

  std::unique_ptr<Service> service_;
};

}  // namespace submix::pairing
