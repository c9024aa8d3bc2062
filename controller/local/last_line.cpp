// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/last_line.hpp"

#include "common/base/files.hpp"

namespace submix::local {

std::string last_line(const std::filesystem::path& log_file) {
  auto text = read_text_file(log_file, std::size_t{16} << 20).value_or("");
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text.substr(text.find_last_of('\n') + 1);
}

}  // namespace submix::local
