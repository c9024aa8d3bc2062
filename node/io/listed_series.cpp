// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/listed_series.hpp"

#include "common/show/picture_series.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace submix::io {
namespace {

// Endings of stills that may form a series. Drawings and GIFs are left out: people number them for
// other reasons.
constexpr std::array<std::string_view, 10> kPictureEndings{
    ".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp", ".tga", ".exr", ".dpx"};

bool is_picture(const std::string& name) {
  return std::ranges::find(kPictureEndings, ending_of(name)) != kPictureEndings.end();
}

/// Pictures with the same letters around their numbers.
struct Candidate {
  std::size_t digits = 1;  // of the widest number that begins with a zero
  std::vector<std::string> names{};
};
using Candidates = std::map<std::pair<std::string, std::string>, Candidate>;

Candidates candidates_of(const std::vector<FoundMedia>& files) {
  Candidates candidates;
  for (const auto& file : files) {
    const auto series = show::series_with(file.name);
    if (!series || !is_picture(file.name)) continue;
    auto& candidate = candidates[{series->before, series->behind}];
    candidate.digits = std::max(candidate.digits, series->digits);
    candidate.names.push_back(file.name);
  }
  return candidates;
}

void put_in_place(const show::SeriesName& series, std::uint32_t pictures,
                  std::vector<FoundMedia>& files) {
  FoundMedia all{show::pattern_of(series), 0, pictures};
  const auto is_part = [&](const FoundMedia& file) {
    return show::picture_number(series, file.name).has_value();
  };
  for (const auto& file : files)
    all.bytes += is_part(file) ? file.bytes : 0;
  std::erase_if(files, is_part);
  files.push_back(std::move(all));
}

}  // namespace

std::vector<FoundMedia> with_series(std::vector<FoundMedia> files) {
  for (const auto& [around, candidate] : candidates_of(files)) {
    if (candidate.names.size() < kListedSeriesMin) continue;
    const show::SeriesName series{around.first, candidate.digits, around.second};
    const auto numbers = show::series_numbers(series, candidate.names);
    if (numbers && numbers->count() >= kListedSeriesMin)
      put_in_place(series, numbers->count(), files);
  }
  return files;
}

}  // namespace submix::io
