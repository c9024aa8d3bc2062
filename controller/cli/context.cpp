// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/context.hpp"

#include "common/base/host_name.hpp"

#include <fmt/format.h>

#include <ostream>

namespace submix::cli {

void clear_screen(Context& context) {
  if (context.screen == nullptr || !context.is_terminal) return;
  context.out << std::flush;
  *context.screen << "\x1b[H\x1b[2J";
}

int failed(Context& context, std::string_view message) {
  context.err << "submix: " << message << std::endl;
  return kFailed;
}

void warn(Context& context, std::string_view message) {
  context.err << "submix: warning: " << message << std::endl;
}

std::string author(std::string_view command) {
  return fmt::format("submix {} on {}", command, host_name());
}

}  // namespace submix::cli
