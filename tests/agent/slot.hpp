// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace submix::agent {

inline show::Slot slot(std::string name, std::string plugin,
                       std::optional<std::vector<std::string>> inputs = {}) {
  return {std::move(name), std::move(plugin), {}, std::move(inputs), false};
}

}  // namespace submix::agent
