// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/channel.hpp"

#include "node/host/message_bytes.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

// The bytes of a message (message_bytes.hpp): its kind, then a MapView, or the name and value of
// each parameter, or the members of a ReadFile.

namespace submix::host {
namespace {

enum class MessageKind : std::uint32_t { map_view = 1, set_parameters = 2, read_file = 3 };

Result<void> send_bytes(int channel, std::span<const std::byte> bytes,
                        std::optional<int> descriptor) {
  if (bytes.size() > kMessageBytesMax)
    return fail("{} bytes of parameters are more than {}; shorten the texts", bytes.size(),
                kMessageBytesMax);
  iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> extra{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (descriptor) {
    header.msg_control = extra.data();
    header.msg_controllen = extra.size();
    auto* const attached = CMSG_FIRSTHDR(&header);
    attached->cmsg_level = SOL_SOCKET;
    attached->cmsg_type = SCM_RIGHTS;
    attached->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(attached), &*descriptor, sizeof(int));
  }
  if (::sendmsg(channel, &header, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return {};
  return fail("the plugin host takes no messages: {}", std::strerror(errno));
}

Descriptor attached_descriptor(msghdr& header) {
  const auto* const attached = CMSG_FIRSTHDR(&header);
  if (attached == nullptr || attached->cmsg_type != SCM_RIGHTS) return Descriptor();
  int value = -1;
  std::memcpy(&value, CMSG_DATA(attached), sizeof(int));
  return Descriptor(value);
}

}  // namespace

Result<std::pair<Descriptor, Descriptor>> make_channel() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail("no socket for a plugin host: {}", std::strerror(errno));
  return std::pair(Descriptor(ends[0]), Descriptor(ends[1]));
}

std::vector<std::byte> encode(const SetParameters& parameters) {
  MessageWriter writer;
  writer.number(MessageKind::set_parameters);
  for (const auto& [name, value] : parameters.values) {
    writer.text(name);
    writer.value(value);
  }
  return std::move(writer).take();
}

std::vector<std::byte> encode(const ReadFile& file) {
  MessageWriter writer;
  writer.number(MessageKind::read_file);
  writer.text(file.name);
  writer.number(file.fit);
  writer.number(file.series_rate);
  writer.number(std::uint32_t{file.is_sound});
  writer.number(file.sound_track);
  return std::move(writer).take();
}

Result<Message> decode(std::span<const std::byte> bytes) {
  MessageReader reader(bytes);
  Message message;
  const auto kind = reader.number<MessageKind>();
  if (kind == MessageKind::map_view) {
    MapView view;
    view.view = reader.number<std::uint32_t>();
    view.is_writable = reader.number<std::uint32_t>() != 0;
    view.offset_bytes = reader.number<std::uint64_t>();
    view.margin_bytes = reader.number<std::uint32_t>();
    message = view;
  } else if (kind == MessageKind::set_parameters) {
    SetParameters parameters;
    while (reader.is_good() && !reader.is_at_end()) {
      auto name = reader.text();
      parameters.values.insert_or_assign(std::move(name), reader.value());
    }
    message = std::move(parameters);
  } else if (kind == MessageKind::read_file) {
    ReadFile file;
    file.name = reader.text();
    file.fit = reader.number<std::uint32_t>();
    file.series_rate = reader.number<double>();
    file.is_sound = reader.number<std::uint32_t>() != 0;
    file.sound_track = reader.number<std::uint32_t>();
    message = std::move(file);
  } else {
    reader.refuse();
  }
  if (reader.is_good() && reader.is_at_end()) return message;
  return fail("{} bytes are no message of a node to its plugin host", bytes.size());
}

Result<void> send(int channel, const MapView& view, int memory) {
  struct {
    MessageKind kind = MessageKind::map_view;
    std::uint32_t view;
    std::uint32_t is_writable;
    std::uint32_t offset_low, offset_high;
    std::uint32_t margin_bytes;
  } const message{MessageKind::map_view,
                  view.view,
                  view.is_writable ? 1U : 0U,
                  static_cast<std::uint32_t>(view.offset_bytes),
                  static_cast<std::uint32_t>(view.offset_bytes >> 32U),
                  view.margin_bytes};
  static_assert(sizeof(message) == 24, "no gaps");
  return send_bytes(channel, std::as_bytes(std::span(&message, 1)), memory);
}

Result<void> send(int channel, const SetParameters& parameters) {
  return send_bytes(channel, encode(parameters), std::nullopt);
}

Result<void> send(int channel, const ReadFile& file, int descriptor) {
  return send_bytes(channel, encode(file), descriptor);
}

Result<Received> receive(int channel) {
  static std::array<std::byte, kMessageBytesMax> buffer;
  iovec part{buffer.data(), buffer.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> extra{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = extra.data();
  header.msg_controllen = extra.size();
  const auto received = ::recvmsg(channel, &header, MSG_CMSG_CLOEXEC);
  if (received <= 0) return fail("the node is gone");
  auto descriptor = attached_descriptor(header);
  auto message = decode(std::span(buffer).first(static_cast<std::size_t>(received)));
  SUBMIX_TRY(message);
  return Received{std::move(*message), std::move(descriptor)};
}

}  // namespace submix::host
