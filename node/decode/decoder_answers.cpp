// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/decode/decoder_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace submix::decode {
namespace {

constexpr double kSecondsMax = 1e9;  // a decoder's numbers are not trusted

}  // namespace

host::DecodeRequest as_request(const io::Course& course) {
  return {.seconds = course.seconds,
          .step_seconds = course.step_seconds,
          .in_seconds = course.in_seconds,
          .out_seconds = course.out_seconds,
          .is_looping = course.is_looping};
}

double seconds_within(double seconds, double least) {
  return std::isfinite(seconds) ? std::clamp(seconds, least, kSecondsMax) : least;
}

std::string reason_of_end(const host::HostProcess& host, const std::string& name) {
  return host.has_refused() ? host.end() : fmt::format("{}: its decoder {}", name, host.end());
}

std::string reason_of_scribble(const std::string& name) {
  return name + ": its decoder does not keep to the protocol";
}

}  // namespace submix::decode
