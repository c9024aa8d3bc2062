// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace submix::io {

/// What FFmpeg's log tells of a failed connection, whose error code is only "Input/output error".
/// Its lines may hold secrets of an address, so none is passed on.
struct FailureSigns {
  int redirects = 0;     ///< of HTTP, one after another
  std::string tls_text;  ///< by the library for TLS; empty: TLS has not failed
  bool is_name_unknown = false;

  /// For people, with the remedy.
  [[nodiscard]] std::string reason() const;
};

/// Collects the signs of what FFmpeg does on this thread. One object on a thread at a time.
class FailureWatch {
 public:
  FailureWatch();
  FailureWatch(const FailureWatch&) = delete;
  FailureWatch& operator=(const FailureWatch&) = delete;
  ~FailureWatch();

  [[nodiscard]] const FailureSigns& signs() const { return signs_; }

 private:
  FailureSigns signs_;
};

}  // namespace submix::io
