// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/pipe_status.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace submix::io {

void PipeStatus::count(std::uint64_t pictures, std::uint64_t left_out) const {
  write_line(fmt::format("count {} {}", pictures, left_out));
}

void PipeStatus::over() const {
  write_line("over");
}

void PipeStatus::broken(std::string_view reason) const {
  write_line(fmt::format("broken {}", reason));
}

void PipeStatus::write_line(std::string_view line) const {
  std::string bytes(line);
  std::ranges::replace(bytes, '\n', ' ');
  bytes += '\n';
  [[maybe_unused]] const auto written = ::write(descriptor_, bytes.data(), bytes.size());
}

}  // namespace submix::io
