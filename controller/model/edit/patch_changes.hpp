// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <cstddef>
#include <string>
#include <string_view>

/// Changes to a patch, each as one edit. Other slots' inputs follow. An inserted filter takes over
/// the readers of the slot above. A deleted slot's readers then read the deleted slot's own input.
///
/// Errors   Why the change is impossible, with the remedy. validate() checks the whole show.
namespace submix::model {

/// Built-in plugins with controls in the picture.
inline constexpr std::string_view kTransformPlugin = "transform";
inline constexpr std::string_view kTextPlugin = "text";
inline constexpr std::string_view kTitlePlugin = "title";
inline constexpr std::string_view kKeyerPlugin = "keyer";

/// Whether there is transparency around the plugin's picture. Its streams must carry it.
[[nodiscard]] bool makes_transparency(std::string_view plugin);

/// The contents of a new slot.
struct NewSlot {
  std::string plugin;  ///< its id
  std::string name{};  ///< empty: made from the plugin's
};

/// Adds a slot behind `above`; an empty slot name in `above` means on top. A new source or output
/// changes no other slot's inputs. A mixer's further inputs are the nearest slots above without a
/// reader. The streams of a submix that transforms its picture carry transparency from then on.
[[nodiscard]] Result<Edit> insert_slot(const show::Show& show, const PluginMap& plugins,
                                       const show::Port& above, const NewSlot& slot);

/// The same for a whole slot, whose name the submix does not have. Its inputs are not stated.
[[nodiscard]] Result<Edit> insert_whole_slot(const show::Show& show, const PluginMap& plugins,
                                             const show::Port& above, show::Slot slot);

/// Adds a slot with the same plugin and parameters right behind `port`.
[[nodiscard]] Result<Edit> duplicate_slot(const show::Show& show, const PluginMap& plugins,
                                          const show::Port& port);

/// Deletes a slot. A "stream-in" or "stream-out" takes its streams along. Refused if other slots
/// read a slot without inputs.
[[nodiscard]] Result<Edit> delete_slot(const show::Show& show, const PluginMap& plugins,
                                       const show::Port& port);

/// Moves a slot behind `above`, a slot of the same submix; empty: on top. A filter moves within the
/// chain of slots that read the slot above. A source, and a slot with named inputs, keeps its
/// inputs and readers.
[[nodiscard]] Result<Edit> move_slot(const show::Show& show, const PluginMap& plugins,
                                     const show::Port& port, std::string_view above);

/// Lets input number `index` (from 0) of a slot read another slot of the submix, `delay` frames
/// late. A mixer with a free number of inputs may get one more.
[[nodiscard]] Result<Edit> connect_input(const show::Show& show, const PluginMap& plugins,
                                         const show::Port& port, std::size_t index,
                                         const show::Input& input);

/// Removes an input of a mixer with a free number of inputs. Later inputs move up by one.
[[nodiscard]] Result<Edit> disconnect_input(const show::Show& show, const PluginMap& plugins,
                                            const show::Port& port, std::size_t index);

/// Moves an input of a mixer with a free number of inputs to another place, with its level, blend
/// and side. The inputs between move by one. Knobs, cues, presets and MIDI name the input by its
/// number, as the channel of a desk: they act on the layer that is there afterwards.
[[nodiscard]] Result<Edit> move_input(const show::Show& show, const PluginMap& plugins,
                                      const show::Port& port, std::size_t index, std::size_t to);

/// Renames a slot. Its streams, its readers and the parameters of macros follow.
[[nodiscard]] Result<Edit> rename_slot(const show::Show& show, const show::Port& port,
                                       std::string name);

/// Replaces a slot's plugin. Parameters common to both plugins stay, and as many inputs as the new
/// plugin takes.
[[nodiscard]] Result<Edit> replace_plugin(const show::Show& show, const PluginMap& plugins,
                                          const show::Port& port, const std::string& plugin);

/// Whether `port` works and all other filters of its submix are bypassed.
[[nodiscard]] bool is_solo(const show::Show& show, const PluginMap& plugins,
                           const show::Port& port);
/// Bypasses all other filters of the submix. If they are bypassed already, lets all of them work.
[[nodiscard]] Result<Edit> solo_slot(const show::Show& show, const PluginMap& plugins,
                                     const show::Port& port);

}  // namespace submix::model
