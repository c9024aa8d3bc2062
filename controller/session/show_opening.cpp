// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/show_opening.hpp"

#include "common/show/edit.hpp"
#include "common/show/parse.hpp"
#include "common/show/text.hpp"
#include "controller/session/media_copying.hpp"

#include <algorithm>
#include <utility>

namespace submix::session {
namespace {

bool may_miss_files(const show::Show& show, const std::vector<std::string>& nodes) {
  const auto playing = model::nodes_with_files(show);
  return std::ranges::any_of(nodes, [&](const auto& node) { return playing.contains(node); });
}

}  // namespace

ReadFile ShowOpening::begin(std::string path) {
  cancel();
  phase_ = Phase::reading;
  path_ = std::move(path);
  return ReadFile{path_};
}

void ShowOpening::cancel() {
  const auto number = number_ + 1;
  *this = {};
  number_ = number;
}

// No notice for a cancelled opening, nor for a file if another was chosen after it.
Result<std::optional<FindMissingMedia>> ShowOpening::take(FileRead& reply,
                                                          const std::vector<std::string>& nodes) {
  if (phase_ != Phase::reading || reply.path != path_) return std::nullopt;
  if (!reply.text) {
    cancel();
    return fail("{}", reply.text.error().message);
  }
  auto parsed = show::parse(*reply.text, reply.path);
  if (!parsed) {
    cancel();
    return fail("{}", show::to_string(parsed.error()));
  }
  show::forget_fades(*parsed);
  text_ = *std::move(reply.text);
  show_ = std::make_shared<const show::Show>(*std::move(parsed));
  const bool is_search = may_miss_files(*show_, nodes);
  phase_ = is_search ? Phase::searching : Phase::ready;
  if (!is_search) return std::nullopt;
  return FindMissingMedia{number_, show_, nodes};
}

// If the search has failed, nobody is asked: the nodes refuse missing files when the show is
// written.
bool ShowOpening::take(MissingMediaFound& reply) {
  if (phase_ != Phase::searching || reply.opening != number_) return false;
  if (reply.missing) missing_ = *std::move(reply.missing);
  if (missing_.empty()) {
    phase_ = Phase::ready;
  } else {
    ask({});
  }
  return true;
}

void ShowOpening::ask(std::string error) {
  phase_ = Phase::asking;
  question_ = std::make_shared<const model::OpenQuestion>(
      model::OpenQuestion{path_, missing_, false, std::move(error)});
}

Result<void> ShowOpening::choose(const model::MissingFile& missing, const ChosenMedia* choice,
                                 std::vector<CopyMedia>& copies) {
  const auto& node = missing.wanted.node;
  if (choice == nullptr || !choice->origin) {
    links_.push_back({missing.slot, {}, missing.clip});
    return {};
  }
  const auto& origin = *choice->origin;
  const auto name = origin.node == node ? origin.file : name_of_copy(origin);
  links_.push_back({missing.slot, name, missing.clip});
  if (origin.node == node) return {};

  const auto same = std::ranges::find_if(
      copies, [&](const CopyMedia& copy) { return copy.node == node && copy.name == name; });
  if (same == copies.end()) {
    copies.push_back({origin, node, name, OpeningShow{number_}});
    return {};
  }
  if (same->origin.node == origin.node && same->origin.file == origin.file) return {};
  return fail("{}: two different files would be copied to {} as {}; choose one of them for both",
              show::to_string(missing.slot), node, name);
}

Result<std::vector<CopyMedia>> ShowOpening::answer(const std::vector<ChosenMedia>& choices) {
  std::vector<CopyMedia> copies;
  if (phase_ != Phase::asking) return copies;
  links_.clear();
  for (const auto& missing : missing_) {
    const auto found = std::ranges::find_if(choices, [&](const ChosenMedia& choice) {
      return choice.slot == missing.slot && choice.clip == missing.clip;
    });
    const auto chosen = choose(missing, found == choices.end() ? nullptr : &*found, copies);
    if (chosen) continue;
    ask(chosen.error().message);
    return tl::unexpected(chosen.error());
  }
  copies_ = copies.size();
  phase_ = copies.empty() ? Phase::ready : Phase::copying;
  question_ = copies.empty() ? nullptr
                             : std::make_shared<const model::OpenQuestion>(
                                   model::OpenQuestion{path_, missing_, true, {}});
  return copies;
}

bool ShowOpening::end_copy(std::uint64_t number, const Result<void>& result) {
  if (phase_ != Phase::copying || number != number_) return false;
  if (!result) {
    ++number_;  // the ends of the other copies are ignored
    ask(result.error().message);
    return true;
  }
  if (--copies_ > 0) return false;
  phase_ = Phase::ready;
  question_ = nullptr;
  return false;
}

void ShowOpening::stop_copies() {
  if (phase_ != Phase::copying) return;
  ++number_;
  ask("the copies were stopped");
}

std::optional<ShowOpening::Opened> ShowOpening::take() {
  if (phase_ != Phase::ready) return std::nullopt;
  auto to_be_shown =
      links_.empty() ? show_ : std::make_shared<const show::Show>(model::relinked(*show_, links_));
  Opened opened{std::move(path_), std::move(text_), std::move(show_), std::move(to_be_shown)};
  cancel();
  return opened;
}

std::string ShowOpening::path_under_way() const {
  const bool is_under_way = phase_ == Phase::reading || phase_ == Phase::searching;
  return is_under_way ? path_ : std::string();
}

}  // namespace submix::session
