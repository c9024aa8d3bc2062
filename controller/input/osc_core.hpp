// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/cluster/messages.hpp"
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
  std::string complaint{};  ///< for people; the same complaint is given once
};

/// The OSC logic without its socket. Messages go in; orders, replies and changes for subscribers
/// come out. OSC.md describes each address.
///
/// Echo     A program does not get its own changes back, unless the show's value differs from the
///          sent value afterwards.
/// Rate     A subscriber gets at most kChangesMax values each kPeriod, the newest of each value.
/// Cost     OscBudget limits the work for the messages of one datagram.
/// Bounds   kSubscribersMax; a subscription ends kLease after the last message of its program.
/// Threads  Compatible.
class OscCore {
 public:
  static constexpr std::size_t kSubscribersMax = 16;
  static constexpr std::size_t kPatternsMax = 16;  ///< of one subscriber
  static constexpr std::size_t kChangesMax = 256;
  static constexpr std::size_t kRepliesMax = 1024;  ///< to one question
  static constexpr std::chrono::milliseconds kPeriod{33};
  static constexpr std::chrono::milliseconds kRetryPeriod{500};  ///< delay after a failed send
  static constexpr std::size_t kReasonBytesMax = 200;            ///< of an error
  /// A hand is assumed to hold a value this long after a message.
  static constexpr std::chrono::milliseconds kHoldTime{400};
  static constexpr std::chrono::minutes kLease{10};

  /// Programs that get all changes without a subscription.
  void set_receivers(const std::vector<OscPeer>& receivers);

  /// The following messages belong to one datagram.
  void begin_datagram() { budget_ = {}; }
  [[nodiscard]] OscAnswer handle(const OscMessage& message, const OscPeer& from, const Scene& scene,
                                 LocalTime now);
  /// The messages for subscribers that are due now.
  [[nodiscard]] std::vector<OscOutput> feedback(const Scene& scene, LocalTime now);
  /// `output` could not be sent; it is sent again after a while.
  void not_told(const OscOutput& output, LocalTime now);
  [[nodiscard]] std::size_t subscribers() const { return subscribers_.size(); }

 private:
  struct Known {
    OscMessage message{};
    LocalTime held_until{};
    bool is_present = false;  // a mark of the present pass over all values
  };
  struct Subscriber {
    OscPeer source;  // sending address
    OscPeer to;      // listening address
    std::vector<std::string> patterns;
    bool is_permanent = false;
    LocalTime heard{};
    LocalTime next{};
    bool is_behind = true;  // some changes are not sent yet
    std::map<std::string, Known, std::less<>> known{};
  };
  /// Everything that present values depend on.
  struct Stamp {
    std::shared_ptr<const show::Show> show;
    std::shared_ptr<const void> plugins;
    cluster::DesiredTransport transport{};
    bool covers_screens = false;  // by the show, or by people at the outputs

    friend bool operator==(const Stamp&, const Stamp&) = default;
  };

  [[nodiscard]] OscAnswer set(const OscMessage& message, const std::vector<OscMatch>& matches,
                              const OscPeer& from, const Scene& scene, LocalTime now);
  [[nodiscard]] OscAnswer get(const std::string& address, const OscPeer& from, const Scene& scene);
  [[nodiscard]] static OscAnswer values_of(const std::string& address,
                                           const std::vector<OscMatch>& matches,
                                           const OscPeer& from);
  [[nodiscard]] OscAnswer subscribe(const OscMessage& message, const OscPeer& from, LocalTime now);
  [[nodiscard]] OscAnswer unsubscribe(const OscMessage& message, const OscPeer& from);
  [[nodiscard]] OscAnswer answer(const OscMessage& message, const OscPeer& from, const Scene& scene,
                                 LocalTime now);
  void remember(const OscMessage& sent, const OscMatch& match, const show::ParameterValue& value,
                const OscPeer& from, LocalTime now);
  static void tell(Subscriber& subscriber, const Scene& scene, LocalTime now,
                   std::vector<OscOutput>& outputs);

  std::vector<Subscriber> subscribers_;
  Stamp stamp_{};
  std::set<std::string> complaints_;
  OscBudget budget_;
};

}  // namespace submix::input
