// SPDX-License-Identifier: GPL-3.0-or-later
// Cluster's commands: requests to nodes, and their answers.
#include "common/cluster/cluster.hpp"

#include "common/cluster/codec.hpp"
#include "common/cluster/names.hpp"
#include "common/cluster/picture_shelf.hpp"
#include "common/cluster/subjects.hpp"
#include "common/show/text.hpp"

#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace submix::cluster {
namespace {

struct ServiceGroup : Subscription {
  std::vector<std::unique_ptr<Subscription>> services;
};

// The picture, or the reason why it cannot be sent to a program that does not fetch parts.
std::string fitting(std::string reply, std::size_t bytes_max) {
  if (bytes_max == 0 || reply.size() <= bytes_max) return reply;
  return encode_reply(Result<Snapshot>(
      fail("a picture of {} bytes is more than NATS takes in one message ({}); ask for a smaller "
           "one with --width, or update the program that asks: newer ones take it in parts",
           reply.size(), bytes_max)));
}

std::string encode_answer(const Result<Reply>& reply) {
  if (!reply) return cluster::encode_reply(Result<Snapshot>(tl::unexpected(reply.error())));
  return std::visit([](const auto& message) { return cluster::encode_reply(message); }, *reply);
}

// Fetches and joins all parts; `reply` carries the first.
Result<std::string> join_parts(std::string_view node, Command command, Result<std::string> reply,
                               const std::function<Result<std::string>(const Command&)>& ask) {
  std::string text;
  for (;;) {
    if (!reply) return reply;
    const auto part = decode_trace_reply(*reply);
    if (!part) return fail("node \"{}\": {}", node, part.error().message);
    text += part->text;
    if (++command.part >= part->parts) return text;
    reply = ask(command);
  }
}

/// The message of a node's reply.
template <typename Message>
Result<Message> decoded(std::string_view node, const Result<std::string>& reply,
                        Result<Message> (*decode_reply)(std::string_view)) {
  SUBMIX_TRY(reply);
  auto message = decode_reply(*reply);
  if (!message) return fail("node \"{}\": {}", node, message.error().message);
  return message;
}

constexpr std::chrono::seconds kMediaPatience(5);

}  // namespace

std::string new_token() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

std::unique_ptr<Subscription> Cluster::serve_commands(
    std::string_view node, std::function<Result<Reply>(const Command&)> answer) {
  // One thread answers for pictures, so the shelf needs no lock.
  const auto serve = [this, answer = std::move(answer),
                      shelf = std::make_shared<PictureShelf>()](std::string_view bytes) {
    const auto command = decode<Command>(bytes);
    const bool takes_parts =
        command && command->kind == CommandKind::snapshot && !command->token.empty();
    if (takes_parts && command->part > 0) return shelf->part(*command);
    auto reply =
        encode_answer(command ? answer(*command) : Result<Reply>(tl::unexpected(command.error())));
    if (takes_parts && reply.size() > kTracePartBytes)
      return shelf->keep(*command, std::move(reply));
    return fitting(std::move(reply), bus_.payload_bytes_max());
  };
  auto all = std::make_unique<ServiceGroup>();
  for (std::size_t kind = 0; kind < names_of(CommandKind()).size(); ++kind)
    all->services.push_back(
        bus_.serve(command_subject(static_cast<CommandKind>(kind), node), serve));
  return all;
}

Result<std::string> Cluster::request(std::string_view node, const Command& command,
                                     std::chrono::milliseconds patience) {
  // NATS would end the connection of a program that uses a subject with a blank.
  if (!show::is_name(node)) return fail("\"{}\" cannot be the name of a node", node);
  auto reply = bus_.request(command_subject(command.kind, node), encode(command), patience);
  if (!reply)
    return fail("node \"{}\" does not answer: {}; \"submix status\" shows who is there", node,
                reply.error().message);
  return *std::move(reply);
}

// Asks for a picture of no submix: the node answers soon, because there is none.
Presence Cluster::presence(std::string_view node, std::chrono::milliseconds patience) {
  const Command command{CommandKind::snapshot, {}, {}, 0};
  const auto reply = bus_.request(command_subject(command.kind, node), encode(command), patience);
  if (reply) return Presence::here;
  switch (reply.error().kind) {
    case RequestError::Kind::absent:
      return Presence::absent;
    case RequestError::Kind::silent:
      return Presence::silent;
    case RequestError::Kind::failed:
      break;
  }
  return Presence::unknown;
}

