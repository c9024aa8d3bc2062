// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/cluster.hpp"

#include "common/base/log.hpp"
#include "common/base/repetition_limiter.hpp"
#include "common/base/version.hpp"
#include "common/cluster/codec.hpp"
#include "common/cluster/subjects.hpp"
#include "common/show/text_limits.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace submix::cluster {
namespace {

constexpr int kAttemptsMax = 10;  // against other writers of the same list

// The process has one log, so its limiter is shared, too.
void complain(std::string_view from, std::string_view error) {
  static RepetitionLimiter limiter(std::chrono::seconds(5));
  const auto said = limiter.admit(
      std::string(from), fmt::format("{}: not understood: {}", from, error), SteadyClock().now());
  if (said) log::warning("{}", *said);
}

// The node will try again. The bus itself reports a silent store or a lost connection.
void complain_of_lost_report(const Bus& bus, const std::string& error) {
  if (!bus.is_connected() || bus.is_store_silent()) return;
  static RepetitionLimiter limiter(std::chrono::minutes(1));
  const auto said =
      limiter.admit("report", fmt::format("controllers do not see what this node runs: {}", error),
                    SteadyClock().now());
  if (said) log::warning("{}", *said);
}

// A foreign value in the cluster must neither stop a program nor fill its log.
template <typename Message, typename Callback>
void deliver(std::string_view bytes, std::string_view from, const Callback& callback) {
  auto message = decode<Message>(bytes);
  if (!message) return complain(from, message.error().message);
  callback(*std::move(message));
}

// A value that is no show becomes a show that cannot be parsed, so nodes report it, and people can
// keep or replace it.
DesiredShow show_in(const BucketEntry& entry) {
  auto show = decode<DesiredShow>(entry.value);
  if (show) return *std::move(show);
  return {fmt::format("{}{}\n{}", show::kNoShowMark, show.error().message, entry.value),
          "somebody else"};
}

template <typename Message>
Result<Revisioned<Message>> read(Bus& bus, std::string_view key) {
  const auto entry = bus.get(kDesired, key);
  SUBMIX_TRY(entry);
  if (!*entry) return Revisioned<Message>{};
  auto message = decode<Message>((*entry)->value);
  if (!message) return fail("{}/{}: not understood: {}", kDesired, key, message.error().message);
  return Revisioned<Message>{*std::move(message), (*entry)->revision};
}

/// Watches a value of the show's bucket.
template <typename Message>
std::unique_ptr<Subscription> watch_value(Bus& bus, std::string_view key,
                                          std::function<void(const Message&)> callback) {
  return bus.watch(std::string(kDesired), std::string(key),
                   [callback = std::move(callback)](const BucketEntry& entry) {
                     deliver<Message>(entry.value, entry.key, callback);
                   });
}

template <typename Message>
std::unique_ptr<Subscription> subscribe(Bus& bus, std::string_view kind,
                                        std::function<void(const Message&)> callback) {
  auto subject = subject_of(kind, kAllKeys);
  return bus.subscribe(subject, [subject, callback = std::move(callback)](std::string_view bytes) {
    deliver<Message>(bytes, subject, callback);
  });
}

void change(std::vector<std::string>& things, const std::vector<std::string>& seen,
            const std::vector<std::string>& over) {
  const auto has = [](const std::vector<std::string>& list, const std::string& thing) {
    return std::ranges::find(list, thing) != list.end();
  };
  std::erase_if(things, [&](const std::string& thing) { return has(over, thing); });
  for (const auto& thing : seen) {
    if (!has(things, thing)) things.push_back(thing);
  }
  const auto surplus = std::max(things.size(), AlertsSeen::kThingsMax) - AlertsSeen::kThingsMax;
  things.erase(things.begin(), things.begin() + static_cast<std::ptrdiff_t>(surplus));
}

std::string gap_between(const std::string& who, const Desk& desk) {
  return version_gap({who}, {"desk " + desk.host, desk.version}).value_or("");
}

// An unreadable list counts as empty, so the next write replaces it.
Result<Revisioned<AlertsSeen>> read_alerts_seen(Bus& bus) {
  const auto entry = bus.get(kDesired, kAlertsSeenKeyName);
  SUBMIX_TRY(entry);
  if (!*entry) return Revisioned<AlertsSeen>{};
  return Revisioned<AlertsSeen>{decode<AlertsSeen>((*entry)->value).value_or(AlertsSeen()),
                                (*entry)->revision};
}

}  // namespace

