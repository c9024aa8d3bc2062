// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/mutator.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace submix::fuzz {
namespace {

constexpr std::size_t kChangesMax = 6;     // of one input: most inputs stay half valid
constexpr std::size_t kRepeatsMax = 4096;  // of one part: deep nesting, or many items

struct Range {
  std::size_t begin = 0;
  std::size_t length = 0;
};

std::size_t below(std::mt19937_64& random, std::size_t end) {
  return end == 0 ? 0 : static_cast<std::size_t>(random() % end);
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

Range part_of(const std::string& text, std::mt19937_64& random) {
  const auto begin = below(random, text.size());
  const auto longest = std::min<std::size_t>(text.size() - begin, random() % 4 == 0 ? 512 : 24);
  return {begin, 1 + below(random, longest)};
}

Range word_at(const std::string& text, std::size_t at) {
  auto begin = at;
  while (begin < text.size() && !is_word(text[begin]))
    ++begin;
  auto end = begin;
  while (end < text.size() && is_word(text[end]))
    ++end;
  return {begin, end - begin};
}

Range line_at(const std::string& text, std::size_t at) {
  const auto before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const auto begin = before == std::string::npos ? 0 : before + 1;
  const auto end = text.find('\n', begin);
  return {begin, (end == std::string::npos ? text.size() : end + 1) - begin};
}

std::vector<std::string> words_of(const std::vector<std::string>& corpus) {
  std::set<std::string> words{
      "",   "0",  "-1",   "65",   "1e308", "nan", "inf", "18446744073709551615",
      "\"", "[[", "\"\"", "true", "'''",   "{",   "}",   "-9223372036854775808"};
  for (const auto& text : corpus) {
    for (std::size_t at = 0; at < text.size();) {
      const auto word = word_at(text, at);
      if (word.length > 0) words.insert(text.substr(word.begin, word.length));
      at = word.begin + word.length + 1;
    }
  }
  return {words.begin(), words.end()};
}

}  // namespace

Mutator::Mutator(std::vector<std::string> corpus, std::size_t bytes_max)
    : corpus_(std::move(corpus)), words_(words_of(corpus_)), bytes_max_(bytes_max) {}

std::string Mutator::make(Random& random) const {
  auto text = corpus_[below(random, corpus_.size())];
  for (auto changes = 1 + below(random, kChangesMax); changes > 0; --changes) {
    if (text.empty()) text = words_[below(random, words_.size())] + "\n";
    change(text, random);
  }
  if (text.size() > bytes_max_) text.resize(bytes_max_);
  return text;
}

void Mutator::change(std::string& text, Random& random) const {
  switch (random() % 8) {
    case 0:
    case 1:
      return change_byte(text, random);
    case 2:
    case 3:
      return change_word(text, random);
    case 4:
      return repeat_part(text, random);
    case 5:
      return insert_foreign_part(text, random);
    case 6: {
      const auto part = part_of(text, random);
      text.erase(part.begin, part.length);
      return;
    }
    default:
      return change_line(text, random);
  }
}

void Mutator::change_byte(std::string& text, Random& random) const {
  auto& byte = text[below(random, text.size())];
  const bool is_flip = random() % 2 == 0;
  byte = static_cast<char>(is_flip ? byte ^ (1 << (random() % 8)) : static_cast<char>(random()));
}

void Mutator::change_word(std::string& text, Random& random) const {
  const auto word = word_at(text, below(random, text.size()));
  text.replace(word.begin, word.length, words_[below(random, words_.size())]);
}

void Mutator::repeat_part(std::string& text, Random& random) const {
  const auto part = part_of(text, random);
  const auto copy = text.substr(part.begin, part.length);
  const auto most = random() % 8 == 0 ? kRepeatsMax : 8;
  auto times = std::min(1 + below(random, most), bytes_max_ / copy.size());
  std::string all;
  for (; times > 0; --times)
    all += copy;
  text.insert(part.begin, all);
}

void Mutator::insert_foreign_part(std::string& text, Random& random) const {
  const auto& other = corpus_[below(random, corpus_.size())];
  if (other.empty()) return;
  const auto part = part_of(other, random);
  text.insert(below(random, text.size()), other, part.begin, part.length);
}

void Mutator::change_line(std::string& text, Random& random) const {
  const auto line = line_at(text, below(random, text.size()));
  const auto copy = text.substr(line.begin, line.length);
  if (random() % 2 == 0) text.erase(line.begin, line.length);
  if (text.empty()) return;
  text.insert(line_at(text, below(random, text.size())).begin, copy);
}

}  // namespace submix::fuzz
