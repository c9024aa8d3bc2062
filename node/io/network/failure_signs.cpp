// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/network/failure_signs.hpp"

#include "common/base/assert.hpp"
#include "common/base/plain_text.hpp"
#include "node/io/ffmpeg.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string_view>

namespace submix::io {
namespace {

constexpr std::size_t kTlsTextBytesMax = 100;
constexpr int kRedirectsMax = 8;  // FFmpeg's own limit

thread_local FailureSigns* watched_signs = nullptr;  // null: nobody watches this thread

std::string_view speaker(void* context) {
  if (context == nullptr) return {};
  const auto* kind = *static_cast<AVClass**>(context);
  return kind == nullptr || kind->item_name == nullptr ? "" : kind->item_name(context);
}

bool is_redirect(int http_code) {
  return (http_code >= 301 && http_code <= 303) || http_code == 307 || http_code == 308;
}

/// The library for TLS knows no address.
std::string tls_text_of(const char* format, va_list arguments) {
  std::array<char, kTlsTextBytesMax> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  const std::string_view line(text.data());
  return plain_text(line.substr(0, line.find_last_not_of(" .\n") + 1), kTlsTextBytesMax);
}

void note(FailureSigns& signs, std::string_view speaker, const char* format, va_list arguments) {
  const std::string_view line(format);
  if (line.starts_with("Failed to resolve hostname") || line.starts_with("getaddrinfo("))
    signs.is_name_unknown = true;
  if (line.starts_with("http_code=%d"))
    signs.redirects = is_redirect(va_arg(arguments, int)) ? signs.redirects + 1 : 0;
  else if (speaker == "tls" && signs.tls_text.empty())
    signs.tls_text = tls_text_of(format, arguments);
}

void listen(void* context, int level, const char* format, va_list arguments) {
  const auto said_by = speaker(context);
  const bool is_trace = level > AV_LOG_ERROR && said_by == "tls";
  if (watched_signs != nullptr && !is_trace) {
    va_list copy;
    va_copy(copy, arguments);
    note(*watched_signs, said_by, format, copy);
    va_end(copy);
  }
  av_log_default_callback(context, level, format, arguments);
}

}  // namespace

std::string FailureSigns::reason() const {
  if (is_name_unknown) {
    return "nobody knows the name of its computer; correct the name, or write the number, such as "
           "198.51.100.7";
  }
  if (redirects > kRedirectsMax)
    return "it leads from address to address without an end; write the address of the stream";
  if (!tls_text.empty()) {
    return fmt::format(
        "its encryption (TLS) fails: {}; mend it there, or write the address without the \"s\" of "
        "https, rtmps or rtsps",
        tls_text);
  }
  return "nothing there accepts the connection; start it, or correct the address, and a passphrase "
         "or a stream's name in it";
}

FailureWatch::FailureWatch() {
  static std::once_flag is_listening;
  std::call_once(is_listening, [] { av_log_set_callback(listen); });
  SUBMIX_ASSERT(watched_signs == nullptr);
  watched_signs = &signs_;
}

FailureWatch::~FailureWatch() {
  watched_signs = nullptr;
}

}  // namespace submix::io
