// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/realtime_broker.hpp"
#include "node/doctor/examine.hpp"

#include <memory>

namespace submix::agent {

/// Lets start_thread() raise threads if `is_wanted`, by this process's own right or by rtkit, and
/// locks memory if permitted. The log tells the result. Call before starting such threads.
///
/// Returns  A broker that must outlive all other threads; null: none is needed.
[[nodiscard]] std::unique_ptr<RealtimeBroker> set_up_realtime(bool is_wanted);

/// Tries the same rights, for a process that ends afterwards.
[[nodiscard]] doctor::Rights try_rights();

}  // namespace submix::agent
