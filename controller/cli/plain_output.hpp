// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>
#include <streambuf>

namespace submix::cli {

/// An output stream that removes control sequences, so that foreign text cannot steer the terminal:
/// see plain_lines(). `target` must outlive the stream.
///
/// Shape    Each write is filtered alone and passed on at once. A letter must not be split over two
///          writes.
class PlainOutput final : public std::ostream {
 public:
  explicit PlainOutput(std::ostream& target) : std::ostream(nullptr), buffer_(target) {
    rdbuf(&buffer_);
  }

 private:
  class Buffer final : public std::streambuf {
   public:
    explicit Buffer(std::ostream& target) : target_(target) {}

   protected:
    int_type overflow(int_type letter) override;
    std::streamsize xsputn(const char* text, std::streamsize bytes) override;
    int sync() override { return target_.flush() ? 0 : -1; }

   private:
    std::ostream& target_;
  };

  Buffer buffer_;
};

}  // namespace submix::cli
