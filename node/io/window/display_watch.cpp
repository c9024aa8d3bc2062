// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/display_watch.hpp"

#include "common/base/log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace submix::io {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

bool is_display_server_named() {
  const char* driver = std::getenv("SDL_VIDEODRIVER");
  const bool is_memory_wanted = driver != nullptr && (std::string_view(driver) == "dummy" ||
                                                      std::string_view(driver) == "offscreen");
  return !is_memory_wanted && (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"));
}

DisplayWatch::DisplayWatch(std::filesystem::path program) : program_(std::move(program)) {}

std::optional<std::vector<Display>> DisplayWatch::news(LocalTime now) {
  if (!process_ && (!started_ || now - *started_ >= kRetryPause)) start(now);
  if (!process_) return std::nullopt;

  std::optional<std::vector<Display>> newest;
  std::array<char, 4096> bytes{};
  ssize_t count = 0;
  while ((count = ::read(output_.get(), bytes.data(), bytes.size())) > 0) {
    if (auto list = reader_.take({bytes.data(), static_cast<std::size_t>(count)}))
      newest = std::move(list);
  }
  if (!process_->exit_status()) return newest;
  process_.reset();
  return std::vector<Display>();
}

void DisplayWatch::start(LocalTime now) {
  const bool is_first = !started_;
  started_ = now;
  reader_ = {};
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
  output_ = Descriptor(ends[0]);
  const Descriptor input(ends[1]);
  auto process = ChildProcess::start_writing_to(input.get(), {program_.string()});
  if (process) {
    process_ = std::move(*process);
  } else if (is_first) {
    log::info("the displays of this machine are known only with a window: {}",
              process.error().message);
  }
}

}  // namespace submix::io
