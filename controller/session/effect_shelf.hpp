// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"
#include "controller/session/actions.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace submix::session {

/// Pictures of the effects that people look at, each on the newest picture of a slot.
///
/// Shape    Requests one picture at a time: unknown ones first, then the oldest, each again after
///          kFresh. A failed picture is requested again after kFailed, because its plugin may hang
///          its host each time. A picture that nobody looks at is kept until kKeptMax others have
///          come.
/// Threads  Compatible.
class EffectShelf {
 public:
  static constexpr std::chrono::seconds kFresh{5};
  static constexpr std::chrono::seconds kFailed{60};
  static constexpr std::size_t kKeptMax = 200;

  /// The pictures that are visible now, the most wanted first.
  void watch(std::vector<model::EffectPictureKey> keys) { watched_ = std::move(keys); }
  /// The request that is due now; only healthy nodes are asked.
  [[nodiscard]] std::optional<TakeEffectPicture> next_request(const model::ClusterView& known,
                                                              LocalTime now);
  void take(EffectPictureTaken& reply, LocalTime now);

  /// Null: none came.
  [[nodiscard]] const std::shared_ptr<const model::EffectPictures>& pictures() const {
    return pictures_;
  }

 private:
  [[nodiscard]] std::optional<LocalTime> due(const model::EffectPictureKey& key) const;
  void make_room(model::EffectPictures& pictures);

  std::vector<model::EffectPictureKey> watched_;
  bool is_under_way_ = false;
  std::map<model::EffectPictureKey, LocalTime> due_;  ///< of the pictures, when to ask again
  std::shared_ptr<const model::EffectPictures> pictures_;
};

}  // namespace submix::session
