// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/messages.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>

namespace submix::agent {

/// Keeps traces that are fetched part by part: a trace is larger than a message of the control
/// plane.
///
/// Threads  Confined (the control plane's thread).
/// Errors   A part of a trace that is no longer kept, or never was: the asker starts again.
class TraceShelf {
 public:
  /// Makes a trace of the given number of seconds.
  using Make = std::function<std::string(std::chrono::seconds)>;
  explicit TraceShelf(Make make) : make_(std::move(make)) {}

  [[nodiscard]] Result<cluster::TracePart> part(const cluster::Command& command);

 private:
  static constexpr std::size_t kTracesMax = 4;  // traces fetched at the same time

  struct Kept {
    std::string token;
    std::string text;
  };
  Make make_;
  std::deque<Kept> kept_;
};

}  // namespace submix::agent
