// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/verdict/ledger.hpp"

#include <string>
#include <vector>

/// Exports a ledger for other programs.
namespace submix::session {

/// One JSON object on one line. The field names are stable.
[[nodiscard]] std::string ledger_json(const std::vector<model::LedgerEdge>& ledger);
/// A line of names, then a line for each edge, as in RFC 4180 except for the line ends.
[[nodiscard]] std::string ledger_csv(const std::vector<model::LedgerEdge>& ledger);

}  // namespace submix::session
