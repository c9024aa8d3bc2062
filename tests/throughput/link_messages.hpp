// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "tests/throughput/job.hpp"
#include "tests/throughput/release_times.hpp"

#include <chrono>
#include <string>
#include <variant>
#include <vector>

/// What `link` asks and `serve` answers, and its form as JSON.
namespace submix::throughput {

/// Where do you receive?
struct AskCards {};

/// Receive over these of your addresses.
struct AskReceive {
  Transport transport = Transport::submix;
  std::string size = "xga";  ///< a name: sizes from the wire would size memory
  std::chrono::milliseconds warm_up{0};
  std::chrono::milliseconds duration{0};
  std::vector<std::string> addresses;
  std::array<std::uint8_t, 16> token{};  ///< plain sockets show it first
};

/// That was all: so many were sent.
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

/// The job of a server with those addresses and that key. Fails on what it does not do for anybody: other
/// addresses, more than 30 s, an unknown size.
[[nodiscard]] Result<Job> job_of(const AskReceive& request,
                                 const std::vector<std::string>& addresses);

}  // namespace submix::throughput
