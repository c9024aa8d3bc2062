// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/key_change.hpp"

#include "common/base/files.hpp"
#include "common/base/mutex.hpp"
#include "controller/local/nats_server.hpp"
#include "controller/pairing/own_desk.hpp"
#include "controller/pairing/peer_rights.hpp"

#include <algorithm>
#include <thread>

namespace submix::pairing {
namespace {

constexpr std::chrono::milliseconds kReplyLook{5};
constexpr std::chrono::seconds kNewKeyPatience{3};
constexpr std::chrono::milliseconds kServerRetry{20};

/// The replies to an offer, as they come.
class Replies {
 public:
  Replies(cluster::Bus& bus, const cluster::Identity& desk,
          const std::vector<cluster::PublicKey>& pcs, std::uint64_t number)
      : desk_(desk),
        pcs_(pcs.begin(), pcs.end()),
        number_(number),
        subscription_(bus.subscribe(std::string(cluster::kKeyReplies),
                                    [this](std::string_view bytes) { take(bytes); })) {}

  [[nodiscard]] std::set<PeerProgram> now() const {
    const MutexLock lock(mutex_);
    return programs_;
  }

 private:
  static constexpr std::size_t kProgramsMax = 4 * cluster::kPeersMax;

  // Whoever has the show's key can make up a PC: only those on the list count.
  void take(std::string_view bytes) {
    const auto reply = cluster::read_reply(bytes, desk_);
    if (!reply || reply->number != number_ || !pcs_.contains(reply->pc)) return;
    const MutexLock lock(mutex_);
    if (programs_.size() < kProgramsMax) programs_.emplace(reply->pc, reply->program);
  }

  const cluster::Identity desk_;
  const std::set<cluster::PublicKey> pcs_;
  const std::uint64_t number_;
  mutable Mutex mutex_;
  std::set<PeerProgram> programs_ SUBMIX_GUARDED_BY(mutex_);
  std::unique_ptr<cluster::Subscription> subscription_;
};

Result<void> wait_for_server() {
  const auto deadline = std::chrono::steady_clock::now() + kNewKeyPatience;
  for (;;) {
    const auto bus = connect_to_own_desk();
    if (bus) return {};
    if (std::chrono::steady_clock::now() > deadline)
      return fail("the NATS server does not take the new key: {}; start `submix desk` again",
                  bus.error().message);
    std::this_thread::sleep_for(kServerRetry);
  }
}

// The command may have ended before it offered the key. A second offer changes nothing.
void offer_again(const std::filesystem::path& folder, const PeerList& list) {
  const auto identity = cluster::Identity::read(folder);
  const auto bus = bus_of_own_desk();
  if (!identity || bus == nullptr) return;
  [[maybe_unused]] const auto replied =
      offer_key(*bus, *identity, list, *list.next_key, {}, kOfferPatience);
}

}  // namespace

std::set<PeerProgram> offer_key(cluster::Bus& bus, const cluster::Identity& desk,
                                const PeerList& list, const cluster::NumberedKey& key,
                                const std::set<PeerProgram>& wanted,
                                std::chrono::milliseconds patience) {
  std::vector<cluster::PublicKey> pcs{desk.public_key()};
  for (const auto& peer : list.peers)
    pcs.push_back(peer.key);
  const Replies replies(bus, desk, pcs, key.number);
  bus.publish(cluster::kKeyOffers, cluster::write_offer(desk, pcs, key));
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    auto programs = replies.now();
    const bool is_complete = !wanted.empty() && std::ranges::includes(programs, wanted);
    if (is_complete || std::chrono::steady_clock::now() > deadline) return programs;
    std::this_thread::sleep_for(kReplyLook);
  }
}

Result<void> finish_key_change(const PeerBook& book) {
  auto list = book.list();
  SUBMIX_TRY(list);
  if (!list->next_key) return {};
  const auto membership = cluster::read_membership(book.folder());
  SUBMIX_TRY(membership);
  if (!*membership || !(*membership)->is_own || !(*membership)->desk_key)
    return fail("this PC is no desk any more");
  const auto next = *list->next_key;
  SUBMIX_TRY(cluster::store_key(book.folder(), *(*membership)->desk_key, next));
  if (local::is_nats_running(list->nats_folder)) {
    const auto identity = cluster::Identity::read(book.folder());
    SUBMIX_TRY(identity);
    SUBMIX_TRY(set_users_of_peers(*identity, *list, next.key));
    SUBMIX_TRY(wait_for_server());
  }
  list->next_key.reset();
  return book.write(*list);
}

Result<void> finish_key_change_if_left() {
  const auto folder = config_home();
  const auto seen = PeerBook::read(folder);
  if (!seen || !seen->next_key) return {};
  const auto book = PeerBook::try_open(folder);
  if (!book) return {};
  const auto list = book->list();
  SUBMIX_TRY(list);
  if (list->next_key) offer_again(folder, *list);
  return finish_key_change(*book);
}

}  // namespace submix::pairing
