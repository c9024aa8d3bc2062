// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

std::vector<DeviceChoice> choices_among(const std::vector<CaptureDevice>& devices,
                                        std::string unnamed) {
  std::vector<DeviceChoice> choices{{"", std::move(unnamed)}};
  for (const auto& [device, name] : devices)
    choices.push_back({device, name.empty() ? device : fmt::format("{} ({})", name, device)});
  return choices;
}

std::optional<DeviceChoices> cameras_of(const NodeView& node) {
  if (node.capture_devices.empty()) return std::nullopt;
  return DeviceChoices{choices_among(node.capture_devices, "the first camera")};
}

DeviceChoices loopbacks_of(const NodeView& node) {
  DeviceChoices choices{choices_among(node.loopback_devices, "the first free loopback device")};
  if (node.loopback_devices.empty()) {
    choices.remedy = {fmt::format("PC {} tells of no loopback device. Type there:", node.name),
                      std::string(kInstallLoopback), std::string(kLoadLoopback)};
  }
  return choices;
}

}  // namespace

std::optional<DeviceChoices> device_choices(const ClusterView& view, const show::Port& slot,
                                            std::string_view parameter) {
  if (parameter != "device") return std::nullopt;
  const auto* found = view.show == nullptr ? nullptr : view.show->find_slot(slot);
  const auto* submix = view.find_submix(slot.submix);
  const auto* node = submix == nullptr ? nullptr : view.find_node(submix->node);
  if (found == nullptr || node == nullptr) return std::nullopt;

  if (found->plugin == "capture") return cameras_of(*node);
  if (found->plugin == "camera-out") return loopbacks_of(*node);
  return std::nullopt;
}

const std::string& device_text(const DeviceChoices& choices, const std::string& device) {
  const auto found = std::ranges::find(choices.devices, device, &DeviceChoice::device);
  return found == choices.devices.end() ? device : found->text;
}

}  // namespace submix::model
