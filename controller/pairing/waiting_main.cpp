// SPDX-License-Identifier: GPL-3.0-or-later
// Waits for a desk's invitation beside a node that has no show. A process of its own: the node
// itself listens to nobody without a key.
#include "common/base/files.hpp"
#include "common/base/log.hpp"
#include "common/base/stop_signal.hpp"
#include "common/base/version_option.hpp"
#include "controller/pairing/waiting_pc.hpp"

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
  if (has_told_version("submix-waiting", argc, argv)) return 0;
  const bool is_hidden = argc == 2 && std::string_view(argv[1]) == "--hidden";
  StopSignal stop;
  log::start("submix-waiting", log::Level::info);
  wait({.folder = config_home(), .is_shown = !is_hidden}, stop);
}
