// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/media_copy_jobs.hpp"

#include <utility>

namespace submix::session {

void MediaCopyJobs::add(const CopyMedia& action) {
  jobs_.push_back({action, std::make_shared<CopyProgress>()});
}

template <typename Is>
void MediaCopyJobs::stop_if(Is is_meant) {
  for (const auto& job : jobs_) {
    if (is_meant(job)) job.progress->is_stopped = true;
  }
  std::erase_if(jobs_, [&](const Job& job) { return is_meant(job) && !job.is_under_way; });
}

void MediaCopyJobs::stop() {
  stop_if([](const Job&) { return true; });
}

void MediaCopyJobs::stop_for_opening() {
  stop_if([](const Job& job) { return std::holds_alternative<OpeningShow>(job.action.then); });
}

std::optional<CopyMediaFile> MediaCopyJobs::next_request() {
  if (jobs_.empty() || jobs_.front().is_under_way) return std::nullopt;
  auto& job = jobs_.front();
  job.is_under_way = true;
  return CopyMediaFile{job.action.origin, job.action.node, job.action.name, job.progress};
}

std::optional<CopyMedia> MediaCopyJobs::end() {
  if (jobs_.empty()) return std::nullopt;
  auto ended = std::move(jobs_.front().action);
  jobs_.erase(jobs_.begin());
  return ended;
}

std::vector<model::MediaCopyView> MediaCopyJobs::views() const {
  std::vector<model::MediaCopyView> views;
  for (const auto& job : jobs_)
    views.push_back(
        {job.action.node, job.action.name, job.progress->bytes, job.progress->bytes_all});
  return views;
}

}  // namespace submix::session
