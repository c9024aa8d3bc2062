// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/wire/seal.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace submix::link {

/// How long a receiver accepts the former key. By then all nodes use the new key: the server proves
/// it to all of them within a few tenths of a second.
inline constexpr std::chrono::milliseconds kFormerKeyGrace{1000};

/// The keys by which a node's links prove themselves. Of the show's keys one is used, and others
/// are valid besides while it changes. Where the PCs of two nodes have identities, the show's key
/// is bound to both: then no third PC that has the show's key can pretend to be one of them.
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
  /// The valid key of the show by which `node` has signed a message; empty: by none.
  [[nodiscard]] std::optional<wire::Key> signer(std::string_view node, std::string_view role,
                                                std::span<const std::uint8_t> message,
                                                LocalTime now) const;

  /// What the PCs of this node and of `node` share by their identities. Empty: one PC has none.
  void set_partner(const std::string& node, const std::optional<wire::Key>& secret);
  /// From now on nobody sends who has not been set.
  void take_partners_only() { takes_partners_only_ = true; }
  [[nodiscard]] bool may_send(std::string_view node) const;
  /// The key of links with `node`, of one of the show's keys.
  [[nodiscard]] wire::Key key_with(std::string_view node, const wire::Key& show_key) const;

 private:
  wire::Key used_;
  std::optional<wire::Key> offered_;
  std::optional<wire::Key> former_;
  LocalTime former_ends_{};
  std::map<std::string, std::optional<wire::Key>, std::less<>> partners_;  // by node
  bool takes_partners_only_ = false;
};

}  // namespace submix::link
