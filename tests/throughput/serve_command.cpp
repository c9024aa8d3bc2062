// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/serve_command.hpp"

#include "common/base/host_name.hpp"
#include "common/base/log.hpp"
#include "common/link/cards/interfaces.hpp"
#include "tests/throughput/link_access.hpp"
#include "tests/throughput/link_messages.hpp"
#include "tests/throughput/measurement.hpp"
#include "tests/throughput/remote_line.hpp"
#include "tests/throughput/socket_address.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstdio>
#include <utility>

namespace submix::throughput {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kServeLook{100};
constexpr milliseconds kFirstPatience{2000};      // for a caller to prove that it has the key
constexpr milliseconds kRequestPatience{60'000};  // between the tests of one client

struct Server {
  Descriptor listener;
  std::vector<std::string> addresses;
  std::optional<wire::Key> key;
};

/// Serves one client's requests in turn. Confined (main).
class Service {
 public:
  Service(RemoteLine line, const Server& server, Meanwhile meanwhile)
      : line_(std::move(line)),
        addresses_(server.addresses),
        key_(server.key),
        meanwhile_(std::move(meanwhile)) {}

  /// Returns the reason for its end.
  Error run() {
    for (auto patience = kFirstPatience;; patience = kRequestPatience) {
      const auto message = line_.receive(patience, meanwhile_);
      if (!message) return message.error();
      const auto request = decode_request(*message);
      auto answered = request
                          ? std::visit([this](const auto& each) { return answer(each); }, *request)
                          : Result<std::string>(tl::unexpected(request.error()));
      const auto text = answered ? *answered : encode_failure(answered.error());
      if (!answered) log::warning("a request is refused: {}", answered.error().message);
      if (auto sent = line_.send(text); !sent) return sent.error();
    }
  }

 private:
  /// A test that has begun.
  struct Reception {
    Ledger ledger;
    Job job;
    WorkerProcess worker;
  };

  Result<std::string> answer(const AskCards& /*request*/) {
    auto interfaces = link::list_interfaces();
    link::add_speeds(interfaces);
    Cards cards{host_name(), {}};
    for (const auto& address : addresses_) {
      DataEndpoint endpoint;
      endpoint.address = address;
      endpoint.prefix_length = link::prefix_length_of(address, interfaces);
      const auto* card = link::find_address(address, interfaces);
      endpoint.mtu_bytes = card == nullptr ? 0 : card->mtu_bytes;
      cards.addresses.push_back(std::move(endpoint));
    }
    link::add_speeds(cards.addresses, interfaces);
    return encode(cards);
  }

  Result<std::string> answer(const AskReceive& request) {
    reception_.reset();
    auto job = job_of(request, addresses_);
    SUBMIX_TRY(job);
    auto ledger = Ledger::create({job->streams, frames_bound(*job)});
    SUBMIX_TRY(ledger);
    job->ledger = ledger->descriptor();
    job->has_key = key_.has_value();
    if (key_) job->key = *key_;
    auto worker = WorkerProcess::start(*job, [](const auto& command) { return command; });
    SUBMIX_TRY(worker);
    auto listening = worker->wait_for_message(nullptr, meanwhile_, kAnswerPatience);
    if (!listening) return listening;
    reception_.emplace(Reception{std::move(*ledger), std::move(*job), std::move(*worker)});
    return listening;  // the worker's own answer
  }

  Result<std::string> answer(const AskReport& request) {
    if (!reception_) return fail("no test has begun");
    auto reception = std::move(*reception_);
    reception_.reset();
    if (auto told = reception.worker.tell(encode(Ending{{request.frames_sent}})); !told)
      return tl::unexpected(told.error());
    const auto message = reception.worker.wait_for_message(nullptr, meanwhile_, kAnswerPatience);
    SUBMIX_TRY(message);
    auto side = decode_report(*message);
    SUBMIX_TRY(side);
    const auto window = read_window(reception.ledger, wire_bytes(reception.job.size));
    SUBMIX_TRY(window);
    fmt::print("{} over {}: {:.1f} MB/s\n",
               reception.job.transport == Transport::plain ? "plain TCP" : "a stream",
               fmt::join(reception.job.addresses, ", "), window->bytes_per_second / 1e6);
    std::fflush(stdout);
    return encode(RemoteReport{std::move(*side), window->bytes_per_second,
                               window->frames_per_second, read_releases(reception.ledger)});
  }

  RemoteLine line_;
  const std::vector<std::string> addresses_;
  const std::optional<wire::Key> key_;
  const Meanwhile meanwhile_;
  std::optional<Reception> reception_;
};

Result<Server> open_server(const ServeOptions& options) {
  auto key = read_stream_key(options.key_file);
  SUBMIX_TRY(key);
  SUBMIX_TRY(check_reach(options.listen, key->has_value()));
  auto addresses = data_addresses(options.data_addresses, key->has_value());
  SUBMIX_TRY(addresses);
  const auto place = socket_address(options.listen, options.port);
  SUBMIX_TRY(place);
  auto listener = open_bound_socket(*place, 0);
  if (!listener)
    return fail("{} port {}: {}; see --listen and --port", options.listen, options.port,
                listener.error().message);
  const auto port = listen_on(listener->get(), 4);
  SUBMIX_TRY(port);
  fmt::print("Listens on {} port {}{}; receives on {}. Ctrl-C ends it.\n", options.listen, *port,
             *key ? "" : " (no key, so for this machine only)", fmt::join(*addresses, ", "));
  std::fflush(stdout);
  return Server{std::move(*listener), std::move(*addresses), *key};
}

/// The next caller's connection, if a caller comes within `patience`.
std::optional<Descriptor> next_caller(const Server& server, milliseconds patience) {
  pollfd waiting{server.listener.get(), POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return std::nullopt;
  const int socket = ::accept4(server.listener.get(), nullptr, nullptr, SOCK_CLOEXEC);
  return socket < 0 ? std::nullopt : std::optional<Descriptor>(std::in_place, socket);
}

/// Tells a caller with the right key that another client is being served. A silent caller costs
/// itself and the served client half a second.
void turn_away_another(Context& context, const Server& server, const std::string& served) {
  constexpr milliseconds kPatience{250};
  auto socket = next_caller(server, milliseconds(0));
  if (!socket) return;
  const auto caller = other_end(socket->get());
  auto line = RemoteLine::begin(std::move(*socket), RemoteLine::End::server,
                                server.key.value_or(wire::Key{}), kPatience);
  if (!line) return;
  if (!line->receive(kPatience, [&context] { return context.go_on(); })) return;
  const auto busy = fail(
      "the other side is busy: it measures with {}, one caller at a time; try again in a while, or "
      "start another `submix-throughput serve` there with --port N and call that",
      served);
  static_cast<void>(line->send(encode_failure(busy.value())));
  log::warning("{} is sent away while {} is served", caller, served);
}

Result<void> serve(Context& context, const Server& server) {
  for (;;) {
    if (auto go_on = context.go_on(); !go_on) return go_on;
    auto socket = next_caller(server, kServeLook);
    if (!socket) continue;
    const auto caller = other_end(socket->get());
    auto line = RemoteLine::begin(std::move(*socket), RemoteLine::End::server,
                                  server.key.value_or(wire::Key{}));
    if (!line) {
      log::warning("{} is sent away: {}", caller, line.error().message);
      continue;
    }
    const auto meanwhile = [&]() -> Result<void> {
      turn_away_another(context, server, caller);
      return context.go_on();
    };
    const auto ended = Service(std::move(*line), server, meanwhile).run();
    if (!context.signal) log::info("{} has ended: {}", caller, ended.message);
  }
}

}  // namespace

int run_serve(Context& context, const ServeOptions& options) {
  const auto server = open_server(options);
  if (!server) return failed(context, server.error());
  const auto ended = serve(context, *server);
  return context.signal ? kOk : failed(context, ended.error());  // a signal is the normal end
}

}  // namespace submix::throughput
