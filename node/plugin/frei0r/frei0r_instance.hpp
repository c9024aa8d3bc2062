// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/instance.hpp"
#include "node/plugin/plugin.hpp"

#include "common/base/result.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace submix::plugin {

struct Frei0rLibrary;

/// The library's own description. Loads the library into this process, for good.
[[nodiscard]] Result<Description> describe_frei0r(const std::filesystem::path& file);
/// Tells whether the file's plugin can be made: it is not refused. Loads nothing.
[[nodiscard]] Result<void> check_frei0r(const std::filesystem::path& file);

/// A frei0r plugin.
///
/// Cost     draw(): no allocation except the plugin's own. If width or height is no multiple of 8,
///          each picture is copied.
/// Errors   make(): the library cannot be loaded, or the plugin is refused.
class Frei0rInstance final : public Instance {
 public:
  using Inputs = InstanceInputs;

  /// `setup.parameters` are complete and within their limits.
  [[nodiscard]] static Result<std::unique_ptr<Frei0rInstance>> make(
      const std::filesystem::path& file, const Setup& setup);
  [[nodiscard]] static Result<std::unique_ptr<Frei0rInstance>> make(const Frei0rLibrary& library,
                                                                    const Setup& setup);
  ~Frei0rInstance() override;

  [[nodiscard]] std::size_t input_count() const override;
  void draw(std::chrono::nanoseconds pts, const Inputs& inputs,
            std::span<std::uint8_t> output) override;
  /// Like draw(), but pixels that the plugin leaves out keep their value.
  void draw_over(std::chrono::nanoseconds pts, const Inputs& inputs,
                 std::span<std::uint8_t> output);
  void set(std::string_view parameter, const show::ParameterValue& value) override;

 private:
  class Parts;
  explicit Frei0rInstance(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace submix::plugin
