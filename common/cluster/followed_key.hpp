// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/cluster/key_message.hpp"
#include "common/cluster/membership.hpp"
#include "common/cluster/nats_login.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::cluster {

/// The show's key of a program on a PC that has joined a desk: it changes when the desk shuts a PC
/// out. A new key is first *offered* by the desk; it is *used* once a NATS server has proven it. So
/// no program leaves the old key before the server does.
///
/// Threads  Synchronized. The listener runs on the thread that brings the news, one call at a time.
/// Cost     look_for_newer() blocks for up to two seconds; once a second it asks the network.
class FollowedKey {
 public:
  struct Keys {
    ShowKey used;
    std::optional<ShowKey> offered;  ///< valid besides, and soon used

    friend bool operator==(const Keys&, const Keys&) = default;
  };
  using Listener = std::function<void(const Keys&)>;

  /// `program`: its name for the desk. Empty: a short command, which takes no offers.
  /// Null: `key_file` does not belong to a PC that has joined by code; nobody changes such a key.
  [[nodiscard]] static std::shared_ptr<FollowedKey> of(const std::filesystem::path& key_file,
                                                       std::string program);
  FollowedKey(std::filesystem::path folder, const Membership& membership, const ShowKey& key,
              std::string program);

  [[nodiscard]] Keys keys() const SUBMIX_EXCLUDES(mutex_);
  /// Of this program's PC, for a server with `key`: one for each of the rights it may have there.
  [[nodiscard]] std::vector<NatsLogin> logins(const ShowKey& key) const;
  /// Of this program's PC.
  [[nodiscard]] Result<Identity> identity() const { return Identity::read(folder_); }
  [[nodiscard]] bool takes_offers() const { return !program_.empty(); }
  /// Calls `listener` with the present keys, and whenever they change. Empty: no more.
  void watch(Listener listener) SUBMIX_EXCLUDES(listening_, mutex_);

  /// A message of kKeyOffers. The reply for kKeyReplies; empty: the offer is forged, old, or not
  /// for this PC.
  [[nodiscard]] std::string take_offer(std::string_view offer) SUBMIX_EXCLUDES(listening_, mutex_);
  /// A NATS server has proven `key`. An offered key is used from now on, and stored.
  void note_proven(const ShowKey& key) SUBMIX_EXCLUDES(listening_, mutex_);
  /// The server has another key than these: looks into the PC's file, then asks the desk. Whether
  /// there is now an offered key that was not known before.
  [[nodiscard]] bool look_for_newer() SUBMIX_EXCLUDES(listening_, mutex_);

 private:
  [[nodiscard]] std::optional<NumberedKey> key_in_file() const;
  [[nodiscard]] std::optional<NumberedKey> key_of_desk() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool is_known(const ShowKey& key) const SUBMIX_EXCLUDES(mutex_);
  /// Unless it is known, or its number is not this far ahead of the newest key's.
  bool set_offered(const NumberedKey& key, std::uint64_t ahead) SUBMIX_EXCLUDES(listening_, mutex_);
  void tell() SUBMIX_EXCLUDES(listening_, mutex_);

  const std::filesystem::path folder_;
  const PublicKey desk_;
  const bool is_own_;
  const std::string program_;
  mutable Mutex mutex_;
  NumberedKey used_ SUBMIX_GUARDED_BY(mutex_);
  std::optional<NumberedKey> offered_ SUBMIX_GUARDED_BY(mutex_);
  std::optional<std::chrono::steady_clock::time_point> asked_ SUBMIX_GUARDED_BY(mutex_);
  Mutex listening_;
  Listener listener_ SUBMIX_GUARDED_BY(listening_);
};

}  // namespace submix::cluster
