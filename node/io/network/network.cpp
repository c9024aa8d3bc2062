// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/network/network.hpp"

#include "node/io/network/network_address.hpp"
#include "node/io/network/receiving.hpp"
#include "node/io/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace submix::io {
namespace {

using plugin::ParameterType;
using std::chrono::milliseconds;

constexpr double kBufferMs = 200;
constexpr double kBufferMsMax = 2000;

class NetworkInstance final : public plugin::Instance {
 public:
  explicit NetworkInstance(const plugin::Setup& setup)
      : parameters_(setup.parameters), receiving_(setup.size) {}

  [[nodiscard]] std::size_t input_count() const override { return 0; }

  void draw(std::chrono::nanoseconds /*pts*/, const plugin::InstanceInputs& /*inputs*/,
            std::span<std::uint8_t> output) override {
    if (!std::exchange(has_drawn_, true)) follow_parameters();
    const auto now = std::chrono::steady_clock::now();
    if (const auto came = receiving_.copy_due(now, output)) {
      age_ = now - *came;
    } else {
      std::ranges::fill(output, std::uint8_t{0});
    }
  }

  void set(std::string_view name, const show::ParameterValue& value) override {
    parameters_.insert_or_assign(std::string(name), value);
    follow_parameters();
  }

  [[nodiscard]] plugin::InstanceReport report() const override {
    const auto counts = receiving_.counts();
    const auto age_us = std::chrono::duration_cast<std::chrono::microseconds>(age_).count();
    return {.trouble = refusal_.empty() ? receiving_.trouble() : refusal_,
            .counts = {counts.received, counts.skipped, counts.repeated,
                       static_cast<std::uint64_t>(std::max<std::int64_t>(age_us, 0))}};
  }

 private:
  void follow_parameters() {
    if (!has_drawn_) return;
    receiving_.set_fit(fit_named(parameter<std::string>(parameters_, "fit")));
    const auto buffer_ms = std::clamp(parameter<double>(parameters_, "buffer"), 0.0, kBufferMsMax);
    receiving_.set_buffer(milliseconds(static_cast<int>(buffer_ms)));
    const auto& address = parameter<std::string>(parameters_, "url");
    const auto checked = check_network_address(address, Traffic::incoming);
    refusal_ = checked ? "" : checked.error().message;
    if (checked) return receiving_.receive(address);
    if (address.empty()) return receiving_.receive(std::nullopt);
    refusal_ += "; the address before stays";
  }

  show::Parameters parameters_;
  bool has_drawn_ = false;
  std::chrono::nanoseconds age_{0};  // of the last picture shown, since its arrival
  std::string refusal_;              // why the address is invalid
  Receiving receiving_;
};

}  // namespace

plugin::Description network_description() {
  auto buffer = plugin::number_parameter("buffer",
                                         "milliseconds for which a picture waits, so that a "
                                         "network which delivers them unevenly does not show",
                                         kBufferMs, 0, kBufferMsMax);
  buffer.is_integer = true;
  return {
      .id = "network",
      .kind = plugin::Kind::source,
      .explanation = "Shows a live picture from the network: a camera, OBS, or another program",
      .author = "Submix",
      .parameters =
          {
              {"url", ParameterType::text,
               "address to receive from: srt, rtsp, rtmp, udp, rtp, tcp, http or https, such as "
               "srt://198.51.100.7:9000",
               std::string()},
              std::move(buffer),
              {"fit", ParameterType::text,
               "letterbox (clear bars), fill (cut the edges) or stretch", std::string("letterbox"),
               0.0, 1.0, fit_names()},
          },
      .counters = {"received", "skipped", "repeated", "age_us"},
  };
}

Result<void> check_network(const plugin::Setup& setup) {
  const auto& address = parameter<std::string>(setup.parameters, "url");
  if (address.empty()) return {};
  const auto checked = check_network_address(address, Traffic::incoming);
  return checked ? Result<void>() : fail("{}: {}", setup.about(), checked.error().message);
}

std::unique_ptr<plugin::Instance> make_network_instance(const plugin::Setup& setup) {
  return std::make_unique<NetworkInstance>(setup);
}

}  // namespace submix::io
