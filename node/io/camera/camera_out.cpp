// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/camera/camera_out.hpp"

#include "node/io/camera/camera_writing.hpp"
#include "node/io/capture/capture_device.hpp"
#include "node/io/parameters.hpp"
#include "node/plugin/trouble.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace submix::io {
namespace {

using plugin::ParameterType;

class CameraOut final : public plugin::Plugin {
 public:
  explicit CameraOut(plugin::Setup setup)
      : setup_(std::move(setup)),
        writing_({.size = setup_.size,
                  .rate = setup_.rate,
                  .about = setup_.about(),
                  .events = setup_.events}) {}

  std::optional<media::Frame> process(plugin::Work& work) override {
    const auto& input = work.inputs.front();
    if (!std::exchange(has_frames_, true)) follow_parameters();
    writing_.offer(input);
    return input;
  }

  void set(std::string_view name, const show::ParameterValue& value) override {
    setup_.parameters.insert_or_assign(std::string(name), value);
    follow_parameters();
  }

  plugin::PluginTraits traits() const override {
    return {.frames_retained = CameraWriting::kFramesHeld};
  }

  std::string trouble() const override {
    auto refusal = refusal_.text();
    return refusal.empty() ? writing_.trouble() : refusal;
  }

  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    const auto counts = writing_.counts();
    return {{"written", counts.written}, {"not_written", counts.not_written}};
  }

 private:
  void follow_parameters() {
    if (!has_frames_) return;
    const auto& device = parameter<std::string>(setup_.parameters, "device");
    const auto checked = check_camera_name(device);
    refusal_.set(checked ? "" : checked.error().message + "; the device before stays");
    if (checked) writing_.write_to(device);
  }

  plugin::Setup setup_;
  bool has_frames_ = false;
  plugin::Trouble refusal_;  // of a name that cannot be a device's
  CameraWriting writing_;
};

}  // namespace

plugin::Description camera_out_description() {
  return {.id = "camera-out",
          .kind = plugin::Kind::output,
          .explanation =
              "Gives OBS, browsers and video conferences the picture as a camera, and passes "
              "it on; needs v4l2loopback",
          .author = "Submix",
          .parameters = {
              {"device", ParameterType::text,
               "empty: the first free loopback device; or video10, or a part of a device's name",
               std::string()},
          }};
}

Result<std::unique_ptr<plugin::Plugin>> make_camera_out(const plugin::Setup& setup) {
  SUBMIX_TRY(check_camera_out(setup));
  return std::make_unique<CameraOut>(setup);
}

Result<void> check_camera_out(const plugin::Setup& setup) {
  const auto checked = check_camera_name(parameter<std::string>(setup.parameters, "device"));
  return checked ? Result<void>() : fail("{}: {}", setup.about(), checked.error().message);
}

}  // namespace submix::io
