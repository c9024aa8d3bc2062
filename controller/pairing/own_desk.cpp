// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/own_desk.hpp"

#include "common/base/files.hpp"
#include "common/base/host_name.hpp"
#include "common/base/host_port.hpp"
#include "common/base/log.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/followed_key.hpp"
#include "common/cluster/membership.hpp"
#include "common/cluster/reachable.hpp"
#include "controller/local/nats_server.hpp"
#include "controller/local/own_addresses.hpp"
#include "controller/local/start_nats.hpp"
#include "controller/pairing/peer_list.hpp"
#include "controller/pairing/peer_rights.hpp"
#include "controller/pairing/roll_call.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <vector>

namespace submix::pairing {
namespace {

/// Where the NATS server of this desk answers on this PC.
HostPort end_of_nats(const std::string& url) {
  constexpr std::string_view kScheme = "nats://";
  return parse_host_port(std::string_view(url).substr(kScheme.size()))
      .value_or(HostPort{"127.0.0.1", local::kDefaultNatsPort});
}

Result<cluster::ShowKey> key_in(const cluster::Membership& membership) {
  return cluster::ShowKey::read(membership.key_file);
}

/// This PC as a desk that keeps a list already. Empty: it is none.
///
/// Errors   As read_desk(). The desk has another key than `key`.
Result<std::optional<Desk>> present_desk(const cluster::ShowKey& key) {
  const auto membership = cluster::read_membership(config_home());
  SUBMIX_TRY(membership);
  if (!*membership || !(*membership)->is_own || !(*membership)->desk_key) return std::nullopt;
  auto desk = read_desk();
  SUBMIX_TRY(desk);
  if (desk->key.key != key)
    return fail("the show has got a new key meanwhile: start `submix desk` again");
  return *std::move(desk);
}

/// A PC that joins has a login of its own at once. Without it, it uses the shared one.
void tell_users(const cluster::Identity& desk, const PeerList& list, const cluster::ShowKey& key) {
  const auto told = set_users_of_peers(desk, list, key);
  if (!told) log::warning("{}", told.error().message);
}

}  // namespace

Result<std::optional<cluster::ShowKey>> key_of_own_desk() {
  const auto membership = cluster::read_membership(config_home());
  SUBMIX_TRY(membership);
  if (!*membership || !(*membership)->is_own) return std::nullopt;
  return key_in(**membership);
}

Result<cluster::ShowKey> key_for_own_desk() {
  const auto membership = cluster::read_membership(config_home());
  SUBMIX_TRY(membership);
  if (!*membership) return cluster::ShowKey::random();
  if ((*membership)->is_own) return key_in(**membership);
  return fail("this PC has joined {}; `submix leave` first, then this PC can be a desk itself",
              (*membership)->desk);
}

std::uint16_t pairing_port_of_own_desk() {
  const auto membership = cluster::read_membership(config_home()).value_or(std::nullopt);
  return membership && membership->is_own ? membership->pairing_port : cluster::kPairingPort;
}

cluster::BusSettings own_settings(const std::string& url,
                                  const std::optional<cluster::ShowKey>& key) {
  cluster::BusSettings settings{.url = url, .name = "submix desk", .key = key};
  const auto membership = cluster::read_membership(config_home()).value_or(std::nullopt);
  const auto own = key_of_own_desk().value_or(std::nullopt);
  if (own && own == key) settings.followed = cluster::FollowedKey::of(membership->key_file, {});
  return settings;
}

Result<std::unique_ptr<cluster::Bus>> connect_to_own_desk() {
  const auto membership = cluster::read_membership(config_home());
  SUBMIX_TRY(membership);
  if (!*membership || !(*membership)->is_own) return fail("this PC is no desk");
  const auto key = key_in(**membership);
  SUBMIX_TRY(key);
  return cluster::Bus::connect(own_settings((*membership)->nats_url, *key));
}

std::unique_ptr<cluster::Bus> bus_of_own_desk() {
  auto bus = connect_to_own_desk();
  return bus ? *std::move(bus) : nullptr;
}

Result<void> check_own_desk_serves() {
  const auto key = key_of_own_desk();
  SUBMIX_TRY(key);
  if (!*key) return fail("this PC is no desk; `submix desk` makes it one");
  if (bus_of_own_desk() == nullptr)
    return fail("the NATS server of this desk does not answer: start `submix desk`");
  return {};
}

Result<bool> is_served(const std::string& url, const cluster::ShowKey& key) {
  if (!cluster::is_reachable(url, key)) return false;
  if (cluster::Bus::connect(own_settings(url, key))) return true;
  return fail("{} is a NATS server of another key or of none, such as a demo's or a window's", url);
}

Result<void> join_own_desk(const std::string& url, const cluster::ShowKey& key,
                           const std::filesystem::path& nats_folder, std::uint16_t pairing_port) {
  const auto folder = config_home();
  SUBMIX_TRY(cluster::check_place(folder));
  const auto book = PeerBook::open(folder);  // first: a new key may be on its way
  SUBMIX_TRY(book);
  const auto before = present_desk(key);
  SUBMIX_TRY(before);
  const auto identity = cluster::Identity::read_or_make(folder);
  SUBMIX_TRY(identity);
  cluster::Membership membership{host_name(), url, {}, true};
  membership.desk_key = identity->public_key();
  membership.pairing_port = pairing_port;
  membership.key_number = *before ? (*before)->key.number : 1;

  // PCs of a former desk belong to that desk.
  auto list = *before ? book->list() : Result<PeerList>(PeerList());
  if (list) {
    list->nats_folder = nats_folder;
    SUBMIX_TRY(book->write(*list));
  }
  SUBMIX_TRY(cluster::write_membership(folder, membership, key));
  if (list) tell_users(*identity, *list, key);
  return {};
}

Result<Admission> admit_to_own_desk(const Joiner& pc, const std::string& nats_url) {
  const auto folder = config_home();
  const auto book = PeerBook::open(folder);  // first: a new key may be on its way
  SUBMIX_TRY(book);
  const auto membership = cluster::read_membership(folder);
  SUBMIX_TRY(membership);
  if (!*membership || !(*membership)->is_own) return fail("this PC is no desk any more");
  const auto key = key_in(**membership);
  SUBMIX_TRY(key);
  auto list = book->list();
  SUBMIX_TRY(list);
  using std::chrono::system_clock;
  const auto remark = add_peer(*list,
                               {pc.name.empty() ? "a PC without a name" : pc.name, pc.address,
                                system_clock::to_time_t(system_clock::now()), pc.key},
                               host_name());
  SUBMIX_TRY(remark);
  SUBMIX_TRY(book->write(*list));
  if (const auto identity = cluster::Identity::read(folder); identity)
    tell_users(*identity, *list, *key);
  const auto& desk = **membership;
  return Admission{{host_name(), nats_url, *key, desk.desk_key, desk.key_number, desk.pairing_port},
                   *remark};
}

Result<Admission> admit_by_own_desk(const Joiner& pc, const std::string& own_address) {
  const auto membership = cluster::read_membership(config_home());
  SUBMIX_TRY(membership);
  if (!*membership) return fail("this PC is no desk any more");
  const auto end = end_of_nats((*membership)->nats_url);
  const auto addresses =
      cluster::is_loopback(end.host) ? local::own_ipv4_addresses() : std::vector{end.host};
  return admit_to_own_desk(pc, local::nats_urls(addresses, end.port, own_address));
}

std::optional<std::string> answer_of_own_desk(const cluster::KeyQuestion& question) {
  const auto folder = config_home();
  const auto membership = cluster::read_membership(folder).value_or(std::nullopt);
  if (!membership || !membership->is_own) return std::nullopt;
  const auto key = key_in(*membership);
  const auto identity = cluster::Identity::read(folder);
  if (!key || !identity) return std::nullopt;
  // After the key: a PC leaves the list before there is a new one.
  const auto list = PeerBook::read(folder);
  if (!list) return std::nullopt;
  if (std::ranges::find(list->peers, question.pc, &Peer::key) == list->peers.end())
    return std::nullopt;
  return cluster::write_answer(*identity, question.pc, {*key, membership->key_number},
                               question.challenge);
}

}  // namespace submix::pairing
