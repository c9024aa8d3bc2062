// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/stream_keys.hpp"

namespace submix::link {

void StreamKeys::use(const wire::Key& key, LocalTime now) {
  if (key == used_) return;
  former_ = used_;
  former_ends_ = now + kFormerKeyGrace;
  used_ = key;
}

bool StreamKeys::is_valid(const wire::Key& key, LocalTime now) const {
  return key == used_ || key == offered_ || (key == former_ && now < former_ends_);
}

std::optional<wire::Key> StreamKeys::signer(std::string_view node, std::string_view role,
                                            std::span<const std::uint8_t> message,
                                            LocalTime now) const {
  for (const auto& key : {std::optional(used_), offered_, former_}) {
    if (key && is_valid(*key, now) && wire::is_signed(key_with(node, *key), role, {}, message))
      return key;
  }
  return std::nullopt;
}

void StreamKeys::set_partner(const std::string& node, const std::optional<wire::Key>& secret) {
  partners_[node] = secret;
}

bool StreamKeys::may_send(std::string_view node) const {
  return !takes_partners_only_ || partners_.contains(node);
}

wire::Key StreamKeys::key_with(std::string_view node, const wire::Key& show_key) const {
  const auto partner = partners_.find(node);
  if (partner == partners_.end() || !partner->second) return show_key;
  return wire::bind(show_key, *partner->second);
}

}  // namespace submix::link
