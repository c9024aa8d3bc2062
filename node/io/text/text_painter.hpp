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
  /// a family that is installed; another one takes the place of a missing one
  std::string font = "Sans";
  bool is_bold = false;
  double size = 0.12;  ///< height of a line, of the frame's height
  plugin::Color fill{255, 255, 255, 255};
  double outline = 0;  ///< its width, of the height of a line
  plugin::Color outline_color{0, 0, 0, 255};
  TextAlign align = TextAlign::center;  ///< of several lines
  bool is_one_line = false;  ///< as wide as it gets, for a ticker; otherwise as wide as the frame

  friend bool operator==(const TextStyle&, const TextStyle&) = default;
};

/// A painted text, just as large as it needs to be.
struct TextPicture {
  TextStyle style;
  Size size;                       ///< empty for an empty text
  Size whole_size;                 ///< larger: the rest is cut off
  std::vector<std::uint8_t> rgba;  ///< the colours already multiplied by their alpha
};

/// Paints a text for a frame of `frame`. A text beyond 2,000 characters is cut, and so is a picture beyond
/// 16,384 pixels of width or twice the frame's height.
///
/// Source   Pango: any script, from right to left too, and other fonts for characters that one lacks.
/// Cost     Milliseconds; the first of a thread reads the list of fonts, which may take a second.
/// Threads  Any.
[[nodiscard]] TextPicture paint_text(const TextStyle& style, Size frame);

/// Paints texts on a thread of its own, so that no frame waits for fonts.
///
/// Threads  Synchronized.
class TextPainter {
 public:
  explicit TextPainter(Size frame);

  /// Asks for a picture of `style`; one that was asked for before and is not begun gives way.
  void ask(TextStyle style) SUBMIX_EXCLUDES(mutex_);
  /// The picture painted last; null: none yet.
  [[nodiscard]] std::shared_ptr<const TextPicture> latest() const SUBMIX_EXCLUDES(mutex_);
  /// Waits until everything that was asked for is painted. False: stopped, or `deadline` has passed.
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
