// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/clip_part.hpp"

#include "common/show/stated_value.hpp"
#include "common/show/text.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace submix::model {
namespace {

SetParameter set_point(const show::Port& port, std::string_view name, double seconds) {
  SetParameter edit{port, std::string(name), std::nullopt};
  if (seconds > 0) edit.value = seconds;
  return edit;
}

SetParameter state_parts(const show::Port& port, const show::ClipBank& bank) {
  SetParameter edit{port, std::string(show::kClipParts), std::nullopt};
  if (auto text = show::parts_text(bank); !text.empty()) edit.value = std::move(text);
  return edit;
}

}  // namespace

Result<const show::Slot*> clip_at(const show::Show& show, const show::Port& port) {
  const auto* slot = show.find_slot(port);
  if (slot == nullptr || slot->plugin != "clip")
    return fail("{}: is no clip; choose a layer that plays one", show::to_string(port));
  return slot;
}

tl::unexpected<Error> not_in_bank(const show::Port& port, const ClipReport& report) {
  return fail("{}: clip {} plays, and its bank has it no more; play another one",
              show::to_string(port), report.playing);
}

Result<Edit> move_part_end(const show::Show& show, const show::Port& port, const PartMove& move,
                           const ClipReport& report) {
  const auto slot = clip_at(show, port);
  SUBMIX_TRY(slot);
  const bool is_in = move.end == PartMove::End::in;
  if (report.playing == 1) {
    const auto name = is_in ? show::kClipIn : show::kClipOut;
    return SetParameter{port, std::string(name), move.seconds};
  }
  auto bank = show::clip_bank_of((*slot)->parameters);
  if (report.playing > bank.size()) return not_in_bank(port, report);
  auto& part = bank[report.playing - 1].part;
  const bool plays_whole = report.end > 0 && part.begin >= report.end;  // its file is shorter now
  if (plays_whole) part = {};
  (is_in ? part.begin : part.end) = move.seconds;
  return state_parts(port, bank);
}

std::vector<SetParameter> set_part(const show::Port& port, const show::Slot& slot,
                                   std::size_t number, const show::ClipPart& part) {
  if (number == 1)
    return {set_point(port, show::kClipIn, part.begin), set_point(port, show::kClipOut, part.end)};
  auto bank = show::clip_bank_of(slot.parameters);
  bank[number - 1].part = part;
  return {state_parts(port, bank)};
}

std::optional<SetParameter> set_parts(const show::Port& port, const show::Slot& slot,
                                      const show::ClipBank& bank) {
  auto edit = state_parts(port, bank);
  const auto stated = show::stated_value(slot.parameters, show::kClipParts, std::string());
  const auto* wanted = edit.value ? std::get_if<std::string>(&*edit.value) : nullptr;
  const bool is_so = wanted == nullptr ? stated.empty() : *wanted == stated;
  return is_so ? std::nullopt : std::optional(std::move(edit));
}

}  // namespace submix::model
