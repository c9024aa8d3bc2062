// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/plan/planner.hpp"

#include <string>

namespace submix::cli {

/// For people: streams, cards and computers with what they need and have, then what is found.
[[nodiscard]] std::string plan_text(const model::Plan& plan);
/// For machines, on one line; what is not known is null.
[[nodiscard]] std::string plan_json(const model::Plan& plan);

}  // namespace submix::cli
