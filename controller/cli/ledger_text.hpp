// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/verdict/ledger.hpp"

#include <string>
#include <vector>

namespace submix::cli {

/// A table for people, then remarks about wrong or unknown counts.
[[nodiscard]] std::string ledger_text(const std::vector<model::LedgerEdge>& ledger);

}  // namespace submix::cli
