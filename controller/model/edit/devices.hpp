// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The devices that a layer can read or write, as people choose among them. Pure.
namespace submix::model {

struct DeviceChoice {
  std::string device;  ///< as the show names it: "video10"
  std::string text;    ///< "OBS Virtual Camera (video10)"

  friend bool operator==(const DeviceChoice&, const DeviceChoice&) = default;
};

struct DeviceChoices {
  std::vector<DeviceChoice> devices;     ///< the first has no name: "the first camera"
  std::vector<std::string> remedy = {};  ///< lines that say what the PC lacks; empty: nothing

  friend bool operator==(const DeviceChoices&, const DeviceChoices&) = default;
};

/// The devices of the PC that runs `slot`. Empty: `parameter` names no device there, or the devices
/// are not known.
[[nodiscard]] std::optional<DeviceChoices> device_choices(const ClusterView& view,
                                                          const show::Port& slot,
                                                          std::string_view parameter);
/// The text of a device, even if the PC does not have it now.
[[nodiscard]] const std::string& device_text(const DeviceChoices& choices,
                                             const std::string& device);

}  // namespace submix::model
