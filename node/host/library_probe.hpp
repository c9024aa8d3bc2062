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

/// Says what plugins' libraries are without loading them here: a process of `program` (submix-plugin-host),
/// confined as the hosts are to the folders of `files`, looks at one after the other. One that crashes, ends
/// or hangs it has that for its error, and another process looks at the next.
///
/// Threads  Any, one at a time. Waits.
/// Cost     One process, from the first look on, and another for each library that ends it.
/// Errors   Of each by itself: cannot be loaded, is no plugin, crashed, took longer than `patience`. All may
///          pass but that it crashed or ended the process. Asked to stop: that, of all that are left.
[[nodiscard]] plugin::Looker library_prober(const std::filesystem::path& program,
                                            const std::vector<std::filesystem::path>& files,
                                            std::chrono::milliseconds patience = kProbePatience,
                                            const std::stop_token& stop = {});

}  // namespace submix::host
