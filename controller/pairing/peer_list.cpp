// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/peer_list.hpp"

#include "common/base/files.hpp"
#include "common/base/plain_text.hpp"
#include "common/cluster/key_message.hpp"
#include "common/cluster/names.hpp"
#include "common/show/text.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/file.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <thread>
#include <utility>

namespace submix::pairing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kListBytesMax = std::size_t{1} << 20;
constexpr std::int64_t kJoinedMax = 253'402'300'799;  // the last second of the year 9999
constexpr unsigned kListMode = 0600;
// Longer than a removal takes.
constexpr std::chrono::seconds kLockPatience{8};
constexpr std::chrono::milliseconds kLockPause{20};

Json to_json(const Peer& peer) {
  return {{"name", peer.name},
          {"address", peer.address},
          {"joined", peer.joined_s},
          {"key", cluster::to_text(peer.key)},
          {"rights", cluster::name_of(peer.rights)},
          {"nodes", peer.nodes}};
}

std::string text_in(const Json& object, const char* field) {
  const auto found = object.find(field);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// A list that an older Submix wrote has none of them.
std::optional<cluster::Rights> read_rights(const Json& object) {
  if (!object.contains("rights")) return cluster::Rights::everything;
  return cluster::parse_rights(text_in(object, "rights"));
}

std::vector<std::string> read_nodes(const Json& object) {
  std::vector<std::string> nodes;
  const auto found = object.find("nodes");
  if (found == object.end() || !found->is_array()) return nodes;
  for (const auto& node : *found) {
    if (node.is_string() && show::is_name(node.get<std::string>())) nodes.push_back(node);
  }
  return nodes;
}

Result<Peer> read_peer(const Json& object) {
  if (!object.is_object()) return fail("a PC is no JSON object");
  const auto key = cluster::parse_public_key(text_in(object, "key"));
  const auto rights = read_rights(object);
  Peer peer{text_in(object, "name"), text_in(object, "address"), 0, {}};
  if (peer.name.empty() || !is_one_plain_line(peer.name)) return fail("a PC has no plain name");
  if (!key) return fail("{}: its key is not 64 hexadecimal digits", peer.name);
  if (!rights) return fail("{}: its rights are not everything, render or watch", peer.name);
  peer.key = *key;
  peer.rights = *rights;
  peer.nodes = read_nodes(object);
  if (const auto joined = object.find("joined"); joined != object.end() && joined->is_number())
    peer.joined_s = std::clamp<std::int64_t>(joined->get<std::int64_t>(), 0, kJoinedMax);
  return peer;
}

Result<Json> parse_json(const std::string& text) try {
  return Json::parse(text);
} catch (const Json::parse_error& error) {
  const auto before = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
  return fail("line {} is no JSON", 1 + std::count(text.begin(), before, '\n'));
}

Result<PeerList> parse_list(const std::string& text) {
  const auto object = parse_json(text);
  SUBMIX_TRY(object);
  if (!object->is_object() || !object->contains("peers") || !object->at("peers").is_array())
    return fail("it has no list \"peers\"");
  PeerList list;
  list.nats_folder = text_in(*object, "nats_folder");
  for (const auto& each : object->at("peers")) {
    auto peer = read_peer(each);
    SUBMIX_TRY(peer);
    list.peers.push_back(*std::move(peer));
  }
  if (!object->contains("next_key")) return list;
  const auto next = cluster::ShowKey::parse(text_in(*object, "next_key"));
  if (!next) return fail("its next_key: {}", next.error().message);
  const auto number = object->find("next_number");
  if (number == object->end() || !number->is_number_unsigned())
    return fail("its next_key has no next_number");
  list.next_key = cluster::NumberedKey{*next, number->get<std::uint64_t>()};
  return list;
}

Result<PeerList> read_list(const fs::path& file) {
  const auto text = read_text_file(file, kListBytesMax);
  SUBMIX_TRY(text);
  auto list = parse_list(*text);
  if (!list) return fail("{}: {}", file.string(), list.error().message);
  return list;
}

Result<Descriptor> open_lock(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  const auto file = folder / "peers.lock";
  Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kListMode));
  if (!lock) return fail("{}: cannot be opened: {}", file.string(), std::strerror(errno));
  return lock;
}

