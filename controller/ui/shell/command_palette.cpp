// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/command_palette.hpp"

#include "controller/model/verdict/missing_performers.hpp"
#include "controller/ui/draw/folding.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/edits/perform_edits.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/edits/renaming.hpp"
#include "controller/ui/pages/extra_views.hpp"
#include "controller/ui/pages/mix_controls.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/shell/commands.hpp"
#include "controller/ui/shell/perform_mode.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <functional>

namespace submix::ui {
namespace {

constexpr std::size_t kShownMax = 14;

struct PaletteEntry {
  std::string title;
  std::string keys;
  std::function<void(Panel&)> run;
  std::string_view other_words = {};  ///< synonyms, in lower case
};

/// Names that other programs use for commands and pages.
struct Synonym {
  std::string_view title;  ///< of a command or page
  std::string_view words;
};
constexpr std::array kSynonyms{
    Synonym{"New show", "composition project scene collection"},
    Synonym{"Open a show", "load composition project scene collection"},
    Synonym{"Guide to this page, keys and figures", "help manual shortcuts hotkeys about version"},
    Synonym{"Check this PC for a show", "doctor ready network card firewall driver"},
    Synonym{"Several PCs: join them by a code", "pair connect network desk invite leave computer"},
    Synonym{"Pause or resume the whole show", "stop play transport"},
    Synonym{"Black-out of all outputs, or light again", "blackout dark mute panic"},
    Synonym{"Freeze all outputs, or let them move again", "hold still"},
    Synonym{"Full screen of all outputs, or windows again",
            "fullscreen output projector advanced screen"},
    Synonym{"Record the mix, or stop recording", "rec capture file"},
    Synonym{"Edit mode or perform mode", "lock safe live stage"},
    Synonym{"Perform",
            "tap tempo bpm beat faders fade scenes deck columns dashboard crossfader transition"},
    Synonym{"Control", "midi osc link learn mapping shortcuts keyboard"},
    Synonym{"Patch", "effects layers"},
    Synonym{"Streams", "cables wiring layers"},
    Synonym{"Insert a plugin", "add effect source clip video record recording output window layer"},
    Synonym{"Show settings: name, size, rate, PCs", "resolution fps preferences"},
    Synonym{"Monitor: a wall of pictures", "preview output program"},
    Synonym{"Quit", "exit close"},
};

std::string_view other_words_of(std::string_view title) {
  const auto* found = std::ranges::find(kSynonyms, title, &Synonym::title);
  return found == kSynonyms.end() ? std::string_view() : found->words;
}

/// Collects the entries that contain all words of the query, in any order. Entries that begin with
/// the query come first. At most kShownMax entries.
class Finder {
 public:
  explicit Finder(std::string_view query) : query_(folded(query)) {
    std::string word;
    for (const char c : query_) {
      if (c != ' ') word += c;
      if (c == ' ' && !word.empty()) words_.push_back(std::exchange(word, {}));
    }
    if (!word.empty()) words_.push_back(std::move(word));
  }

  void offer(PaletteEntry entry) {
    if (is_full()) return;
    const auto title = folded(entry.title);
    if (!query_.empty() && title.starts_with(query_)) {
      found_.insert(found_.begin() + begun_++, std::move(entry));
      found_.resize(std::min(found_.size(), kShownMax));
    } else if (found_.size() < kShownMax &&
               is_meant(title + " " + std::string(entry.other_words))) {
      found_.push_back(std::move(entry));
    }
  }
  [[nodiscard]] bool is_full() const { return begun_ >= static_cast<std::ptrdiff_t>(kShownMax); }
  [[nodiscard]] bool is_empty() const { return words_.empty(); }
  [[nodiscard]] const std::vector<PaletteEntry>& found() const { return found_; }

 private:
  [[nodiscard]] bool is_meant(const std::string& title) const {
    return std::ranges::all_of(
        words_, [&](const auto& word) { return title.find(word) != std::string::npos; });
  }

