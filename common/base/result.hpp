// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace submix {

/// An expected failure, as a text for a person: what, where, the value, the limit, the remedy.
/// Immutable.
struct Error {
  std::string message;
};

/// A value, or the reason why none exists. Mark functions that return a Result `[[nodiscard]]`: GCC
/// gives no warning for a dropped tl::expected.
template <typename T>
using Result = tl::expected<T, Error>;

/// `return fail("{}: size {} is not within 16 to 8192", file, size);`
template <typename... Args>
[[nodiscard]] tl::unexpected<Error> fail(fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected(Error{fmt::format(format, std::forward<Args>(args)...)});
}

}  // namespace submix

/// Passes an error on: leaves the calling function with the error of `result`, if `result` has one.
/// `result` is evaluated once; a named result is moved from only on the way out.
#define SUBMIX_TRY(result)                                                               \
  do {                                                                                   \
    if (auto&& submix_tried = (result); !submix_tried)                                   \
      return tl::unexpected(std::forward<decltype(submix_tried)>(submix_tried).error()); \
  } while (false)
