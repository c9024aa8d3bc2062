// SPDX-License-Identifier: GPL-3.0-or-later
// submix ledger
#include "controller/model/verdict/ledger.hpp"

#include "common/base/files.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/ledger_text.hpp"
#include "controller/cli/observer.hpp"
#include "controller/session/ledger_export.hpp"

#include <fmt/format.h>

#include <ostream>
#include <thread>

namespace submix::cli {

int run_ledger(Context& context, const LedgerOptions& options) {
  if (context.is_json && options.is_csv) {
    context.err << "--json and --csv: one of the two\n";
    return kWrongUse;
  }
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  std::this_thread::sleep_for(kObservation);
  const auto view = (*observer)->view_with_silences();
  if (!view.show_error.empty()) return failed(context, view.show_error);
  if (view.show == nullptr)
    return failed(context, "no show is applied; apply one: submix apply FILE");
  const auto ledger = model::make_ledger(view);
  if (context.is_json) {
    context.out << session::ledger_json(ledger) << std::endl;
  } else if (!options.csv_file.empty()) {
    const auto written = write_file_atomically(options.csv_file, session::ledger_csv(ledger));
    if (!written) return failed(context, written.error().message);
    context.out << fmt::format("{}: {} edges\n", options.csv_file, ledger.size()) << std::flush;
  } else {
    context.out << (options.is_csv ? session::ledger_csv(ledger) : ledger_text(ledger))
                << std::flush;
  }
  return is_balanced(ledger) ? kOk : kFailed;
}

}  // namespace submix::cli
