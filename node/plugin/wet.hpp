// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/plugin.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

/// The parameter `wet` of all filters: how much of the effect is seen. 0 is the input, 1 the
/// filter's own picture. A filter with a parameter of this name keeps its own.
namespace submix::plugin {

inline constexpr std::string_view kWet = "wet";

/// True if the node adds the parameter to the plugin: a listed filter without a parameter of this
/// name.
[[nodiscard]] bool wants_wet(const Description& description);
/// Puts the parameter in front of the others if wants_wet().
void add_wet(Description& description);

/// The share of a filter's picture in the result, in steps of 1/256.
class WetShare {
 public:
  void set(const show::ParameterValue& value);

  [[nodiscard]] bool is_whole() const { return share_ == kWhole; }
  [[nodiscard]] bool is_none() const { return share_ == 0; }
  /// Mixes a filter's picture with its input, which has as many bytes. Colours are weighted by
  /// alpha, so transparent pixels contribute none. Exact for no share and for the whole share.
  void blend(std::span<const std::uint8_t> input, std::span<std::uint8_t> picture) const;

 private:
  static constexpr unsigned kWhole = 256;
  unsigned share_ = kWhole;
};

/// A filter of this process with the parameter `wet`.
///
/// Shape    With the whole share, the result is the filter's picture. With no share, it is the
///          input, and a filter without memory does not run.
/// Cost     No allocation and no further frame, unless the filter retains frames.
[[nodiscard]] std::unique_ptr<Plugin> with_wet(std::unique_ptr<Plugin> filter, const Setup& setup,
                                               Memory memory);

}  // namespace submix::plugin