  std::string query_;
  std::vector<std::string> words_;
  std::vector<PaletteEntry> found_;
  std::ptrdiff_t begun_ = 0;  // number of entries that begin with the query
};

void offer_commands(const Panel& panel, Finder& finder) {
  for (const auto& command : commands()) {
    if (command.is_possible != nullptr && !command.is_possible(panel)) continue;
    // A few letters and Enter must not end the perform mode.
    if (panel.state.is_performing && command.run == &change_mode) continue;
    finder.offer({std::string(command.title), keys_text(command), command.run,
                  other_words_of(command.title)});
  }
  for (std::size_t i = 0; i < pages().size(); ++i) {
    const auto& page = pages()[i];
    finder.offer({fmt::format("Show {}", page.title), keys_text(page_key(i)),
                  [id = page.id](Panel& shown) { shown.state.page = id; },
                  other_words_of(page.title)});
  }
}

// The programme and the wall have commands of their own.
void offer_windows(const Panel& panel, Finder& finder) {
  constexpr std::string_view kWords = "window detach undock float second screen display";
  for (const auto& view : extra_views()) {
    if (!view.has_controls()) continue;
    const bool is_out = is_moved_out(view.entry.id, panel.state);
    finder.offer({fmt::format("Move {} {}", is_out ? "back:" : "out:", view.entry.title),
                  {},
                  [id = view.entry.id](Panel& shown) { toggle_extra_view(id, shown.state); },
                  kWords});
  }
}

// Output windows under the names that people use for them.
void offer_output(const show::Submix& submix, const show::Slot& slot, Finder& finder) {
  const auto offer = [&](const char* title, const char* parameter, bool is_on,
                         std::string_view words) {
    const model::SetParameter edit{{submix.name, slot.name}, parameter, is_on};
    finder.offer({fmt::format("{} {}.{}", title, submix.name, slot.name),
                  {},
                  [edit](Panel& shown) { edit_show(model::Edit(edit), Gesture::none, shown); },
                  words});
  };
  offer("Full screen:", "fullscreen", true, "output fullscreen display");
  offer("In a window:", "fullscreen", false, "output fullscreen off display");
  offer("Show the window", "visible", true, "output open display");
  offer("Hide the window", "visible", false, "output close display blackout");
}

void offer_outputs(const Panel& panel, Finder& finder) {
  if (panel.view.show == nullptr) return;
  for (const auto& submix : panel.view.show->submixes) {
    for (const auto& slot : submix.slots) {
      if (finder.is_full()) return;
      if (slot.plugin == "window") offer_output(submix, slot, finder);
      if (slot.plugin != "record") continue;
      finder.offer({fmt::format("Recording {}.{}", submix.name, slot.name),
                    {},
                    [name = submix.name, slot = slot.name](Panel& shown) {
                      shown.state.page = "patch";
                      shown.state.selected_submix = name;
                      shown.state.editing->slot = slot;
                    },
                    "record file stop start"});
    }
  }
}

void offer_continuing(const Panel& panel, Finder& finder) {
  if (panel.view.show == nullptr) return;
  for (const auto& submix : panel.view.show->submixes) {
    if (finder.is_full()) return;
    if (const auto edit = model::continue_without(*panel.view.show, submix.name))
      finder.offer({fmt::format("Go on without {}", submix.name),
                    {},
                    [edit = *edit](Panel& shown) { edit_show(edit, Gesture::none, shown); },
                    "skip drop dead performer"});
    if (const auto edit = model::wait_again_for(*panel.view.show, submix.name))
      finder.offer({fmt::format("Wait for {} again", submix.name),
                    {},
                    [edit = *edit](Panel& shown) { edit_show(edit, Gesture::none, shown); },
                    "with performer"});
  }
}

// The contents of the show. There are many, so they are offered only once something is typed.
void offer_the_show(const Panel& panel, Finder& finder) {
  for (const auto& submix : panel.view.submixes) {
    if (finder.is_full()) return;
    finder.offer({fmt::format("Patch of {}", submix.name), {}, [name = submix.name](Panel& shown) {
                    shown.state.selected_submix = name;
                    shown.state.picture = {name, {}};
                  }});
    for (const auto& node : panel.view.nodes) {
      if (node.name == submix.node) continue;
      finder.offer({fmt::format("Run {} on {}", submix.name, node.name),
                    {},
                    [edit = model::AssignSubmix{submix.name, node.name}](Panel& shown) {
                      edit_show(model::Edit(edit), Gesture::none, shown);
                    }});
    }
  }
}

void offer_rename(Renaming::Kind kind, std::string_view word, const std::string& name,
                  Finder& finder) {
  finder.offer({fmt::format("Rename {} {}", word, name), {}, [kind, name](Panel& shown) {
                  shown.state.page = "perform";
                  if (kind == Renaming::Kind::preset) shown.state.perform->is_layer_shown = false;
                  if (kind == Renaming::Kind::layer) shown.state.perform->layer_to_show = name;
                  begin_renaming(kind, name, shown);
                }});
}

void offer_renames(Panel& panel, Finder& finder) {
  if (panel.state.is_performing) return;
  for (const auto& cue : panel.view.show->cues)
    offer_rename(Renaming::Kind::cue, "cue", cue.name, finder);
  for (const auto& preset : panel.view.show->presets)
    offer_rename(Renaming::Kind::preset, "preset", preset.name, finder);
  for (const auto& layer : mix_of(panel).layers)
    offer_rename(Renaming::Kind::layer, "layer", layer.submix, finder);
}

void offer_performing(Panel& panel, Finder& finder) {
  if (panel.view.show == nullptr) return;
  for (const auto& preset : panel.view.show->presets) {
    if (finder.is_full()) return;
    finder.offer({fmt::format("Apply preset {}", preset.name),
                  {},
                  [name = preset.name](Panel& shown) { apply_preset(name, shown); }});
  }
  for (const auto& cue : panel.view.show->cues) {
    if (finder.is_full()) return;
    finder.offer({fmt::format("Do cue {}", cue.name), {}, [name = cue.name](Panel& shown) {
                    go(shown, name);
                  }});
  }
  offer_renames(panel, finder);
  for (const auto& knob : panel.view.show->knobs) {
    if (finder.is_full()) return;
    finder.offer({fmt::format("Choose knob {}", knob.name), {}, [name = knob.name](Panel& shown) {
                    shown.state.perform->knob = name;
                  }});
    for (const int percent : {0, 25, 50, 75, 100}) {
      finder.offer({fmt::format("Turn knob {} to {} %", knob.name, percent),
                    {},
                    [name = knob.name, percent](Panel& shown) {
                      turn_knob_to(name, percent / 100.0, shown);
                    }});
    }
  }
}

void draw_field(Panel& panel) {
  auto& state = *panel.state.palette;
  if (!std::exchange(state.has_focus, true)) ask_for_keyboard(panel);
  ImGui::SetNextItemWidth(-1);
  const auto before = state.query;
  ImGui::InputTextWithHint("##query", "What shall be done?", &state.query);
  state.is_active = ImGui::IsItemActive();
  if (state.query != before) state.chosen = 0;
}

bool draw_entry(const PaletteEntry& entry, bool is_chosen, Panel& panel) {
  const float height = std::max(ImGui::GetFrameHeight(), panel.reach(0));
  const bool is_pressed =
      ImGui::Selectable(fmt::format("##{}", entry.title).c_str(), is_chosen, 0, ImVec2(0, height));
  ImGui::SameLine(panel.px(12));
  ImGui::AlignTextToFramePadding();
  text(entry.title);
  if (entry.keys.empty()) return is_pressed;
  ImGui::SameLine();
  text_right(entry.keys, color::kDim);
  return is_pressed;
}

void draw_entries(const Finder& finder, Panel& panel) {
  auto& state = *panel.state.palette;
  const auto count = static_cast<int>(finder.found().size());
  state.chosen =
      count == 0 ? 0 : std::clamp(state.chosen + std::exchange(state.moved, 0), 0, count - 1);
  const bool is_entered = std::exchange(state.is_entered, false);
  for (int i = 0; i < count; ++i) {
    const auto& entry = finder.found()[static_cast<std::size_t>(i)];
    const bool is_pressed = draw_entry(entry, i == state.chosen, panel);
    if (!is_pressed && !(is_entered && i == state.chosen)) continue;
    state = {};
    panel.state.is_field_coming = true;  // the opened page may have a text field
    return entry.run(panel);
  }
  if (count == 0) text("Nothing matches.", color::kDim);
}

}  // namespace

void draw_command_palette(Panel& panel) {
  if (!panel.state.palette->is_open) return;
  const auto screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y * 0.12F), ImGuiCond_Always,
                          ImVec2(0.5F, 0));
  ImGui::SetNextWindowSize(ImVec2(std::min(panel.px(560), screen.x * 0.9F), 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(panel.px(10), panel.px(10)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color::kCardHovered);
  ImGui::Begin("palette", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
  draw_field(panel);  // drawn first: Enter must act on this frame's results
  Finder finder(panel.state.palette->query);
  offer_commands(panel, finder);
  if (!finder.is_empty()) {
    offer_windows(panel, finder);
    offer_continuing(panel, finder);
    offer_outputs(panel, finder);
    offer_performing(panel, finder);
    offer_the_show(panel, finder);
  }
  draw_entries(finder, panel);
  const bool is_left =
      !ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) && ImGui::IsMouseClicked(0);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (is_left) *panel.state.palette = {};
}

}  // namespace submix::ui
