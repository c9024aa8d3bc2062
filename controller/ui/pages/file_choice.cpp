// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/file_choice.hpp"

#include "controller/model/edit/clip_deck.hpp"
#include "controller/model/edit/layers.hpp"
#include "controller/model/edit/lut.hpp"
#include "controller/model/view/machine_use.hpp"
#include "controller/session/media_copying.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/picture_drawing.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/edits/plugin_categories.hpp"
#include "controller/ui/edits/plugin_search.hpp"
#include "controller/ui/pages/mix_controls.hpp"
#include "controller/ui/pages/stage_words.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::ui {
namespace {

constexpr float kListWidth = 400;
constexpr float kListHeight = 330;
constexpr float kPictureWidth = 96;
constexpr float kPictureHeight = 54;
constexpr float kLargeWidth = 320;
constexpr float kSourceStillWidth = 160;
constexpr const char* kMediaPayload = "media";
constexpr char kBetweenNodeAndFile = '\0';
constexpr int kMoments = 8;  // seen by moving the mouse
constexpr int kMomentSteps = model::MediaPictureKey::kSteps / kMoments;

/// A line of the list: a file, a source without a file, or words between them.
struct FileRow {
  std::string_view node;
  const cluster::MediaFile* file = nullptr;  ///< null: no file
  std::string words{};
  ImU32 color = color::kDim;
  const cluster::PluginSummary* plugin = nullptr;  ///< null: no source

