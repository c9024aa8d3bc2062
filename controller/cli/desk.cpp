// SPDX-License-Identifier: GPL-3.0-or-later
// submix desk
#include "common/base/files.hpp"
#include "common/base/host_name.hpp"
#include "common/base/host_port.hpp"
#include "common/base/stop_signal.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/followed_key.hpp"
#include "common/cluster/reachable.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/desk_show.hpp"
#include "controller/cli/nats_serving.hpp"
#include "controller/local/publish_desk.hpp"
#include "controller/pairing/key_change.hpp"
#include "controller/pairing/nearby_notice.hpp"
#include "controller/pairing/own_desk.hpp"
#include "controller/pairing/pairing_port.hpp"
#include "controller/pairing/peer_list.hpp"

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

/// The key of `--key`. Without `--key`, the key of this PC's desk, or a new key.
Result<cluster::ShowKey> key_of_desk(const Context& context) {
  const auto given = read_key(context);
  SUBMIX_TRY(given);
  return *given ? Result<cluster::ShowKey>(**given) : pairing::key_for_own_desk();
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

/// Shows codes, and tells who joins.
class CodeBoard {
 public:
  explicit CodeBoard(Context& context) : context_(context), is_own_(context.key_file.empty()) {}

  Result<void> open(pairing::PairingPort::Settings settings) {
    auto desk = pairing::PairingPort::open(std::move(settings));
    if (!desk) return fail("{} Another port: --pairing-port", desk.error().message);
    desk_ = *std::move(desk);
    auto notice = pairing::NearbyNotice::show(pairing::NearbyKind::desk, host_name(), desk_->port(),
                                              {host_name()});
    if (notice) {
      notice_ = *std::move(notice);
    } else {
      warn(context_, notice.error().message + "; other PCs need this desk's address to join");
    }
    return {};
  }

  /// From now on other PCs see which show this is.
  void tell_show(const cluster::BusSettings& settings) { show_ = DeskShow::watch(settings); }

  void show_code() {
    fmt::print(context_.out, "code: {}   good for two minutes and one PC\n", desk_->offer().text());
  }

  void look() {
    for (const auto& event : desk_->take_events()) {
      fmt::print(context_.out, "{}{}\n", to_text(event),
                 is_code_used_up(event) ? "; Enter shows another code" : "");
    }
    if (is_own_) finish();
    if (notice_ && show_) notice_->tell(show_->now());
    if (is_enter_pressed()) show_code();
    context_.out << std::flush;
  }

 private:
  // Somebody may have ended `submix peers remove` half way.
  void finish() {
    const auto finished = pairing::finish_key_change_if_left();
    if (!finished && finished.error().message != told_) warn(context_, finished.error().message);
    told_ = finished ? "" : finished.error().message;
  }

  Context& context_;
  const bool is_own_;  // the key is of this PC's membership
  std::string told_;
  std::unique_ptr<pairing::NearbyNotice> notice_;
  std::unique_ptr<DeskShow> show_;  // null: the network is not told
  std::unique_ptr<pairing::PairingPort> desk_;
};

/// Watches a server that another program runs.
Result<void> watch_other(const std::string& url, const cluster::ShowKey& key, StopSignal& stop,
                         CodeBoard& board) {
  using std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kLook{200};
  constexpr std::chrono::seconds kProof{2};
  const auto bus = cluster::Bus::start(pairing::own_settings(url, key));
  SUBMIX_TRY(bus);
  auto next_proof = steady_clock::now() + kProof;
  while (!stop.wait_for(kLook)) {
    board.look();
    if (steady_clock::now() < next_proof) continue;
    if (!(*bus)->is_connected() && !cluster::is_reachable(url, key))
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

void announce(const Context& context, std::uint16_t pairing_port, const std::string& urls) {
  const auto for_this_pc =
      context.key_file.empty()
          ? "programs on this PC find it by themselves"
          : fmt::format("programs on this PC need --nats and --key {}", context.key_file.string());
  fmt::print(context.out,
             "desk {}: NATS answers at {}; {}\non each other PC: submix join, or submix join {}\n",
             host_name(), urls, for_this_pc, joining_addresses(urls, pairing_port));
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
      port == 0 ? Result<bool>(false) : pairing::is_served(local_url_of(options.nats, port), key);
  if (!served)
    return fail("{}; end it, or name another --port and another --folder", served.error().message);
  if (*served) return port;
  auto started = NatsServing::start(options.nats, key);
  SUBMIX_TRY(started);
  serving = *std::move(started);
  return serving->port();
}

/// Without the option, the port that this desk's PCs remember.
std::uint16_t pairing_port_of(const DeskOptions& options, bool is_own) {
  const auto usual = is_own ? pairing::pairing_port_of_own_desk() : cluster::kPairingPort;
  return options.pairing_port.value_or(usual);
}

/// The program that runs the server says so where nobody may see it.
void warn_of_list(Context& context) {
  const auto list = pairing::PeerBook::read(config_home());
  if (!list) warn(context, list.error().message);
}

/// For following the show. The key may change.
cluster::BusSettings bus_settings(const Context& context, const std::string& url,
                                  const cluster::ShowKey& key) {
  constexpr const char* kName = "submix desk";
  const auto membership = cluster::read_membership(config_home()).value_or(std::nullopt);
  const auto file =
      context.key_file.empty() && membership ? membership->key_file : context.key_file;
  return {.url = url, .name = kName, .key = key, .followed = cluster::FollowedKey::of(file, kName)};
}

Result<void> run(Context& context, const DeskOptions& options) {
  StopSignal stop;
  SUBMIX_TRY(check_listen(options));
  const bool is_own = context.key_file.empty();
  if (is_own) SUBMIX_TRY(pairing::finish_key_change_if_left());
  const auto key = key_of_desk(context);
  SUBMIX_TRY(key);
  std::atomic<std::uint16_t> port = 0;
  const auto invite = [&](const pairing::Joiner& pc,
                          const std::string& address) -> Result<pairing::Admission> {
    const auto urls = urls_of(options.nats, true, port, address);
    if (is_own) return pairing::admit_to_own_desk(pc, urls);
    return pairing::Admission{{host_name(), urls, *key}, {}};
  };
  const auto all = std::vector<std::string>{"0.0.0.0"};
  const auto pairing_port = pairing_port_of(options, is_own);
  CodeBoard board(context);
  SUBMIX_TRY(board.open({.listen = options.nats.listen.empty() ? all : options.nats.listen,
                         .port = pairing_port,
                         .invite = invite,
                         .answer = is_own ? &pairing::answer_of_own_desk : nullptr}));
  std::optional<NatsServing> serving;
  const auto served_at = serve(options, *key, serving);
  SUBMIX_TRY(served_at);
  port = *served_at;
  const auto url = local_url_of(options.nats, port);
  // A key that a person names is for that person's programs to name, too.
  if (is_own) SUBMIX_TRY(pairing::join_own_desk(url, *key, folder_of(options.nats), pairing_port));
  const auto settings = bus_settings(context, url, *key);
  local::publish_desk(settings);
  announce(context, pairing_port, urls_of(options.nats, true, port));
  if (!options.hides_show) board.tell_show(settings);
  board.show_code();
  if (serving) return serving->watch(stop, [&board] { board.look(); });
  if (is_own) warn_of_list(context);
  return watch_other(url, *key, stop, board);
}

}  // namespace

int run_desk(Context& context, const DeskOptions& options) {
  const auto done = run(context, options);
  return done ? kOk : failed(context, done.error().message);
}

}  // namespace submix::cli
