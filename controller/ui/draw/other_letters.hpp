// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

#include <bitset>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace submix::ui {

/// A font file of this computer, and the letters that the window takes from it.
struct LetterFont {
  std::string file;
  int face = 0;  ///< of a file with several faces
  std::vector<ImWchar> letters;
};

/// Letters of names that the window's own fonts lack, such as Chinese ones. The window meets a
/// letter when it draws a text with it; fontconfig then names a font that has it.
///
/// Shape    At most kLettersMax letters of at most kFontsMax fonts; others are drawn as "?". The 16
///          bits that ImGui has for a letter leave out most emoji. No letter is joined or turned.
/// Threads  Confined (ui).
/// Cost     meet() sets a bit. The first find() with a new letter reads fontconfig's list of fonts:
///          milliseconds.
/// Errors   None: a letter without a font is drawn as "?".
class OtherLetters {
 public:
  static constexpr std::size_t kLettersMax = 2000;
  static constexpr std::size_t kFontsMax = 12;

  OtherLetters();
  ~OtherLetters();
  OtherLetters(const OtherLetters&) = delete;
  OtherLetters& operator=(const OtherLetters&) = delete;

  void meet(unsigned letter);
  /// Letters were met since the last find().
  [[nodiscard]] bool has_new() const { return has_new_; }
  /// Looks for fonts for the new letters that `own` lacks.
  void find(const ImFont& own);
  [[nodiscard]] std::span<const LetterFont> fonts() const { return fonts_; }
  /// How often fonts() has changed.
  [[nodiscard]] int changes() const { return changes_; }

 private:
  class FontList;

  [[nodiscard]] std::vector<ImWchar> new_letters(const ImFont& own) const;
  [[nodiscard]] LetterFont* font_with(ImWchar letter);

  std::bitset<0x10000> met_;
  std::bitset<0x10000> asked_;
  std::size_t count_ = 0;  // of met_
  bool has_new_ = false;
  int changes_ = 0;
  std::unique_ptr<FontList> list_;
  std::vector<LetterFont> fonts_;
};

/// The letters of all windows.
[[nodiscard]] OtherLetters& other_letters();

}  // namespace submix::ui
