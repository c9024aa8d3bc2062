// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/pulse_server.hpp"

#include "common/base/plain_text.hpp"
#include "common/show/sound.hpp"
#include "node/io/sound/sound_device.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

namespace submix::io {
namespace {

constexpr int kTurnUs = 20'000;
constexpr std::size_t kSourceTitleBytesMax = 100;

void add_source(pa_context* /*context*/, const pa_source_info* source, int is_end, void* user) {
  auto& sources = *static_cast<std::vector<CaptureDevice>*>(user);
  if (is_end != 0 || source == nullptr || source->name == nullptr) return;
  if (sources.size() == kCaptureDevicesMax || !show::check_sound_name(source->name)) return;
  const auto* title = source->description == nullptr ? "" : source->description;
  sources.push_back({source->name, plain_text(title, kSourceTitleBytesMax)});
}

}  // namespace

bool PulseServer::is_here() {
  if (const auto* named = std::getenv("PULSE_SERVER"); named != nullptr && *named != '\0')
    return true;
  const auto* runtime = std::getenv("XDG_RUNTIME_DIR");
  std::error_code error;
  return runtime != nullptr && *runtime != '\0' &&
         std::filesystem::exists(std::filesystem::path(runtime) / "pulse" / "native", error);
}

PulseServer::PulseServer(std::stop_token stop, std::chrono::milliseconds patience)
    : stop_(std::move(stop)), patience_(patience), loop_(pa_mainloop_new()) {
  if (!loop_) throw std::bad_alloc();
  context_.reset(pa_context_new(pa_mainloop_get_api(loop_.get()), "Submix"));
  if (!context_) throw std::bad_alloc();
}

Result<PulseServer> PulseServer::connect(std::stop_token stop, std::chrono::milliseconds patience) {
  PulseServer server(std::move(stop), patience);
  auto* const context = server.context();
  // Does not start a server: nobody would have set it up.
  if (pa_context_connect(context, nullptr, PA_CONTEXT_NOAUTOSPAWN, nullptr) < 0)
    return fail("the sound server cannot be reached: {}", server.reason());
  SUBMIX_TRY(server.wait_until([&] { return pa_context_get_state(context) == PA_CONTEXT_READY; }));
  return server;
}

Result<std::vector<CaptureDevice>> PulseServer::sources() {
  std::vector<CaptureDevice> sources;
  auto* const asked = pa_context_get_source_info_list(context_.get(), add_source, &sources);
  if (asked == nullptr) return fail("the sound server lists no inputs: {}", reason());
  const auto answered =
      wait_until([&] { return pa_operation_get_state(asked) != PA_OPERATION_RUNNING; });
  pa_operation_cancel(asked);  // `sources` ends here
  pa_operation_unref(asked);
  SUBMIX_TRY(answered);
  return sources;
}

Result<void> PulseServer::turn() {
  const bool works = pa_mainloop_prepare(loop_.get(), kTurnUs) >= 0 &&
                     pa_mainloop_poll(loop_.get()) >= 0 && pa_mainloop_dispatch(loop_.get()) >= 0;
  if (works && PA_CONTEXT_IS_GOOD(pa_context_get_state(context_.get()))) return {};
  switch (error()) {
    case PA_ERR_CONNECTIONREFUSED:
      return fail("the sound server cannot be reached; start PipeWire or PulseAudio");
    case PA_ERR_ACCESS:
    case PA_ERR_AUTHKEY:
      return fail("the sound server refuses this user; run the node as the user who is logged in");
    default:
      return fail("the sound server is gone: {}", reason());
  }
}

Result<void> PulseServer::wait_until(const std::function<bool()>& is_done) {
  const auto deadline = std::chrono::steady_clock::now() + patience_;
  while (!is_done()) {
    if (stop_.stop_requested()) return fail("stopped");
    if (std::chrono::steady_clock::now() > deadline)
      return fail("the sound server gives no answer for {} ms", patience_.count());
    SUBMIX_TRY(turn());
  }
  return {};
}

}  // namespace submix::io
