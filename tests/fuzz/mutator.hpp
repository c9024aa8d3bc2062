// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace submix::fuzz {

/// Makes inputs of others: bytes, words, lines and whole parts are changed, repeated, moved and mixed.
///
/// State    The corpus alone: an input depends on the generator that it is made with, and on nothing before
/// it.
class Mutator {
 public:
  /// `corpus` has at least one input.
  Mutator(std::vector<std::string> corpus, std::size_t bytes_max);

  [[nodiscard]] std::string make(std::mt19937_64& random) const;

 private:
  using Random = std::mt19937_64;

  void change(std::string& text, Random& random) const;
  void change_byte(std::string& text, Random& random) const;
  void change_word(std::string& text, Random& random) const;
  void repeat_part(std::string& text, Random& random) const;
  void insert_foreign_part(std::string& text, Random& random) const;
  void change_line(std::string& text, Random& random) const;

  std::vector<std::string> corpus_;
  std::vector<std::string> words_;  // of all of it, and numbers at the ends of their types
  std::size_t bytes_max_;
};

}  // namespace submix::fuzz
