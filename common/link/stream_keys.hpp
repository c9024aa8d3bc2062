// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/wire/seal.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace submix::link {

/// How long a receiver takes the former key: all nodes have left it by then, since the server
/// proves the new key to all of them within a few tenths of a second.
inline constexpr std::chrono::milliseconds kFormerKeyGrace{1000};

/// The keys by which a node's links prove themselves: one that is used, and those that are valid
/// besides while the show's key changes.
///
/// Threads  Confined (net), once the thread has started.
class StreamKeys {
 public:
  explicit StreamKeys(const wire::Key& key) : used_(key) {}

  /// Of new links.
  [[nodiscard]] const wire::Key& used() const { return used_; }
  /// Receivers take this key, too: other nodes may use it before this one. Empty: none.
  void set_offered(const std::optional<wire::Key>& key) { offered_ = key; }
  /// From now on new links use `key`. The former one is valid for kFormerKeyGrace.
  void use(const wire::Key& key, LocalTime now);
  [[nodiscard]] bool is_valid(const wire::Key& key, LocalTime now) const;
  /// The valid key that has signed a message; empty: none has.
  [[nodiscard]] std::optional<wire::Key> signer(std::string_view role,
                                                std::span<const std::uint8_t> message,
                                                LocalTime now) const;

 private:
  wire::Key used_;
  std::optional<wire::Key> offered_;
  std::optional<wire::Key> former_;
  LocalTime former_ends_{};
};

}  // namespace submix::link
