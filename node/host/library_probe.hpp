// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/plugin/catalog.hpp"

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <vector>

namespace submix::host {

/// How long a library may take to load and to describe itself. It may come from a slow disk.
inline constexpr std::chrono::seconds kProbeTimeout{10};

/// Describes plugins' libraries without loading them into the node. A process of `program`
/// (submix-plugin-host) loads them one after the other, confined to the folders of `files`. A
/// library that crashes, ends or hangs the process gets an error, and another process continues
/// with the next library.
///
/// Threads  Any, one at a time. Waits.
/// Cost     One process from the first library on, and one more for each library that ends it.
/// Errors   Each library has its own: cannot be loaded, is no plugin, crashed, took longer than
///          `timeout`. Each error is temporary, except a library that crashed or ended the process.
///          After a stop request, each remaining library has the error "stopped".
[[nodiscard]] plugin::LibraryProbe library_prober(const std::filesystem::path& program,
                                                  const std::vector<std::filesystem::path>& files,
                                                  std::chrono::milliseconds timeout = kProbeTimeout,
                                                  const std::stop_token& stop = {});

}  // namespace submix::host
