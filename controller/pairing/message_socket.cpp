// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/message_socket.hpp"

#include "controller/pairing/handshake.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>

namespace submix::pairing {

namespace asio = boost::asio;

awaitable<std::optional<Bytes>> read_message(tcp::socket& socket) {
  boost::system::error_code error;
  std::array<std::uint8_t, 2> length{};
  co_await asio::async_read(socket, asio::buffer(length),
                            asio::redirect_error(asio::use_awaitable, error));
  const auto count = static_cast<std::size_t>(length[0] | length[1] << 8);
  if (error || count > kMessageBytesMax) co_return std::nullopt;
  Bytes bytes(count);
  co_await asio::async_read(socket, asio::buffer(bytes),
                            asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return std::nullopt;
  co_return bytes;
}

awaitable<bool> write_message(tcp::socket& socket, std::span<const std::uint8_t> bytes) {
  boost::system::error_code error;
  const std::array<std::uint8_t, 2> length{static_cast<std::uint8_t>(bytes.size()),
                                           static_cast<std::uint8_t>(bytes.size() >> 8U)};
  const std::array buffers{asio::buffer(length), asio::buffer(bytes.data(), bytes.size())};
  co_await asio::async_write(socket, buffers, asio::redirect_error(asio::use_awaitable, error));
  co_return !error;
}

std::string address_of_peer(const tcp::socket& socket) {
  boost::system::error_code error;
  const auto end = socket.remote_endpoint(error);
  return error ? "an address that is gone" : end.address().to_string();
}

std::string own_address(const tcp::socket& socket) {
  boost::system::error_code error;
  const auto end = socket.local_endpoint(error);
  return error ? "" : end.address().to_string();
}

}  // namespace submix::pairing
