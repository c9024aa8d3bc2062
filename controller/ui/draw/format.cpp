// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/format.hpp"

#include "controller/ui/draw/folding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <ctime>
#include <filesystem>

namespace submix::ui {

std::string rate_text(double per_second) {
  if (per_second < 999.95) return fmt::format("{:.1f}", per_second);
  if (per_second < 99'999.5) return fmt::format("{:.0f}", per_second);
  return fmt::format("{:.0e}", per_second);
}

std::string percent_text(double share) {
  return fmt::format("{:.0f} %", share * 100);
}

bool contains(std::string_view text, std::string_view part) {
  return part.empty() || folded(text).find(folded(part)) != std::string::npos;
}

std::string title_of(std::string_view plugin) {
  std::string title(plugin.substr(plugin.rfind('/') + 1));
  if (title.ends_with("0r") && title.size() > 2) title.resize(title.size() - 2);
  std::ranges::replace(title, '_', ' ');
  if (!title.empty())
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 7> kUnits{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", value, unit >= 3 && value < 10 ? 1 : 0, kUnits[unit]);
}

std::string play_time_text(double seconds) {
  const double tenths = std::round(seconds * 10);
  const double minutes = std::floor(tenths / 600);
  return fmt::format("{:.0f}:{:04.1f}", minutes, (tenths - minutes * 600) / 10);
}

std::string duration_text(std::chrono::nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

std::string milliseconds_text(std::chrono::nanoseconds duration) {
  return fmt::format("{:.2f} ms", std::chrono::duration<double, std::milli>(duration).count());
}

std::string clock_text(LocalTime moment) {
  using std::chrono::system_clock;
  const auto age =
      std::chrono::duration_cast<system_clock::duration>(LocalTime::clock::now() - moment);
  const std::time_t seconds = system_clock::to_time_t(system_clock::now() - age);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  return fmt::format("{:02}:{:02}:{:02}", parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string file_name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

double day_offset() {
  using std::chrono::system_clock;
  const auto now = system_clock::now();
  const std::time_t seconds = system_clock::to_time_t(now);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  const std::chrono::duration<double> wall = now.time_since_epoch();
  const std::chrono::duration<double> monotonic = LocalTime::clock::now().time_since_epoch();
  constexpr double kDay = 86'400;
  return std::fmod(wall.count() + static_cast<double>(parts.tm_gmtoff), kDay) - monotonic.count();
}

}  // namespace submix::ui
