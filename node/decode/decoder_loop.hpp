// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/host/host_loop.hpp"

namespace submix::decode {

/// The life of a decoder: confined before it reads its file, then picture after picture
/// (node/host/job_loop.hpp). The node sends the file as the first message; job 1 is to have its first
/// picture decoded.
[[noreturn]] void run(const host::HostTask& task);

}  // namespace submix::decode
