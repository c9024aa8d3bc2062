// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/files.hpp"
#include "common/base/host_name.hpp"
#include "common/base/log.hpp"
#include "common/base/standard_files.hpp"
#include "common/base/stop_signal.hpp"
#include "common/cluster/followed_key.hpp"
#include "common/cluster/membership.hpp"
#include "controller/input/rtmidi_ports.hpp"
#include "controller/local/publish_desk.hpp"
#include "controller/local/start_nats.hpp"
#include "controller/pairing/server_users.hpp"
#include "controller/session/nats_access.hpp"
#include "controller/session/session.hpp"
#include "controller/ui/shell/app.hpp"
#include "controller/ui/shell/options.hpp"
#include "controller/ui/shell/window.hpp"

#include <cstdio>

namespace submix::ui {
namespace {

Result<cluster::BusSettings> bus_settings(const Options& options) {
  cluster::BusSettings settings;
  if (!options.nats_url.empty()) settings.url = options.nats_url;
  settings.name = "submix-controller on " + host_name();
  if (!options.key_file.empty()) {
    auto key = cluster::ShowKey::read(options.key_file);
    SUBMIX_TRY(key);
    settings.key = *key;
    settings.followed = cluster::FollowedKey::of(options.key_file, settings.name);
  }
  SUBMIX_TRY(cluster::Bus::check(settings));
  return settings;
}

Preferences preferences_or_usual() {
  const auto read = read_preferences(preferences_file());
  if (!read) log::warning("{}", read.error().message);
  return read.value_or(Preferences());
}

/// The NATS server of this window, where none runs yet.
struct OwnNats {
  std::optional<local::NatsServer> server{};
  std::optional<pairing::ServerUsers> users{};
  std::string problem{};  ///< why none may run; empty: one may
};

OwnNats start_own_nats(const std::optional<cluster::ShowKey>& key) {
  OwnNats own;
  auto users = pairing::ServerUsers::of_own_desk(key);
  if (!users) {
    own.problem = users.error().message;
    log::error("no NATS server is started: {}", own.problem);
    return own;
  }
  own.server = local::start_nats_where_missing(key, users->at_start());
  if (own.server) own.users = *std::move(users);
  return own;
}

/// One life of the window. Returns what the next one goes on with; empty: there is none.
Result<std::optional<NextStart>> run(Options options, const NextStart& start, StopSignal& stop) {
  const auto read = cluster::use_membership(options.nats_url, options.key_file);
  const auto membership = read.value_or(std::nullopt);
  const auto settings = bus_settings(options);
  SUBMIX_TRY(settings);
  auto input_options = input::input_options(options.input);
  SUBMIX_TRY(input_options);
  input_options->on_change = &Window::wake;
  const auto preferences = preferences_or_usual();
  // Before the window opens, which would freeze meanwhile.
  OwnNats nats;
  const bool is_own_desk = membership && membership->is_own;
  if (options.nats_url.empty() || (is_own_desk && settings->url == cluster::kDefaultUrl))
    nats = start_own_nats(settings->key);
  if (nats.server) local::publish_desk(*settings);
  auto window = Window::open("Submix", options.size ? options.size : preferences.size);
  SUBMIX_TRY(window);
  const SteadyClock clock;
  session::Session session(std::make_unique<session::NatsAccess>(*settings), clock,
                           {.author = settings->name,
                            .on_change = &Window::wake,
                            .is_read_only = options.is_read_only,
                            .state_folder = state_home()});
  input::InputService input(
      session, clock, [] { return std::make_unique<input::RtMidiPorts>(); },
      *std::move(input_options));
  App app(**window,
          {session, input, nats.server.has_value(), membership,
           read ? nats.problem : read.error().message, nats.users ? &*nats.users : nullptr},
          options, preferences, start);
  const auto done =
      app.run([&stop] { return stop.wait_for(std::chrono::milliseconds(0)).has_value(); });
  if (const auto measured = app.measured(); !measured.empty()) std::puts(measured.c_str());
  app.keep_preferences();
  SUBMIX_TRY(done);
  return app.next_start();
}

Result<void> run_all(const Options& options, StopSignal& stop) {
  std::optional<NextStart> start = NextStart();
  while (start && !stop.wait_for(std::chrono::milliseconds(0))) {
    auto ended = run(options, *start, stop);
    SUBMIX_TRY(ended);
    start = *ended;
  }
  return {};
}

}  // namespace
}  // namespace submix::ui

int main(int argc, char** argv) {
  using namespace submix;
  open_standard_files();
  StopSignal stop;
  const auto options = ui::parse_options(argc, argv);
  if (const auto* status = std::get_if<int>(&options)) return *status;
  log::start("submix-controller", log::Level::info);
  if (const auto done = ui::run_all(std::get<ui::Options>(options), stop); !done) {
    log::error("{}", done.error().message);
    return 1;
  }
  return 0;
}
