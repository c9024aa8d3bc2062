// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/plugin.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace submix::chain {

/// A source that gives the same picture every time, at no cost.
class FixedPicture final : public plugin::Plugin {
 public:
  std::optional<media::Frame> process(plugin::Work& work) override {
    if (!frame_) {
      auto frame = work.acquire_output();
      if (!frame) return std::nullopt;
      std::uint32_t noise = 1;
      for (auto& byte : frame->rgba())
        byte = static_cast<std::uint8_t>((noise = noise * 1664525U + 1013904223U) >> 24U);
      frame_ = std::move(*frame).publish();
    }
    return frame_;
  }
  void set(std::string_view, const show::ParameterValue&) override {}
  [[nodiscard]] plugin::PluginTraits traits() const override { return {.frames_retained = 1}; }

 private:
  media::Frame frame_;
};

}  // namespace submix::chain
