// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/text_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace submix::show {
namespace {

/// Counts levels and entries of TOML text without parsing it. Strings and comments are skipped.
/// Only brackets, dots and the "=" of keys count. The dot of a number counts, too, which costs one
/// level.
class TextScan {
 public:
  explicit TextScan(std::string_view text) : text_(text) {}

  /// The first limit that the text exceeds, with its line.
  std::optional<Problem> fault() {
    while (position_ < text_.size()) {
      step(text_[position_]);
      if (levels_ > kLevelsMax) {
        return complaint(fmt::format(
            "brackets and dots of keys are nested more than {} deep; a show needs 4", kLevelsMax));
      }
      if (entries_ > kEntriesMax)
        return complaint(
            fmt::format("here are more than {} keys and tables; take some out", kEntriesMax));
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Problem complaint(std::string text) const {
    return {.text = std::move(text), .line = line_};
  }

  void step(char c) {
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '#') return skip_to(text_.find('\n', position_));
    if (c == '=' || (c == '[' && dots_before_.empty())) ++entries_;
    if (c == '[' || c == '{') open();
    if (c == ']' || c == '}') close();
    if (c == '.') add_dot();
    if (c == ',' || (c == '\n' && dots_before_.empty())) forget_dots();
    if (c == '\n') ++line_;
    ++position_;
  }

  void open() {
    dots_before_.push_back(dots_);
    dots_ = 0;
    ++levels_;
  }

  void close() {
    if (dots_before_.empty()) return;
    levels_ -= dots_ + 1;
    dots_ = dots_before_.back();
    dots_before_.pop_back();
  }

  void add_dot() {
    ++dots_;
    ++levels_;
  }

  void forget_dots() {
    levels_ -= dots_;
    dots_ = 0;
  }

  void skip_string(char quote) {
    const std::string_view thrice = quote == '"' ? R"(""")" : "'''";
    if (text_.substr(position_).starts_with(thrice)) return skip_long_string(thrice);
    ++position_;
    while (position_ < text_.size() && text_[position_] != '\n') {
      if (text_[position_] == quote) return skip_to(position_ + 1);
      if (text_[position_] == '\\' && quote == '"' && next() != '\n') ++position_;
      ++position_;
    }
    skip_to(position_);
  }

  void skip_long_string(std::string_view quotes) {
    position_ += quotes.size();
    while (position_ < text_.size() && !text_.substr(position_).starts_with(quotes)) {
      if (text_[position_] == '\\' && quotes.front() == '"' && next() != '\n') ++position_;
      if (position_ < text_.size() && text_[position_] == '\n') ++line_;
      ++position_;
    }
    skip_to(position_ + quotes.size());
    // One or two quotes before the last three belong to the string.
    for (int i = 0; i < 2 && position_ < text_.size() && text_[position_] == quotes.front(); ++i)
      ++position_;
  }

  [[nodiscard]] char next() const {
    return position_ + 1 < text_.size() ? text_[position_ + 1] : '\n';
  }

  void skip_to(std::size_t position) { position_ = std::min(position, text_.size()); }

  std::string_view text_;
  std::size_t position_ = 0;
  int line_ = 1;
  // For each open bracket: the dots of the key it belongs to.
  std::vector<std::size_t> dots_before_;
  std::size_t dots_ = 0;     // dots of the present key
  std::size_t levels_ = 0;   // open brackets plus the dots counted before
  std::size_t entries_ = 0;  // keys and tables so far
};

}  // namespace

std::optional<Problem> limit_fault(std::string_view text) {
  if (text.starts_with(kNoShowMark)) {
    const auto reason = text.substr(kNoShowMark.size(), text.find('\n') - kNoShowMark.size());
    return Problem{.text = fmt::format("no show of Submix: {}", reason), .line = 1};
  }
  if (text.size() > kShowBytesMax) {
    return Problem{.text = fmt::format("the show has {} bytes, more than {}; split it into several",
                                       text.size(), kShowBytesMax)};
  }
  return TextScan(text).fault();
}

}  // namespace submix::show
