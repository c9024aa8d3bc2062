// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/nats_server.hpp"

#include <optional>

namespace submix::ui {

/// The control plane's server for this machine, at the usual address, when nobody answers there. Empty when
/// somebody does, or when it cannot be started: then that is logged, and the window waits for one to come.
/// Call it on the main thread.
[[nodiscard]] std::optional<cluster::NatsServer> start_nats_where_missing();

}  // namespace submix::ui
