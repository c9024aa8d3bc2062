// SPDX-License-Identifier: GPL-3.0-or-later
// submix shaders
#include "common/base/child_process.hpp"
#include "common/base/descriptor.hpp"
#include "common/base/program_folder.hpp"
#include "controller/cli/commands.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

// A process for each shader: one that crashes or hangs costs nothing but its own line.

namespace submix::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience(30);
constexpr std::size_t kAnswerBytesMax = 8192;

std::vector<std::filesystem::path> shaders_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  using Iterator = std::filesystem::recursive_directory_iterator;
  for (Iterator entry(folder, std::filesystem::directory_options::skip_permission_denied, error),
       end;
       !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".fs") files.push_back(entry->path());
  }
  std::ranges::sort(files);
  return files;
}

/// Everything that a child writes, until it closes its end or the deadline has come.
std::string read_all(const Descriptor& from, Clock::time_point deadline) {
  std::string text;
  std::array<char, 1024> bytes{};
  while (text.size() < kAnswerBytesMax) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd ready{from.get(), POLLIN, 0};
    if (left <= 0 || ::poll(&ready, 1, static_cast<int>(left)) <= 0) break;
    const auto count = ::read(from.get(), bytes.data(), bytes.size());
    if (count <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return text;
}

Result<std::string> answer_for(const std::filesystem::path& file) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail("no descriptor is left");
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  auto child = ChildProcess::start_writing_to(
      writing.get(), {private_program("submix-shader-host").string(), "--try", file.string()});
  SUBMIX_TRY(child);
  writing = Descriptor();
  return read_all(reading, Clock::now() + kPatience);
}

nlohmann::json failure(const std::filesystem::path& file, std::string problem) {
  return {{"file", file.filename().string()},
          {"kind", ""},
          {"compiled", false},
          {"drawn", false},
          {"frame_ms", 0.0},
          {"problem", std::move(problem)}};
}

nlohmann::json trial_of(const std::filesystem::path& file) {
  const auto answer = answer_for(file);
  if (!answer) return failure(file, answer.error().message);
  auto trial = nlohmann::json::parse(*answer, nullptr, false);
  if (trial.is_object()) return trial;
  return failure(file, answer->empty() ? "crashed, or drew nothing within 30 s" : *answer);
}

std::string line_of(const nlohmann::json& trial) {
  const auto text = [&](const char* key) { return trial.value(key, std::string()); };
  const char* const verdict = trial.value("drawn", false)      ? "draws"
                              : trial.value("compiled", false) ? "compiles"
                                                               : "fails";
  auto line = fmt::format("{:8}  {:7}  {:7.1f} ms  {}", verdict, text("kind"),
                          trial.value("frame_ms", 0.0), text("file"));
  if (const auto problem = text("problem"); !problem.empty()) line += ": " + problem;
  return line;
}

}  // namespace

int run_shaders(Context& context, const ShadersOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_directory(options.folder, error))
    return failed(context, fmt::format("{}: is no folder", options.folder));
  const auto files = shaders_in(options.folder);
  if (files.empty())
    return failed(context, fmt::format("{}: has no shader, a file NAME.fs", options.folder));
  std::size_t compiled = 0;
  std::size_t drawn = 0;
  for (const auto& file : files) {
    const auto trial = trial_of(file);
    if (trial.value("compiled", false)) ++compiled;
    if (trial.value("drawn", false)) ++drawn;
    context.out << (context.is_json ? trial.dump() : line_of(trial)) << std::endl;
  }
  const nlohmann::json sum{{"files", files.size()}, {"compiled", compiled}, {"drawn", drawn}};
  if (context.is_json) context.out << sum.dump() << std::endl;
  if (!context.is_json)
    context.out << fmt::format("{} files: {} compile, {} draw\n", files.size(), compiled, drawn);
  return drawn == files.size() ? kOk : kFailed;
}

}  // namespace submix::cli