  [[nodiscard]] bool is_choice() const { return file != nullptr || plugin != nullptr; }
};
using FileRows = std::vector<FileRow>;

// Those of the node `wanted` come first.
void sort_rows(FileRows& rows, const std::string& wanted) {
  std::ranges::stable_partition(rows, [&](const FileRow& row) { return row.node == wanted; });
}

// The files of a node that match, below its name. Typed: nothing where none does.
void add_rows_of_node(const std::string& node, const model::MediaView& media,
                      const std::string& wanted, std::string_view typed, const Panel& panel,
                      FileRows& rows) {
  const auto begin = rows.size();
  const bool is_copied = !wanted.empty() && node != wanted;
  const auto* words = is_copied ? "Files of {}, copied to {} when chosen" : "Files of {}";
  rows.push_back(
      {.node = node,
       .words = fmt::format(fmt::runtime(words), pc_of(node, panel), pc_of(wanted, panel))});
  if (!media.error.empty()) rows.push_back({node, nullptr, media.error, color::kWarning});
  if (media.list.files.empty() && media.error.empty() && typed.empty())
    rows.push_back({node, nullptr, "none in its media folder", color::kFaint});
  for (const auto& file : media.list.files) {
    if (contains(file.name, typed)) rows.push_back({.node = node, .file = &file});
  }
  if (media.list.is_cut)
    rows.push_back({node, nullptr, "… and more: type the name", color::kFaint});
  if (rows.size() == begin + 1) rows.pop_back();
}

FileRows rows_of(const std::string& wanted, std::string_view typed, const model::MediaLists& lists,
                 const Panel& panel) {
  FileRows rows;
  for (const auto& [node, media] : lists) {
    if (!is_listed_elsewhere(node, wanted, panel.view))
      add_rows_of_node(node, media, wanted, typed, panel, rows);
  }
  sort_rows(rows, wanted);
  return rows;
}

bool is_source_without_file(const cluster::PluginSummary& plugin) {
  return plugin.kind == "source" && plugin.refused_because.empty() && plugin.id != "clip" &&
         plugin.id != "still" && plugin.id != show::kStreamInPlugin &&
         !plugin.id.starts_with(show::kMacroPrefix);
}

bool comes_first(const cluster::PluginSummary& plugin, std::string_view typed) {
  constexpr int kBeginsSo = 1;
  return typed.empty() ? plugin.id.find('/') == std::string::npos
                       : rank_of(plugin, typed) <= kBeginsSo;
}

// The sources that match, before or behind the files.
FileRows source_rows(std::string_view typed, bool are_first, const Panel& panel) {
  FileRows rows;
  for (const auto& [id, plugin] : plugins_of(panel)) {
    const bool is_here = is_source_without_file(plugin) && has_words(plugin, typed) &&
                         comes_first(plugin, typed) == are_first;
    if (is_here) rows.push_back({.node = {}, .plugin = &plugin});
  }
  if (rows.empty()) return rows;
  std::ranges::stable_sort(rows, {},
                           [&](const FileRow& row) { return rank_of(*row.plugin, typed); });
  const auto* words = are_first ? "Titles, test pictures, generators" : "Generators";
  rows.insert(rows.begin(), FileRow{.node = {}, .words = words});
  return rows;
}

// "0:12.0, 1920x1080, 30 fps, h264".
std::string facts_text(const cluster::MediaFacts& facts) {
  std::string text = facts.seconds > 0 ? play_time_text(facts.seconds) + ", " : std::string();
  text += fmt::format("{}x{}, ", facts.size.width, facts.size.height);
  if (facts.rate > 0) text += fmt::format("{:.4g} fps, ", facts.rate);
  return text + facts.codec;
}

// Larger, at the moment that the mouse points at: from left to right through the file.
void draw_large(const FileRow& row, float part, Panel& panel) {
  ImGui::BeginTooltip();
  const int moment = std::clamp(static_cast<int>(part * kMoments), 0, kMoments - 1);
  const ImVec2 size(panel.px(kLargeWidth), panel.px(kLargeWidth * 9 / 16));
  draw_media_moment({std::string(row.node), row.file->name, moment * kMomentSteps},
                    ImGui::GetCursorScreenPos(), size, panel);
  ImGui::Dummy(size);
  text(row.file->name);
  text("Move across the picture to look through the file", color::kDim);
  ImGui::EndTooltip();
}

// What playing the file costs its PC.
void draw_cost(const std::string& bytes, const cluster::MediaFacts& facts) {
  const double cores = facts.decoding_ms * facts.rate / 1e3;
  text(fmt::format("{}, {:.0f} % of a core", bytes, cores * 100),
       cores > 1 ? color::kWarning : color::kFaint);
  if (!ImGui::IsItemHovered()) return;
  tooltip(fmt::format("Decoding takes {:.1f} ms of a core for each picture, {:.4g} times a second",
                      facts.decoding_ms, facts.rate));
}

void draw_facts(const FileRow& row, const model::MediaPicture* known, float width) {
  text_cut(row.file->name, width);
  if (known != nullptr && !known->error.empty()) {
    text("no picture of it", color::kWarning);
    return tooltip(known->error);
  }
  const auto facts = known == nullptr ? std::string() : facts_text(known->facts);
  text_cut(facts, width, color::kDim);
  const auto pictures = row.file->pictures;
  const auto count = pictures > 0 ? fmt::format("{} pictures, ", pictures) : std::string();
  const auto bytes = count + bytes_text(row.file->bytes);
  if (known == nullptr || known->facts.decoding_ms <= 0) return text(bytes, color::kFaint);
  draw_cost(bytes, known->facts);
}

// To a layer, a bank or the programme. draw_dragged_file() draws it.
void offer_file(const FileRow& row) {
  if (!ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoPreviewTooltip)) return;
  const auto words = std::string(row.node) + kBetweenNodeAndFile + row.file->name;
  ImGui::SetDragDropPayload(kMediaPayload, words.data(), words.size());
  ImGui::EndDragDropSource();
}

// Null: none.
const ImGuiPayload* dragged_file() {
  const auto* payload = ImGui::GetDragDropPayload();
  return payload != nullptr && payload->IsDataType(kMediaPayload) ? payload : nullptr;
}

ChosenFile file_of(const ImGuiPayload& payload) {
  const std::string_view words(static_cast<const char*>(payload.Data),
                               static_cast<std::size_t>(payload.DataSize));
  const auto between = words.find(kBetweenNodeAndFile);
  return {std::string(words.substr(0, between)), std::string(words.substr(between + 1))};
}

bool draw_file(const FileRow& row, Panel& panel) {
  const ImVec2 picture(panel.px(kPictureWidth), panel.px(kPictureHeight));
  const auto corner = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  const bool is_chosen = ImGui::Selectable("##file", false, 0, ImVec2(0, picture.y));
  offer_file(row);
  const float mouse = ImGui::GetIO().MousePos.x - corner.x;
  const bool is_at_picture =
      ImGui::IsItemHovered() && mouse < picture.x && dragged_file() == nullptr;
  const auto after = ImGui::GetCursorPos();

  const model::MediaPictureKey key{std::string(row.node), row.file->name,
                                   model::MediaPictureKey::kUsualStep};
  draw_media_picture(key, corner, picture, panel);
  const float gap = panel.px(10);
  ImGui::SetCursorScreenPos(ImVec2(corner.x + picture.x + gap, corner.y));
  ImGui::BeginGroup();
  draw_facts(row, find_media_picture(key, panel), room - picture.x - gap);
  ImGui::EndGroup();
  ImGui::SetCursorPos(after);
  if (is_at_picture) draw_large(row, mouse / picture.x, panel);
  return is_chosen;
}

