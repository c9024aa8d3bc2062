// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/input/osc_space.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace submix::input {

struct OscOutput {
  OscPeer to;
  OscMessage message;
};

struct OscAnswer {
  std::vector<Order> orders{};
  std::vector<OscOutput> replies{};
  std::string complaint{};  ///< for people; the same one is given once
};

/// What OSC does, without its socket: messages go in; orders, replies and changes for subscribers come out.
/// OSC.md says what each address means.
///
/// Echo     Who moves something is not told of it, unless it ends up elsewhere than where it was sent.
/// Rate     A subscriber is told at most kChangesMax values each kPeriod; of each value the newest.
/// Cost     What the messages of one datagram may ask for is bounded: OscBudget.
/// Bounds   kSubscribersMax; a subscription that nothing is heard of for kLease ends.
/// Threads  Compatible.
class OscCore {
 public:
  static constexpr std::size_t kSubscribersMax = 16;
  static constexpr std::size_t kPatternsMax = 16;  ///< of one subscriber
  static constexpr std::size_t kChangesMax = 256;
  static constexpr std::size_t kRepliesMax = 1024;  ///< to one question
  static constexpr std::chrono::milliseconds kPeriod{33};
  static constexpr std::chrono::milliseconds kRetryPeriod{
      500};                                            ///< who cannot be told is not tried sooner
  static constexpr std::size_t kReasonBytesMax = 200;  ///< of an error
  static constexpr std::chrono::milliseconds kHoldTime{
      400};  ///< a hand is on what was moved so short ago
  static constexpr std::chrono::minutes kLease{10};

  /// Who is told of all changes without having asked.
  void set_receivers(const std::vector<OscPeer>& receivers);

  /// The messages that come now are of one datagram.
  void begin_datagram() { budget_ = {}; }
  [[nodiscard]] OscAnswer handle(const OscMessage& message, const OscPeer& from, const Scene& scene,
                                 LocalTime now);
  /// What subscribers are to be told now.
  [[nodiscard]] std::vector<OscOutput> feedback(const Scene& scene, LocalTime now);
  /// It could not be sent: it is told again, some time later.
  void not_told(const OscOutput& output, LocalTime now);
  [[nodiscard]] std::size_t subscribers() const { return subscribers_.size(); }

 private:
  struct Known {
    OscMessage message{};
    LocalTime held_until{};
    bool is_present = false;  // while a pass goes over all values
  };
  struct Subscriber {
    OscPeer source;  // sends from here
    OscPeer to;      // and listens here
    std::vector<std::string> patterns;
    bool is_permanent = false;
    LocalTime heard{};
    LocalTime next{};
    bool is_behind = true;  // has something yet to be told
    std::map<std::string, Known, std::less<>> known{};
  };
  /// All that values depend on.
  struct Stamp {
    std::shared_ptr<const show::Show> show;
    std::shared_ptr<const void> plugins;
    bool is_paused = false;

    friend bool operator==(const Stamp&, const Stamp&) = default;
  };

  [[nodiscard]] OscAnswer set(const OscMessage& message, const OscPeer& from, const Scene& scene,
                              LocalTime now);
  [[nodiscard]] OscAnswer get(std::string_view address, const OscPeer& from, const Scene& scene);
  [[nodiscard]] OscAnswer subscribe(const OscMessage& message, const OscPeer& from, LocalTime now);
  [[nodiscard]] OscAnswer unsubscribe(const OscMessage& message, const OscPeer& from);
  [[nodiscard]] OscAnswer answer(const OscMessage& message, const OscPeer& from, const Scene& scene,
                                 LocalTime now);
  void remember(const OscMessage& sent, const OscPlace& place, const show::ParameterValue& value,
                const OscPeer& from, LocalTime now);
  static void tell(Subscriber& subscriber, const Scene& scene, LocalTime now,
                   std::vector<OscOutput>& outputs);

  std::vector<Subscriber> subscribers_;
  Stamp stamp_{};
  std::set<std::string> complaints_;
  OscBudget budget_;
};

}  // namespace submix::input
