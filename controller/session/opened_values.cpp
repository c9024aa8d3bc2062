// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/opened_values.hpp"

#include "controller/model/edit/value_gate.hpp"

#include <utility>

namespace submix::session {

void OpenedValues::begin(std::shared_ptr<const show::Show> show) {
  show_ = std::move(show);
  faults_.clear();
}

std::vector<std::string> OpenedValues::new_faults(const model::PluginMap* known) {
  std::vector<std::string> found;
  if (show_ == nullptr) return found;
  const auto plugins = known == nullptr ? model::PluginMap() : model::with_macros(*known, *show_);
  auto slots_only = *show_;
  slots_only.knobs.clear();
  slots_only.cues.clear();
  slots_only.presets.clear();
  for (const auto& value : model::new_values(&slots_only, *show_)) {
    auto fault = model::fault_of(value, *show_, plugins);
    if (!fault.empty() && faults_.insert(fault).second) found.push_back(std::move(fault));
  }
  if (model::undescribed(&slots_only, *show_, plugins).empty()) show_.reset();
  return found;
}

}  // namespace submix::session
