// SPDX-License-Identifier: GPL-3.0-or-later
// submix desk
#include "common/base/files.hpp"
#include "common/base/host_port.hpp"
#include "common/base/mutex.hpp"
#include "common/base/stop_signal.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/membership.hpp"
#include "common/cluster/reachable.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/nats_serving.hpp"
#include "controller/pairing/nearby_desks.hpp"
#include "controller/pairing/pairing_desk.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace submix::cli {
namespace {

/// The key that `--key` names; else the key of the desk that this PC is; else a new key.
Result<cluster::ShowKey> key_of_desk(const Context& context) {
  const auto given = context.key_file.empty() ? key_of_own_desk() : read_key(context);
  SUBMIX_TRY(given);
  if (*given) return **given;
  const auto membership = cluster::read_membership(config_home());
  SUBMIX_TRY(membership);
  if (!*membership) return cluster::ShowKey::random();
  return fail("this PC has joined {}; `submix leave` first, then this PC can be a desk itself",
              (*membership)->desk);
}

/// Whether a server of this key runs already, as a service for example.
///
/// Errors   A server of another key, or of none, is there.
Result<bool> is_served(const std::string& url, const cluster::ShowKey& key) {
  if (!cluster::is_reachable(url)) return false;
  constexpr const char* kRemedy = "end it, or name another --port and another --folder";
  if (cluster::Bus::connect({.url = url, .name = "submix desk"})) {
    return fail("{} is a NATS server that asks for no key, such as a demo's or a window's; {}", url,
                kRemedy);
  }
  const auto bus = cluster::Bus::connect({.url = url, .name = "submix desk", .key = key});
  if (bus) return true;
  return fail("{} is a NATS server of another key: {}; {}", url, bus.error().message, kRemedy);
}

bool is_enter_pressed() {
  static bool is_open = true;
  // A job in the background would be stopped by reading.
  if (::isatty(STDIN_FILENO) == 1 && ::tcgetpgrp(STDIN_FILENO) != ::getpgrp()) return false;
  ::pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  if (!is_open || ::poll(&input, 1, 0) <= 0) return false;
  std::array<char, 64> ignored{};
  is_open = ::read(STDIN_FILENO, ignored.data(), ignored.size()) > 0;
  return is_open;
}

/// Shows codes, and tells who joins. Events come on the desk's thread and are told on the main
/// thread.
class CodeBoard {
 public:
  explicit CodeBoard(Context& context) : context_(context) {}

  Result<void> open(pairing::PairingDesk::Settings settings) {
    settings.on_event = [this](const pairing::DeskEvent& event) {
      const MutexLock lock(mutex_);
      events_.push_back(event);
    };
    auto desk = pairing::PairingDesk::open(std::move(settings));
    SUBMIX_TRY(desk);
    desk_ = *std::move(desk);
    auto notice = pairing::DeskNotice::show(host_name(), desk_->port());
    if (notice) {
      notice_ = *std::move(notice);
    } else {
      warn(context_, notice.error().message + "; other PCs need this desk's address to join");
    }
    return {};
  }

  void show_code() {
    fmt::print(context_.out, "code: {}   good for two minutes and one PC\n", desk_->offer().text());
  }

  void look() {
    for (const auto& event : take_events())
      tell(event);
    if (is_enter_pressed()) show_code();
    context_.out << std::flush;
  }

 private:
  std::vector<pairing::DeskEvent> take_events() {
    const MutexLock lock(mutex_);
    return std::exchange(events_, {});
  }

  void tell(const pairing::DeskEvent& event) {
    using Kind = pairing::DeskEvent::Kind;
    const auto who =
        event.pc.empty() ? event.address : fmt::format("{} ({})", event.pc, event.address);
    switch (event.kind) {
      case Kind::joined:
        fmt::print(context_.out, "{} has joined; Enter shows a code for the next PC\n", who);
        break;
      case Kind::lost:
        fmt::print(context_.out, "{} knew the code but went too early; Enter shows another\n", who);
        break;
      case Kind::wrong_code:
        fmt::print(context_.out, "a wrong code from {}: {}\n", who,
                   event.tries_left > 0 ? fmt::format("tries left: {}", event.tries_left)
                                        : "the code is void now; Enter shows another");
        break;
      case Kind::over:
        fmt::print(context_.out, "the code's time is over; Enter shows another\n");
        break;
    }
  }

