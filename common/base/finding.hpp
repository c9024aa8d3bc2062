// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace submix {

/// What a finding means for a show on a PC.
enum class Grade {
  good,
  note,    ///< worth knowing; a show runs all the same
  bad,     ///< a show would suffer
  mended,  ///< was bad or worth a note, until this check mended it
};

/// One thing that was looked at on a PC.
struct Finding {
  Grade grade = Grade::good;
  std::string subject;      ///< "card eth0"
  std::string found = {};   ///< for people
  std::string remedy = {};  ///< for people; empty: none is needed
  /// Whether `submix doctor --fix` mends it.
  bool can_mend = false;

  friend bool operator==(const Finding&, const Finding&) = default;
};
using Findings = std::vector<Finding>;

/// "good", "note", "bad" or "mended".
[[nodiscard]] constexpr std::string_view name_of(Grade grade) {
  switch (grade) {
    case Grade::good:
      return "good";
    case Grade::note:
      return "note";
    case Grade::bad:
      return "bad";
    case Grade::mended:
      return "mended";
  }
  return "";
}

}  // namespace submix
