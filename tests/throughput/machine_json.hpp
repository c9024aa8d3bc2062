// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace submix::throughput {

/// Where figures were taken: the software's version, the processor, its cores, the kernel, the
/// time.
[[nodiscard]] nlohmann::ordered_json machine_json();

}  // namespace submix::throughput
