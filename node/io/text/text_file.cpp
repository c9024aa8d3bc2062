// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/text/text_file.hpp"

#include "common/base/thread.hpp"

#include <glib.h>

#include <utility>

namespace submix::io {
namespace {

using std::chrono::steady_clock;

constexpr std::string_view kMark = "\xef\xbb\xbf";

}  // namespace

Result<std::string> plain_text_of(std::string_view bytes) {
  const char* end = nullptr;
  if (g_utf8_validate(bytes.data(), static_cast<gssize>(bytes.size()), &end) == FALSE)
    return fail("is no text: byte {} is no UTF-8; save it as UTF-8", end - bytes.data() + 1);
  if (bytes.starts_with(kMark)) bytes.remove_prefix(kMark.size());

  std::string text;
  for (const char letter : bytes) {
    if (letter != '\r') text += letter;
  }
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

void TextFile::follow(const std::string& file) {
  {
    const MutexLock lock(mutex_);
    if (file == file_) return;
    file_ = file;
    ++call_;
    is_looked_at_ = file.empty();
    text_ = nullptr;
    trouble_.clear();
    changed_.notify_all();
  }
  if (!thread_.joinable())
    thread_ = start_thread("text file", [this](const std::stop_token& stop) { run(stop); });
}

std::shared_ptr<const std::string> TextFile::text() const {
  const MutexLock lock(mutex_);
  return text_;
}

std::string TextFile::trouble() const {
  const MutexLock lock(mutex_);
  return trouble_;
}

bool TextFile::wait(steady_clock::time_point deadline, const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  return changed_.wait_until(mutex_, stop, deadline,
                             [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS { return is_looked_at_; });
}

void TextFile::run(const std::stop_token& stop) {
  Look before;
  while (!stop.stop_requested()) {
    look(before);
    const MutexLock lock(mutex_);
    static_cast<void>(changed_.wait_until(
        mutex_, stop, steady_clock::now() + kLookEvery,
        [&]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS { return call_ != before.call; }));
  }
}

void TextFile::look(Look& before) {
  std::string file;
  std::uint64_t call = 0;
  {
    const MutexLock lock(mutex_);
    file = file_;
    call = call_;
  }
  const bool is_first = call != before.call;
  if (is_first) before = Look{call};
  if (file.empty()) return;

  const auto state = state_of_media(folders_, file);
  const auto now = steady_clock::now();
  const bool is_same = state == before.state && !is_first;
  before.state = state;
  if (is_same && before.is_taken) return;
  if (before.is_taken) before.changed = now;
  before.is_taken = is_first || is_same || now - before.changed >= kTakenAfter;
  if (!before.is_taken) return;

  auto bytes = read_media(folders_, file, kBytesMax);
  if (!bytes) return take(call, tl::unexpected(bytes.error()));
  auto text = plain_text_of(*bytes);
  if (!text) return take(call, fail("{}: {}", file, text.error().message));
  take(call, std::move(text));
}

void TextFile::take(std::uint64_t call, Result<std::string> text) {
  const MutexLock lock(mutex_);
  if (call != call_) return;
  is_looked_at_ = true;
  if (text) {
    text_ = std::make_shared<const std::string>(*std::move(text));
    trouble_.clear();
  } else {
    trouble_ = text.error().message +
               (text_ == nullptr ? "; the parameter text is shown" : "; the last good text stays");
  }
  changed_.notify_all();
}

}  // namespace submix::io
