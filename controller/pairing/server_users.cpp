// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/server_users.hpp"

#include "common/base/files.hpp"
#include "common/base/log.hpp"
#include "controller/pairing/peer_list.hpp"
#include "controller/pairing/peer_rights.hpp"
#include "controller/pairing/roll_call.hpp"

#include <chrono>
#include <utility>

namespace submix::pairing {
namespace {

// Twice this time passes until a mended list is used.
constexpr std::chrono::seconds kListPause{1};

/// Whether a server with `key` is that of this PC's desk, which keeps a list.
Result<bool> has_list(const cluster::ShowKey& key) {
  const auto membership = cluster::read_membership(config_home());
  SUBMIX_TRY(membership);
  if (!*membership || !(*membership)->is_own || !(*membership)->desk_key) return false;
  const auto own = cluster::ShowKey::read((*membership)->key_file);
  SUBMIX_TRY(own);
  return *own == key;
}

/// Tells the server of the list. False: another program changes the list, so it is to be tried
/// again.
Result<bool> let_in(const std::filesystem::path& nats_folder) {
  const auto book = PeerBook::try_open(config_home());
  if (!book) return false;
  const auto desk = read_desk();
  SUBMIX_TRY(desk);
  auto list = book->list();
  SUBMIX_TRY(list);
  list->nats_folder = nats_folder;
  SUBMIX_TRY(book->write(*list));
  SUBMIX_TRY(set_users_of_peers(desk->identity, *list, desk->key.key));
  return true;
}

}  // namespace

Result<ServerUsers> ServerUsers::of_own_desk(const std::optional<cluster::ShowKey>& key) {
  ServerUsers users;
  const auto is_listed = key ? has_list(*key) : Result<bool>(false);
  SUBMIX_TRY(is_listed);
  if (!*is_listed) {
    if (key) users.users_ = {{cluster::shared_login(*key)}};
    return users;
  }
  const auto desk = read_desk();
  SUBMIX_TRY(desk);
  users.list_seen_ = state_of(PeerBook::file_in(config_home()));
  const auto list = PeerBook::read(config_home());
  if (list) {
    users.users_ = nats_users(desk->identity, *list, *key);
    return users;
  }
  users.users_ = {{own_login(desk->identity, *key)}};
  users.problem_ = list.error().message + "; until then only programs of this PC get in";
  log::warning("{}", users.problem_);
  return users;
}

void ServerUsers::look(LocalTime now, const std::filesystem::path& nats_folder) {
  if (problem_.empty() || !is_list_mended(now)) return;
  const auto is_done = let_in(nats_folder);
  if (!is_done) {
    if (is_done.error().message != told_) log::warning("{}", is_done.error().message);
    told_ = is_done.error().message;
  } else if (*is_done) {
    problem_.clear();
    log::warning("the desk's list of PCs can be read again: the PCs get in");  // also in a terminal
  }
}

// A person may be writing the file: it must stay as it is for a while.
bool ServerUsers::is_list_mended(LocalTime now) {
  if (now < next_look_) return false;
  next_look_ = now + kListPause;
  const auto seen = state_of(PeerBook::file_in(config_home()));
  if (std::exchange(list_seen_, seen) != seen) return false;
  return PeerBook::read(config_home()).has_value();
}

}  // namespace submix::pairing
