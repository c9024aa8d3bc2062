// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/pairing_desk.hpp"

#include "common/base/mutex.hpp"
#include "common/base/thread.hpp"
#include "controller/pairing/handshake.hpp"
#include "controller/pairing/message_socket.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <cstdint>
#include <list>
#include <optional>
#include <utility>

namespace submix::pairing {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds kVisitTime(10);
constexpr std::size_t kVisitsMax = 16;  // at once; the oldest gives way

/// A connection, and when it must have ended.
struct Visit {
  explicit Visit(tcp::socket connection)
      : socket(std::move(connection)), deadline(socket.get_executor(), kVisitTime) {}

  tcp::socket socket;
  asio::steady_timer deadline;
};

std::string address_of_peer(const tcp::socket& socket) {
  boost::system::error_code error;
  const auto end = socket.remote_endpoint(error);
  return error ? "an address that is gone" : end.address().to_string();
}

/// Empty: the connection is gone.
std::string own_address(const tcp::socket& socket) {
  boost::system::error_code error;
  const auto end = socket.local_endpoint(error);
  return error ? "" : end.address().to_string();
}

bool is_apart(const std::string& remark) {
  return !remark.empty() && remark.front() != ';';
}

}  // namespace

std::string to_text(const DeskEvent& event) {
  using Kind = DeskEvent::Kind;
  const auto who =
      event.pc.empty() ? event.address : fmt::format("{} ({})", event.pc, event.address);
  switch (event.kind) {
    case Kind::joined:
      return fmt::format("{} has joined{}{}", who, is_apart(event.remark) ? " " : "", event.remark);
    case Kind::lost:
      return fmt::format("{} had the right code, but left before the answer", who);
    case Kind::wrong_code:
      return event.tries_left > 0
                 ? fmt::format("a wrong code from {} (tries left: {})", who, event.tries_left)
                 : fmt::format("a wrong code from {}: the code is void now", who);
    case Kind::not_kept:
      return fmt::format("{} cannot join: {}", who, event.remark);
    case Kind::over:
      return "the code's time is over";
  }
  return {};
}

bool is_code_used_up(const DeskEvent& event) {
  return event.kind != DeskEvent::Kind::wrong_code || event.tries_left == 0;
}

/// All but the constructor, offer(), codes(), take_events() and port() runs on the thread `pairing`.
class PairingDesk::Service {
 public:
  explicit Service(Settings settings) : settings_(std::move(settings)), lifetime_(io_) {}
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service() { io_.stop(); }

  Result<void> listen() {
    for (const auto& text : settings_.listen) {
      boost::system::error_code error;
      const auto address = asio::ip::make_address(text, error);
      if (error) return fail("{}: is no address to listen at", text);
      // The first address's free port is the port of all.
      const tcp::endpoint end(address, acceptors_.empty() ? settings_.port : port_);
      auto& acceptor = acceptors_.emplace_back(io_);
      acceptor.open(end.protocol(), error);
      if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
      if (!error) acceptor.bind(end, error);
      if (!error) acceptor.listen(tcp::acceptor::max_listen_connections, error);
      if (error) {
        return fail("pairing at {}: {}; is another desk open?",
                    to_string(HostPort{text, end.port()}), error.message());
      }
      port_ = acceptor.local_endpoint(error).port();
    }
    for (auto& acceptor : acceptors_)
      asio::co_spawn(io_, accept(acceptor), asio::detached);
    thread_ = start_thread("pairing", [this](const std::stop_token&) {
      const auto work = asio::make_work_guard(io_);
      io_.run();
    });
    return {};
  }

  PairingCode offer() {
    auto code = PairingCode::random();
    asio::post(io_, [this, code, number = ++codes_] { begin(code, number); });
    return code;
  }

  std::vector<DeskEvent> take_events() {
    const MutexLock lock(mutex_);
    return std::exchange(events_, {});
  }

  [[nodiscard]] std::uint64_t codes() const { return codes_; }
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  struct Offer {
    PairingCode code;
    std::uint64_t number;  // tells it from earlier ones
    int tries_left = kTries;
  };

  void begin(const PairingCode& code, std::uint64_t number) {
    offer_ = Offer{code, number};
    lifetime_.expires_after(settings_.lifetime);
    lifetime_.async_wait([this, number](const boost::system::error_code& error) {
      if (error || !is_offered(number)) return;
      offer_.reset();
      tell({.kind = DeskEvent::Kind::over, .code_number = number});
    });
  }

  [[nodiscard]] bool is_offered(std::uint64_t number) const {
    return offer_ && offer_->number == number;
  }

