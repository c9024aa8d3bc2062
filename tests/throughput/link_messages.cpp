// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/link_messages.hpp"

#include "common/wire/message.hpp"
#include "tests/throughput/notation.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace submix::throughput {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr milliseconds kDurationMax{30'000};
constexpr milliseconds kWarmUpMax{10'000};

Request request_of(const json& object) {
  const auto ask = object.at("ask").get<std::string>();
  if (ask == "cards") return AskCards{};
  if (ask == "report") return AskReport{object.at("frames_sent")};
  AskReceive request;
  request.transport = object.at("is_plain").get<bool>() ? Transport::plain : Transport::submix;
  request.size = object.at("size");
  request.warm_up = milliseconds(object.at("warm_up_ms"));
  request.duration = milliseconds(object.at("duration_ms"));
  request.addresses = object.at("addresses").get<std::vector<std::string>>();
  request.token = object.at("token");
  return request;
}

/// Parses a message of the other side and lets `read` make a T of it.
template <typename T, typename Read>
Result<T> decode_message(const std::string& text, Read read) {
  try {
    const auto object = json::parse(text);
    if (object.contains("failure")) return tl::unexpected(Error{object.at("failure")});
    return read(object);
  } catch (const json::exception& error) {
    return fail("the other side has sent what cannot be read: {}", error.what());
  }
}

// Times count microseconds from the first time. 4,096 times are at most 40 KiB of a message's 64
// KiB.
constexpr std::int64_t kNanosecondsPerMicrosecond = 1000;

json to_json(const ReleaseTimes& releases) {
  const auto base = releases.at_ns.empty() ? 0 : releases.at_ns.front();
  auto times = json::array();
  for (const auto at : releases.at_ns)
    times.push_back(at == 0 ? json() : json((at - base) / kNanosecondsPerMicrosecond));
  return {
      {"first", releases.first}, {"apart", releases.apart}, {"base_ns", base}, {"after_us", times}};
}

ReleaseTimes releases_of(const json& object) {
  ReleaseTimes releases{object.at("first"), object.at("apart"), {}};
  const std::int64_t base = object.at("base_ns");
  for (const auto& after : object.at("after_us"))
    releases.at_ns.push_back(
        after.is_null() ? 0 : base + after.get<std::int64_t>() * kNanosecondsPerMicrosecond);
  return releases;
}

struct Encoder {
  json operator()(const AskCards& /*request*/) const { return {{"ask", "cards"}}; }
  json operator()(const AskReport& request) const {
    return {{"ask", "report"}, {"frames_sent", request.frames_sent}};
  }
  json operator()(const AskReceive& request) const {
    return {{"ask", "receive"},
            {"is_plain", request.transport == Transport::plain},
            {"size", request.size},
            {"warm_up_ms", request.warm_up.count()},
            {"duration_ms", request.duration.count()},
            {"addresses", request.addresses},
            {"token", request.token}};
  }
};

}  // namespace

std::string encode(const Request& request) {
  return std::visit(Encoder(), request).dump();
}

Result<Request> decode_request(const std::string& text) {
  return decode_message<Request>(text, request_of);
}

std::string encode(const Cards& cards) {
  auto list = json::array();
  for (const auto& card : cards.addresses)
    list.push_back(
        {card.address, card.prefix_length, card.mtu_bytes, card.speed_mbit, card.speed_max_mbit});
  return json{{"host", cards.host}, {"addresses", list}}.dump();
}

Result<Cards> decode_cards(const std::string& text) {
  return decode_message<Cards>(text, [](const json& object) {
    Cards cards{object.at("host"), {}};
    for (const auto& each : object.at("addresses")) {
      DataEndpoint endpoint;
      endpoint.address = each.at(0);
      endpoint.prefix_length = each.at(1);
      endpoint.mtu_bytes = each.at(2);
      endpoint.speed_mbit = each.at(3);
      endpoint.speed_max_mbit = each.at(4);
      cards.addresses.push_back(std::move(endpoint));
    }
    return cards;
  });
}

std::string encode(const RemoteReport& report) {
  return json{{"side", json::parse(encode(report.side))},
              {"bytes_per_second", report.bytes_per_second},
              {"frames_per_second", report.frames_per_second},
              {"releases", to_json(report.releases)}}
      .dump();
}

Result<RemoteReport> decode_remote_report(const std::string& text) {
  return decode_message<RemoteReport>(text, [](const json& object) -> Result<RemoteReport> {
    auto side = decode_report(object.at("side").dump());
    SUBMIX_TRY(side);
    return RemoteReport{std::move(*side), object.at("bytes_per_second"),
                        object.at("frames_per_second"), releases_of(object.at("releases"))};
  });
}

Result<Job> job_of(const AskReceive& request, const std::vector<std::string>& addresses) {
  const auto sizes = named_sizes();
  const auto size = std::find_if(sizes.begin(), sizes.end(),
                                 [&](const NamedSize& each) { return each.name == request.size; });
  if (size == sizes.end())
    return fail("size \"{}\" is none of xga, 720p, 1080p, 2160p", request.size);
  if (request.duration <= milliseconds(0) || request.duration > kDurationMax)
    return fail("{} ms are not within 1 to {}", request.duration.count(), kDurationMax.count());
  if (request.warm_up < milliseconds(0) || request.warm_up > kWarmUpMax)
    return fail("a warm-up of {} ms is not within 0 to {}", request.warm_up.count(),
                kWarmUpMax.count());
  if (request.addresses.empty() || request.addresses.size() > wire::kLinksMax)
    return fail("{} links are not within 1 to {}", request.addresses.size(), wire::kLinksMax);
  for (const auto& address : request.addresses) {
    if (std::find(addresses.begin(), addresses.end(), address) == addresses.end())
      return fail("{} is no address that streams may use here", address);
  }
  Job job;
  job.side = Side::receive;
  job.transport = request.transport;
  job.size = size->size;
  job.warm_up = request.warm_up;
  job.duration = request.duration;
  job.addresses = request.addresses;
  job.token = request.token;
  job.is_remote = true;
  return job;
}

}  // namespace submix::throughput
