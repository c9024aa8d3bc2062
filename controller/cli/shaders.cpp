// SPDX-License-Identifier: GPL-3.0-or-later
// submix shaders
#include "common/base/program_folder.hpp"
#include "controller/cli/commands.hpp"
#include "controller/local/program_answer.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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

constexpr std::chrono::seconds kPatience(30);

std::vector<std::filesystem::path> shaders_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  using Iterator = std::filesystem::recursive_directory_iterator;
  for (Iterator entry(folder, std::filesystem::directory_options::skip_permission_denied, error),
       end;
       !error && entry != end; entry.increment(error)) {
    const auto ending = entry->path().extension();
    if (ending == ".fs" || ending == ".frag") files.push_back(entry->path());
  }
  std::ranges::sort(files);
  return files;
}

Result<std::string> answer_for(const std::filesystem::path& file) {
  return local::answer_of({private_program("submix-shader-host").string(), "--try", file.string()},
                          kPatience);
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
    return failed(context,
                  fmt::format("{}: has no shader, a file NAME.fs or NAME.frag", options.folder));
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
