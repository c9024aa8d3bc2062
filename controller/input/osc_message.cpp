// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/osc_message.hpp"

#include <lo/lo.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>

namespace submix::input {
namespace {

constexpr int kBundlesDeepMax = 4;
constexpr std::size_t kMessagesMax = 1024;  // of one datagram
constexpr std::size_t kArgumentsMax = 64;
constexpr std::size_t kStarsMax = 4;  // of one pattern: matching tries each way to place them
constexpr std::string_view kBundle("#bundle\0", 8);
constexpr std::size_t kTimetagBytes = 8;
constexpr std::string_view kReserved = " #*,/?[]{}";

struct FreeMessage {
  void operator()(lo_message message) const { lo_message_free(message); }
};
using Message = std::unique_ptr<std::remove_pointer_t<lo_message>, FreeMessage>;

// OSC aligns all types to four bytes.
template <typename Number>
Number number_at(const void* data) {
  Number number{};
  std::memcpy(&number, data, sizeof number);
  return number;
}

std::int32_t nearest_int32(std::int64_t number) {
  using Limits = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(number, Limits::min(), Limits::max()));
}

// `data` is null for types without data: true, false, infinitum.
void add_argument(std::vector<OscArgument>& arguments, char type, const void* data) {
  switch (type) {
    case LO_INT32:
      arguments.emplace_back(number_at<std::int32_t>(data));
      break;
    case LO_INT64:
      arguments.emplace_back(nearest_int32(number_at<std::int64_t>(data)));
      break;
    case LO_FLOAT:
      arguments.emplace_back(number_at<float>(data));
      break;
    case LO_DOUBLE:
      arguments.emplace_back(static_cast<float>(number_at<double>(data)));
      break;
    case LO_STRING:
    case LO_SYMBOL:
      arguments.emplace_back(std::string(static_cast<const char*>(data)));
      break;
    case LO_TRUE:
      arguments.emplace_back(true);
      break;
    case LO_FALSE:
      arguments.emplace_back(false);
      break;
    case LO_CHAR:
      arguments.emplace_back(number_at<std::int32_t>(data));
      break;
    case LO_INFINITUM:
      arguments.emplace_back(1.0F);
      break;
    default:
      break;
  }
}

Result<OscMessage> decode_message(std::string_view bytes) {
  const auto end = bytes.find('\0');
  if (!bytes.starts_with('/') || end == std::string_view::npos)
    return fail("it has no address that begins with \"/\"");
  std::string copy(bytes);  // liblo writes into the bytes that it reads
  int code = 0;
  const Message message(lo_message_deserialise(copy.data(), copy.size(), &code));
  if (message == nullptr) return fail("liblo refuses it (code {})", code);
  const auto count = static_cast<std::size_t>(lo_message_get_argc(message.get()));
  if (count > kArgumentsMax) return fail("{} arguments are more than {}", count, kArgumentsMax);
  OscMessage decoded{std::string(bytes.substr(0, end))};
  const char* types = lo_message_get_types(message.get());
  auto* const* values = lo_message_get_argv(message.get());
  for (std::size_t i = 0; i < count; ++i)
    add_argument(decoded.arguments, types[i], values[i]);
  return decoded;
}

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (const char byte : bytes.substr(0, 4))
    number = (number << 8) | static_cast<unsigned char>(byte);
  return number;
}

Result<void> decode_into(std::vector<OscMessage>& messages, std::string_view bytes, int depth) {
  if (!bytes.starts_with(kBundle)) {
    auto message = decode_message(bytes);
    SUBMIX_TRY(message);
    if (messages.size() >= kMessagesMax)
      return fail("it holds more than {} messages", kMessagesMax);
    messages.push_back(*std::move(message));
    return {};
  }
  if (depth >= kBundlesDeepMax || bytes.size() < kBundle.size() + kTimetagBytes)
    return fail("its bundles are cut off or more than {} deep", kBundlesDeepMax);
  bytes.remove_prefix(kBundle.size() + kTimetagBytes);
  while (!bytes.empty()) {
    const std::size_t size = bytes.size() >= 4 ? big_endian(bytes) : bytes.size();
    if (size > bytes.size() - std::min<std::size_t>(4, bytes.size()))
      return fail("its bundle is cut off");
    if (auto part = decode_into(messages, bytes.substr(4, size), depth + 1); !part) return part;
    bytes.remove_prefix(4 + size);
  }
  return {};
}

struct AddTo {
  lo_message message;

  void operator()(bool on) const { lo_message_add_int32(message, on ? 1 : 0); }
  void operator()(std::int32_t number) const { lo_message_add_int32(message, number); }
  void operator()(float number) const { lo_message_add_float(message, number); }
  void operator()(const std::string& text) const { lo_message_add_string(message, text.c_str()); }
};

}  // namespace

Result<OscPeer> parse_peer(std::string_view text) {
  const auto peer = parse_host_port(text);
  if (!peer || peer->port == 0)
    return fail("\"{}\" is no address; write HOST:PORT, e.g. 127.0.0.1:9000", text.substr(0, 60));
  return *peer;
}

Result<std::vector<OscMessage>> decode_osc(std::string_view datagram) {
  std::vector<OscMessage> messages;
  const auto decoded = decode_into(messages, datagram, 0);
  if (!decoded)
    return fail("a datagram of {} bytes is no OSC: {}", datagram.size(), decoded.error().message);
  return messages;
}

std::string encode_osc(const OscMessage& message) {
  const Message built(lo_message_new());
  for (const auto& argument : message.arguments)
    std::visit(AddTo{built.get()}, argument);
  std::string bytes(lo_message_length(built.get(), message.address.c_str()), '\0');
  lo_message_serialise(built.get(), message.address.c_str(), bytes.data(), nullptr);
  return bytes;
}

std::optional<double> number_of(const OscArgument& argument) {
  if (const auto* number = std::get_if<float>(&argument)) return *number;
  if (const auto* number = std::get_if<std::int32_t>(&argument)) return *number;
  if (const auto* on = std::get_if<bool>(&argument)) return *on ? 1 : 0;
  return std::nullopt;
}

std::vector<std::string_view> osc_parts(std::string_view address) {
  std::vector<std::string_view> parts;
  if (!address.starts_with('/')) return parts;
  for (std::size_t begin = 1; begin <= address.size();) {
    const auto end = std::min(address.find('/', begin), address.size());
    parts.push_back(address.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string osc_name(std::string_view name) {
  std::string written(name);
  std::ranges::replace_if(
      written, [](char c) { return kReserved.find(c) != std::string_view::npos; }, '_');
  return written;
}

bool is_osc_pattern(std::string_view text) {
  return text.find_first_of("*?[{") != std::string_view::npos;
}

bool osc_matches(std::string_view pattern, std::string_view name) {
  const auto written = osc_name(name);
  if (!is_osc_pattern(pattern)) return pattern == written;
  if (static_cast<std::size_t>(std::ranges::count(pattern, '*')) > kStarsMax) return false;
  return lo_pattern_match(written.c_str(), std::string(pattern).c_str()) != 0;
}

}  // namespace submix::input
