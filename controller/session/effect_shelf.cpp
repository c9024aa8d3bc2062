// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/effect_shelf.hpp"

#include "common/show/macros.hpp"

#include <algorithm>
#include <utility>

namespace submix::session {
namespace {

// Empty: nobody can answer.
std::optional<TakeEffectPicture> request_for(const model::EffectPictureKey& key,
                                             const model::ClusterView& known) {
  const auto* submix = known.find_submix(key.submix);
  const auto* node = submix == nullptr ? nullptr : known.find_healthy_node(submix->running_node());
  if (node == nullptr || known.show == nullptr) return std::nullopt;
  return TakeEffectPicture{key, node->name, show::slot_behind(*known.show, {key.submix, key.slot})};
}

}  // namespace

std::optional<TakeEffectPicture> EffectShelf::next_request(const model::ClusterView& known,
                                                           LocalTime now) {
  if (is_under_way_) return std::nullopt;
  std::vector<std::pair<LocalTime, const model::EffectPictureKey*>> wanted;
  for (const auto& key : watched_) {
    const auto at = due(key).value_or(LocalTime{});
    if (at <= now) wanted.emplace_back(at, &key);
  }
  // Those that are not known keep their order.
  std::ranges::stable_sort(wanted, {}, &decltype(wanted)::value_type::first);
  for (const auto& [at, key] : wanted) {
    auto request = request_for(*key, known);
    if (!request) continue;
    is_under_way_ = true;
    return request;
  }
  return std::nullopt;
}

void EffectShelf::take(EffectPictureTaken& reply, LocalTime now) {
  is_under_way_ = false;
  auto pictures = pictures_ == nullptr ? model::EffectPictures() : *pictures_;
  if (pictures.size() >= kKeptMax) make_room(pictures);
  due_[reply.key] = now + (reply.result ? kFresh : kFailed);
  auto taken = std::make_shared<model::EffectPicture>();
  if (reply.result)
    taken->picture = std::make_shared<const cluster::Snapshot>(*std::move(reply.result));
  else
    taken->error = reply.result.error().message;
  pictures[reply.key] = std::move(taken);
  pictures_ = std::make_shared<const model::EffectPictures>(std::move(pictures));
}

std::optional<LocalTime> EffectShelf::due(const model::EffectPictureKey& key) const {
  const auto found = due_.find(key);
  return found == due_.end() ? std::nullopt : std::optional(found->second);
}

void EffectShelf::make_room(model::EffectPictures& pictures) {
  const auto is_unseen = [&](const auto& item) {
    return std::ranges::find(watched_, item.first) == watched_.end();
  };
  std::erase_if(pictures, is_unseen);
  std::erase_if(due_, is_unseen);
}

}  // namespace submix::session
