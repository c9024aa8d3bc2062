// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"

#include "common/base/plain_text.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <memory>

namespace submix::log {
namespace {

std::atomic<bool> goes_to_journal{false};

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

// The priorities of sd-daemon(3).
std::string_view journal_mark(Level level) {
  switch (level) {
    case Level::debug:
      return "<7>";
    case Level::info:
      return "<6>";
    case Level::warning:
      return "<4>";
    case Level::error:
      return "<3>";
  }
  return "<3>";
}

// systemd names its own stream by device and inode; stderr may have been redirected since.
bool is_stderr_the_journal() {
  const char* stream = std::getenv("JOURNAL_STREAM");
  struct stat status{};
  if (stream == nullptr || ::fstat(STDERR_FILENO, &status) != 0) return false;
  return fmt::format("{}:{}", status.st_dev, status.st_ino) == stream;
}

// The journal makes an entry of each line, so each line needs the mark.
std::string marked(Level level, const std::string& lines) {
  std::string result(journal_mark(level));
  for (const char c : lines) {
    result += c;
    if (c == '\n') result += journal_mark(level);
  }
  return result;
}

}  // namespace

void start(std::string program, Level least) {
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  auto logger = std::make_shared<spdlog::logger>(std::move(program), std::move(sink));
  goes_to_journal = is_stderr_the_journal();
  // The journal has time, level and program of each entry.
  logger->set_pattern(goes_to_journal ? "%v" : "%H:%M:%S.%e %n %^%l%$ %v");
  logger->set_level(spdlog_level(least));
  spdlog::set_default_logger(std::move(logger));
}

void write(Level level, std::string_view line) {
  auto plain = indented(plain_lines(line));
  if (goes_to_journal) plain = marked(level, plain);
  spdlog::log(spdlog_level(level), fmt::string_view(plain.data(), plain.size()));
}

}  // namespace submix::log
