// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"
#include "tests/throughput/arguments.hpp"
#include "tests/throughput/load_command.hpp"
#include "tests/throughput/worker.hpp"

#include <cstdlib>
#include <string_view>

int main(int argc, char** argv) {
  using namespace submix;
  log::start("submix-throughput", log::Level::warning);
  // One side of a measurement, or a load. The program starts itself in these ways.
  if (argc == 3 && std::string_view(argv[1]) == "worker")
    return throughput::run_worker(std::atoi(argv[2]));
  if (argc == 3 && std::string_view(argv[1]) == "loader") return throughput::run_loader(argv[2]);
  StopSignal stop;
  throughput::Context context{stop};
  return throughput::run(argc, argv, context);
}
