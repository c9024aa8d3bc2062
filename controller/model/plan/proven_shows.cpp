// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/plan/proven_shows.hpp"

#include "controller/model/plan/planner.hpp"

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

constexpr double kNearRate = 0.95;  // a second's count of frames is off by one

bool asks_the_same(const std::shared_ptr<const show::Show>& a,
                   const std::shared_ptr<const show::Show>& b) {
  return a == b || (!may_ask_more(*a, *b) && !may_ask_more(*b, *a));
}

}  // namespace

bool keeps_its_rate(const ClusterView& view) {
  if (view.show == nullptr || !view.show_error.empty() || view.transport.is_paused) return false;
  const bool has_been_followed = std::ranges::all_of(view.submixes, [&](const SubmixView& submix) {
    if (submix.node.empty()) return true;
    const auto* node = view.find_node(submix.node);
    return submix.state == SubmixState::running && submix.error.empty() && node != nullptr &&
           node->show_revision >= view.show_revision;
  });
  return has_been_followed && view.master_fps >= kNearRate * view.show->rate.frames_per_second();
}

void ProvenShows::update(const ClusterView& view, bool is_written, LocalTime now) {
  if (!is_written || !keeps_its_rate(view)) {
    candidate_.reset();
    return;
  }
  if (candidate_ == nullptr || !asks_the_same(candidate_, view.show)) since_ = now;
  candidate_ = view.show;
  if (now - since_ < kProof || (!shows_->empty() && shows_->back() == candidate_)) return;
  keep(candidate_);
}

void ProvenShows::keep(std::shared_ptr<const show::Show> show) {
  auto shows = *shows_;
  std::erase_if(shows, [&](const auto& known) { return asks_the_same(known, show); });
  if (shows.size() == kShowsMax) shows.erase(shows.begin());
  shows.push_back(std::move(show));
  shows_ = std::make_shared<const Shows>(std::move(shows));
}

}  // namespace submix::model
