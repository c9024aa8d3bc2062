// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace submix::agent {

/// Edits a show of nodes "a", "b" and "c" at random, in every way that a patch can change, and
/// leaves it valid. No edit changes submix "still", its stream, or the branch "still" to "end" of
/// "mix".
///
/// Left out: plugin hosts (tested in tests/engine and tests/host), files, names without a slot, and
/// settings for people only: knobs, presets, cues, descriptions.
///
/// Threads  Confined.
class RandomEditor {
 public:
  explicit RandomEditor(unsigned seed) : random_(seed) {}

  /// The show before the first edit.
  [[nodiscard]] static show::Show first_show();

  [[nodiscard]] std::size_t below(std::size_t limit) { return random_() % limit; }
  /// Makes one edit; sometimes several at once.
  void edit(show::Show& show);
  [[nodiscard]] bool has_made_all() const;
  /// The number of edits of each kind.
  [[nodiscard]] const std::map<std::string, int>& made() const { return made_; }

 private:
  struct Kind {
    const char* name;
    bool (RandomEditor::*edit)(show::Show&);  ///< false: not possible in this show
    std::size_t rarity;                       ///< done once in this many attempts
  };
  static const std::vector<Kind>& kinds();

  void edit_once(show::Show& show);
  bool insert_built_in(show::Show& show) { return insert(show, "stamp"); }
  bool insert_macro(show::Show& show) { return insert(show, "submix/look"); }
  bool insert_macro_of_two(show::Show& show) { return insert_mixer(show, "submix/blend", 2); }
  bool insert_frei0r(show::Show& show) { return insert(show, some_filter()); }
  bool insert_frei0r_mixer(show::Show& show) { return insert_mixer(show, some_mixer(), 2); }
  bool insert_wide_mixer(show::Show& show) { return insert_mixer(show, "mix", 2 + below(4)); }
  bool insert(show::Show& show, const std::string& plugin);
  bool insert_mixer(show::Show& show, const std::string& plugin, std::size_t inputs);
  bool change_delay(show::Show& show);
  bool take_out(show::Show& show);
  bool replace(show::Show& show);
  bool replace_source(show::Show& show);
  bool shift(show::Show& show);
  bool connect(show::Show& show);
  bool rename(show::Show& show);
  bool set_helpers(show::Show& show);
  bool set_in_flight(show::Show& show);
  bool tune(show::Show& show);
  bool oscillate(show::Show& show);
  bool change_tempo(show::Show& show);
  bool bypass(show::Show& show);
  bool add_end(show::Show& show);
  bool change_output_chain(show::Show& show);
  bool add_stream(show::Show& show);
  bool take_out_stream(show::Show& show);
  bool change_stream(show::Show& show);
  bool change_links(show::Show& show);
  bool change_way(show::Show& show);
  bool move(show::Show& show);
  bool change_format(show::Show& show);
  bool change_show(show::Show& show);

  show::Submix& some_submix(show::Show& show);
  show::Slot* some_slot(show::Submix& submix);
  show::Stream& some_stream(show::Show& show);
  [[nodiscard]] std::string some_filter();
  [[nodiscard]] std::string some_mixer();
  [[nodiscard]] show::InputPolicy some_policy();
  [[nodiscard]] std::string new_name();

  std::mt19937 random_;
  int next_ = 0;
  std::map<std::string, int> made_;
};

/// The submix edited besides "mix": "left", and "right" in the other show.
[[nodiscard]] std::string edited_submix(const show::Show& show);

}  // namespace submix::agent
