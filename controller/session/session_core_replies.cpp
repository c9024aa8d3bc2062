// SPDX-License-Identifier: GPL-3.0-or-later
// Replies to requests.
#include "controller/model/edit/clip_deck.hpp"
#include "controller/model/edit/lut.hpp"
#include "controller/model/edit/outputs.hpp"
#include "controller/session/session_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::session {
namespace {

constexpr std::chrono::seconds kWriteRetry{1};  // after a write without an answer

// The edit that plays a copied file. Empty: nothing is to play it.
std::optional<Result<model::Edit>> edit_of_copy(const CopyMedia& copied, const show::Show& show,
                                                const model::PluginMap& plugins) {
  if (const auto* clip = std::get_if<show::Port>(&copied.then))
    return model::play_in_clip(show, *clip, copied.name);
  if (const auto* bank = std::get_if<BankOfClip>(&copied.then))
    return model::add_to_bank(show, bank->clip, copied.name);
  if (const auto* source = std::get_if<SourceOfLayer>(&copied.then))
    return model::play_in_source(show, plugins, source->layer, copied.name);
  if (const auto* layer = std::get_if<model::NewLayer>(&copied.then))
    return model::add_layer(show, plugins, *layer);
  if (const auto* lut = std::get_if<LutOfSubmix>(&copied.then))
    return model::apply_lut(show, plugins, lut->submix, copied.name);
  return std::nullopt;
}

// Of a copy whose edit would change what the show consists of.
std::string words_in_perform_mode(const CopyMedia& copied) {
  const bool is_new_layer = std::holds_alternative<model::NewLayer>(copied.then);
  const bool is_lut = std::holds_alternative<LutOfSubmix>(copied.then);
  const auto* source = std::get_if<SourceOfLayer>(&copied.then);
  const auto kept = source != nullptr
                        ? source->layer + " was not changed"
                        : fmt::format("no {} was added", is_lut ? "effect Colour" : "layer");
  return fmt::format("{} has {} now; {} in the perform mode: {} in the edit mode", copied.node,
                     copied.name, kept, is_new_layer ? "+ Layer adds it" : "drop the file again");
}

}  // namespace

void SessionCore::on(ShowWritten& reply, LocalTime now) {
  switch (reply.outcome.kind) {
    case WriteOutcome::Kind::accepted:
      editor_.write_accepted(reply.outcome.revision, std::move(reply.outcome.announced));
      show_revision_ = std::max(show_revision_, reply.outcome.revision);
      own_revision_ = reply.outcome.revision;
      for (const auto& line : reply.outcome.warnings) {
        if (auto text = notices_.once(line, line, now))
          say(Severity::warning, "show", *std::move(text), now);
      }
      break;
    case WriteOutcome::Kind::refused:
      editor_.write_refused();
      break;
    case WriteOutcome::Kind::declined:
      editor_.write_declined(reply.outcome.error);
      break;
    case WriteOutcome::Kind::failed:
      editor_.write_failed();
      show_retry_ = now + kWriteRetry;
      say(Severity::warning, "show", "not written yet, trying again: " + reply.outcome.error, now);
      break;
  }
  for (auto& conflict : editor_.take_conflicts())
    say(Severity::warning, "show", std::move(conflict), now);
  show_draft(ShowCause::elsewhere);
}

void SessionCore::on(TransportWritten& reply, LocalTime now) {
  if (reply.result) {
    transport_.written(reply.transport);
  } else {
    transport_.write_failed();
  }
  say("transport", reply.result, now);
  model_.set_transport(transport_.now());
}

void SessionCore::on(PictureTaken& reply, LocalTime now) {
  schedule_.finished(reply.key, reply.result.has_value(), now);
  if (reply.result && schedule_.is_watched(reply.key)) {
    pictures_[reply.key] = std::make_shared<const cluster::Snapshot>(std::move(*reply.result));
  }
}

void SessionCore::on(PluginsListed& reply, LocalTime now) {
  plugins_.answered(reply.node, reply.result ? std::string() : reply.result.error().message);
  if (reply.result) model_.add_plugins(reply.node, *std::move(reply.result));
  judge_opened(now);
}

void SessionCore::on(MediaListed& reply, LocalTime now) {
  media_.take(reply, now);
}

void SessionCore::on(MediaPictureTaken& reply, LocalTime now) {
  media_.take(reply, now);
}

void SessionCore::on(EffectPictureTaken& reply, LocalTime now) {
  effects_.take(reply, now);
}

void SessionCore::on(MediaCopied& reply, LocalTime now) {
  media_.ask(reply.node);
  const auto copied = copies_.end();
  say("file", reply.result, now);
  const auto* opening = copied ? std::get_if<OpeningShow>(&copied->then) : nullptr;
  if (opening != nullptr) return end_copy_for_opening(opening->number, reply.result, now);
  if (copied && reply.result) play(*copied, now);
}

void SessionCore::end_copy_for_opening(std::uint64_t number, const Result<void>& result,
                                       LocalTime now) {
  if (opening_.end_copy(number, result)) copies_.stop_for_opening();
  finish_opening(now);
}