bool try_lock(const Descriptor& lock) {
  return ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
}

std::string free_name(const PeerList& list, const std::string& name) {
  for (int i = 2;; ++i) {
    auto numbered = fmt::format("{}-{}", name, i);
    if (std::ranges::find(list.peers, numbered, &Peer::name) == list.peers.end()) return numbered;
  }
}

/// A PC that joins anew may do what it might before.
void replace(Peer& entry, Peer peer) {
  peer.rights = entry.rights;
  peer.nodes = std::move(entry.nodes);
  entry = std::move(peer);
}

}  // namespace

std::string joined_text(const Peer& peer) {
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(peer.joined_s)));
}

Result<std::string> add_peer(PeerList& list, Peer peer, const std::string& desk) {
  const auto known = std::ranges::find(list.peers, peer.key, &Peer::key);
  if (known != list.peers.end()) {
    peer.name = known->name;
    replace(*known, std::move(peer));
    return "again: its entry is renewed";
  }
  const auto has_name = [&](const Peer& other) { return other.name == peer.name; };
  const auto place = std::ranges::find_if(list.peers, [&](const Peer& other) {
    return has_name(other) && other.address == peer.address;
  });
  if (place != list.peers.end()) {
    replace(*place, std::move(peer));
    return "again: it takes the place of the PC of this name and address";
  }
  if (list.peers.size() >= cluster::kPeersMax)
    return fail("{} PCs have joined already; `submix peers remove NAME` makes room",
                list.peers.size());
  const bool is_taken = peer.name == desk || std::ranges::any_of(list.peers, has_name);
  const auto wanted = peer.name;
  if (is_taken) peer.name = free_name(list, wanted);
  list.peers.push_back(std::move(peer));
  if (!is_taken) return "";
  return fmt::format("; another PC is called {}: this one is listed as {}", wanted,
                     list.peers.back().name);
}

Result<PeerBook> PeerBook::open(const fs::path& folder) {
  auto lock = open_lock(folder);
  SUBMIX_TRY(lock);
  const auto deadline = std::chrono::steady_clock::now() + kLockPatience;
  while (!try_lock(*lock)) {
    if (std::chrono::steady_clock::now() > deadline)
      return fail("{}: another program has been changing this list for {} s; end it",
                  file_in(folder).string(), kLockPatience.count());
    std::this_thread::sleep_for(kLockPause);
  }
  return PeerBook(folder, *std::move(lock));
}

std::optional<PeerBook> PeerBook::try_open(const fs::path& folder) {
  auto lock = open_lock(folder);
  if (!lock || !try_lock(*lock)) return std::nullopt;
  return PeerBook(folder, *std::move(lock));
}

fs::path PeerBook::file_in(const fs::path& folder) {
  return folder / "peers.json";
}

// A link that leads nowhere is no missing list.
Result<PeerList> PeerBook::read(const fs::path& folder) {
  std::error_code error;
  const auto file = file_in(folder);
  if (fs::symlink_status(file, error).type() == fs::file_type::not_found) return PeerList();
  auto list = read_list(file);
  if (list) return list;
  return fail(
      "the desk's list of PCs cannot be read: {}; mend it, or move it away: then each PC that has "
      "the "
      "show's key may do everything",
      list.error().message);
}

Result<void> PeerBook::write(const PeerList& list) const {
  Json object{{"nats_folder", list.nats_folder.string()}, {"peers", Json::array()}};
  for (const auto& peer : list.peers)
    object["peers"].push_back(to_json(peer));
  if (list.next_key) {
    object["next_key"] = list.next_key->key.text();
    object["next_number"] = list.next_key->number;
  }
  return write_file_atomically(file_in(folder_),
                               object.dump(1, ' ', false, Json::error_handler_t::replace) + "\n",
                               kListMode);
}

}  // namespace submix::pairing