  Context& context_;
  Mutex mutex_;
  std::vector<pairing::DeskEvent> events_ SUBMIX_GUARDED_BY(mutex_);
  std::unique_ptr<pairing::DeskNotice> notice_;
  std::unique_ptr<pairing::PairingDesk> desk_;  // destroyed first: its thread calls back
};

/// Watches a server that another program runs.
Result<void> watch_other(const std::string& url, StopSignal& stop, CodeBoard& board) {
  using std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kLook{200};
  constexpr std::chrono::seconds kProof{2};
  auto next_proof = steady_clock::now() + kProof;
  while (!stop.wait_for(kLook)) {
    board.look();
    if (steady_clock::now() < next_proof) continue;
    if (!cluster::is_reachable(url))
      return fail("the NATS server at {} has ended; `submix desk` again starts one", url);
    next_proof = steady_clock::now() + kProof;
  }
  return {};
}

/// "198.18.0.1   (or 198.18.1.1)": what a person types at another PC.
std::string joining_addresses(const std::string& urls, std::uint16_t port) {
  std::vector<std::string> addresses;
  for (const auto& url : cluster::parse_urls(urls).value_or(std::vector<std::string>())) {
    const auto host = cluster::host_of(url);
    addresses.push_back(port == pairing::kDefaultPort ? host : to_string(HostPort{host, port}));
  }
  if (addresses.empty()) return "ADDRESS";
  const auto others = fmt::format("{}", fmt::join(addresses.begin() + 1, addresses.end(), ", "));
  return others.empty() ? addresses.front()
                        : fmt::format("{}   (or {})", addresses.front(), others);
}

/// Programs of this user on this PC find the desk, too; but not if a person names the key.
Result<void> join_own_desk(const Context& context, const std::string& url,
                           const cluster::ShowKey& key) {
  if (!context.key_file.empty()) return {};
  const cluster::Membership own{host_name(), url, {}, true};
  return cluster::write_membership(config_home(), own, key);
}

void announce(const Context& context, const DeskOptions& options, const std::string& urls) {
  const auto for_this_pc =
      context.key_file.empty()
          ? "programs on this PC find it by themselves"
          : fmt::format("programs on this PC need --nats and --key {}", context.key_file.string());
  fmt::print(context.out,
             "desk {}: NATS answers at {}; {}\non each other PC: submix join, or submix join {}\n",
             host_name(), urls, for_this_pc, joining_addresses(urls, options.pairing_port));
}

/// Errors   Other PCs cannot reach this address.
Result<void> check_listen(const DeskOptions& options) {
  const auto& listen = options.nats.listen;
  if (listen.empty() || !std::ranges::all_of(listen, cluster::is_loopback)) return {};
  return fail("--listen {}: no other PC reaches loopback; name an address of a card",
              fmt::join(listen, " --listen "));
}

/// The port of the server that runs already or that is started now.
Result<std::uint16_t> serve(const DeskOptions& options, const cluster::ShowKey& key,
                            std::optional<NatsServing>& serving) {
  const auto port = options.nats.port;
  const auto served =
      port == 0 ? Result<bool>(false) : is_served(local_url_of(options.nats, port), key);
  SUBMIX_TRY(served);
  if (*served) return port;
  auto started = NatsServing::start(options.nats, key);
  SUBMIX_TRY(started);
  serving = *std::move(started);
  return serving->port();
}

Result<void> run(Context& context, const DeskOptions& options) {
  StopSignal stop;
  SUBMIX_TRY(check_listen(options));
  const auto key = key_of_desk(context);
  SUBMIX_TRY(key);
  std::atomic<std::uint16_t> port = 0;
  const auto invite = [&](const std::string& address) {
    return pairing::Invitation{host_name(), urls_of(options.nats, true, port, address), *key};
  };
  const auto all = std::vector<std::string>{"0.0.0.0"};
  CodeBoard board(context);
  SUBMIX_TRY(board.open({.listen = options.nats.listen.empty() ? all : options.nats.listen,
                         .port = options.pairing_port,
                         .invite = invite,
                         .on_event = {}}));
  std::optional<NatsServing> serving;
  const auto served_at = serve(options, *key, serving);
  SUBMIX_TRY(served_at);
  port = *served_at;
  const auto url = local_url_of(options.nats, port);
  SUBMIX_TRY(join_own_desk(context, url, *key));
  announce(context, options, urls_of(options.nats, true, port));
  board.show_code();
  if (serving) return serving->watch(stop, [&board] { board.look(); });
  return watch_other(url, stop, board);
}

}  // namespace

int run_desk(Context& context, const DeskOptions& options) {
  const auto done = run(context, options);
  return done ? kOk : failed(context, done.error().message);
}

}  // namespace submix::cli
