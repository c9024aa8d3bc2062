// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to this folder, as all headers with Asio.

#include "controller/pairing/key_exchange.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <optional>
#include <span>
#include <string>

namespace submix::pairing {

using boost::asio::awaitable;
using boost::asio::ip::tcp;

/// Reads a message: two bytes of length, little-endian, then the bytes. Empty: the connection has
/// ended, or the length is beyond kMessageBytesMax.
[[nodiscard]] awaitable<std::optional<Bytes>> read_message(tcp::socket& socket);
/// False: the connection has ended.
[[nodiscard]] awaitable<bool> write_message(tcp::socket& socket,
                                            std::span<const std::uint8_t> bytes);

/// For people. If the connection is gone: words.
[[nodiscard]] std::string address_of_peer(const tcp::socket& socket);
/// Empty: the connection is gone.
[[nodiscard]] std::string own_address(const tcp::socket& socket);

}  // namespace submix::pairing
