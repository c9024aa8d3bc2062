// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/files.hpp"
#include "controller/ui/draw/other_letters.hpp"
#include "controller/ui/draw/theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::ui {
namespace {

using Candidates = std::initializer_list<const char*>;

constexpr Candidates kText{"/usr/share/fonts/opentype/inter/Inter-Regular.otf",
                           "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
                           "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                           "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"};
constexpr Candidates kStrong{"/usr/share/fonts/opentype/inter/Inter-SemiBold.otf",
                             "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf",
                             "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
                             "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf"};
constexpr Candidates kMono{"/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
                           "/usr/share/fonts/truetype/noto/NotoSansMono-Regular.ttf",
                           "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"};
// Has the arrows and signs that other fonts lack.
constexpr const char* kSymbols = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

constexpr std::array<ImWchar, 3> kDigits{'0', '9', 0};
constexpr std::array<ImWchar, 13> kLetters{0x0020, 0x017F, 0x0370, 0x03FF, 0x0400, 0x04FF, 0x2010,
                                           0x2027, 0x2190, 0x2193, 0x2212, 0x2212, 0};

const char* first_present(Candidates candidates) {
  std::error_code none;
  for (const char* path : candidates) {
    if (std::filesystem::is_regular_file(path, none)) return path;
  }
  return nullptr;
}

// The widest digit of a font, in an atlas of its own.
float digit_width(const char* path, float pixels) {
  ImFontAtlas atlas;
  ImFontConfig config;
  config.GlyphRanges = kDigits.data();
  const ImFont* font = atlas.AddFontFromFileTTF(path, pixels, &config);
  if (font == nullptr || !atlas.Build()) return pixels / 2;
  float widest = 0;
  for (ImWchar digit = '0'; digit <= '9'; ++digit)
    widest = std::max(widest, font->FindGlyph(digit)->AdvanceX);
  return std::round(widest);
}

// Makes all digits equally wide, so that changing figures do not jump: a second pass centres each
// digit in the width of the widest.
void add_digits(ImFontAtlas& atlas, const char* path, float pixels) {
  ImFontConfig config;
  config.GlyphRanges = kDigits.data();
  config.GlyphMinAdvanceX = config.GlyphMaxAdvanceX = digit_width(path, pixels);
  config.PixelSnapH = true;
  config.OversampleH = 1;
  atlas.AddFontFromFileTTF(path, pixels, &config);
}

/// A font of other scripts, read once for all fonts of the window.
struct OtherFont {
  std::string bytes;
  int face = 0;
  std::vector<ImWchar> ranges;
};

// ImGui ends the program at a file of another kind.
bool is_outline_font(std::string_view bytes) {
  using namespace std::string_view_literals;
  constexpr std::array kBeginnings{"ttcf"sv, "OTTO"sv, "true"sv, "\0\1\0\0"sv};
  return std::ranges::any_of(
      kBeginnings, [bytes](std::string_view beginning) { return bytes.starts_with(beginning); });
}

std::vector<OtherFont> read_other_fonts() {
  constexpr std::size_t kBytesMax = std::size_t{64} << 20;
  std::vector<OtherFont> fonts;
  for (const auto& font : other_letters().fonts()) {
    auto bytes = read_text_file(font.file, kBytesMax);
    if (!bytes || !is_outline_font(*bytes)) continue;
    std::vector<ImWchar> ranges;
    for (const auto letter : font.letters)
      ranges.insert(ranges.end(), {letter, letter});
    ranges.push_back(0);
    fonts.push_back({*std::move(bytes), font.face, std::move(ranges)});
  }
  return fonts;
}

void add_other_fonts(ImFontAtlas& atlas, std::vector<OtherFont>& fonts, float pixels) {
  for (auto& font : fonts) {
    ImFontConfig config;
    config.MergeMode = true;
    config.FontDataOwnedByAtlas = false;
    config.FontNo = font.face;
    config.GlyphRanges = font.ranges.data();
    config.PixelSnapH = true;
    config.OversampleH = 1;
    atlas.AddFontFromMemoryTTF(font.bytes.data(), static_cast<int>(font.bytes.size()), pixels,
                               &config);
  }
}

ImFont* add_own_font(Candidates candidates, float pixels, bool has_even_digits) {
  auto& atlas = *ImGui::GetIO().Fonts;
  const char* path = first_present(candidates);
  if (path == nullptr) {
    ImFontConfig config;
    config.SizePixels = std::round(pixels);
    return atlas.AddFontDefault(&config);
  }
  ImFontConfig config;
  config.GlyphRanges = kLetters.data();
  config.PixelSnapH = true;
  // No oversampling, with PixelSnapH; also sharper in SDL's software renderer.
  config.OversampleH = 1;
  if (has_even_digits) {
    add_digits(atlas, path, pixels);
    config.MergeMode = true;
  }
  ImFont* font = atlas.AddFontFromFileTTF(path, pixels, &config);
  std::error_code none;
  if (std::filesystem::is_regular_file(kSymbols, none)) {
    config.MergeMode = true;
    atlas.AddFontFromFileTTF(kSymbols, pixels, &config);
  }
  return font;
}

ImFont* add_font(Candidates candidates, float pixels, std::vector<OtherFont>& others,
                 bool has_even_digits = true) {
  ImFont* font = add_own_font(candidates, pixels, has_even_digits);
  add_other_fonts(*ImGui::GetIO().Fonts, others, pixels);
  return font;
}

std::optional<Fonts> build_fonts(float scale, std::vector<OtherFont>& others) {
  auto& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  const auto pixels = [scale](float size) { return std::round(size * scale); };
  Fonts fonts;
  fonts.text = add_font(kText, pixels(15), others);
  fonts.strong = add_font(kStrong, pixels(15), others);
  fonts.small = add_font(kText, pixels(13), others);
  fonts.large = add_font(kStrong, pixels(24), others);
  fonts.mono = add_font(kMono, pixels(15), others, false);
  if (!atlas.Build()) return std::nullopt;
  atlas.ClearInputData();  // the fonts' files
  return fonts;
}

}  // namespace

Fonts load_fonts(float scale) {
  auto others = read_other_fonts();
  auto built = build_fonts(scale, others);
  if (!built) {
    others.clear();
    built = build_fonts(scale, others);
  }
  auto fonts = built.value_or(Fonts{});
  fonts.arrow = fonts.text->FindGlyphNoFallback(0x2192) != nullptr ? "\u2192" : "->";
  fonts.dot = fonts.text->FindGlyphNoFallback(0x00B7) != nullptr ? "\u00B7" : "-";
  ImGui::GetIO().FontDefault = fonts.text;
  return fonts;
}

}  // namespace submix::ui
