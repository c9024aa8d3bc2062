// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace submix::agent {

/// Edits a show of nodes "a", "b" and "c" at random, in every way that a patch can be changed, and leaves it
/// valid. Submix "still", its stream, and of "mix" the branch "still" to "end" are touched by none.
///
/// Threads  Confined.
class RandomEditor {
 public:
  explicit RandomEditor(unsigned seed) : random_(seed) {}

  /// What the first edit is made to.
  [[nodiscard]] static show::Show first_show();

  [[nodiscard]] std::size_t below(std::size_t limit) { return random_() % limit; }
  /// Exactly one.
  void edit(show::Show& show);
  [[nodiscard]] bool has_made_all() const { return made_.size() == kinds().size(); }
  /// How often each kind was made.
  [[nodiscard]] const std::map<std::string, int>& made() const { return made_; }

 private:
  struct Kind {
    const char* name;
    bool (RandomEditor::*edit)(show::Show&);  ///< false: not to this one
    std::size_t rarity;                       ///< done once of so often
  };
  static const std::vector<Kind>& kinds();

  bool insert_built_in(show::Show& show) { return insert(show, "stamp"); }
  bool insert_macro(show::Show& show);
  bool insert_frei0r(show::Show& show);
  bool insert_mixer(show::Show& show);
  bool insert(show::Show& show, const std::string& plugin);
  bool take_out(show::Show& show);
  bool replace(show::Show& show);
  bool replace_source(show::Show& show);
  bool shift(show::Show& show);
  bool connect(show::Show& show);
  bool set_helpers(show::Show& show);
  bool tune(show::Show& show);
  bool bypass(show::Show& show);
  bool add_end(show::Show& show);
  bool change_stream(show::Show& show);
  bool change_links(show::Show& show);
  bool move(show::Show& show);
  bool change_format(show::Show& show);
  bool change_show(show::Show& show);

  show::Submix& some_submix(show::Show& show);
  show::Slot* some_slot(show::Submix& submix);
  [[nodiscard]] std::string some_filter();
  [[nodiscard]] std::string new_name();

  std::mt19937 random_;
  int next_ = 0;
  std::map<std::string, int> made_;
};

/// The submix that is edited besides "mix": "left", and "right" in the other show.
[[nodiscard]] std::string edited_submix(const show::Show& show);

}  // namespace submix::agent
