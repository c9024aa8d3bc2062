// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/job.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace submix::throughput {
namespace {

using nlohmann::json;

json to_json(const std::vector<DataEndpoint>& endpoints) {
  auto list = json::array();
  for (const auto& endpoint : endpoints)
    list.push_back({endpoint.address, endpoint.prefix_length, endpoint.port, endpoint.mtu_bytes,
                    endpoint.is_up, endpoint.speed_mbit, endpoint.speed_max_mbit});
  return list;
}

std::vector<DataEndpoint> endpoints_of(const json& list) {
  std::vector<DataEndpoint> endpoints;
  for (const auto& each : list)
    endpoints.push_back(
        {each.at(0), each.at(1), each.at(2), each.at(3), each.at(4), each.at(5), each.at(6)});
  return endpoints;
}

json to_json(const Usage& usage) {
  return {usage.at.count(), usage.cpu.count(), usage.machine_busy.count(), usage.page_faults,
          usage.allocations};
}

Usage usage_of(const json& list) {
  using std::chrono::nanoseconds;
  return {nanoseconds(list.at(0)), nanoseconds(list.at(1)), nanoseconds(list.at(2)), list.at(3),
          list.at(4)};
}

/// Parses a message of the other process and lets `read` make a T of it.
template <typename T, typename Read>
Result<T> decode(const std::string& text, Read read) {
  try {
    const auto object = json::parse(text);
    if (object.contains("failure")) return tl::unexpected(Error{object.at("failure")});
    return read(object);
  } catch (const json::exception& error) {
    return fail("the other process has sent what cannot be read: {}", error.what());
  }
}

}  // namespace

std::string encode_failure(const Error& error) {
  return json{{"failure", error.message}}.dump();
}

std::string encode(const Job& job) {
  return json{{"side", job.side},
              {"transport", job.transport},
              {"size", {job.size.width, job.size.height}},
              {"pixel", job.pixel},
              {"wire", job.wire},
              {"rate", job.rate ? json{job.rate->numerator, job.rate->denominator} : json()},
              {"streams", job.streams},
              {"credits", job.credits},
              {"warm_up_ms", job.warm_up.count()},
              {"frames", job.frames},
              {"duration_ms", job.duration.count()},
              {"addresses", job.addresses},
              {"endpoints", to_json(job.endpoints)},
              {"machine", job.local.machine},
              {"socket", job.local.socket},
              {"is_local", job.is_local},
              {"key", job.key},
              {"has_key", job.has_key},
              {"congestion", job.congestion},
              {"checksum", job.checksum},
              {"is_encrypted", job.is_encrypted},
              {"send_buffer_bytes", job.send_buffer_bytes},
              {"token", job.token},
              {"is_remote", job.is_remote},
              {"is_realtime", job.is_realtime},
              {"ledger", job.ledger}}
      .dump();
}

Result<Job> decode_job(const std::string& text) {
  return decode<Job>(text, [](const json& object) {
    Job job;
    job.side = object.at("side");
    job.transport = object.at("transport");
    job.size = {object.at("size").at(0), object.at("size").at(1)};
    job.pixel = object.at("pixel");
    job.wire = object.at("wire");
    if (const auto& rate = object.at("rate"); !rate.is_null())
      job.rate = FrameRate{rate.at(0), rate.at(1)};
    job.streams = object.at("streams");
    job.credits = object.at("credits");
    job.warm_up = std::chrono::milliseconds(object.at("warm_up_ms"));
    job.frames = object.at("frames");
    job.duration = std::chrono::milliseconds(object.at("duration_ms"));
    job.addresses = object.at("addresses");
    job.endpoints = endpoints_of(object.at("endpoints"));
    job.local = {object.at("machine"), object.at("socket")};
    job.is_local = object.at("is_local");
    job.key = object.at("key");
    job.has_key = object.at("has_key");
    job.congestion = object.at("congestion");
    job.checksum = object.at("checksum");
    job.is_encrypted = object.at("is_encrypted");
    job.send_buffer_bytes = object.at("send_buffer_bytes");
    job.token = object.at("token");
    job.is_remote = object.at("is_remote");
    job.is_realtime = object.at("is_realtime");
    job.ledger = object.at("ledger");
    return job;
  });
}

std::string encode(const Listening& listening) {
  return json{{"endpoints", to_json(listening.endpoints)},
              {"machine", listening.local.machine},
              {"socket", listening.local.socket}}
      .dump();
}

Result<Listening> decode_listening(const std::string& text) {
  return decode<Listening>(text, [](const json& object) {
    return Listening{endpoints_of(object.at("endpoints")),
                     {object.at("machine"), object.at("socket")}};
  });
}

std::string encode(const Ending& ending) {
  return json{{"frames_sent", ending.frames_sent}}.dump();
}

Result<Ending> decode_ending(const std::string& text) {
  return decode<Ending>(text, [](const json& object) { return Ending{object.at("frames_sent")}; });
}

std::string encode(const SideReport& report) {
  auto links = json::array();
  for (const auto& link : report.links)
    links.push_back({link.bytes, link.reconnects});
  const auto& faults = report.faults;
  return json{
      {"frames", report.frames},
      {"faults", {faults.lost, faults.duplicated, faults.reordered, faults.torn}},
      {"is_measured", report.is_measured},
      {"used", to_json(report.used)},
      {"frames_measured", report.frames_measured},
      {"links", links},
      {"clock_offset_ns", report.clock_offset ? json(report.clock_offset->count()) : json()},
      {"complaints", report.complaints}}
      .dump();
}

Result<SideReport> decode_report(const std::string& text) {
  return decode<SideReport>(text, [](const json& object) {
    SideReport report;
    report.frames = object.at("frames").get<std::vector<std::uint64_t>>();
    const auto& faults = object.at("faults");
    report.faults = {faults.at(0), faults.at(1), faults.at(2), faults.at(3)};
    report.is_measured = object.at("is_measured");
    report.used = usage_of(object.at("used"));
    report.frames_measured = object.at("frames_measured");
    if (const auto& offset = object.at("clock_offset_ns"); !offset.is_null())
      report.clock_offset = std::chrono::nanoseconds(offset.get<std::int64_t>());
    report.complaints = object.at("complaints");
    for (const auto& link : object.at("links"))
      report.links.push_back({link.at(0), link.at(1)});
    return report;
  });
}

}  // namespace submix::throughput
