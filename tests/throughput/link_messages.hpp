// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "tests/throughput/job.hpp"
#include "tests/throughput/release_times.hpp"

#include <chrono>
#include <string>
#include <variant>
#include <vector>

/// The questions of `link` and the answers of `serve`, and their JSON form.
namespace submix::throughput {

/// Asks for the addresses at which the server can receive.
struct AskCards {};

/// Asks the server to receive over these of its addresses.
struct AskReceive {
  Transport transport = Transport::submix;
  std::string size = "xga";  ///< a name, so that no size from the wire determines memory
  std::chrono::milliseconds warm_up{0};
  std::chrono::milliseconds duration{0};
  std::vector<std::string> addresses;
  std::array<std::uint8_t, 16> token{};  ///< plain sockets send it first
};

/// Ends a test: this many frames were sent.
struct AskReport {
  std::uint64_t frames_sent = 0;
};

using Request = std::variant<AskCards, AskReceive, AskReport>;

struct Cards {
  std::string host;
  std::vector<DataEndpoint> addresses;  ///< without ports
};

struct RemoteReport {
  SideReport side;
  double bytes_per_second = 0;
  double frames_per_second = 0;
  ReleaseTimes releases;
};

[[nodiscard]] std::string encode(const Request& request);
[[nodiscard]] Result<Request> decode_request(const std::string& text);
[[nodiscard]] std::string encode(const Cards& cards);
[[nodiscard]] Result<Cards> decode_cards(const std::string& text);
[[nodiscard]] std::string encode(const RemoteReport& report);
[[nodiscard]] Result<RemoteReport> decode_remote_report(const std::string& text);

/// The job of a server with these addresses and this key. Fails on requests that no client may
/// make: other addresses, more than 30 s, an unknown size.
[[nodiscard]] Result<Job> job_of(const AskReceive& request,
                                 const std::vector<std::string>& addresses);

}  // namespace submix::throughput
