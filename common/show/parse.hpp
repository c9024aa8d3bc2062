// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "common/show/problem.hpp"

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace submix::show {

using ParsedShow = tl::expected<Show, Problems>;

/// Reads a show file's text and validates the show. configs/shows/example.toml explains the form.
///
/// Threads  Pure.
/// Errors   All of them, each with file and line. Only a violation of TOML's own grammar ends the
///          context. An unknown key is an error, too, and names the nearest known key.
[[nodiscard]] ParsedShow parse(std::string_view text, std::string_view file_name);

/// Fills in file and line of problems found, after parsing, in a show read from `text`.
void locate(Problems& problems, std::string_view text, std::string_view file_name);

/// The show as a file's text: parse() of the text returns the same show. The comments of the
/// original file are lost; never overwrite a file written by a person with this text.
[[nodiscard]] std::string to_toml(const Show& show);

}  // namespace submix::show
