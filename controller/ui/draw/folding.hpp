// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace submix::ui {

/// A text as searches compare it: in lower case and without accents, "München" as "munchen".
///
/// Shape    Latin, Greek and Cyrillic letters, composed or decomposed. Other letters, and bytes that
///          are no UTF-8, stay as they are.
[[nodiscard]] std::string folded(std::string_view text);

}  // namespace submix::ui
