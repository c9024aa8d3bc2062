// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/plugin/catalog.hpp"

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <vector>

namespace submix::host {

/// How long a library may take to be loaded and to describe itself: it may come from a slow disk.
inline constexpr std::chrono::seconds kProbePatience{10};

/// What plugins' libraries are, in their order, without loading them here: a process of `program`
/// (submix-plugin-host), confined as the hosts are, looks at one after the other. One that crashes, ends or
/// hangs it has that for its error, and another process looks at the rest.
///
/// Threads  Any. Waits.
/// Cost     One process, and another for each library that ends it.
/// Errors   Of each by itself: cannot be loaded, is no plugin, crashed, took longer than `patience`. All may
///          pass but that it crashed or ended the process. Asked to stop: that, of all that are left.
[[nodiscard]] std::vector<plugin::Look> probe_libraries(const std::filesystem::path& program,
                                                        const std::vector<std::filesystem::path>& files,
                                                        std::chrono::milliseconds patience = kProbePatience,
                                                        const std::stop_token& stop = {});

}  // namespace submix::host
