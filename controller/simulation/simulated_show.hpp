// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace submix::simulation {

struct Scale {
  std::size_t nodes = 64;
  std::optional<std::size_t> streams;  ///< empty: about four for each node
  std::uint64_t seed = 1;
};

/// A show with one submix on each node: performers, which make pictures, mixes of them, mixes of
/// mixes, and the last one, which shows the output. Valid, and the same for the same scale.
///
/// Errors   Too few streams to carry each picture on, or more than a show, or the mixes' inputs,
///          can have. The message says how many are possible.
[[nodiscard]] Result<show::Show> make_show(const Scale& scale);

}  // namespace submix::simulation
