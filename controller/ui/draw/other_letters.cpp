// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/other_letters.hpp"

#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <optional>
#include <string_view>

// ImGui's fonts do not tell which letters they lack. The linker calls this function instead of
// ImTextCharFromUtf8(), by which ImGui reads each letter beyond ASCII that it measures or draws.
int read_letter(unsigned* letter, const char* text,
                const char* end) asm("__real__Z18ImTextCharFromUtf8PjPKcS1_");
int read_and_meet_letter(unsigned* letter, const char* text,
                         const char* end) asm("__wrap__Z18ImTextCharFromUtf8PjPKcS1_");

int read_and_meet_letter(unsigned* letter, const char* text, const char* end) {
  const int bytes = read_letter(letter, text, end);
  submix::ui::other_letters().meet(*letter);
  return bytes;
}

namespace submix::ui {
namespace {

template <auto function>
struct FontconfigFree {
  template <typename Thing>
  void operator()(Thing* thing) const {
    function(thing);
  }
};
using FontConfiguration = std::unique_ptr<FcConfig, FontconfigFree<FcConfigDestroy>>;
using SortedFonts = std::unique_ptr<FcFontSet, FontconfigFree<FcFontSetDestroy>>;
using FontPattern = std::unique_ptr<FcPattern, FontconfigFree<FcPatternDestroy>>;

bool is_true(const FcPattern* font, const char* property) {
  FcBool value = FcFalse;
  return FcPatternGetBool(font, property, 0, &value) == FcResultMatch && value == FcTrue;
}

std::string_view string_of(const FcPattern* font, const char* property) {
  FcChar8* value = nullptr;
  if (FcPatternGetString(font, property, 0, &value) != FcResultMatch) return {};
  return reinterpret_cast<const char*>(value);
}

// ImGui draws outlines of these two formats, and one colour.
bool can_be_drawn(const FcPattern* font) {
  const auto format = string_of(font, FC_FONTFORMAT);
  const bool is_known = format == "TrueType" || format == "CFF";
  return is_known && is_true(font, FC_OUTLINE) && !is_true(font, FC_COLOR);
}

bool has_letter(const FcPattern* font, ImWchar letter) {
  FcCharSet* letters = nullptr;
  return FcPatternGetCharSet(font, FC_CHARSET, 0, &letters) == FcResultMatch &&
         FcCharSetHasChar(letters, letter) == FcTrue;
}

// The index of a variable font has its variant in the upper half.
int face_of(const FcPattern* font) {
  int index = 0;
  FcPatternGetInteger(font, FC_INDEX, 0, &index);
  return index & 0xFFFF;
}

}  // namespace

/// This computer's fonts, the one most like a sans serif of the user's language first.
class OtherLetters::FontList {
 public:
  FontList() : configuration_(FcInitLoadConfigAndFonts()) {
    if (configuration_ == nullptr) return;
    const FontPattern wanted(FcNameParse(reinterpret_cast<const FcChar8*>("sans-serif")));
    FcConfigSubstitute(configuration_.get(), wanted.get(), FcMatchPattern);
    FcDefaultSubstitute(wanted.get());
    FcResult result = FcResultNoMatch;
    fonts_.reset(FcFontSort(configuration_.get(), wanted.get(), FcFalse, nullptr, &result));
  }

  [[nodiscard]] std::optional<LetterFont> first_with(ImWchar letter) const {
    if (fonts_ == nullptr) return std::nullopt;
    const std::span all(fonts_->fonts, static_cast<std::size_t>(fonts_->nfont));
    const auto font = std::ranges::find_if(
        all, [letter](const auto* each) { return can_be_drawn(each) && has_letter(each, letter); });
    if (font == all.end()) return std::nullopt;
    return LetterFont{std::string(string_of(*font, FC_FILE)), face_of(*font), {}};
  }

 private:
  FontConfiguration configuration_;
  SortedFonts fonts_;
};

OtherLetters::OtherLetters() = default;
OtherLetters::~OtherLetters() = default;

void OtherLetters::meet(unsigned letter) {
  if (letter >= met_.size() || met_[letter] || count_ == kLettersMax) return;
  met_.set(letter);
  ++count_;
  has_new_ = true;
}

std::vector<ImWchar> OtherLetters::new_letters(const ImFont& own) const {
  const auto unasked = met_ & ~asked_;
  std::vector<ImWchar> letters;
  for (std::size_t i = 0; i < unasked.size(); ++i) {
    const auto letter = static_cast<ImWchar>(i);
    if (unasked[i] && own.FindGlyphNoFallback(letter) == nullptr) letters.push_back(letter);
  }
  return letters;
}

void OtherLetters::find(const ImFont& own) {
  if (!has_new_) return;
  const auto letters = new_letters(own);
  asked_ = met_;
  has_new_ = false;
  if (letters.empty()) return;

  if (list_ == nullptr) list_ = std::make_unique<FontList>();
  bool has_changed = false;
  for (const auto letter : letters) {
    if (auto* font = font_with(letter)) {
      font->letters.push_back(letter);
      has_changed = true;
    }
  }
  if (has_changed) ++changes_;
}

LetterFont* OtherLetters::font_with(ImWchar letter) {
  auto found = list_->first_with(letter);
  if (!found) return nullptr;
  const auto known = std::ranges::find_if(fonts_, [&](const LetterFont& font) {
    return font.file == found->file && font.face == found->face;
  });
  if (known != fonts_.end()) return &*known;
  if (fonts_.size() == kFontsMax) return nullptr;
  return &fonts_.emplace_back(*std::move(found));
}

OtherLetters& other_letters() {
  static OtherLetters letters;
  return letters;
}

}  // namespace submix::ui
