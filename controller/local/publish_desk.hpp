// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/bus.hpp"

namespace submix::local {

/// Writes for all programs of the show that this PC is its desk, and which version it has. Programs
/// that are too far from this version then refuse to take part.
///
/// Cost     Blocks up to `settings.patience` a few times, if the server does not answer.
/// Errors   Logged: programs then compare their versions with each other only.
void publish_desk(const cluster::BusSettings& settings);

}  // namespace submix::local
