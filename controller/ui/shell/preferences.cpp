// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/preferences.hpp"

#include "common/base/files.hpp"
#include "common/show/text.hpp"
#include "controller/ui/edits/show_files.hpp"
#include "controller/ui/panel.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace submix::ui {
namespace {

constexpr int kSideMin = 320;  // smallest window that a person can still find
constexpr int kSideMax = 8192;
constexpr int kPlaceMax = 100'000;  // of a window on a desktop
constexpr double kShareMin = 0.05;
constexpr double kShareMax = 0.95;
constexpr std::size_t kDividersMax = 100;  // more than all pages have

int side_of(const toml::table& table, std::string_view key, int usual) {
  const auto stated = table[key].value<std::int64_t>().value_or(usual);
  return static_cast<int>(std::clamp<std::int64_t>(stated, kSideMin, kSideMax));
}

std::vector<std::string> recent_of(const toml::table& table) {
  std::vector<std::string> recent;
  if (const auto* paths = table["recent"].as_array()) {
    for (const auto& path : *paths) {
      if (recent.size() < kRecentMax && path.is_string()) recent.push_back(path.value_or(""));
    }
  }
  return recent;
}

std::set<std::string, std::less<>> favourites_of(const toml::table& table) {
  std::set<std::string, std::less<>> favourites;
  const auto* ids = table["favourites"].as_array();
  if (ids == nullptr) return favourites;
  for (const auto& id : *ids) {
    if (favourites.size() < kFavouritesMax && id.is_string()) favourites.insert(id.value_or(""));
  }
  return favourites;
}

// Keeps only dividers within their room. Other numbers would hide a panel, or come from another
// program.
std::map<std::string, float, std::less<>> dividers_of(const toml::table& table) {
  std::map<std::string, float, std::less<>> dividers;
  const auto* shares = table["dividers"].as_table();
  if (shares == nullptr) return dividers;
  for (const auto& [name, share] : *shares) {
    const auto number = share.value<double>();
    if (!number || std::isnan(*number) || dividers.size() >= kDividersMax) continue;
    dividers.emplace(name.str(), static_cast<float>(std::clamp(*number, kShareMin, kShareMax)));
  }
  return dividers;
}

int number_of(const toml::table& table, std::string_view key, int usual) {
  const auto stated = table[key].value<std::int64_t>().value_or(usual);
  return static_cast<int>(std::clamp<std::int64_t>(stated, -kPlaceMax, kPlaceMax));
}

ExtraPlace place_of(const ExtraView& view, const toml::table& table) {
  ExtraPlace place{.view = std::string(view.entry.id), .size = view.size};
  place.is_open = table["open"].value_or(false);
  place.is_placed = table.contains("x") && table.contains("y");
  place.x = number_of(table, "x", place.x);
  place.y = number_of(table, "y", place.y);
  place.size = {side_of(table, "width", place.size.width),
                side_of(table, "height", place.size.height)};
  place.is_fullscreen = table["fullscreen"].value_or(false);
  return place;
}

// Views that this version does not have are left out.
std::vector<ExtraPlace> windows_of(const toml::table& table) {
  std::vector<ExtraPlace> places;
  const auto* windows = table["windows"].as_table();
  if (windows == nullptr) return places;
  for (const auto& [id, place] : *windows) {
    const auto* view = find_extra_view(id.str());
    if (view != nullptr && place.is_table()) places.push_back(place_of(*view, *place.as_table()));
  }
  return places;
}

toml::table table_of(const ExtraPlace& place) {
  toml::table table{{"open", place.is_open},
                    {"width", place.size.width},
                    {"height", place.size.height},
                    {"fullscreen", place.is_fullscreen}};
  if (!place.is_placed) return table;
  table.insert("x", place.x);
  table.insert("y", place.y);
  return table;
}

toml::table table_of(const std::vector<ExtraPlace>& places) {
  toml::table table;
  for (const auto& place : places)
    table.insert(place.view, table_of(place));
  return table;
}

toml::table table_of(const std::map<std::string, float, std::less<>>& dividers) {
  toml::table table;
  for (const auto& [name, share] : dividers)
    table.insert(name, std::round(static_cast<double>(share) * 1e4) / 1e4);
  return table;
}

template <typename Words>
toml::array array_of(const Words& words) {
  toml::array array;
  for (const auto& word : words)
    array.push_back(word);
  return array;
}

}  // namespace

std::filesystem::path preferences_file() {
  return state_home() / "controller.toml";
}

Result<Preferences> read_preferences(const std::filesystem::path& file) {
  Preferences preferences;
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return preferences;
  const auto text = read_text_file(file);
  SUBMIX_TRY(text);
  try {
    const auto table = toml::parse(*text);
    if (table["theme"].value<std::string>() == "light") preferences.theme = Theme::light;
    preferences.scale = std::clamp(table["scale"].value<double>().value_or(1.0), double{kScaleMin},
                                   double{kScaleMax});
    preferences.page = table["page"].value<std::string>().value_or("");
    if (table.contains("width") && table.contains("height"))
      preferences.size =
          Size{side_of(table, "width", kSideMin), side_of(table, "height", kSideMin)};
    preferences.recent = recent_of(table);
    preferences.dividers = dividers_of(table);
    preferences.favourites = favourites_of(table);
    preferences.windows = windows_of(table);
    preferences.was_tour_seen = table["tour_seen"].value_or(true);
    preferences.own_node = table["own_node"].value<std::string>().value_or("");
    if (!show::is_name(preferences.own_node)) preferences.own_node.clear();
  } catch (const toml::parse_error& error) {
    return fail("{}, line {}: {}; the usual window is shown", file.string(),
                error.source().begin.line, error.description());
  }
  return preferences;
}

Result<void> write_preferences(const std::filesystem::path& file, const Preferences& preferences) {
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  if (failed) return fail("{}: cannot be made: {}", file.parent_path().string(), failed.message());
  toml::table table{{"theme", preferences.theme == Theme::light ? "light" : "dark"},
                    {"scale", preferences.scale},
                    {"page", preferences.page},
                    {"recent", array_of(preferences.recent)},
                    {"dividers", table_of(preferences.dividers)},
                    {"favourites", array_of(preferences.favourites)},
                    {"windows", table_of(preferences.windows)},
                    {"tour_seen", preferences.was_tour_seen},
                    {"own_node", preferences.own_node}};
  if (preferences.size) {
    table.emplace("width", preferences.size->width);
    table.emplace("height", preferences.size->height);
  }
  std::ostringstream text;
  text << "# How submix-controller was left; written when it ends.\n" << table << '\n';
  return write_file_atomically(file, text.str());
}

}  // namespace submix::ui
