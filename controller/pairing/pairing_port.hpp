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

/// What happened at a pairing port. At the port of a PC that waits to be invited, the words in
/// brackets hold, and `pc` is the desk.
struct PairingEvent {
  enum class Kind {
    joined,      ///< the PC has the invitation [this PC has it]; the code is used up
    lost,        ///< the PC knew the code but went too early; the code is used up
    wrong_code,  ///< somebody there guessed or mistyped
    over,        ///< nobody used the code in time
    not_kept     ///< `pc` knew the code, but `remark` kept it off; the code is used up
  };
  Kind kind = Kind::over;
  std::string pc{};  ///< as the PC calls itself, one plain line; may be anything
  std::string address{};
  int tries_left = 0;             ///< 0: the code is used up
  std::string remark{};           ///< `joined`: Admission::remark; `not_kept`: why
  std::uint64_t code_number = 0;  ///< as PairingPort::codes() when the code was offered
};

/// For people at the desk: "rack1 (198.18.0.2) has joined".
[[nodiscard]] std::string to_text(const PairingEvent& event);
/// Whether nobody can use the code any more.
[[nodiscard]] bool is_code_used_up(const PairingEvent& event);

/// The port of a desk, where PCs join, or of a PC without a show, which a desk invites. Offers one
/// code at a time: for one other end, two minutes and three tries. While there is no code, all are
/// refused.
///
/// Threads  Synchronized. Owns the thread `pairing`, which calls the functions of its settings, and
///          `admission`, which calls `invite`. The destructor waits for such a call.
/// Errors   A port that cannot be had.
class PairingPort {
 public:
  static constexpr int kTries = 3;
  static constexpr std::chrono::minutes kLifetime{2};  ///< of a code
  static constexpr std::size_t kEventsMax = 100;       ///< that wait; the oldest give way

  /// For a PC that reached the desk at this address of the desk's. An error refuses the PC, and is
  /// told by the desk. It may take seconds.
  using Invite = std::function<Result<Admission>(const Joiner& pc, const std::string& address)>;

  /// What a PC without a show does with an invitation.
  struct Waiting {
    Joiner pc;  ///< this PC: its name for the desk's person, and its public key
    /// Becomes part of the desk's show. An error is told at both ends.
    std::function<Result<void>(const Invitation&)> follow;
  };

  struct Settings {
    std::vector<std::string> listen{"0.0.0.0"};  ///< addresses
    std::uint16_t port = kDefaultPort;           ///< 0: any that is free
    Invite invite = {};                          ///< at a desk
    std::optional<Waiting> waiting = {};  ///< at a PC without a show; `invite` is not called there
    /// The key, sealed for a PC that was off. Empty: the PC is not listed. Null: there is no list.
    std::function<std::optional<std::string>(const cluster::KeyQuestion&)> answer = {};
    std::function<void()> on_news = [] {};  ///< an event waits
    std::chrono::milliseconds lifetime = kLifetime;
  };

  [[nodiscard]] static Result<std::unique_ptr<PairingPort>> open(Settings settings);
  PairingPort(const PairingPort&) = delete;
  PairingPort& operator=(const PairingPort&) = delete;
  ~PairingPort();

  /// Offers a new code. The code before becomes void.
  [[nodiscard]] PairingCode offer();
  /// How many codes were offered.
  [[nodiscard]] std::uint64_t codes() const;
  /// What has happened since the last call.
  [[nodiscard]] std::vector<PairingEvent> take_events();
  [[nodiscard]] std::uint16_t port() const;

 private:
  class Service;
  explicit PairingPort(std::unique_ptr<Service> service);

  std::unique_ptr<Service> service_;
};

}  // namespace submix::pairing
