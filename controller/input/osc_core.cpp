// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/osc_core.hpp"

#include "common/base/plain_text.hpp"
#include "controller/model/edit/play_range.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace submix::input {
namespace {

// Different complaints; beyond this number the sender gets replies only.
constexpr std::size_t kComplaintsMax = 256;
constexpr double kSameNumber = 1e-5;  // rounding error of a float on its way
const std::vector<std::string> kEverything{"/submix/*/*/*",
                                           "/bypass/*/*",
                                           "/assign/*",
                                           "/transport/pause",
                                           "/transport/black",
                                           "/transport/freeze",
                                           "/transport/record",
                                           "/transport/fullscreen",
                                           "/tempo",
                                           "/speed",
                                           "/knob/*"};

bool is_same(const OscArgument& a, const OscArgument& b) {
  const auto x = number_of(a);
  const auto y = number_of(b);
  return x && y ? std::abs(*x - *y) <= kSameNumber * std::max(1.0, std::abs(*x)) : a == b;
}
bool is_same(const OscMessage& a, const OscMessage& b) {
  return std::ranges::equal(a.arguments, b.arguments,
                            [](const auto& x, const auto& y) { return is_same(x, y); });
}

bool is_question(const OscMessage& message) {
  const auto& arguments = message.arguments;
  return arguments.empty() || (arguments.size() == 1 && arguments[0] == OscArgument("?"));
}

// People also change it at the outputs, without an edit of the show.
bool covers_screens(const Scene& scene) {
  const auto control = find_control(scene, TransportTarget::fullscreen);
  return control && control->present == show::ParameterValue(true);
}

bool is_loopback(const std::string& host) {
  return host.starts_with("127.") || host == "::1";
}

// A program may send from one port and listen on another. On the same machine only ports
// distinguish programs.
bool is_sender(const OscPeer& source, const OscPeer& to, const OscPeer& from) {
  if (from.host != source.host && from.host != to.host) return false;
  return from.port == source.port || from.port == to.port || !is_loopback(from.host);
}

// "/subscribe 9000" requests answers at another port of the same host.
OscPeer answer_address(const OscMessage& message, const OscPeer& from) {
  auto to = from;
  for (const auto& argument : message.arguments) {
    const auto* port = std::get_if<std::int32_t>(&argument);
    if (port != nullptr && *port > 0 && *port <= 65535) to.port = static_cast<std::uint16_t>(*port);
  }
  return to;
}

OscAnswer refusal(const OscPeer& from, const std::string& address, const std::string& reason) {
  const auto plain_address = plain_text(address, OscCore::kReasonBytesMax);
  const auto plain_reason = plain_text(reason, OscCore::kReasonBytesMax);
  return {{},
          {{from, {"/error", {plain_address, plain_reason}}}},
          fmt::format("{}: {}", plain_address, plain_reason)};
}

// Why a clip's play range would be empty. Empty: it is not. The session also refuses such a range,
// but cannot tell the sender.
std::string range_fault(const Order& order, const Scene& scene) {
  const auto* edit = std::get_if<session::EditShow>(&order);
  const auto* value = edit == nullptr ? nullptr : std::get_if<model::SetParameter>(&edit->edit);
  const auto* show = scene.cluster.show.get();
  const auto* slot = value == nullptr || show == nullptr ? nullptr : show->find_slot(value->slot);
  if (slot == nullptr || !model::is_play_range(*slot, value->name)) return {};
  auto after = *show;
  if (!model::apply(after, *value)) return {};
  const auto empty = model::new_empty_ranges(show, after);
  return empty.empty() ? std::string() : empty.front().reason;
}

}  // namespace

void OscCore::set_receivers(const std::vector<OscPeer>& receivers) {
  std::erase_if(subscribers_, [](const Subscriber& subscriber) { return subscriber.is_permanent; });
  for (const auto& peer : receivers) {
    if (subscribers_.size() < kSubscribersMax)
      subscribers_.push_back({peer, peer, kEverything, true});
  }
}

