// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/capture/capture.hpp"

#include "node/io/capture/capture_device.hpp"
#include "node/io/capture/capturing.hpp"
#include "node/io/parameters.hpp"
#include "node/plugin/trouble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <utility>

namespace submix::io {
namespace {

using plugin::ParameterType;

constexpr std::chrono::seconds kPatience{5};  // for a first picture, if the patch has no pace

class Capture final : public plugin::Plugin {
 public:
  explicit Capture(plugin::Setup setup)
      : setup_(std::move(setup)),
        capturing_({.size = setup_.size,
                    .rate = setup_.rate,
                    .about = setup_.about(),
                    .events = setup_.events}) {}

  std::optional<media::Frame> process(plugin::Work& work) override {
    if (!std::exchange(has_frames_, true)) follow_parameters();
    if (!setup_.is_paced && work.position == 0)
      static_cast<void>(capturing_.wait(std::chrono::steady_clock::now() + kPatience, work.stop));
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    if (const auto taken = capturing_.copy_latest(output->rgba())) {
      note_age(std::chrono::system_clock::now() - *taken);
    } else {
      std::ranges::fill(output->rgba(), std::uint8_t{0});
    }
    return std::move(*output).publish();
  }

  void set(std::string_view name, const show::ParameterValue& value) override {
    setup_.parameters.insert_or_assign(std::string(name), value);
    follow_parameters();
  }

  std::string trouble() const override {
    auto refusal = refusal_.text();
    return refusal.empty() ? capturing_.trouble() : refusal;
  }

  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    return {{"captured", capturing_.captured()},
            {"age_us", age_us_.load(std::memory_order_relaxed)}};
  }

 private:
  void follow_parameters() {
    if (!has_frames_) return;
    capturing_.set_fit(fit_named(parameter<std::string>(setup_.parameters, "fit")));
    const auto& device = parameter<std::string>(setup_.parameters, "device");
    const auto checked = check_capture_name(device);
    refusal_.set(checked ? "" : checked.error().message + "; the device before stays");
    if (!checked) return;
    capturing_.capture(device);
  }

  void note_age(std::chrono::system_clock::duration age) {
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(age).count();
    age_us_.store(static_cast<std::uint64_t>(std::max<std::int64_t>(us, 0)),
                  std::memory_order_relaxed);
  }

  plugin::Setup setup_;
  bool has_frames_ = false;
  std::atomic<std::uint64_t> age_us_{0};  // of the last picture shown, by the device's time stamp
  plugin::Trouble refusal_;               // why the name cannot be a device's
  Capturing capturing_;
};

}  // namespace

plugin::Description capture_description() {
  return {
      .id = "capture",
      .kind = plugin::Kind::source,
      .explanation = "Shows a camera, an HDMI grabber, or this computer's screen, live",
      .author = "Submix",
      .parameters = {
          {"device", ParameterType::text,
           "empty: the first camera; or video2, a part of a camera's name, or screen",
           std::string()},
          {"fit", ParameterType::text, "letterbox (clear bars), fill (cut the edges) or stretch",
           std::string("letterbox"), 0.0, 1.0, fit_names()},
      }};
}

Result<std::unique_ptr<plugin::Plugin>> make_capture(const plugin::Setup& setup) {
  SUBMIX_TRY(check_capture(setup));
  return std::make_unique<Capture>(setup);
}

Result<void> check_capture(const plugin::Setup& setup) {
  const auto checked = check_capture_name(parameter<std::string>(setup.parameters, "device"));
  return checked ? Result<void>() : fail("{}: {}", setup.about(), checked.error().message);
}

}  // namespace submix::io
