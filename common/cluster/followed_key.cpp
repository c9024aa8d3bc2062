// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/followed_key.hpp"

#include "common/base/log.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/key_question.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace submix::cluster {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kAskPatience{500};  // for each address of the desk
constexpr std::chrono::seconds kAskPause{1};
constexpr std::size_t kAddressesAsked = 4;

}  // namespace

std::shared_ptr<FollowedKey> FollowedKey::of(const fs::path& key_file, std::string program) {
  const auto folder = key_file.parent_path();
  const auto membership = read_membership(folder);
  if (!membership || !*membership || !(*membership)->desk_key) return nullptr;
  if ((*membership)->key_file != key_file) return nullptr;
  const auto key = ShowKey::read(key_file);
  if (!key || !Identity::read(folder)) return nullptr;
  return std::make_shared<FollowedKey>(folder, **membership, *key, std::move(program));
}

FollowedKey::FollowedKey(fs::path folder, const Membership& membership, const ShowKey& key,
                         std::string program)
    : folder_(std::move(folder)),
      desk_(membership.desk_key.value_or(PublicKey{})),
      is_own_(membership.is_own),
      program_(std::move(program)),
      used_{key, membership.key_number} {}

FollowedKey::Keys FollowedKey::keys() const {
  const MutexLock lock(mutex_);
  Keys keys{used_.key, {}};
  if (offered_) keys.offered = offered_->key;
  return keys;
}

std::vector<NatsLogin> FollowedKey::logins(const ShowKey& key) const {
  const auto identity = Identity::read(folder_);
  if (!identity) return {};
  std::vector<NatsLogin> logins;
  for (const auto rights : {Rights::everything, Rights::render, Rights::watch})
    logins.push_back(login_of(identity->public_key(), *identity, desk_, key, rights));
  return logins;
}

void FollowedKey::watch(Listener listener) {
  {
    const MutexLock lock(listening_);
    listener_ = std::move(listener);
  }
  tell();
}

void FollowedKey::tell() {
  const MutexLock lock(listening_);
  if (listener_) listener_(keys());
}

bool FollowedKey::is_known(const ShowKey& key) const {
  const MutexLock lock(mutex_);
  return key == used_.key || (offered_ && key == offered_->key);
}

bool FollowedKey::set_offered(const NumberedKey& key, std::uint64_t ahead) {
  {
    const MutexLock lock(mutex_);
    const auto& newest = offered_ ? *offered_ : used_;
    if (key.number < newest.number + ahead || key.key == used_.key || key.key == newest.key)
      return false;
    offered_ = key;
  }
  tell();
  return true;
}

std::string FollowedKey::take_offer(std::string_view offer) {
  const auto identity = Identity::read(folder_);
  if (!identity) return {};
  const auto key = read_offer(offer, *identity, desk_);
  if (!key) return {};
  set_offered(*key, 1);  // somebody may repeat an old one
  if (!is_known(key->key)) return {};
  return write_reply(*identity, desk_, {identity->public_key(), program_, key->number});
}

void FollowedKey::note_proven(const ShowKey& key) {
  std::optional<NumberedKey> begun;
  {
    const MutexLock lock(mutex_);
    if (!offered_ || offered_->key != key) return;
    begun = std::exchange(offered_, std::nullopt);
    used_ = *begun;
  }
  tell();
  log::info("the show has a new key: a PC was shut out");
  if (is_own_) return;  // the desk's own command has stored it
  if (const auto stored = store_key(folder_, desk_, *begun); !stored)
    log::warning("the show's new key is not stored: {}; this PC asks the desk for it at each start",
                 stored.error().message);
}

std::optional<NumberedKey> FollowedKey::key_in_file() const {
  const auto membership = read_membership(folder_);
  if (!membership || !*membership || (*membership)->desk_key != desk_) return std::nullopt;
  const auto key = ShowKey::read((*membership)->key_file);
  if (!key) return std::nullopt;
  return NumberedKey{*key, (*membership)->key_number};
}

std::optional<NumberedKey> FollowedKey::key_of_desk() {
  const auto now = std::chrono::steady_clock::now();
  {
    const MutexLock lock(mutex_);
    if (asked_ && now - *asked_ < kAskPause) return std::nullopt;
    asked_ = now;
  }
  const auto membership = read_membership(folder_);
  const auto identity = Identity::read(folder_);
  if (!membership || !*membership || !identity) return std::nullopt;
  const auto urls = parse_urls((*membership)->nats_url).value_or(std::vector<std::string>());
  for (std::size_t i = 0; i < std::min(urls.size(), kAddressesAsked); ++i) {
    const KeyQuestion question{identity->public_key(), random_challenge()};
    const HostPort desk{host_of(urls[i]), (*membership)->pairing_port};
    const auto answer = ask_for_key(desk, question, kAskPatience);
    if (!answer) continue;
    if (auto key = read_answer(*answer, *identity, desk_, question.challenge)) return key;
  }
  return std::nullopt;
}

bool FollowedKey::look_for_newer() {
  auto found = key_in_file();
  if (!found || is_known(found->key)) found = is_own_ ? std::nullopt : key_of_desk();
  return found && set_offered(*found, 0);  // a file may have the new key with the old number
}

}  // namespace submix::cluster
