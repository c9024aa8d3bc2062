// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"
#include "common/cluster/identity.hpp"
#include "common/cluster/key_message.hpp"
#include "common/cluster/rights.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace submix::pairing {

/// A PC that has joined this desk by code.
struct Peer {
  std::string name;           ///< differs from those of all others; see add_peer()
  std::string address;        ///< from which it joined
  std::int64_t joined_s = 0;  ///< since 1970
  cluster::PublicKey key{};
  cluster::Rights rights = cluster::Rights::everything;
  std::vector<std::string> nodes{};  ///< as which it may speak; without rights to everything

  friend bool operator==(const Peer&, const Peer&) = default;
};

/// When it joined, in this PC's time: "2026-11-28 14:03".
[[nodiscard]] std::string joined_text(const Peer& peer);

/// What a desk remembers of its show. The present key and its number are in the membership.
struct PeerList {
  std::vector<Peer> peers{};
  /// A PC was shut out, but the NATS server may not have this key yet: somebody must finish.
  std::optional<cluster::NumberedKey> next_key{};
  std::filesystem::path nats_folder{};  ///< of the desk's NATS server

  friend bool operator==(const PeerList&, const PeerList&) = default;
};

/// Adds a PC that joins. It takes the place and the rights of an entry with its key, whose name
/// stays, or of an entry with its name and address. If another PC or the desk has its name, it is
/// listed as "rack1-2". Returns a remark for the desk's person, or none. `desk`: the desk's name.
///
/// Errors   There are cluster::kPeersMax already.
[[nodiscard]] Result<std::string> add_peer(PeerList& list, Peer peer, const std::string& desk);

/// The desk's list in `peers.json`, mode 0600. While an object of this class lives, no other
/// program of this PC changes the file.
///
/// Threads  Compatible. open() waits for other programs, for a few seconds at most.
/// Errors   A file that cannot be read or written, with the remedy.
class PeerBook {
 public:
  [[nodiscard]] static Result<PeerBook> open(const std::filesystem::path& folder);
  /// The same, at once. Empty: another program has it.
  [[nodiscard]] static std::optional<PeerBook> try_open(const std::filesystem::path& folder);
  [[nodiscard]] static std::filesystem::path file_in(const std::filesystem::path& folder);
  /// Without keeping others off. No list yet is an empty one.
  [[nodiscard]] static Result<PeerList> read(const std::filesystem::path& folder);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] Result<PeerList> list() const { return read(folder_); }
  [[nodiscard]] Result<void> write(const PeerList& list) const;

 private:
  PeerBook(std::filesystem::path folder, Descriptor lock)
      : folder_(std::move(folder)), lock_(std::move(lock)) {}

  std::filesystem::path folder_;
  Descriptor lock_;
};

}  // namespace submix::pairing
