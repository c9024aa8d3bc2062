// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/missing_media.hpp"

#include <utility>

namespace submix::session {
namespace {

class MediaSearch {
 public:
  explicit MediaSearch(const MediaQuestions& questions) : questions_(questions) {}

  void ask(const std::string& node) {
    auto list = questions_.list(node);
    auto& known = lists_[node];
    if (list) {
      known.list = *std::move(list);
    } else {
      known.error = list.error().message;
      faults_.push_back(known.error);
    }
  }
  [[nodiscard]] const model::MediaLists& lists() const { return lists_; }
  [[nodiscard]] std::vector<std::string> faults() { return std::move(faults_); }

 private:
  const MediaQuestions& questions_;
  model::MediaLists lists_;
  std::vector<std::string> faults_;
};

}  // namespace

MissingMedia find_missing_media(const MediaQuestions& questions, const show::Show& show,
                                const std::vector<std::string>& nodes) {
  MediaSearch search(questions);
  const auto playing = model::nodes_with_files(show);
  for (const auto& node : nodes) {
    if (playing.contains(node)) search.ask(node);
  }
  MissingMedia found{model::find_missing_files(show, search.lists()), {}};
  std::erase_if(found.files,
                [&](const model::MissingFile& file) { return questions.can_play(file.wanted); });
  if (!found.files.empty()) {
    for (const auto& node : nodes) {
      if (!playing.contains(node)) search.ask(node);
    }
    for (auto& file : found.files)
      file.found = model::namesakes_of(file.wanted, search.lists());
  }
  found.faults = search.faults();
  return found;
}

}  // namespace submix::session
