// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/plugin_categories.hpp"

#include "common/show/plugin_family.hpp"
#include "controller/ui/draw/format.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace submix::ui {
namespace {

constexpr auto kCount = static_cast<std::size_t>(Category::count);
using Names = std::span<const std::string_view>;

// The filters of frei0r, without "frei0r/", and those of the node. Other kinds of plugins need no
// table.
constexpr auto kColor = std::to_array<std::string_view>({"B",
                                                         "G",
                                                         "R",
                                                         "balanc0r",
                                                         "brightness",
                                                         "bw0r",
                                                         "colgate",
                                                         "coloradj_RGB",
                                                         "colour",
                                                         "colordistance",
                                                         "colorize",
                                                         "colortap",
                                                         "contrast0r",
                                                         "curves",
                                                         "equaliz0r",
                                                         "gamma",
                                                         "hueshift0r",
                                                         "invert0r",
                                                         "levels",
                                                         "luminance",
                                                         "ndvi",
                                                         "normaliz0r",
                                                         "primaries",
                                                         "saturat0r",
                                                         "sigmoidaltransfer",
                                                         "sopsat",
                                                         "three_point_balance",
                                                         "tint0r"});
constexpr auto kBlur = std::to_array<std::string_view>(
    {"IIRblur", "glow", "hqdn3d", "medians", "sharpness", "softglow", "squareblur"});
constexpr auto kDistort = std::to_array<std::string_view>(
    {"3dflippo", "c0rners", "cairoimagegrid", "d90stairsteppingfix", "defish0r", "distort0r",
     "elastic_scale", "flippo", "lenscorrection", "letterb0xed", "perspective", "scale0tilt",
     "transform"});
constexpr auto kStylize = std::to_array<std::string_view>(
    {"cairogradient", "cartoon",    "cluster",  "colorhalftone", "dither",    "edgeglow",
     "emboss",        "glitch0r",   "nosync0r", "pixeliz0r",     "posterize", "rgbnoise",
     "rgbsplit0r",    "scanline0r", "sobel",    "tehroxx0r",     "text",      "threelay0r",
     "threshold0r",   "twolay0r",   "vignette"});
constexpr auto kKeying = std::to_array<std::string_view>(
    {"alpha0ps", "alphagrad", "alphaspot", "bgsubtract0r", "bluescreen0r", "facebl0r", "facedetect",
     "keyer", "keyspillm0pup", "mask0mate", "premultiply", "select0r", "spillsupress",
     "transparency"});
constexpr auto kTime = std::to_array<std::string_view>(
    {"aech0r", "baltan", "delay0r", "delaygrab", "lightgraffiti", "nervous", "vertigo"});
constexpr auto kMeasure = std::to_array<std::string_view>(
    {"checker", "pr0be", "pr0file", "rgbparade", "scope", "stamp", "timeout", "vectorscope"});

// Words of an explanation. A list is looked through from its beginning: what is said of keys counts
// more than that they have a colour.
constexpr auto kKeyingWords = std::to_array<std::string_view>({"alpha", "mask", "key", "transpar"});
constexpr auto kTimeWords =
    std::to_array<std::string_view>({"delay", "echo", "feedback", "trail", "previous frame"});
constexpr auto kMeasureWords =
    std::to_array<std::string_view>({"scope", "measure", "histogram", "meter"});
constexpr auto kBlurWords =
    std::to_array<std::string_view>({"blur", "sharp", "smooth", "denois", "soften"});
constexpr auto kDistortWords = std::to_array<std::string_view>(
    {"distort", "warp", "rotat", "zoom", "mirror", "lens", "perspective", "scale", "geometr"});
constexpr auto kColorWords = std::to_array<std::string_view>(
    {"colour", "color", "hue", "saturation", "bright", "contrast", "gamma", "tint", "luma"});

struct Row {
  Category category;
  std::string_view title;
  Names plugins = {};
  Names words = {};
};

constexpr std::array<Row, kCount> kRows{{
    {Category::color, "Colour", kColor, kColorWords},
    {Category::blur, "Blur and sharpen", kBlur, kBlurWords},
    {Category::distort, "Distort", kDistort, kDistortWords},
    {Category::stylize, "Stylise", kStylize},
    {Category::keying, "Keying and mask", kKeying, kKeyingWords},
    {Category::time, "Time and feedback", kTime, kTimeWords},
    {Category::measure, "Measure", kMeasure, kMeasureWords},
    {Category::generator, "Generators"},
    {Category::mixer, "Mixers"},
    {Category::output, "Outputs"},
    {Category::other, "Other"},
}};

static_assert(std::ranges::all_of(kRows, [at = 0](const Row& row) mutable {
  return static_cast<int>(row.category) == at++;
}));

constexpr std::array kByWords{Category::keying, Category::time,    Category::measure,
                              Category::blur,   Category::distort, Category::color};

const Row& row_of(Category category) {
  return kRows.at(static_cast<std::size_t>(category));
}

std::optional<Category> category_of_kind(std::string_view kind) {
  if (kind == "source") return Category::generator;
  if (kind == "output") return Category::output;
  if (kind.starts_with("mixer")) return Category::mixer;
  return std::nullopt;
}

}  // namespace

std::string_view title_of(Category category) {
  return row_of(category).title;
}

Category category_of(const cluster::PluginSummary& plugin) {
  std::string_view name = plugin.id;
  if (const auto* family = show::family_of(name)) name.remove_prefix(family->prefix.size());
  for (const auto& row : kRows) {
    if (std::ranges::find(row.plugins, name) != row.plugins.end()) return row.category;
  }
  if (const auto category = category_of_kind(plugin.kind)) return *category;
  for (const auto category : kByWords) {
    const auto is_said = [&](std::string_view word) { return contains(plugin.explanation, word); };
    if (std::ranges::any_of(row_of(category).words, is_said)) return category;
  }
  return plugin.memory == "frames" ? Category::time : Category::other;
}

}  // namespace submix::ui
