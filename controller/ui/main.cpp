// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"
#include "common/base/stop_signal.hpp"
#include "controller/session/nats_access.hpp"
#include "controller/session/session.hpp"
#include "controller/ui/app.hpp"
#include "controller/ui/local_nats.hpp"
#include "controller/ui/options.hpp"
#include "controller/ui/window.hpp"

#include <unistd.h>

#include <array>

namespace submix::ui {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

Result<cluster::BusSettings> bus_settings(const Options& options) {
  cluster::BusSettings settings;
  if (!options.nats_url.empty()) settings.url = options.nats_url;
  settings.name = "submix-controller on " + host_name();
  if (!options.key_file.empty()) {
    auto key = cluster::ShowKey::read(options.key_file);
    if (!key) return tl::unexpected(key.error());
    settings.key = *key;
  }
  return settings;
}

Result<void> run(const Options& options, StopSignal& stop) {
  const auto settings = bus_settings(options);
  if (!settings) return tl::unexpected(settings.error());
  auto window = Window::open("Submix", options.size);
  if (!window) return tl::unexpected(window.error());
  std::optional<cluster::NatsServer> nats;
  if (options.nats_url.empty()) nats = start_nats_where_missing();
  const SteadyClock clock;
  session::Session session(std::make_unique<session::NatsAccess>(*settings), clock,
                           {.author = settings->name, .on_change = &Window::wake});
  App app(**window, session, options);
  return app.run([&stop] { return stop.wait_for(std::chrono::milliseconds(0)).has_value(); });
}

}  // namespace
}  // namespace submix::ui

int main(int argc, char** argv) {
  using namespace submix;
  StopSignal stop;
  const auto options = ui::parse_options(argc, argv);
  if (const auto* status = std::get_if<int>(&options)) return *status;
  log::start("submix-controller", log::Level::info);
  if (const auto done = ui::run(std::get<ui::Options>(options), stop); !done) {
    log::error("{}", done.error().message);
    return 1;
  }
  return 0;
}
