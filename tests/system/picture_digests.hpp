// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace submix::testing {

/// The digest of each picture in a text that FFmpeg's muxer `framemd5` has written.
[[nodiscard]] inline std::vector<std::string> picture_digests(const std::string& text) {
  std::vector<std::string> pictures;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) pictures.push_back(line.substr(line.rfind(' ')));
  }
  return pictures;
}

}  // namespace submix::testing