void draw_source_tooltip(const cluster::PluginSummary& plugin, Panel& panel) {
  const ImVec2 size(panel.px(kSourceStillWidth), panel.px(kSourceStillWidth * 9 / 16));
  ImGui::BeginTooltip();
  if (draw_plugin_still(plugin.id, ImGui::GetCursorScreenPos(), size, panel)) ImGui::Dummy(size);
  text(plugin.explanation);
  ImGui::EndTooltip();
}

bool draw_source(const cluster::PluginSummary& plugin, Panel& panel) {
  const bool is_chosen = ImGui::Selectable(title_of(plugin.id).c_str());
  if (ImGui::IsItemHovered()) draw_source_tooltip(plugin, panel);
  return is_chosen;
}

// The place of the row that was pressed.
std::optional<std::size_t> draw_files(const FileRows& rows, Panel& panel) {
  std::optional<std::size_t> chosen;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const auto& row = rows[at];
    if (!row.is_choice()) {
      text(row.words, row.color);
      continue;
    }
    if (row.plugin != nullptr) {
      if (draw_source(*row.plugin, panel)) chosen = at;
      continue;
    }
    const ImVec2 size(1, panel.px(kPictureHeight));
    if (!ImGui::IsRectVisible(size)) {  // only what is seen is asked for
      ImGui::Dummy(size);
      continue;
    }
    ImGui::PushID(static_cast<int>(at));
    if (draw_file(row, panel)) chosen = at;
    ImGui::PopID();
  }
  return chosen;
}

ImVec2 larger(ImVec2 a, ImVec2 b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y)};
}

ImVec2 smaller(ImVec2 a, ImVec2 b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y)};
}

ChosenSource choice_of(const FileRow& row) {
  if (row.plugin != nullptr) return {{}, row.plugin->id};
  return {{std::string(row.node), row.file->name}, {}};
}

// A path leads to a file of this computer; any other name to the first row of the list, or to a
// file of the node's.
ChosenSource entered_source(const std::string& typed, const std::string& node,
                            const FileRows& rows) {
  const char* home = std::getenv("HOME");
  if (typed.starts_with("~/") && home != nullptr) return {{{}, home + typed.substr(1), true}, {}};
  if (typed.starts_with('/')) return {{{}, typed, true}, {}};
  const auto first = std::ranges::find_if(rows, &FileRow::is_choice);
  return first == rows.end() ? ChosenSource{{node, typed}, {}} : choice_of(*first);
}

bool is_within(ImVec2 place, ImVec2 low, ImVec2 high) {
  return place.x >= low.x && place.x < high.x && place.y >= low.y && place.y < high.y;
}

bool is_over_window(ImVec2 place) {
  const auto low = ImGui::GetWindowPos();
  const auto size = ImGui::GetWindowSize();
  return is_within(place, low, {low.x + size.x, low.y + size.y});
}

// The list covers what a file may be dragged to.
void make_way_for_drag() {
  if (dragged_file() != nullptr && !is_over_window(ImGui::GetMousePos()))
    ImGui::CloseCurrentPopup();
}

