// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/send/send.hpp"

#include "node/io/network/network_address.hpp"
#include "node/io/parameters.hpp"
#include "node/io/record/video_encoder.hpp"
#include "node/io/send/sending.hpp"
#include "node/plugin/trouble.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace submix::io {
namespace {

using plugin::ParameterType;

constexpr double kMegabit = 1e6;

std::int64_t bits_per_second(const show::Parameters& parameters) {
  return static_cast<std::int64_t>(parameter<double>(parameters, "megabits") * kMegabit);
}

class Send final : public plugin::Plugin {
 public:
  explicit Send(plugin::Setup setup)
      : setup_(std::move(setup)),
        sending_({.size = setup_.size,
                  .rate = setup_.rate,
                  .about = setup_.about(),
                  .events = setup_.events}) {
    follow_parameters();
  }

  std::optional<media::Frame> process(plugin::Work& work) override {
    const auto& input = work.inputs.front();
    // Until its first frame, the slot before an edit may still send to this address.
    if (!std::exchange(has_frames_, true)) follow_parameters();
    if (is_sending_) sending_.offer(input, work.position);
    return input;
  }

  void set(std::string_view name, const show::ParameterValue& value) override {
    setup_.parameters.insert_or_assign(std::string(name), value);
    follow_parameters();
  }

  plugin::PluginTraits traits() const override { return {.frames_retained = kFramesInSending}; }

  std::string trouble() const override {
    auto refusal = refusal_.text();
    return refusal.empty() ? sending_.trouble() : refusal;
  }

  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    const auto counts = sending_.counts();
    return {{"sent", counts.sent}, {"not_sent", counts.not_sent}};
  }

 private:
  void follow_parameters() {
    const auto& address = parameter<std::string>(setup_.parameters, "to");
    const bool is_wanted = parameter<bool>(setup_.parameters, "sending");
    const auto checked =
        is_wanted ? check_network_address(address, Traffic::outgoing) : Result<void>();
    is_sending_ = is_wanted && checked;
    refusal_.set(checked ? "" : checked.error().message + "; nothing is sent");
    if (!has_frames_) return;
    auto target = is_sending_
                      ? std::optional(SendTarget{address, bits_per_second(setup_.parameters)})
                      : std::nullopt;
    sending_.send_to(std::move(target));
  }

  plugin::Setup setup_;
  bool has_frames_ = false;
  bool is_sending_ = false;
  plugin::Trouble refusal_;  // why the address is invalid
  Sending sending_;
};

}  // namespace

plugin::Description send_description() {
  return {
      .id = "send",
      .kind = plugin::Kind::output,
      .explanation = "Sends the picture live to a streaming service or a program, and passes it on",
      .author = "Submix",
      .parameters = {
          {"to", ParameterType::text,
           "address to send to: srt, udp, tcp, rtmp, rtmps or rtsp, such as "
           "srt://198.51.100.7:9000",
           std::string()},
          plugin::number_parameter(
              "megabits",
              "megabits a second of the encoded picture; a change begins the connection anew", 8.0,
              0.2, 200.0),
          {"sending", ParameterType::boolean, "off: frames pass and are not sent", true},
      }};
}

Result<std::unique_ptr<plugin::Plugin>> make_send(const plugin::Setup& setup) {
  SUBMIX_TRY(check_send(setup));
  return std::make_unique<Send>(setup);
}

Result<void> check_send(const plugin::Setup& setup) {
  const auto checked = [&]() -> Result<void> {
    SUBMIX_TRY(VideoEncoder::open({RecordCodec::h264, bits_per_second(setup.parameters)},
                                  setup.size, setup.rate));
    const auto& address = parameter<std::string>(setup.parameters, "to");
    const bool has_none_yet = address.empty();  // a new slot, whose trouble() asks for one
    if (has_none_yet || !parameter<bool>(setup.parameters, "sending")) return {};
    return check_network_address(address, Traffic::outgoing);
  }();
  return checked ? Result<void>() : fail("{}: {}", setup.about(), checked.error().message);
}

}  // namespace submix::io
