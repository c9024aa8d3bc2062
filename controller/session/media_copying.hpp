// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"
#include "common/cluster/cluster.hpp"
#include "controller/session/cluster_access.hpp"

#include <string>

namespace submix::session {

/// The name of a copy: the origin's name, without the folders of this computer.
[[nodiscard]] std::string name_of_copy(const MediaOrigin& origin);

/// Opens a clip or picture of this computer.
///
/// Errors   The path names a folder, a device or an empty file, or cannot be read.
[[nodiscard]] Result<Descriptor> open_own_file(const std::string& path);

/// Whether the effect Colour could apply this .cube file of this computer.
///
/// Errors   The file is too large, or its first wrong line.
[[nodiscard]] Result<void> check_own_lut(const std::string& path);

/// Copies a file to a node's media folder, under `name`, and waits for the end of the copy. A copy
/// that was broken off continues where it stopped.
///
/// Errors   The file cannot be read, or is a LUT that check_own_lut() refuses. A node does not
///          answer, or refuses the file: io::IncomingMedia.
[[nodiscard]] Result<void> copy_media(cluster::Cluster& cluster, const MediaOrigin& origin,
                                      const std::string& node, const std::string& name,
                                      const CopyWatch& go_on);

}  // namespace submix::session
