// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/cluster.hpp"

#include "common/base/log.hpp"
#include "common/cluster/codec.hpp"

#include <random>
#include <utility>
#include <vector>

namespace submix::cluster {
namespace {

constexpr std::string_view kDesired = "submix-desired";
constexpr std::string_view kReported = "submix-reported";
constexpr std::string_view kShowKeyName = "show";
constexpr std::string_view kTransportKeyName = "transport";
constexpr std::string_view kAllKeys = ">";

std::string subject_of(std::string_view kind, std::string_view node) {
  return fmt::format("submix.{}.{}", kind, node);
}

// Each kind has a subject of its own, and so a thread that answers: no picture waits for a list of plugins.
std::string command_subject(CommandKind kind, std::string_view node) {
  switch (kind) {
    case CommandKind::snapshot:
      return subject_of("command.snapshot", node);
    case CommandKind::plugins:
      return subject_of("command.plugins", node);
    case CommandKind::trace:
      break;
  }
  return subject_of("command.trace", node);
}

struct Services : Subscription {
  std::vector<std::unique_ptr<Subscription>> services;
};

// What a foreign hand wrote into the cluster must not stop anybody.
template <typename Message, typename Callback>
void deliver(std::string_view bytes, std::string_view from, const Callback& callback) {
  auto message = decode<Message>(bytes);
  if (!message) return log::warning("{}: not understood: {}", from, message.error().message);
  callback(*std::move(message));
}

template <typename Message>
Result<Revisioned<Message>> read(Bus& bus, std::string_view key) {
  const auto entry = bus.get(kDesired, key);
  if (!entry) return tl::unexpected(entry.error());
  if (!*entry) return Revisioned<Message>{};
  auto message = decode<Message>((*entry)->value);
  if (!message) return fail("{}/{}: not understood: {}", kDesired, key, message.error().message);
  return Revisioned<Message>{*std::move(message), (*entry)->revision};
}

template <typename Message>
std::unique_ptr<Subscription> subscribe(Bus& bus, std::string_view kind,
                                        std::function<void(const Message&)> callback) {
  auto subject = subject_of(kind, kAllKeys);
  return bus.subscribe(subject, [subject, callback = std::move(callback)](std::string_view bytes) {
    deliver<Message>(bytes, subject, callback);
  });
}

// The picture, or why it cannot be sent.
std::string fitting(std::string reply, std::size_t bytes_max) {
  if (bytes_max == 0 || reply.size() <= bytes_max) return reply;
  return encode_reply(
      Result<Snapshot>(fail("a picture of {} bytes is more than NATS takes in one message ({}); ask for a "
                            "smaller one with --width, or start "
                            "NATS with \"submix nats\"",
                            reply.size(), bytes_max)));
}

std::string encode_reply(const Result<Reply>& reply) {
  if (!reply) return cluster::encode_reply(Result<Snapshot>(tl::unexpected(reply.error())));
  if (const auto* snapshot = std::get_if<Snapshot>(&*reply)) return cluster::encode_reply(*snapshot);
  if (const auto* part = std::get_if<TracePart>(&*reply)) return cluster::encode_reply(*part);
  return cluster::encode_reply(std::get<std::vector<PluginSummary>>(*reply));
}

/// A word that nobody else asks with.
std::string new_token() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace

Result<Revisioned<DesiredShow>> Cluster::show() {
  return read<DesiredShow>(bus_, kShowKeyName);
}

tl::expected<std::uint64_t, WriteError> Cluster::put_show(const DesiredShow& desired,
                                                          std::optional<std::uint64_t> expected_revision) {
  auto written = bus_.put(kDesired, kShowKeyName, encode(desired), expected_revision);
  if (written || !written.error().is_conflict) return written;
  const auto now = show();
  written.error().message =
      now ? fmt::format(
                "the show was changed meanwhile: it is at revision {}, written by {}, and not at {} any more",
                now->revision, now->value.author.empty() ? "somebody" : now->value.author, *expected_revision)
          : "the show was changed meanwhile";
  return written;
}

std::unique_ptr<Subscription> Cluster::watch_show(
    std::function<void(const Revisioned<DesiredShow>&)> callback) {
  return bus_.watch(
      std::string(kDesired), std::string(kShowKeyName), [callback = std::move(callback)](const Entry& entry) {
        deliver<DesiredShow>(entry.value, entry.key,
                             [&](DesiredShow show) { callback({std::move(show), entry.revision}); });
      });
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
  return bus_.watch(std::string(kDesired), std::string(kTransportKeyName),
                    [callback = std::move(callback)](const Entry& entry) {
                      deliver<DesiredTransport>(entry.value, entry.key, callback);
                    });
}

Result<void> Cluster::put_report(const NodeReport& report) {
  const auto written = bus_.put(kReported, report.node, encode(report));
  if (!written) return tl::unexpected(Error{written.error().message});
  return {};
}

std::unique_ptr<Subscription> Cluster::watch_reports(std::function<void(const NodeReport&)> callback) {
  return bus_.watch(std::string(kReported), std::string(kAllKeys),
                    [callback = std::move(callback)](const Entry& entry) {
                      deliver<NodeReport>(entry.value, entry.key, callback);
                    });
}

void Cluster::publish(const telemetry::NodeReading& reading) {
  bus_.publish(subject_of("telemetry", reading.node), encode(reading));
}

void Cluster::publish(const Event& event) {
  bus_.publish(subject_of("event", event.node), encode(event));
}

std::unique_ptr<Subscription> Cluster::subscribe_readings(
    std::function<void(const telemetry::NodeReading&)> callback) {
  return subscribe<telemetry::NodeReading>(bus_, "telemetry", std::move(callback));
}

std::unique_ptr<Subscription> Cluster::subscribe_events(std::function<void(const Event&)> callback) {
  return subscribe<Event>(bus_, "event", std::move(callback));
}

std::unique_ptr<Subscription> Cluster::serve_commands(std::string_view node,
                                                      std::function<Result<Reply>(const Command&)> answer) {
  const auto serve = [this, answer = std::move(answer)](std::string_view bytes) {
    const auto command = decode<Command>(bytes);
    const auto reply = command ? answer(*command) : Result<Reply>(tl::unexpected(command.error()));
    return fitting(encode_reply(reply), bus_.payload_bytes_max());
  };
  auto all = std::make_unique<Services>();
  for (const auto kind : {CommandKind::snapshot, CommandKind::plugins, CommandKind::trace})
    all->services.push_back(bus_.serve(command_subject(kind, node), serve));
  return all;
}

Result<std::string> Cluster::request(std::string_view node, const Command& command,
                                     std::chrono::milliseconds patience) {
  auto reply = bus_.request(command_subject(command.kind, node), encode(command), patience);
  if (!reply)
    return fail("node \"{}\" does not answer: {}; \"submix status\" shows who is there", node,
                reply.error().message);
  return reply;
}

// A picture of no submix is answered soon: there is none.
bool Cluster::is_there(std::string_view node, std::chrono::milliseconds patience) {
  return request(node, {CommandKind::snapshot, {}, {}, 0}, patience).has_value();
}

Result<Snapshot> Cluster::request_snapshot(std::string_view node, const Command& command,
                                           std::chrono::milliseconds patience) {
  const auto reply = request(node, command, patience);
  if (!reply) return tl::unexpected(reply.error());
  auto snapshot = decode_snapshot_reply(*reply);
  if (!snapshot) return fail("node \"{}\": {}", node, snapshot.error().message);
  return snapshot;
}

Result<std::vector<PluginSummary>> Cluster::request_plugins(std::string_view node,
                                                            std::chrono::milliseconds patience) {
  const auto reply = request(node, {CommandKind::plugins, {}, {}, 0}, patience);
  if (!reply) return tl::unexpected(reply.error());
  auto plugins = decode_plugins_reply(*reply);
  if (!plugins) return fail("node \"{}\": {}", node, plugins.error().message);
  return plugins;
}

Result<std::string> Cluster::request_trace(std::string_view node, std::chrono::seconds look_back,
                                           std::chrono::milliseconds patience) {
  Command command;
  command.kind = CommandKind::trace;
  command.token = new_token();
  command.seconds = static_cast<std::uint32_t>(look_back.count());
  std::string text;
  for (std::uint32_t parts = 1; command.part < parts; ++command.part) {
    const auto reply = request(node, command, patience);
    if (!reply) return tl::unexpected(reply.error());
    const auto part = decode_trace_reply(*reply);
    if (!part) return fail("node \"{}\": {}", node, part.error().message);
    parts = part->parts;
    text += part->text;
  }
  return text;
}

}  // namespace submix::cluster
