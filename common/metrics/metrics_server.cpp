// SPDX-License-Identifier: GPL-3.0-or-later
// The one file that includes Boost.Beast, which takes long to compile.
#include "common/metrics/metrics_server.hpp"

#include "common/base/host_port.hpp"
#include "common/base/thread.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include <chrono>
#include <thread>
#include <utility>

namespace submix::metrics {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

constexpr std::chrono::seconds kPatience(5);
constexpr std::chrono::milliseconds kPause(100);
constexpr int kClientsMax = 16;
constexpr std::uint32_t kHeaderBytesMax = 8192;

/// One request and its answer. Keeps itself alive until both are done.
class Client : public std::enable_shared_from_this<Client> {
 public:
  Client(tcp::socket socket, const std::function<std::string()>& text, int& count)
      : stream_(std::move(socket)), text_(text), count_(count) {
    ++count_;
  }
  ~Client() { --count_; }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void read() {
    parser_.header_limit(kHeaderBytesMax);
    parser_.body_limit(0);
    stream_.expires_after(kPatience);
    http::async_read(stream_, buffer_, parser_,
                     [self = shared_from_this()](const beast::error_code& error, std::size_t) {
                       if (!error) self->answer();
                     });
  }

 private:
  void answer() {
    const auto& request = parser_.get();
    if (request.method() != http::verb::get && request.method() != http::verb::head) {
      fill_response("405 Method Not Allowed", "text/plain", "only GET and HEAD\n");
    } else if (request.target() == "/metrics") {
      fill_response("200 OK", "text/plain; version=0.0.4", text_());
    } else {
      fill_response("404 Not Found", "text/plain", "the metrics are at /metrics\n");
    }
    stream_.expires_after(kPatience);
    asio::async_write(stream_, asio::buffer(response_),
                      [self = shared_from_this()](const beast::error_code&, std::size_t) {
                        beast::error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  // Not by Beast: with its writer, this file takes 14 s to compile in place of 9.
  void fill_response(std::string_view status, std::string_view type, std::string_view body) {
    response_ = fmt::format(
        "HTTP/1.1 {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\n"
        "Connection: close\r\n\r\n",
        status, type, body.size());
    if (parser_.get().method() != http::verb::head) response_ += body;
  }

  beast::tcp_stream stream_;
  const std::function<std::string()>& text_;
  int& count_;
  beast::flat_buffer buffer_{kHeaderBytesMax};
  http::request_parser<http::string_body> parser_;
  std::string response_;
};

}  // namespace

class MetricsServer::Service {
 public:
  explicit Service(std::function<std::string()> text) : text_(std::move(text)) {}
  ~Service() { io_.stop(); }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  [[nodiscard]] Result<void> listen(const MetricsAddress& at) {
    beast::error_code error;
    const tcp::endpoint endpoint(asio::ip::make_address(at.address), at.port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(tcp::acceptor::max_listen_connections, error);
    if (error)
      return fail("metrics cannot be offered at {} port {}: {}", at.address, at.port,
                  error.message());
    accept();
    thread_ = start_thread("metrics", [this](const std::stop_token&) { io_.run(); });
    return {};
  }

  [[nodiscard]] tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

 private:
  void accept() {
    acceptor_.async_accept([this](const beast::error_code& error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (!error && clients_ < kClientsMax)
        std::make_shared<Client>(std::move(socket), text_, clients_)->read();
      if (!error) return accept();
      pause_.expires_after(kPause);  // no descriptor is left, for example
      pause_.async_wait([this](const beast::error_code& ended) {
        if (!ended) accept();
      });
    });
  }

  const std::function<std::string()> text_;
  int clients_ = 0;  // used by the thread only
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  asio::steady_timer pause_{io_};
  std::jthread thread_;  // last member: ends first
};

Result<MetricsAddress> parse_metrics_address(std::string_view text) {
  const bool has_address = text.find(':') != text.npos;
  const auto at = parse_host_port(
      has_address ? std::string(text) : fmt::format("{}:{}", MetricsAddress().address, text));
  beast::error_code no_address;
  if (at) asio::ip::make_address(at->host, no_address);
  if (!at || no_address)
    return fail("\"{}\" is no address for metrics; write PORT or ADDRESS:PORT, e.g. 9464", text);
  return MetricsAddress{at->host, at->port};
}

Result<std::unique_ptr<MetricsServer>> MetricsServer::start(const MetricsAddress& at,
                                                            std::function<std::string()> text) {
  auto service = std::make_unique<Service>(std::move(text));
  if (auto listening = service->listen(at); !listening) return tl::unexpected(listening.error());
  return std::unique_ptr<MetricsServer>(new MetricsServer(std::move(service)));
}

MetricsServer::MetricsServer(std::unique_ptr<Service> service) : service_(std::move(service)) {}
MetricsServer::~MetricsServer() = default;

std::string MetricsServer::url() const {
  const auto at = service_->endpoint();
  return fmt::format("http://{}/metrics", to_string(HostPort{at.address().to_string(), at.port()}));
}

}  // namespace submix::metrics
