// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/finding.hpp"
#include "common/base/result.hpp"
#include "node/doctor/pc_reading.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

/// Judges what was read or tried on this PC. All functions are pure.
namespace submix::doctor {

/// What a process of this user may do here, as tried by the caller.
struct Rights {
  Result<std::string> realtime;  ///< by what it has real-time scheduling: "by rtkit"
  Result<void> memory_lock;
  std::uint64_t descriptors_max = 0;
  bool is_by_sudo = false;  ///< tried as root for somebody else: the results say nothing
};

[[nodiscard]] Findings examine_rights(const Rights& rights);

/// A finding for each card with hardware, and one more if none is up.
[[nodiscard]] Findings examine_cards(const std::vector<CardState>& cards);

/// Frequencies, heat, battery and kernel.
[[nodiscard]] Findings examine_processors(const PcReading& pc);

/// Nothing where v4l2loopback is neither installed nor loaded: few PCs need it.
[[nodiscard]] Findings examine_loopback(const PcReading& pc);

/// Nothing where this user may open all cameras and loopback devices.
[[nodiscard]] Findings examine_cameras(const PcReading& pc);

[[nodiscard]] Finding examine_memory(std::uint64_t available_bytes);

/// A folder that the show reads or writes.
struct FolderState {
  std::string subject;  ///< "recordings"
  std::filesystem::path folder;
  Result<void> writable;
  std::uint64_t free_bytes = 0;
};
[[nodiscard]] Finding examine_folder(const FolderState& state);

[[nodiscard]] Finding examine_plugins(std::size_t frei0r_plugins);

}  // namespace submix::doctor
