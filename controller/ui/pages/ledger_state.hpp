// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/session/actions.hpp"

#include <string>

namespace submix::ui {

/// What the page with the ledger remembers between frames.
struct LedgerState {
  session::SaveLedger::Form form = session::SaveLedger::Form::csv;
  std::string path;  ///< of the export
};

}  // namespace submix::ui
