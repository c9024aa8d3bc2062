// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/last_good_show.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace submix::model {

bool can_go_back(const ClusterView& view) {
  return view.good_show != nullptr && (view.show == nullptr || *view.show != *view.good_show);
}

bool should_offer_way_back(const ClusterView& view) {
  const auto is_at_fault = [](const SubmixView& submix) {
    return submix.state == SubmixState::failed || !submix.error.empty();
  };
  return can_go_back(view) &&
         (!view.show_error.empty() || std::ranges::any_of(view.submixes, is_at_fault));
}

std::string good_show_text(const ClusterView& view) {
  if (view.good_show == nullptr) return {};
  const bool has_same_name = view.show != nullptr && view.show->name == view.good_show->name;
  return fmt::format("show \"{}\"{}", view.good_show->name,
                     has_same_name ? ", as it was before the last changes" : "");
}

}  // namespace submix::model