Result<Revisioned<DesiredShow>> Cluster::show() {
  const auto entry = bus_.get(kDesired, kShowKeyName);
  SUBMIX_TRY(entry);
  if (!*entry) return Revisioned<DesiredShow>{};
  return Revisioned<DesiredShow>{show_in(**entry), (*entry)->revision};
}

tl::expected<std::uint64_t, WriteError> Cluster::put_show(
    const DesiredShow& desired, std::optional<std::uint64_t> expected_revision) {
  const auto message = encode(desired);
  if (message.size() > kMessageBytesMax) {
    return tl::unexpected(
        WriteError{fmt::format("the show was not written: it takes {} bytes on the control plane, "
                               "more than {}; take some of it out",
                               message.size(), kMessageBytesMax)});
  }
  auto written = bus_.put(kDesired, kShowKeyName, message, expected_revision);
  if (written || !written.error().is_conflict) return written;
  const auto now = show();
  written.error().message =
      now ? fmt::format(
                "the show was changed meanwhile: it is at revision {}, written by {}, and not at "
                "{} any more",
                now->revision, now->value.author.empty() ? "somebody" : now->value.author,
                *expected_revision)
          : "the show was changed meanwhile";
  return written;
}

std::unique_ptr<Subscription> Cluster::watch_show(
    std::function<void(const Revisioned<DesiredShow>&)> callback) {
  return bus_.watch(std::string(kDesired), std::string(kShowKeyName),
                    [callback = std::move(callback)](const BucketEntry& entry) {
                      callback({show_in(entry), entry.revision});
                    });
}

Result<Revisioned<DesiredShow>> Cluster::good_show() {
  return read<DesiredShow>(bus_, kGoodShowKeyName);
}

std::unique_ptr<Subscription> Cluster::watch_good_show(
    std::function<void(const DesiredShow&)> callback) {
  return watch_value<DesiredShow>(bus_, kGoodShowKeyName, std::move(callback));
}

void Cluster::keep_good_show(const DesiredShow& show) {
  const auto kept = bus_.put(kDesired, kGoodShowKeyName, encode(show));
  if (!kept)
    log::warning("the last good show is not kept in the cluster: {}", kept.error().message);
}

Result<Revisioned<DesiredTransport>> Cluster::transport() {
  return read<DesiredTransport>(bus_, kTransportKeyName);
}

tl::expected<std::uint64_t, WriteError> Cluster::put_transport(
    const DesiredTransport& transport, std::optional<std::uint64_t> expected_revision) {
  return bus_.put(kDesired, kTransportKeyName, encode(transport), expected_revision);
}

std::unique_ptr<Subscription> Cluster::watch_transport(
    std::function<void(const DesiredTransport&)> callback) {
  return watch_value<DesiredTransport>(bus_, kTransportKeyName, std::move(callback));
}

Result<void> Cluster::put_desk(const Desk& desk) {
  const auto written = bus_.put(kDesired, kDeskKeyName, encode(desk));
  if (!written) return tl::unexpected(Error{written.error().message});
  return {};
}

std::string Cluster::gap_to_desk(const std::string& who) {
  const auto desk = read<Desk>(bus_, kDeskKeyName);
  return desk ? gap_between(who, desk->value) : "";
}

std::unique_ptr<Subscription> Cluster::watch_gap_to_desk(
    std::string who, std::function<void(const std::string&)> callback) {
  return watch_value<Desk>(
      bus_, kDeskKeyName, [who = std::move(who), callback = std::move(callback)](const Desk& desk) {
        callback(gap_between(who, desk));
      });
}

Result<AlertsSeen> Cluster::alerts_seen() {
  auto known = read_alerts_seen(bus_);
  SUBMIX_TRY(known);
  return std::move(known->value);
}

Result<void> Cluster::change_alerts_seen(const std::vector<std::string>& seen,
                                         const std::vector<std::string>& over) {
  for (int attempt = 1;; ++attempt) {
    const auto known = read_alerts_seen(bus_);
    SUBMIX_TRY(known);
    auto wanted = known->value;
    change(wanted.things, seen, over);
    if (wanted == known->value) return {};
    const auto written = bus_.put(kDesired, kAlertsSeenKeyName, encode(wanted), known->revision);
    if (written) return {};
    if (!written.error().is_conflict || attempt == kAttemptsMax)
      return tl::unexpected(Error{written.error().message});
  }
}