OscAnswer OscCore::handle(const OscMessage& message, const OscPeer& from, const Scene& scene,
                          LocalTime now) {
  for (auto& subscriber : subscribers_) {
    if (is_sender(subscriber.source, subscriber.to, from)) subscriber.heard = now;
  }
  auto answered = answer(message, from, scene, now);
  const bool is_new = !answered.complaint.empty() && complaints_.size() < kComplaintsMax &&
                      complaints_.insert(answered.complaint).second;
  if (!is_new) answered.complaint.clear();
  return answered;
}

OscAnswer OscCore::answer(const OscMessage& message, const OscPeer& from, const Scene& scene,
                          LocalTime now) {
  const auto& address = message.address;
  if (address == "/subscribe") return subscribe(message, from, now);
  if (address == "/unsubscribe") return unsubscribe(message, from);
  if (address == "/get") {
    const auto* asked =
        message.arguments.empty() ? nullptr : std::get_if<std::string>(&message.arguments[0]);
    if (asked == nullptr)
      return refusal(from, address, "write the address that is asked for as its text");
    return get(*asked, from, scene);
  }
  const auto matches = find_matches(scene, address, budget_);
  if (!matches) return refusal(from, address, matches.error().message);
  const bool is_press = message.arguments.empty() && is_trigger(matches->front().control.target);
  if (is_question(message) && !is_press) return values_of(address, *matches, from);
  return set(message, *matches, from, scene, now);
}

OscAnswer OscCore::get(const std::string& address, const OscPeer& from, const Scene& scene) {
  const auto matches = find_matches(scene, address, budget_);
  return matches ? values_of(address, *matches, from)
                 : refusal(from, address, matches.error().message);
}

OscAnswer OscCore::values_of(const std::string& address, const std::vector<OscMatch>& matches,
                             const OscPeer& from) {
  OscAnswer answer;
  for (const auto& match : matches) {
    if (answer.replies.size() < kRepliesMax)
      answer.replies.push_back({from, present_message(match)});
  }
  if (matches.size() > kRepliesMax)
    answer.replies.push_back(
        {from,
         {"/error",
          {address,
           fmt::format("these are the first {} values of {}; ask for one submix or slot at a time",
                       kRepliesMax, matches.size())}}});
  return answer;
}

OscAnswer OscCore::set(const OscMessage& message, const std::vector<OscMatch>& matches,
                       const OscPeer& from, const Scene& scene, LocalTime now) {
  OscAnswer answer;
  std::string reason;
  for (const auto& match : matches) {
    const bool is_press = is_trigger(match.control.target);
    const auto value = message.arguments.empty() ? show::ParameterValue(true)
                                                 : wanted_value(match, message.arguments);
    if (!value) {
      reason = value.error().message;
    } else if (!is_press || *value == show::ParameterValue(true)) {
      auto order = order_to(match.control, *value);
      if (auto fault = range_fault(order, scene); !fault.empty()) {
        reason = std::move(fault);
        continue;
      }
      answer.orders.push_back(std::move(order));
      if (!is_press) remember(message, match, *value, from, now);
    }
  }
  if (answer.orders.empty() && !reason.empty()) return refusal(from, message.address, reason);
  return answer;
}

// The sender knows the value that it sent, but not yet the value at the parameter's other address.
void OscCore::remember(const OscMessage& sent, const OscMatch& match,
                       const show::ParameterValue& value, const OscPeer& from, LocalTime now) {
  for (auto& subscriber : subscribers_) {
    if (!is_sender(subscriber.source, subscriber.to, from)) continue;
    subscriber.is_behind = true;  // checked again when the hand is off
    subscriber.known[osc_address(match)] = {{osc_address(match), sent.arguments}, now + kHoldTime};
    if (!std::holds_alternative<ParameterTarget>(match.control.target)) continue;
    auto other = match;
    other.is_in_units = !match.is_in_units;
    other.control.present = value;
    subscriber.known[osc_address(other)] = {present_message(other), now + kHoldTime};
  }
}