bool Cluster::is_there(std::string_view node, std::chrono::milliseconds patience) {
  return presence(node, patience) == Presence::here;
}

Result<Snapshot> Cluster::request_snapshot(std::string_view node, const Command& command,
                                           std::chrono::milliseconds patience) {
  auto asked = command;
  asked.token = new_token();
  auto reply = request(node, asked, patience);
  SUBMIX_TRY(reply);
  if (is_part(*reply)) {
    reply = join_parts(node, asked, *std::move(reply),
                       [&](const Command& next) { return request(node, next, patience); });
    SUBMIX_TRY(reply);
  }
  auto snapshot = decode_snapshot_reply(*reply);
  if (!snapshot) return fail("node \"{}\": {}", node, snapshot.error().message);
  return snapshot;
}

Result<std::vector<PluginSummary>> Cluster::request_plugins(std::string_view node,
                                                            std::chrono::milliseconds patience) {
  return decoded(node, request(node, {CommandKind::plugins, {}, {}, 0}, patience),
                 decode_plugins_reply);
}

Result<MediaList> Cluster::request_media(std::string_view node) {
  Command command;
  command.kind = CommandKind::media;
  return decoded(node, request(node, command, kMediaPatience), decode_media_reply);
}

Result<MediaPicture> Cluster::request_media_picture(std::string_view node, const std::string& file,
                                                    double at, std::chrono::milliseconds patience) {
  Command command;
  command.kind = CommandKind::media_picture;
  command.file = file;
  command.at = at;
  return decoded(node, request(node, command, patience), decode_media_picture_reply);
}

Result<Snapshot> Cluster::request_effect_picture(std::string_view node, const show::Port& slot,
                                                 const std::string& plugin,
                                                 std::chrono::milliseconds patience) {
  Command command;
  command.kind = CommandKind::effect_picture;
  command.submix = slot.submix;
  command.slot = slot.slot;
  command.plugin = plugin;
  return decoded(node, request(node, command, patience), decode_snapshot_reply);
}

std::unique_ptr<Subscription> Cluster::give_media(
    std::string_view giver, std::function<Result<MediaPart>(std::uint64_t offset)> answer) {
  return bus_.serve(command_subject(CommandKind::media_part, giver),
                    [answer = std::move(answer)](std::string_view bytes) {
                      const auto command = decode<Command>(bytes);
                      return cluster::encode_reply(command ? answer(command->offset)
                                                           : tl::unexpected(command.error()));
                    });
}

Result<MediaPart> Cluster::request_media_part(std::string_view giver, const std::string& file,
                                              std::uint64_t offset,
                                              std::chrono::milliseconds patience) {
  Command command;
  command.kind = CommandKind::media_part;
  command.file = file;
  command.offset = offset;
  const auto reply = request(giver, command, patience);
  SUBMIX_TRY(reply);
  return decode_media_part_reply(*reply);
}

Result<MediaCopy> Cluster::request_media_copy(std::string_view node, const MediaCopyOrder& order) {
  Command command;
  command.kind = CommandKind::media_copy;
  command.token = order.token;
  command.file = order.file;
  command.from = order.from;
  command.is_stop = order.is_stop;
  return decoded(node, request(node, command, kMediaPatience), decode_media_copy_reply);
}

Result<std::vector<SubmixFault>> Cluster::request_check(std::string_view node,
                                                        const std::string& show,
                                                        std::chrono::milliseconds patience,
                                                        bool is_whole) {
  Command command;
  command.kind = CommandKind::check;
  command.show = show;
  command.is_whole = is_whole;
  return decoded(node, request(node, command, patience), decode_check_reply);
}

Result<std::string> Cluster::request_trace(std::string_view node, std::chrono::seconds look_back,
                                           std::chrono::milliseconds patience) {
  Command command;
  command.kind = CommandKind::trace;
  command.token = new_token();
  command.seconds = static_cast<std::uint32_t>(look_back.count());
  auto first = request(node, command, patience);
  if (!first) return first;
  return join_parts(node, std::move(command), *std::move(first),
                    [&](const Command& next) { return request(node, next, patience); });
}

}  // namespace submix::cluster