// The field, and the rows that `make_rows` gives for the typed text.
template <typename MakeRows>
std::optional<ChosenSource> draw_search(std::string& typed, const std::string& node,
                                        const MakeRows& make_rows, const char* hint, Panel& panel) {
  if (ImGui::IsWindowAppearing()) {
    typed.clear();
    ask_for_keyboard(panel);
  }
  ImGui::SetNextItemWidth(panel.px(kListWidth));
  const bool is_entered =
      ImGui::InputTextWithHint("##file", hint, &typed, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::BeginChild("media", ImVec2(panel.px(kListWidth), panel.px(kListHeight)));
  const FileRows rows = make_rows();
  const auto pressed = draw_files(rows, panel);
  if (panel.view.media == nullptr) {
    text("asking the PCs for their files …", color::kFaint);
  } else if (rows.empty()) {
    text_wrapped("Nothing has this name. Drop a file on the window, or type its whole path.",
                 color::kDim);
  }
  ImGui::EndChild();
  std::optional<ChosenSource> chosen;
  if (pressed) chosen = choice_of(rows[*pressed]);
  if (is_entered && !typed.empty()) chosen = entered_source(typed, node, rows);
  if (auto dropped = take_file_dropped_on_list(panel))
    chosen = ChosenSource{*std::move(dropped), {}};
  if (chosen) typed.clear();
  make_way_for_drag();
  return chosen;
}

FileRows file_rows(const std::string& typed, const std::string& node, const Panel& panel) {
  return panel.view.media == nullptr ? FileRows() : rows_of(node, typed, *panel.view.media, panel);
}

// Whether the PC `node` has the file without a copy.
bool is_at(const std::string& node, const ChosenFile& file) {
  return !file.is_own && (file.node.empty() || file.node == node);
}

void refuse_without_show(const DroppedFile& dropped, Panel& panel) {
  const auto name = std::filesystem::path(dropped.path).filename().string();
  panel.state.notice = OwnNotice{
      fmt::format("{}: there is no show yet that could play it; begin or open one first", name),
      LocalTime::clock::now()};
}

}  // namespace

bool is_listed_elsewhere(const std::string& node, const std::string& wanted,
                         const model::ClusterView& view) {
  const auto* own = view.media == nullptr ? nullptr : model::find_media(*view.media, node);
  const auto* owner = view.find_node(node);
  if (node == wanted || owner == nullptr || own == nullptr || own->list.files.empty()) return false;
  return std::ranges::any_of(*view.media, [&](const auto& other) {
    const auto& [name, media] = other;
    const bool comes_first = name == wanted || name < node;
    const auto* first = view.find_node(name);
    return comes_first && media.list == own->list && first != nullptr &&
           model::are_on_one_machine(*owner, *first);
  });
}

void ask_for_media(Panel& panel) {
  for (const auto& node : panel.view.nodes) {
    if (node.health == model::Health::healthy)
      panel.actions.emplace_back(session::AskMedia{node.name});
  }
}

std::optional<ChosenFile> draw_file_choice(std::string& typed, const std::string& node,
                                           Panel& panel) {
  const auto rows = [&] { return file_rows(typed, node, panel); };
  const auto chosen =
      draw_search(typed, node, rows, "find a file, or type a path; Enter takes the first", panel);
  return chosen ? std::optional(chosen->file) : std::nullopt;
}

std::optional<ChosenSource> draw_source_choice(std::string& typed, Panel& panel) {
  const auto rows = [&] {
    auto all = source_rows(typed, true, panel);
    std::ranges::move(file_rows(typed, {}, panel), std::back_inserter(all));
    std::ranges::move(source_rows(typed, false, panel), std::back_inserter(all));
    return all;
  };
  return draw_search(typed, {}, rows,
                     "find a file, a title or a generator, or type a path; Enter takes the first",
                     panel);
}

namespace {

void copy_file(const session::MediaOrigin& origin, const std::string& node, session::PlayedBy then,
               Panel& panel) {
  panel.actions.emplace_back(
      session::CopyMedia{origin, node, session::name_of_copy(origin), std::move(then)});
}

// The file is there, or it is copied first.
void use_file(const ChosenFile& file, const std::string& node, const Result<model::Edit>& edit,
              session::PlayedBy then, Panel& panel) {
  if (is_at(node, file)) {
    edit_show(edit, Gesture::begin, panel);
    return;
  }
  copy_file({file.node, file.file}, node, std::move(then), panel);
}

}  // namespace

void play_in_clip(const ChosenFile& file, const show::Port& clip, const std::string& node,
                  Panel& panel) {
  use_file(file, node, model::play_in_clip(*panel.view.show, clip, file.file), clip, panel);
}

void play_in_source(const ChosenFile& file, const std::string& layer, const std::string& node,
                    Panel& panel) {
  const auto edit = model::play_in_source(*panel.view.show, plugins_of(panel), layer, file.file);
  use_file(file, node, edit, session::SourceOfLayer{layer}, panel);
}