OscAnswer OscCore::subscribe(const OscMessage& message, const OscPeer& from, LocalTime now) {
  const auto to = answer_address(message, from);
  std::vector<std::string> patterns;
  for (const auto& argument : message.arguments) {
    const auto* pattern = std::get_if<std::string>(&argument);
    if (pattern != nullptr && patterns.size() < kPatternsMax) patterns.push_back(*pattern);
  }
  if (patterns.empty()) patterns = kEverything;
  const auto known = std::ranges::find(subscribers_, to, &Subscriber::to);
  if (known != subscribers_.end()) {
    const bool is_permanent = known->is_permanent;
    *known = {from, to, std::move(patterns), is_permanent, now};
  } else if (subscribers_.size() >= kSubscribersMax) {
    return refusal(from, message.address,
                   fmt::format("there are {} subscribers already", kSubscribersMax));
  } else {
    subscribers_.push_back({from, to, std::move(patterns), false, now});
  }
  const auto seconds = std::chrono::seconds(kLease).count();
  return {{}, {{to, {"/subscribed", {static_cast<std::int32_t>(seconds)}}}}, {}};
}

OscAnswer OscCore::unsubscribe(const OscMessage& message, const OscPeer& from) {
  const auto to = answer_address(message, from);
  const auto gone = std::erase_if(subscribers_, [&](const Subscriber& subscriber) {
    return !subscriber.is_permanent && subscriber.to == to;
  });
  if (gone == 0) return refusal(from, message.address, to_string(to) + " has no subscription");
  return {{}, {{to, {"/unsubscribed"}}}, {}};
}

std::vector<OscOutput> OscCore::feedback(const Scene& scene, LocalTime now) {
  std::erase_if(subscribers_, [&](const Subscriber& subscriber) {
    return !subscriber.is_permanent && now - subscriber.heard > kLease;
  });
  if (subscribers_.empty()) return {};
  const Stamp stamp{scene.cluster.show, scene.cluster.plugins, scene.cluster.transport,
                    covers_screens(scene)};
  const bool is_news = stamp != stamp_;
  stamp_ = stamp;
  std::vector<OscOutput> outputs;
  for (auto& subscriber : subscribers_) {
    subscriber.is_behind |= is_news;
    if (!subscriber.is_behind || now < subscriber.next) continue;
    subscriber.next = now + kPeriod;
    tell(subscriber, scene, now, outputs);
  }
  return outputs;
}

void OscCore::not_told(const OscOutput& output, LocalTime now) {
  for (auto& subscriber : subscribers_) {
    const auto known = subscriber.known.find(output.message.address);
    if (subscriber.to != output.to || known == subscriber.known.end()) continue;
    if (known->second.message != output.message) continue;  // it was an answer, or is out of date
    known->second.message = {};
    subscriber.is_behind = true;
    subscriber.next = std::max(subscriber.next, now + kRetryPeriod);
  }
}

void OscCore::tell(Subscriber& subscriber, const Scene& scene, LocalTime now,
                   std::vector<OscOutput>& outputs) {
  subscriber.is_behind = false;
  std::size_t told = 0;
  for (const auto& pattern : subscriber.patterns) {
    OscBudget budget;
    const auto matches = find_matches(scene, pattern, budget);
    if (!matches) continue;  // the show has nothing that matches
    for (const auto& match : *matches) {
      auto message = present_message(match);
      auto& known = subscriber.known[message.address];
      known.is_present = true;
      const bool was_told = !known.message.address.empty();
      if (was_told && is_same(known.message, message)) continue;
      if (now < known.held_until || told == kChangesMax) {
        subscriber.is_behind = true;
        continue;
      }
      ++told;
      known.message = message;
      outputs.push_back({subscriber.to, std::move(message)});
    }
  }
  for (auto item = subscriber.known.begin(); item != subscriber.known.end();) {
    const bool is_present = std::exchange(item->second.is_present, false);
    item = is_present || now < item->second.held_until ? std::next(item)
                                                       : subscriber.known.erase(item);
  }
}

}  // namespace submix::input