  awaitable<void> accept(tcp::acceptor& acceptor) {
    for (;;) {
      boost::system::error_code error;
      auto socket =
          co_await acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
      if (error) {  // no descriptor is left, for example
        asio::steady_timer pause(io_, std::chrono::milliseconds(100));
        co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
        continue;
      }
      if (visits_.size() >= kVisitsMax) {
        visits_.front()->socket.close(error);
        visits_.pop_front();
      }
      visits_.push_back(std::make_shared<Visit>(std::move(socket)));
      asio::co_spawn(io_, receive(visits_.back()), asio::detached);
    }
  }

  awaitable<void> receive(std::shared_ptr<Visit> visit) {
    visit->deadline.async_wait([visit](const boost::system::error_code& error) {
      boost::system::error_code ignored;
      if (!error) visit->socket.close(ignored);
    });
    if (const auto refusal = co_await serve(visit->socket))
      co_await write_message(visit->socket, encode(*refusal));
    visit->deadline.cancel();
    visits_.remove(visit);
  }

  /// Returns the refusal to end with.
  awaitable<std::optional<Refusal>> serve(tcp::socket& socket) {
    const auto address = address_of_peer(socket);
    const auto hello = co_await read_message(socket);
    if (!hello) co_return std::nullopt;
    if (const auto question = cluster::parse_key_question(*hello)) {
      const auto sealed = settings_.answer ? settings_.answer(*question) : std::nullopt;
      if (!sealed) co_return Refusal::unknown_pc;
      Bytes answer{0};
      answer.insert(answer.end(), sealed->begin(), sealed->end());
      co_await write_message(socket, answer);
      co_return std::nullopt;
    }
    if (!offer_) co_return Refusal::no_code;
    const auto number = offer_->number;
    DeskEnd desk(offer_->code);
    const auto welcome = desk.welcome_for(*hello);
    if (!welcome) co_return welcome.error();
    if (!co_await write_message(socket, *welcome)) co_return std::nullopt;

    const auto proof = co_await read_message(socket);
    if (!proof) co_return std::nullopt;
    if (!is_offered(number)) co_return Refusal::no_code;  // since the Hello
    if (const auto checked = desk.check_proof(*proof); !checked) {
      if (checked.error() == Refusal::wrong_code) count_guess(desk.pc(), address);
      co_return checked.error();
    }
    offer_.reset();
    const auto admission =
        settings_.invite({desk.pc(), desk.public_key(), address}, own_address(socket));
    DeskEvent event{.kind = DeskEvent::Kind::not_kept,
                    .pc = desk.pc(),
                    .address = address,
                    .code_number = number};
    if (!admission) {
      event.remark = admission.error().message;
      tell(std::move(event));
      co_return Refusal::not_kept;
    }
    const bool is_sent = co_await write_message(socket, desk.seal(admission->invitation));
    event.kind = is_sent ? DeskEvent::Kind::joined : DeskEvent::Kind::lost;
    event.remark = admission->remark;
    tell(std::move(event));
    co_return std::nullopt;
  }

  void count_guess(const std::string& pc, const std::string& address) {
    const auto number = offer_->number;
    const int left = --offer_->tries_left;
    if (left == 0) offer_.reset();
    tell({.kind = DeskEvent::Kind::wrong_code,
          .pc = pc,
          .address = address,
          .tries_left = left,
          .code_number = number});
  }

  void tell(DeskEvent event) {
    {
      const MutexLock lock(mutex_);
      if (events_.size() == kEventsMax) events_.erase(events_.begin());
      events_.push_back(std::move(event));
    }
    settings_.on_news();
  }

  const Settings settings_;
  asio::io_context io_;
  std::list<tcp::acceptor> acceptors_;
  std::uint16_t port_ = 0;
  std::optional<Offer> offer_;
  std::atomic<std::uint64_t> codes_ = 0;
  asio::steady_timer lifetime_;  // of the offer
  std::list<std::shared_ptr<Visit>> visits_;
  Mutex mutex_;
  std::vector<DeskEvent> events_ SUBMIX_GUARDED_BY(mutex_);
  std::jthread thread_;
};

Result<std::unique_ptr<PairingDesk>> PairingDesk::open(Settings settings) {
  auto service = std::make_unique<Service>(std::move(settings));
  SUBMIX_TRY(service->listen());
  return std::unique_ptr<PairingDesk>(new PairingDesk(std::move(service)));
}

PairingDesk::PairingDesk(std::unique_ptr<Service> service) : service_(std::move(service)) {}
PairingDesk::~PairingDesk() = default;

PairingCode PairingDesk::offer() {
  return service_->offer();
}

std::uint64_t PairingDesk::codes() const {
  return service_->codes();
}

std::vector<DeskEvent> PairingDesk::take_events() {
  return service_->take_events();
}

std::uint16_t PairingDesk::port() const {
  return service_->port();
}

}  // namespace submix::pairing
