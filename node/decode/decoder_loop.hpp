// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/host/host_loop.hpp"

namespace submix::decode {

/// Runs a decoder: confines the process before it reads its file, then paints picture after picture
/// or reads piece after piece of its sound (node/host/job_loop.hpp). The file is the node's first
/// message. Job 1 decodes the first picture.
[[noreturn]] void run(const host::HostTask& task);

}  // namespace submix::decode