void add_to_bank(const ChosenFile& file, const show::Port& clip, const std::string& node,
                 Panel& panel) {
  use_file(file, node, model::add_to_bank(*panel.view.show, clip, file.file),
           session::BankOfClip{clip}, panel);
}

void await_new_layer(Panel& panel) {
  AwaitedLayer awaited{LocalTime::clock::now(), {}};
  for (const auto& layer : mix_of(panel).layers)
    awaited.before.push_back(layer.stream);
  panel.state.perform->awaited_layer = std::move(awaited);
}

void play_in_new_layer(const ChosenFile& file, const std::string& mix, Panel& panel) {
  await_new_layer(panel);
  const auto& show = *panel.view.show;
  const session::MediaOrigin origin{file.node, file.file};
  model::NewLayer layer{.mix = mix, .node = file.node};
  model::play_file(layer, file.is_own ? session::name_of_copy(origin) : file.file);
  if (!file.is_own) {
    edit_show(model::add_layer(show, plugins_of(panel), layer), Gesture::none, panel);
    return;
  }
  layer.node = model::node_for_layer(show);
  copy_file(origin, layer.node, layer, panel);
}

std::optional<ChosenFile> take_file_dropped_on_list(Panel& panel) {
  auto& all = panel.state.dropped;
  const auto found = std::ranges::find_if(all, [&](const DroppedFile& dropped) {
    return is_over_window(dropped.at) && !model::is_lut_name(dropped.path);
  });
  if (found == all.end()) return std::nullopt;
  ChosenFile file{{}, std::move(found->path), true};
  all.erase(found);
  return file;
}

namespace {

// A file of the list that was dragged to the last widget.
std::optional<ChosenFile> listed_file_dropped_here() {
  if (!ImGui::BeginDragDropTarget()) return std::nullopt;
  std::optional<ChosenFile> file;
  if (const auto* payload = ImGui::AcceptDragDropPayload(kMediaPayload)) file = file_of(*payload);
  ImGui::EndDragDropTarget();
  return file;
}

}  // namespace

std::vector<ChosenFile> files_dropped_here(Panel& panel) {
  std::vector<ChosenFile> files;
  if (auto file = listed_file_dropped_here()) files.push_back(*std::move(file));
  if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel))
    return files;  // it may lie above
  const auto* draw = ImGui::GetWindowDrawList();
  const auto low = larger(ImGui::GetItemRectMin(), draw->GetClipRectMin());
  const auto high = smaller(ImGui::GetItemRectMax(), draw->GetClipRectMax());
  std::erase_if(panel.state.dropped, [&](const DroppedFile& dropped) {
    const bool is_here = is_within(dropped.at, low, high);
    if (is_here) files.push_back({{}, dropped.path, true});
    return is_here;
  });
  return files;
}

void draw_dragged_file(Panel& panel) {
  const auto* payload = dragged_file();
  if (payload == nullptr) return;
  const auto file = file_of(*payload);
  const ImVec2 size(panel.px(kPictureWidth), panel.px(kPictureHeight));
  ImGui::BeginTooltip();
  draw_media_moment({file.node, file.file, 0}, ImGui::GetCursorScreenPos(), size, panel);
  ImGui::Dummy(size);
  text(file.file);
  text("Let it go on a layer, its bank, or the programme", color::kDim);
  ImGui::EndTooltip();
}

void apply_own_lut(const std::string& file, const std::string& submix, Panel& panel) {
  const auto* found = panel.view.show->find_submix(submix);
  if (found == nullptr || found->node.empty()) {
    panel.state.notice = OwnNotice{
        fmt::format("{}: {}; drop it on a layer", std::filesystem::path(file).filename().string(),
                    found == nullptr ? "no layer is chosen for this LUT"
                                     : submix + " has no PC that could apply this LUT"),
        LocalTime::clock::now()};
    return;
  }
  copy_file({{}, file}, found->node, session::LutOfSubmix{submix}, panel);
}

void take_dropped_files(Panel& panel) {
  for (const auto& dropped : std::exchange(panel.state.dropped, {})) {
    if (panel.view.show == nullptr) return refuse_without_show(dropped, panel);
    if (model::is_lut_name(dropped.path)) {
      apply_own_lut(dropped.path, panel.state.selected_submix, panel);
    } else {
      play_in_new_layer({{}, dropped.path, true}, mix_of(panel).submix, panel);
    }
  }
}

}  // namespace submix::ui
