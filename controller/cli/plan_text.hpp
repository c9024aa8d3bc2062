// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/plan/planner.hpp"

#include <string>

namespace submix::cli {

/// For people: the need and capacity of streams, cards and computers, then the findings.
[[nodiscard]] std::string plan_text(const model::Plan& plan);
/// For machines, on one line. Unknown values are null.
[[nodiscard]] std::string plan_json(const model::Plan& plan);

}  // namespace submix::cli
