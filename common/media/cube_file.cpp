// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/cube_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace submix::media {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Removes the next word from `rest` and returns it. Empty: there is none.
std::string_view take_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  const auto word = rest.substr(0, rest.find_first_of(kBlanks));
  rest.remove_prefix(word.size());
  return word;
}

template <typename Number>
std::optional<Number> number_of(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  Number number{};
  const auto* begin = word.data();
  const auto* end = begin + word.size();
  const auto [stopped, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

/// Exactly this many finite numbers, and nothing after them.
template <std::size_t Count>
std::optional<std::array<float, Count>> numbers_of(std::string_view rest) {
  std::array<float, Count> numbers{};
  for (auto& number : numbers) {
    const auto found = number_of<float>(take_word(rest));
    if (!found || !std::isfinite(*found)) return std::nullopt;
    number = *found;
  }
  if (!take_word(rest).empty()) return std::nullopt;
  return numbers;
}

/// A text for an error: short, and without characters that would disturb a terminal.
std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown(text.substr(0, kShown));
  while (!shown.empty() && shown.back() == '\r')
    shown.pop_back();
  std::ranges::replace_if(shown, [](char c) { return c < ' ' || c > '~'; }, '?');
  return fmt::format("\"{}{}\"", shown, text.size() > kShown ? "…" : "");
}

class CubeParser {
 public:
  explicit CubeParser(std::string_view name) : name_(name) {}

  Result<CubeFile> run(std::string_view text) {
    if (text.size() > CubeFile::kBytesMax)
      return fail("LUT {}: has {} bytes; at most {} are read; export it with fewer points", name_,
                  text.size(), CubeFile::kBytesMax);
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    while (!text.empty()) {
      ++line_;
      const auto end = text.find('\n');
      SUBMIX_TRY(read_line(text.substr(0, end)));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    SUBMIX_TRY(check_whole());
    return std::move(cube_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> refuse(std::string_view what) const {
    return fail("LUT {}: line {}: {}", name_, line_, what);
  }

  [[nodiscard]] std::size_t rows_wanted() const {
    return cube_.is_3d ? cube_.size * cube_.size * cube_.size : cube_.size;
  }

  Result<void> read_line(std::string_view line) {
    auto rest = line;
    const auto word = take_word(rest);
    if (word.empty() || word.front() == '#') return {};
    const bool is_number =
        std::string_view("0123456789+-.").find(word.front()) != std::string_view::npos;
    return is_number ? read_row(line) : read_keyword(word, rest);
  }

  Result<void> read_row(std::string_view line) {
    if (cube_.size == 0)
      return refuse("numbers come before LUT_1D_SIZE or LUT_3D_SIZE; export the file again");
    if (cube_.rows.size() == rows_wanted())
      return refuse(fmt::format("is one row too many: size {} has {}; export the file again",
                                cube_.size, rows_wanted()));
    const auto row = numbers_of<3>(line);
    if (!row)
      return refuse(fmt::format("{} is not three numbers; export the file again", quoted(line)));
    cube_.rows.push_back(*row);
    return {};
  }

  Result<void> read_keyword(std::string_view word, std::string_view rest) {
    if (word == "TITLE") return {};
    if (word == "LUT_1D_SIZE") return read_size(false, rest);
    if (word == "LUT_3D_SIZE") return read_size(true, rest);
    if (word == "DOMAIN_MIN") return read_bound(cube_.domain_min, rest);
    if (word == "DOMAIN_MAX") return read_bound(cube_.domain_max, rest);
    if (word == "LUT_1D_INPUT_RANGE" || word == "LUT_3D_INPUT_RANGE") return read_range(rest);
    return refuse(fmt::format(
        "{} is no word of a .cube file: TITLE, LUT_1D_SIZE, LUT_3D_SIZE, DOMAIN_MIN and "
        "DOMAIN_MAX are; export the file as .cube",
        quoted(word)));
  }

  Result<void> read_size(bool is_3d, std::string_view rest) {
    const auto most = is_3d ? CubeFile::kSize3dMax : CubeFile::kSize1dMax;
    const auto text = take_word(rest);
    const auto size = number_of<std::size_t>(text);
    if (!size || *size < CubeFile::kSizeMin || *size > most || !take_word(rest).empty())
      return refuse(fmt::format("size {} is not within {} to {}; export the file with such a size",
                                quoted(text), CubeFile::kSizeMin, most));
    if (cube_.size != 0)
      return refuse("is a second size; one table is read, so export one without the other");
    cube_.is_3d = is_3d;
    cube_.size = *size;
    cube_.rows.reserve(rows_wanted());
    return {};
  }

  Result<void> read_bound(CubeFile::Row& bound, std::string_view rest) {
    const auto numbers = numbers_of<3>(rest);
    if (!numbers)
      return refuse(fmt::format("{} is not three numbers; write one for each of red, green, blue",
                                quoted(rest)));
    bound = *numbers;
    domain_line_ = line_;
    return {};
  }

  Result<void> read_range(std::string_view rest) {
    const auto range = numbers_of<2>(rest);
    if (!range)
      return refuse(fmt::format("{} is not two numbers; write the least and the most of the input",
                                quoted(rest)));
    cube_.domain_min.fill((*range)[0]);
    cube_.domain_max.fill((*range)[1]);
    domain_line_ = line_;
    return {};
  }

  Result<void> check_whole() {
    if (cube_.size == 0)
      return refuse("the file ends without LUT_1D_SIZE or LUT_3D_SIZE; export it as .cube");
    if (cube_.rows.size() < rows_wanted())
      return refuse(fmt::format("the file ends after {} of {} rows; copy or export it again",
                                cube_.rows.size(), rows_wanted()));
    for (std::size_t c = 0; c < cube_.domain_min.size(); ++c) {
      if (cube_.domain_min[c] < cube_.domain_max[c]) continue;
      line_ = domain_line_;
      return refuse(fmt::format("the domain {} to {} is empty; its minimum must be below",
                                cube_.domain_min[c], cube_.domain_max[c]));
    }
    return {};
  }

  const std::string_view name_;
  std::size_t line_ = 0;         // the line being read, from 1
  std::size_t domain_line_ = 0;  // the last line that has changed the domain
  CubeFile cube_;
};

}  // namespace

Result<CubeFile> parse_cube(std::string_view text, std::string_view name) {
  return CubeParser(name).run(text);
}

}  // namespace submix::media
