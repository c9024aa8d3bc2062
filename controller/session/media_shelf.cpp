// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/media_shelf.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace submix::session {
namespace {

bool can_answer(const model::ClusterView& known, const std::string& name) {
  return known.find_healthy_node(name) != nullptr;
}

template <typename Map>
Map copy_of(const std::shared_ptr<const Map>& map) {
  return map == nullptr ? Map() : *map;
}

}  // namespace

void MediaShelf::ask(const std::string& node) {
  auto& wanted = lists_wanted_[node];
  wanted = {.is_under_way = wanted.is_under_way, .is_asked_again = wanted.is_under_way};
}

std::vector<Request> MediaShelf::take_requests(const model::ClusterView& known) {
  std::vector<Request> requests;
  for (auto& [node, wanted] : lists_wanted_) {
    if (wanted.is_under_way || known.now < wanted.due || !can_answer(known, node)) continue;
    wanted.is_under_way = true;
    requests.emplace_back(ListMedia{node});
  }
  take_requests_for(false, known, requests);
  take_requests_for(true, known, requests);
  return requests;
}

void MediaShelf::take_requests_for(bool are_failed, const model::ClusterView& known,
                                   std::vector<Request>& requests) {
  for (const auto& key : watched_) {
    if (under_way_.size() >= kInFlightMax) return;
    const auto failure = failed_.find(key);
    if ((failure != failed_.end()) != are_failed) continue;
    const bool is_done = are_failed
                             ? failure->second.failures >= kTries || known.now < failure->second.due
                             : pictures_ != nullptr && pictures_->contains(key);
    if (is_done || under_way_.contains(key) || !can_answer(known, key.node)) continue;
    under_way_.insert(key);
    requests.emplace_back(TakeMediaPicture{key});
  }
}

void MediaShelf::end_list(const std::string& node, bool has_failed, LocalTime now) {
  const auto found = lists_wanted_.find(node);
  if (found == lists_wanted_.end()) return;
  auto& wanted = found->second;
  wanted.is_under_way = false;
  if (std::exchange(wanted.is_asked_again, false)) return;
  wanted.due = now + kRetry;
  if (!has_failed || ++wanted.failures >= kTries) lists_wanted_.erase(found);
}

void MediaShelf::take(MediaListed& reply, LocalTime now) {
  end_list(reply.node, !reply.result, now);
  auto lists = copy_of(lists_);
  auto& list = lists[reply.node];
  if (reply.result) {
    forget_changed(reply.node, *reply.result);
    list = {*std::move(reply.result), {}};
  } else {
    list.error = reply.result.error().message;  // the former list is still shown
  }
  lists_ = std::make_shared<const model::MediaLists>(std::move(lists));
}

void MediaShelf::take(MediaPictureTaken& reply, LocalTime now) {
  under_way_.erase(reply.key);
  auto pictures = copy_of(pictures_);
  if (pictures.size() >= kKeptMax) make_room(pictures);
  if (reply.result) {
    failed_.erase(reply.key);
    pictures[reply.key] = std::make_shared<const model::MediaPicture>(*std::move(reply.result));
  } else {
    auto& failure = failed_[reply.key];
    failure = {now + kRetry, failure.failures + 1};
    pictures[reply.key] = std::make_shared<const model::MediaPicture>(
        model::MediaPicture{.picture = {}, .facts = {}, .error = reply.result.error().message});
  }
  pictures_ = std::make_shared<const model::MediaPictures>(std::move(pictures));
}

// A file with another number of bytes is another file. A picture that failed gets another try.
void MediaShelf::forget_changed(const std::string& node, const cluster::MediaList& now) {
  std::map<std::string_view, std::uint64_t> sizes;
  const auto* before = lists_ == nullptr ? nullptr : model::find_media(*lists_, node);
  if (before != nullptr) {
    for (const auto& file : before->list.files)
      sizes.emplace(file.name, file.bytes);
  }
  std::set<std::string_view> unchanged;
  for (const auto& file : now.files) {
    const auto known = sizes.find(file.name);
    if (known != sizes.end() && known->second == file.bytes) unchanged.insert(file.name);
  }
  std::erase_if(failed_, [&](const auto& item) { return item.first.node == node; });
  auto pictures = copy_of(pictures_);
  std::erase_if(pictures, [&](const auto& item) {
    const auto& [key, picture] = item;
    return key.node == node && (!picture->error.empty() || !unchanged.contains(key.file));
  });
  pictures_ = std::make_shared<const model::MediaPictures>(std::move(pictures));
}

void MediaShelf::make_room(model::MediaPictures& pictures) {
  const auto is_unseen = [&](const auto& item) {
    return std::ranges::find(watched_, item.first) == watched_.end();
  };
  std::erase_if(pictures, is_unseen);
  std::erase_if(failed_, is_unseen);
}

}  // namespace submix::session
