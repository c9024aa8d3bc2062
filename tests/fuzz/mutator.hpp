// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace submix::fuzz {

/// Makes new inputs from old ones. Bytes, words, lines and larger parts are changed, repeated,
/// moved and mixed.
///
/// State    Only the corpus. An input depends on the given generator and on nothing before.
class Mutator {
 public:
  /// `corpus` must have at least one input.
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
  // Words of the whole corpus, and numbers at the limits of their types.
  std::vector<std::string> words_;
  std::size_t bytes_max_;
};

}  // namespace submix::fuzz
