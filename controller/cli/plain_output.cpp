// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/plain_output.hpp"

#include "common/base/plain_text.hpp"

namespace submix::cli {

PlainOutput::Buffer::int_type PlainOutput::Buffer::overflow(int_type letter) {
  if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
  const char single = traits_type::to_char_type(letter);
  return xsputn(&single, 1) == 1 ? letter : traits_type::eof();
}

std::streamsize PlainOutput::Buffer::xsputn(const char* text, std::streamsize bytes) {
  target_ << plain_lines({text, static_cast<std::size_t>(bytes)});
  return target_ ? bytes : 0;
}

}  // namespace submix::cli
