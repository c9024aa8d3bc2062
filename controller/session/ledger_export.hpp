// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/verdict/ledger.hpp"

#include <string>
#include <vector>

/// A ledger for other programs.
namespace submix::session {

/// One JSON object on one line; field names are stable.
[[nodiscard]] std::string ledger_json(const std::vector<model::LedgerEdge>& ledger);
/// A line of names, then a line for each edge, as RFC 4180 has it but for the line ends.
[[nodiscard]] std::string ledger_csv(const std::vector<model::LedgerEdge>& ledger);

}  // namespace submix::session
