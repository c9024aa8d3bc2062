// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/pairing_port.hpp"

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

bool is_apart(const std::string& remark) {
  return !remark.empty() && remark.front() != ';';
}

}  // namespace

std::string to_text(const PairingEvent& event) {
  using Kind = PairingEvent::Kind;
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

bool is_code_used_up(const PairingEvent& event) {
  return event.kind != PairingEvent::Kind::wrong_code || event.tries_left == 0;
}

/// All but the constructor, offer(), codes(), take_events() and port() runs on the thread
/// `pairing`, and what `admission` does for admit().
class PairingPort::Service {
 public:
  explicit Service(Settings settings) : settings_(std::move(settings)), lifetime_(io_) {}
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service() {
    io_.stop();
    admissions_.stop();
  }

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
        return fail("pairing at {}: {}; {}", to_string(HostPort{text, end.port()}), error.message(),
                    settings_.waiting ? "does another node of this PC wait already?"
                                      : "is another desk open?");
      }
      port_ = acceptor.local_endpoint(error).port();
    }
    for (auto& acceptor : acceptors_)
      asio::co_spawn(io_, accept(acceptor), asio::detached);
    thread_ = start("pairing", io_);
    if (settings_.invite) admission_thread_ = start("admission", admissions_);
    return {};
  }

  PairingCode offer() {
    auto code = PairingCode::random();
    asio::post(io_, [this, code, number = ++codes_] { begin(code, number); });
    return code;
  }

  std::vector<PairingEvent> take_events() {
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

  static std::jthread start(const std::string& name, asio::io_context& io) {
    return start_thread(name, [&io](const std::stop_token&) {
      const auto work = asio::make_work_guard(io);
      io.run();
    });
  }

  void begin(const PairingCode& code, std::uint64_t number) {
    offer_ = Offer{code, number};
    lifetime_.expires_after(settings_.lifetime);
    lifetime_.async_wait([this, number](const boost::system::error_code& error) {
      if (error || !is_offered(number)) return;
      offer_.reset();
      tell({.kind = PairingEvent::Kind::over, .code_number = number});
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
    ShowingEnd end(offer_->code, settings_.waiting ? Purpose::invite : Purpose::join);
    const auto welcome = end.welcome_for(*hello);
    if (!welcome) co_return welcome.error();
    if (!co_await write_message(socket, *welcome)) co_return std::nullopt;

    const auto proof = co_await read_message(socket);
    if (!proof) co_return std::nullopt;
    if (!is_offered(number)) co_return Refusal::no_code;  // since the Hello
    if (const auto checked = end.check_proof(*proof); !checked) {
      if (checked.error() == Refusal::wrong_code) count_guess(end.pc(), address);
      co_return checked.error();
    }
    offer_.reset();
    PairingEvent event{.kind = PairingEvent::Kind::not_kept,
                       .pc = end.pc(),
                       .address = address,
                       .code_number = number};
    std::optional<Refusal> refusal;
    if (settings_.waiting) {
      refusal = co_await be_invited(socket, end, event);
    } else {
      refusal = co_await invite(socket, end, event);
    }
    tell(std::move(event));
    co_return refusal;
  }

  /// The desk's last message. Fills in what has happened.
  awaitable<std::optional<Refusal>> invite(tcp::socket& socket, const ShowingEnd& end,
                                           PairingEvent& event) {
    const Joiner pc{end.pc(), end.public_key(), event.address};
    const auto address = own_address(socket);
    const auto admission = co_await admit(pc, address);
    if (!admission) {
      event.remark = admission.error().message;
      co_return Refusal::not_kept;
    }
    const bool is_sent = co_await write_message(socket, end.seal(admission->invitation));
    event.kind = is_sent ? PairingEvent::Kind::joined : PairingEvent::Kind::lost;
    event.remark = admission->remark;
    co_return std::nullopt;
  }

  /// On another thread: a program that shuts a PC out keeps the desk's list for seconds, and
  /// meanwhile others ask for the key.
  awaitable<Result<Admission>> admit(const Joiner& pc, const std::string& address) {
    std::optional<Result<Admission>> admission;
    const auto ask = [&]() -> awaitable<void> {
      admission = settings_.invite(pc, address);
      co_return;
    };
    co_await asio::co_spawn(admissions_, ask, asio::use_awaitable);
    co_return *std::move(admission);
  }

  /// The last messages of a PC without a show. Fills in what has happened.
  awaitable<std::optional<Refusal>> be_invited(tcp::socket& socket, const ShowingEnd& end,
                                               PairingEvent& event) {
    event.kind = PairingEvent::Kind::lost;
    if (!co_await write_message(socket, end.seal(settings_.waiting->pc))) co_return std::nullopt;
    const auto message = co_await read_message(socket);
    if (!message) co_return std::nullopt;
    const auto invitation = end.read_invitation(*message);
    const auto followed =
        invitation ? settings_.waiting->follow(*invitation) : tl::unexpected(invitation.error());
    if (!followed) {
      event.kind = PairingEvent::Kind::not_kept;
      event.remark = followed.error().message;
      co_return Refusal::not_kept;
    }
    event.kind = PairingEvent::Kind::joined;
    co_await write_message(socket, end.seal_receipt());
    co_return std::nullopt;
  }

  void count_guess(const std::string& pc, const std::string& address) {
    const auto number = offer_->number;
    const int left = --offer_->tries_left;
    if (left == 0) offer_.reset();
    tell({.kind = PairingEvent::Kind::wrong_code,
          .pc = pc,
          .address = address,
          .tries_left = left,
          .code_number = number});
  }

  void tell(PairingEvent event) {
    {
      const MutexLock lock(mutex_);
      if (events_.size() == kEventsMax) events_.erase(events_.begin());
      events_.push_back(std::move(event));
    }
    settings_.on_news();
  }

  const Settings settings_;
  asio::io_context io_;
  asio::io_context admissions_;
  std::list<tcp::acceptor> acceptors_;
  std::uint16_t port_ = 0;
  std::optional<Offer> offer_;
  std::atomic<std::uint64_t> codes_ = 0;
  asio::steady_timer lifetime_;  // of the offer
  std::list<std::shared_ptr<Visit>> visits_;
  Mutex mutex_;
  std::vector<PairingEvent> events_ SUBMIX_GUARDED_BY(mutex_);
  std::jthread admission_thread_;
  std::jthread thread_;
};

Result<std::unique_ptr<PairingPort>> PairingPort::open(Settings settings) {
  auto service = std::make_unique<Service>(std::move(settings));
  SUBMIX_TRY(service->listen());
  return std::unique_ptr<PairingPort>(new PairingPort(std::move(service)));
}

PairingPort::PairingPort(std::unique_ptr<Service> service) : service_(std::move(service)) {}
PairingPort::~PairingPort() = default;

PairingCode PairingPort::offer() {
  return service_->offer();
}

std::uint64_t PairingPort::codes() const {
  return service_->codes();
}

std::vector<PairingEvent> PairingPort::take_events() {
  return service_->take_events();
}

std::uint16_t PairingPort::port() const {
  return service_->port();
}

}  // namespace submix::pairing