void SessionCore::play(const CopyMedia& copied, LocalTime now) {
  const auto draft = editor_.draft();
  if (draft == nullptr) return;
  const auto edit = edit_of_copy(copied, *draft, *model_.plugins());
  if (!edit) return;
  const bool is_structural = std::holds_alternative<model::NewLayer>(copied.then) ||
                             (*edit && model::is_structural(**edit));
  if (keeps_structure_ && is_structural)
    return say(Severity::note, "file", words_in_perform_mode(copied), now);
  if (!*edit) return say(Severity::warning, "show", edit->error().message, now);
  const auto steps_before = editor_.view().undo_step;
  on(EditShow{**edit}, now);
  const auto* lut = std::get_if<LutOfSubmix>(&copied.then);
  if (lut == nullptr || editor_.view().undo_step == steps_before) return;
  say(Severity::note, "file",
      fmt::format("{} changes the colours of all of {}; Ctrl+Z takes it back", copied.name,
                  lut->submix),
      now);
}

void SessionCore::on(FileRead& reply, LocalTime now) {
  auto search = opening_.take(reply, healthy_nodes(now));
  if (!search) return say(Severity::warning, "open", search.error().message, now);
  if (*search) file_requests_.emplace_back(**std::move(search));
  finish_opening(now);
}

void SessionCore::on(MissingMediaFound& reply, LocalTime now) {
  if (!opening_.take(reply)) return;
  for (auto& fault : reply.faults)
    say(Severity::warning, "open", std::move(fault), now);
  finish_opening(now);
}

void SessionCore::finish_opening(LocalTime now) {
  auto opened = opening_.take();
  if (!opened || !can_write("open", now)) return;
  const auto name = std::filesystem::path(opened->path).filename().string();
  if (keeps_structure_)
    return say(Severity::note, "open",
               fmt::format("{}: not opened: a person performs; open it in the edit mode", name),
               now);
  leave_recorders_off(*opened, name, now);
  if (!replace_show(opened->to_be_shown, "open " + name, now)) return;
  file_.opened(opened->path, std::move(opened->in_file), std::move(opened->text));
  opened_values_.begin(std::move(opened->to_be_shown));
  judge_opened(now);
}

// A show that was saved while it recorded does not begin a film when it is opened.
void SessionCore::leave_recorders_off(ShowOpening::Opened& opened, const std::string& name,
                                      LocalTime now) {
  const auto present = editor_.draft();
  const bool goes_on = present != nullptr && model::is_recording(*present);
  if (goes_on || !model::is_recording(*opened.in_file)) return;
  opened.in_file = model::without_recording(std::move(opened.in_file));
  opened.to_be_shown = model::without_recording(std::move(opened.to_be_shown));
  say(Severity::note, "open", name + ": its recorder is off; REC begins a film", now);
}

void SessionCore::judge_opened(LocalTime now) {
  for (const auto& fault : opened_values_.new_faults(model_.plugins().get()))
    say(Severity::warning, "open", fault + "; it will be left out", now);
}

void SessionCore::on(FileOfShowFound& reply, LocalTime now) {
  if (const auto found = file_.found(reply, show_revision_); !found)
    say(Severity::note, "save", found.error().message + "; the next save asks for a file", now);
}

void SessionCore::on(FileWritten& reply, LocalTime now) {
  --files_under_way_;
  if (auto next = file_.written(reply)) write_file(*std::move(next));
  if (reply.request.purpose == WriteFile::Purpose::autosave) return say_autosaved(reply.copy, now);
  if (!reply.copy) return say(Severity::warning, "save", reply.copy.error().message, now);
  if (reply.request.purpose == WriteFile::Purpose::note) return;
  say(Severity::note, "save",
      reply.copy->empty()
          ? "written: " + reply.request.path
          : fmt::format("written: {}; the one before, with its comments, is kept as {}",
                        reply.request.path, *reply.copy),
      now);
}

// Autosaves happen every ten seconds; a lasting fault is reported once.
void SessionCore::say_autosaved(const Result<std::string>& written, LocalTime now) {
  const auto before =
      std::exchange(autosave_fault_, written ? std::string() : written.error().message);
  if (!written && before != autosave_fault_)
    say(Severity::warning, "autosave", autosave_fault_, now);
}

void SessionCore::on(FolderListed& reply, LocalTime) {
  folder_ = std::make_shared<const model::FolderView>(std::move(reply.folder));
}

void SessionCore::on(TextWritten& reply, LocalTime now) {
  if (reply.purpose == WriteText::Purpose::trace) {
    trace_.on(reply);
  } else {
    ledger_file_ = {reply.path, false, reply.result ? std::string() : reply.result.error().message};
  }
  if (!reply.result) return say(Severity::warning, "save", reply.result.error().message, now);
  say(Severity::note, "save", "written: " + reply.path, now);
}

void SessionCore::on(TraceTold& reply, LocalTime) {
  trace_.on(reply);
}

void SessionCore::on(TracesMerged& reply, LocalTime) {
  trace_.on(reply);
}

void SessionCore::on(SeenAlertsShared& reply, LocalTime now) {
  if (!reply.result)
    say(Severity::warning, "alerts", "seen in this window only: " + reply.result.error().message,
        now);
}

void SessionCore::on(NodeForgotten& reply, LocalTime now) {
  if (!reply.result) return say(Severity::warning, "forget", reply.result.error().message, now);
  model_.forget_node(reply.node);
  say(Severity::note, "forget", fmt::format("node \"{}\" is forgotten", reply.node), now);
}

}  // namespace submix::session
