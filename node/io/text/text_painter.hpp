// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/base/units.hpp"
#include "node/plugin/drawing_surface.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace submix::io {

enum class TextAlign { left, center, right };

/// How a text looks, wherever it stands.
struct TextStyle {
  std::string text;  ///< UTF-8; each line break begins a line
  /// an installed font family; a missing one is replaced by another
  std::string font = "Sans";
  bool is_bold = false;
  double size = 0.12;  ///< height of a line, as a share of the frame's height
  plugin::Color fill{255, 255, 255, 255};
  double outline = 0;  ///< width of the outline, as a share of a line's height
  plugin::Color outline_color{0, 0, 0, 255};
  TextAlign align = TextAlign::center;  ///< of several lines
  bool is_one_line = false;  ///< of any width, for a ticker; otherwise at most as wide as the frame

  friend bool operator==(const TextStyle&, const TextStyle&) = default;
};

/// A painted text, just as large as it needs to be.
struct TextPicture {
  TextStyle style;
  Size size;                       ///< empty for an empty text
  Size whole_size;                 ///< before cutting: if larger than `size`, the rest is cut off
  std::vector<std::uint8_t> rgba;  ///< colours premultiplied by alpha
};

/// Paints a text for frames of size `frame`. Cuts texts longer than 2,000 characters, and pictures
/// wider than 16,384 pixels or higher than two frames.
///
/// Source   Pango: any script, also from right to left, with other fonts for characters that a font
///          lacks.
/// Cost     Milliseconds. A thread's first call reads the list of fonts, which may take a second.
/// Threads  Any.
[[nodiscard]] TextPicture paint_text(const TextStyle& style, Size frame);

/// Paints texts on a thread of its own, so that no frame waits for fonts.
///
/// Threads  Synchronized.
class TextPainter {
 public:
  explicit TextPainter(Size frame);

  /// Asks for a picture of `style`. Replaces a former request that has not begun.
  void ask(TextStyle style) SUBMIX_EXCLUDES(mutex_);
  /// The picture painted last; null: none yet.
  [[nodiscard]] std::shared_ptr<const TextPicture> latest() const SUBMIX_EXCLUDES(mutex_);
  /// Waits until all requests are painted. False: stopped, or `deadline` has passed.
  bool wait(std::chrono::steady_clock::time_point deadline, const std::stop_token& stop)
      SUBMIX_EXCLUDES(mutex_);

 private:
  void run(const std::stop_token& stop);
  /// Empty: asked to stop.
  [[nodiscard]] std::optional<TextStyle> next(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);

  const Size frame_;
  mutable Mutex mutex_;
  Condition changed_;
  std::optional<TextStyle> wanted_ SUBMIX_GUARDED_BY(mutex_);
  bool is_painting_ SUBMIX_GUARDED_BY(mutex_) = false;
  std::shared_ptr<const TextPicture> latest_ SUBMIX_GUARDED_BY(mutex_);
  std::jthread thread_;  // the last: it uses all others
};

}  // namespace submix::io
