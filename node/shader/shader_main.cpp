// SPDX-License-Identifier: GPL-3.0-or-later
// Draws one shader for a node, on a GPU or on the CPU: confines itself, compiles the shader, does
// job after job. With "--try" it tries a shader on test pictures.

#include "common/base/version_option.hpp"
#include "node/host/host_arguments.hpp"
#include "node/host/host_loop.hpp"
#include "node/shader/gl_context.hpp"
#include "node/shader/shader_instance.hpp"
#include "node/shader/shader_trial.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

namespace {

using namespace submix;

constexpr int kUsageStatus = 2;

std::unique_ptr<shader::GlContext> context;  // for the process's whole life

Result<void> open_context() {
  auto opened = shader::GlContext::open();
  SUBMIX_TRY(opened);
  context = std::move(*opened);
  return {};
}

/// A file of a graphics card that this process may use.
bool has_gpu() {
  std::error_code error;
  for (const auto& card : std::filesystem::directory_iterator("/dev/dri", error)) {
    const bool draws = card.path().filename().string().starts_with("renderD");
    if (draws && ::access(card.path().c_str(), R_OK | W_OK) == 0) return true;
  }
  return ::access("/dev/nvidia0", R_OK | W_OK) == 0;
}

// A GPU's driver opens devices, which a confined process cannot. The software renderer needs none.
Result<void> open_gpu() {
  return has_gpu() ? open_context() : Result<void>();
}

Result<std::unique_ptr<plugin::Instance>> make_instance(const std::filesystem::path& file,
                                                        const plugin::Setup& setup) {
  if (context == nullptr) SUBMIX_TRY(open_context());
  return shader::make_shader_instance(file, setup);
}

// Mesa's cache of compiled shaders cannot be written by a confined process. The software renderer
// draws on the slot's own thread, which has the right to real time; a slot may have helpers.
void prepare_mesa() {
  ::setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
  ::setenv("LP_NUM_THREADS", "0", 0);
}

int try_file(const char* file) {
  if (const auto opened = open_context(); !opened) {
    fmt::print(stderr, "submix-shader-host: {}\n", opened.error().message);
    return 1;
  }
  const auto trial = shader::try_shader(file);
  fmt::print("{}\n", shader::to_json(file, trial));
  return trial.is_drawn ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (has_told_version("submix-shader-host", argc, argv)) return 0;
  prepare_mesa();
  if (argc == 3 && std::string_view(argv[1]) == "--try") return try_file(argv[2]);
  const auto task = host::parse_task(argc, argv);
  if (!task) {
    fmt::print(stderr,
               "submix-shader-host: submix-node starts it, once for each slot that has a shader; "
               "`submix shaders FOLDER` tries shaders\n");
    return kUsageStatus;
  }
  if (!host::tie_to_node(task->node)) return kUsageStatus;
  host::run(*task, {.make = make_instance, .prepare = open_gpu, .uses_devices = has_gpu()});
}
