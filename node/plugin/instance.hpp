// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/parameters.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace submix::plugin {

inline constexpr std::size_t kInstanceInputsMax = 3;
using InstanceInputs = std::array<std::span<const std::uint8_t>, kInstanceInputsMax>;

inline constexpr std::size_t kInstanceCountsMax = 8;

/// The state of an instance, for people and for telemetry.
struct InstanceReport {
  std::string trouble;  ///< as Plugin::trouble()
  /// In the order of Description::counters.
  std::array<std::uint64_t, kInstanceCountsMax> counts{};
};

/// A third-party plugin that works on bare pixels, in any memory. A plugin host has one.
///
/// Shape    Pictures are R,G,B,A, of the size that the instance was made for, 16-byte aligned. An
///          output is never an input.
/// Threads  Confined (one thread).
class Instance {
 public:
  Instance() = default;
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  virtual ~Instance() = default;

  [[nodiscard]] virtual std::size_t input_count() const = 0;
  /// Draws one picture. `inputs` has as many pictures as the kind takes. Pixels that the plugin
  /// leaves out are transparent black.
  virtual void draw(std::chrono::nanoseconds pts, const InstanceInputs& inputs,
                    std::span<std::uint8_t> output) = 0;
  /// The value is checked and clamped.
  virtual void set(std::string_view parameter, const show::ParameterValue& value) = 0;
  /// Asked after each picture.
  [[nodiscard]] virtual InstanceReport report() const { return {}; }
};

}  // namespace submix::plugin
