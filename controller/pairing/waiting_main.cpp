// SPDX-License-Identifier: GPL-3.0-or-later
// Waits for a desk's invitation beside a node that has no show. A process of its own: the node
// itself listens to nobody without a key.
#include "common/base/files.hpp"
#include "common/base/log.hpp"
#include "common/base/stop_signal.hpp"
#include "common/base/version.hpp"
#include "controller/pairing/waiting_pc.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <string_view>

namespace {

using namespace submix;

/// Another node of this PC may wait already.
void wait(const pairing::WaitingPc::Settings& settings, StopSignal& stop) {
  constexpr std::chrono::seconds kRetryPause(5);
  std::string told;
  do {
    const auto pc = pairing::WaitingPc::open(settings);
    if (pc) {
      const auto say = [](const std::string& line) { log::info("{}", line); };
      static_cast<void>(wait_for_desk(**pc, stop, say));
      return;
    }
    if (pc.error().message != told) log::info("waits for no invitation: {}", pc.error().message);
    told = pc.error().message;
  } while (!stop.wait_for(kRetryPause));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view option = argc == 2 ? argv[1] : "";
  if (option == "--version" || option == "-V") {
    fmt::print("submix-waiting {}\n", version());
    return 0;
  }
  StopSignal stop;
  log::start("submix-waiting", log::Level::info);
  wait({.folder = config_home(), .is_shown = option != "--hidden"}, stop);
}
