// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <cstddef>
#include <string>
#include <string_view>

/// Changes to a patch that a person makes in one go, each one edit. What other slots read follows: a filter
/// that is inserted is read by all that read the slot above it, and who read a deleted slot reads what that
/// one read.
///
/// Errors   Why it cannot be, with the remedy; whether the whole show is in order is for validate() to say.
namespace submix::model {

/// What a slot is to be made of.
struct NewSlot {
  std::string plugin;  ///< its id
  std::string name{};  ///< empty: made from the plugin's
};

/// A slot behind `above`, whose empty slot means: on top. A source or an output changes what no other reads;
/// a mixer's further inputs are the slots next above that nobody reads.
[[nodiscard]] Result<Edit> insert_slot(const show::Show& show, const PluginMap& plugins,
                                       const show::Port& above, const NewSlot& slot);

/// The same plugin with the same parameters right behind it.
[[nodiscard]] Result<Edit> duplicate_slot(const show::Show& show, const PluginMap& plugins,
                                          const show::Port& port);

/// The streams of a "stream-in" or "stream-out" go with it. Refused where others read a slot that reads none.
[[nodiscard]] Result<Edit> delete_slot(const show::Show& show, const PluginMap& plugins,
                                       const show::Port& port);

/// Behind `above`, a slot of the same submix; empty: on top. What reads the slot above it moves in the chain;
/// a source, and what names other slots as its inputs, keeps what it reads and who reads it.
[[nodiscard]] Result<Edit> move_slot(const show::Show& show, const PluginMap& plugins,
                                     const show::Port& port, std::string_view above);

/// Lets input number `index` (from 0) of a slot be another slot of the submix, each frame `delay` frames
/// late. A mixer of any number of inputs may get one more.
[[nodiscard]] Result<Edit> connect_input(const show::Show& show, const PluginMap& plugins,
                                         const show::Port& port, std::size_t index,
                                         const show::Input& input);

/// Of a mixer of any number of inputs: those behind it come one forward.
[[nodiscard]] Result<Edit> disconnect_input(const show::Show& show, const PluginMap& plugins,
                                            const show::Port& port, std::size_t index);

/// Its streams, its readers and the parameters of submixes in slots follow.
[[nodiscard]] Result<Edit> rename_slot(const show::Show& show, const show::Port& port,
                                       std::string name);

/// Another plugin in its place. It keeps the parameters that both have, and as many inputs as it takes.
[[nodiscard]] Result<Edit> replace_plugin(const show::Show& show, const PluginMap& plugins,
                                          const show::Port& port, const std::string& plugin);

/// Whether it works and all other filters of its submix are bypassed.
[[nodiscard]] bool is_solo(const show::Show& show, const PluginMap& plugins,
                           const show::Port& port);
/// Bypasses all other filters of its submix; where they are bypassed already, lets all of them work.
[[nodiscard]] Result<Edit> solo_slot(const show::Show& show, const PluginMap& plugins,
                                     const show::Port& port);

}  // namespace submix::model