std::unique_ptr<Subscription> Cluster::watch_alerts_seen(
    std::function<void(const AlertsSeen&)> callback) {
  return watch_value<AlertsSeen>(bus_, kAlertsSeenKeyName, std::move(callback));
}

Result<std::uint64_t> Cluster::put_report(const NodeReport& report) {
  const auto written = bus_.put(kReported, report.node, encode(report));
  if (!written) {
    complain_of_lost_report(bus_, written.error().message);
    return tl::unexpected(Error{written.error().message});
  }
  return *written;
}

Result<bool> Cluster::forget_report(std::string_view node) {
  const auto known = bus_.get(kReported, node);
  SUBMIX_TRY(known);
  if (!*known) return false;
  SUBMIX_TRY(bus_.remove(kReported, node));
  return true;
}

Result<void> Cluster::put_sign_of_life(std::string_view node) {
  const auto written = bus_.put(kAlive, node, "alive");
  if (!written) return tl::unexpected(Error{written.error().message});
  return {};
}

Result<std::optional<std::chrono::milliseconds>> Cluster::silence_of(std::string_view node) {
  const auto sign = bus_.get(kAlive, node);
  SUBMIX_TRY(sign);
  if (!*sign) return std::nullopt;
  SUBMIX_TRY(put_sign_of_life(kServersTime));
  const auto now = bus_.get(kAlive, kServersTime);
  SUBMIX_TRY(now);
  if (!*now) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::milliseconds>((*now)->written - (*sign)->written);
}

// Others may write the same key between the two calls. Their entry is a reading, too: the server
// wrote it before it answered the second call.
Result<ClockReading> Cluster::read_clock(const Clock& clock) {
  ClockReading reading{.sent = clock.now()};
  const auto written = bus_.put(kAlive, kServersTime, "alive");
  if (!written) return tl::unexpected(Error{written.error().message});
  reading.received = clock.now();

  const auto entry = bus_.get(kAlive, kServersTime);
  SUBMIX_TRY(entry);
  if (!*entry) return fail("the cluster's clock: NATS does not keep what it was given; try again");
  if ((*entry)->revision != *written) reading.received = clock.now();
  reading.time = (*entry)->written;
  return reading;
}

std::unique_ptr<Subscription> Cluster::watch_reports(
    std::function<void(const NodeReport&)> callback) {
  return watch_revisioned_reports(
      [callback = std::move(callback)](const Revisioned<NodeReport>& report) {
        callback(report.value);
      });
}

std::unique_ptr<Subscription> Cluster::watch_revisioned_reports(
    std::function<void(const Revisioned<NodeReport>&)> callback) {
  auto take = [callback = std::move(callback)](const BucketEntry& entry) {
    deliver<NodeReport>(entry.value, entry.key, [&](NodeReport report) {
      if (report.node != entry.key) return complain(entry.key, "it speaks for another node");
      callback({std::move(report), entry.revision});
    });
  };
  return bus_.watch(std::string(kReported), std::string(kAllKeys), std::move(take));
}

void Cluster::publish(const telemetry::NodeReading& reading) {
  bus_.publish(subject_of(kTelemetry, reading.node), encode(reading));
}

void Cluster::publish(const Event& event) {
  bus_.publish(subject_of(kEvent, event.node), encode(event));
}

void Cluster::publish(const HeardSound& heard) {
  bus_.publish(subject_of(kSound, heard.node), encode(heard));
}

std::unique_ptr<Subscription> Cluster::subscribe_readings(
    std::function<void(const telemetry::NodeReading&)> callback) {
  return subscribe<telemetry::NodeReading>(bus_, kTelemetry, std::move(callback));
}

std::unique_ptr<Subscription> Cluster::subscribe_events(
    std::function<void(const Event&)> callback) {
  return subscribe<Event>(bus_, kEvent, std::move(callback));
}

std::unique_ptr<Subscription> Cluster::subscribe_sound(
    std::function<void(const HeardSound&)> callback) {
  return subscribe<HeardSound>(bus_, kSound, std::move(callback));
}

}  // namespace submix::cluster
