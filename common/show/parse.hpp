// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "common/show/problem.hpp"

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace submix::show {

using ParsedShow = tl::expected<Show, Problems>;

/// Reads a show file's text and validates what it says. configs/shows/example.toml explains the form.
///
/// Threads  Pure.
/// Errors   All of them, each with file and line; only a breach of TOML's own grammar ends the reading.
///          A key that nobody knows is an error too, with the nearest known key.
[[nodiscard]] ParsedShow parse(std::string_view text, std::string_view file_name);

/// Fills in file and line of problems that were found in a show read from `text`, after it was read.
void locate(Problems& problems, std::string_view text, std::string_view file_name);

/// The show as a file's text: parse() of it gives the same show. Comments of the file it came from are lost,
/// so a file that a person wrote is never written again.
[[nodiscard]] std::string to_toml(const Show& show);

}  // namespace submix::show
