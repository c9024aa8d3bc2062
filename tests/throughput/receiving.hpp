// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/frame_ports.hpp"
#include "tests/throughput/job.hpp"
#include "tests/throughput/ledger.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace submix::throughput {

/// Called now and then. Returns the number of sent frames of each stream, once known.
using AskForEnding = std::function<Result<std::optional<std::vector<std::uint64_t>>>()>;

/// Receives and checks frames, with a thread for each stream, until all sent frames have arrived,
/// or until no frame arrives for three seconds after the end.
[[nodiscard]] Result<SideReport> receive_frames(const Job& job, Inputs& inputs,
                                                const Ledger& ledger,
                                                const AskForEnding& ask_for_ending);

}  // namespace submix::throughput
