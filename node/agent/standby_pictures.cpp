// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/standby_pictures.hpp"

#include "common/show/text.hpp"

#include <fmt/format.h>

#include <utility>

namespace submix::agent {

// The former picture stays until another file is loaded.
void StandbyPictures::request(const show::Stream& stream, Size size,
                              const std::shared_ptr<io::StreamPolicy>& policy) {
  const MutexLock lock(mutex_);
  const bool has_file = stream.policy == show::InputPolicy::standby && !stream.standby.empty();
  if (!has_file) {
    if (stream.policy == show::InputPolicy::standby) policy->set_standby(nullptr);
    requests_.erase(stream.name);
    return;
  }
  auto& request = requests_[stream.name];
  if (request.file == stream.standby && request.size == size && request.policy == policy) return;
  request = {
      .slot = show::to_string(stream.to), .file = stream.standby, .size = size, .policy = policy};
}

void StandbyPictures::forget(const std::string& stream) {
  const MutexLock lock(mutex_);
  requests_.erase(stream);
}

bool StandbyPictures::is_empty() const {
  const MutexLock lock(mutex_);
  return requests_.empty();
}

void StandbyPictures::load() {
  std::map<std::string, PictureRequest> requests;
  {
    const MutexLock lock(mutex_);
    requests = requests_;
  }
  for (auto& [stream, request] : requests)
    try_one(stream, std::move(request));
}

// The state is read before the file: a change during reading is seen the next time.
void StandbyPictures::try_one(const std::string& stream, PictureRequest request) {
  const auto state = files_.state_of(request.file);
  if (!request.is_due(state, clock_.now())) return;
  const auto before = request;
  auto picture =
      state
          ? files_.load(request.file, request.size)
          : Result<std::vector<std::uint8_t>>(fail(
                "{} is not there; put it there, or name another one in \"standby\"", request.file));
  request.tried = state;
  request.tried_at = clock_.now();
  request.trouble = picture ? std::string() : picture.error().message;
  request.is_shown = request.is_shown || picture;
  if (!take(stream, request, std::move(picture))) return;
  tell(stream, before, request);
}

// Returns false if the show has requested something else meanwhile.
bool StandbyPictures::take(const std::string& stream, const PictureRequest& tried,
                           Result<std::vector<std::uint8_t>> picture) {
  const MutexLock lock(mutex_);
  const auto found = requests_.find(stream);
  const bool is_still_requested = found != requests_.end() && found->second.file == tried.file &&
                                  found->second.size == tried.size &&
                                  found->second.policy == tried.policy;
  if (!is_still_requested) return false;
  found->second = tried;
  if (picture) {
    tried.policy->set_standby(
        std::make_shared<const std::vector<std::uint8_t>>(*std::move(picture)));
  } else if (!tried.is_shown) {
    tried.policy->set_standby(nullptr);
  }
  return true;
}

void StandbyPictures::tell(const std::string& stream, const PictureRequest& before,
                           const PictureRequest& after) const {
  if (after.trouble == before.trouble) return;
  if (after.trouble.empty()) {
    return events_.report(
        Severity::note, after.slot,
        fmt::format("stream {}: stand-by picture {} can be shown now", stream, after.file));
  }
  events_.report(
      Severity::warning, after.slot,
      fmt::format("stream {}: stand-by picture {}; {}, and it is tried again when the file changes",
                  stream, after.trouble,
                  after.is_shown ? "the one before stays" : "the built-in one stands in for it"));
}

}  // namespace submix::agent
