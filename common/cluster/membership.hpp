// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/key_message.hpp"
#include "common/cluster/key_question.hpp"
#include "common/cluster/show_key.hpp"

#include <pwd.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace submix::cluster {

/// The desk whose shows this PC takes part in. `submix join` writes it, so that no program needs an
/// address or a key on its command line.
struct Membership {
  std::string desk;                ///< the desk's host name, for people
  std::string nats_url;            ///< as BusSettings::url
  std::filesystem::path key_file;  ///< mode 0600
  bool is_own = false;             ///< this PC is the desk
  /// Proves messages of the desk. Empty: an older Submix joined; the key never changes.
  std::optional<PublicKey> desk_key{};
  std::uint16_t pairing_port = kPairingPort;
  std::uint64_t key_number = 0;  ///< as NumberedKey::number

  /// A new key of the same desk is no other membership.
  friend bool operator==(const Membership& a, const Membership& b) {
    return a.desk == b.desk && a.nats_url == b.nats_url && a.key_file == b.key_file &&
           a.is_own == b.is_own && a.desk_key == b.desk_key && a.pairing_port == b.pairing_port;
  }
};

/// Where services of the system look when their user has no membership.
inline constexpr const char* kSystemMemberships = "/etc/submix";

/// The membership of this user in config_home(); else the one in `kSystemMemberships`, if this user
/// may read it. Empty: neither.
///
/// Errors   A file that cannot be read, or that is no membership; with the remedy.
[[nodiscard]] Result<std::optional<Membership>> read_membership();
/// The membership in one folder.
[[nodiscard]] Result<std::optional<Membership>> read_membership(
    const std::filesystem::path& folder);

/// Whether write_membership() will succeed there, as far as that can be known. Makes the folder.
///
/// Errors   The folder has a key without a membership: a person put it there. Or it cannot be
///          written.
[[nodiscard]] Result<void> check_place(const std::filesystem::path& folder);
/// Writes `desk.json` and `show.key`, both mode 0600. Replaces an earlier membership.
///
/// Errors   As check_place().
[[nodiscard]] Result<void> write_membership(const std::filesystem::path& folder,
                                            const Membership& membership, const ShowKey& key);
/// Puts a new key of the same desk in the place of the present one.
///
/// Errors   The membership in `folder` is not of `desk` any more, or cannot be written.
[[nodiscard]] Result<void> store_key(const std::filesystem::path& folder, const PublicKey& desk,
                                     const NumberedKey& key);
/// The file by whose state one sees that somebody has joined or left.
[[nodiscard]] std::filesystem::path membership_file(const std::filesystem::path& folder);
/// What a person types to leave the membership in `folder`.
[[nodiscard]] const char* leave_command(const std::filesystem::path& folder);
/// Gives the membership's files to another user; only root may.
[[nodiscard]] Result<void> give_membership(const std::filesystem::path& folder, const passwd& user);
/// Removes the membership. The key stays as kept_key_file(), this PC's identity as it is. A desk's
/// identity goes, too: PCs that join later join another desk.
[[nodiscard]] Result<void> remove_membership(const std::filesystem::path& folder);
[[nodiscard]] std::filesystem::path kept_key_file(const std::filesystem::path& folder);

/// Fills in a membership's address and key where a person named neither of them. Returns the
/// membership if it is used.
///
/// Errors   As read_membership().
[[nodiscard]] Result<std::optional<Membership>> use_membership(std::string& nats_url,
                                                               std::filesystem::path& key_file);

}  // namespace submix::cluster
