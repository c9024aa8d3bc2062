// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/picture_shelf.hpp"

#include "common/cluster/codec.hpp"

#include <algorithm>
#include <utility>

namespace submix::cluster {
namespace {

std::size_t parts_of(const std::string& reply) {
  return (reply.size() + kTracePartBytes - 1) / kTracePartBytes;
}

}  // namespace

std::string PictureShelf::keep(const Command& command, std::string reply) {
  if (parts_of(reply) > kTracePartsMax) {
    return encode_reply(Result<TracePart>(
        fail("a picture of {} bytes is more than is sent ({}); ask for a smaller one with --width",
             reply.size(), kTracePartsMax * kTracePartBytes)));
  }
  if (kept_.size() == kPicturesMax) kept_.pop_front();
  kept_.push_back({command.token, std::move(reply)});
  return part(command);
}

std::string PictureShelf::part(const Command& command) {
  const auto found = std::ranges::find(kept_, command.token, &KeptPicture::token);
  if (found == kept_.end())
    return encode_reply(
        Result<TracePart>(fail("the picture is not kept any more; ask for it again")));
  const auto parts = parts_of(found->reply);
  if (command.part >= parts) {
    return encode_reply(
        Result<TracePart>(fail("the picture has {} parts, and no part {}", parts, command.part)));
  }
  const auto begin = std::size_t{command.part} * kTracePartBytes;
  auto reply = encode_reply(
      TracePart{static_cast<std::uint32_t>(parts), found->reply.substr(begin, kTracePartBytes)});
  if (command.part + 1 == parts) kept_.erase(found);
  return reply;
}

}  // namespace submix::cluster
