// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"

#include "common/base/plain_text.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

namespace submix::log {
namespace {

spdlog::level::level_enum spdlog_level(Level level) {
  switch (level) {
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warning:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

}  // namespace

void start(std::string program, Level least) {
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  auto logger = std::make_shared<spdlog::logger>(std::move(program), std::move(sink));
  logger->set_pattern("%H:%M:%S.%e %n %^%l%$ %v");
  logger->set_level(spdlog_level(least));
  spdlog::set_default_logger(std::move(logger));
}

void write(Level level, std::string_view line) {
  const auto plain = indented(plain_lines(line));
  spdlog::log(spdlog_level(level), fmt::string_view(plain.data(), plain.size()));
}

}  // namespace submix::log
