// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/macro_plugins.hpp"
#include "controller/model/view/output_views.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// The windows and recorders of a show, switched all at once.
namespace submix::model {

inline constexpr std::string_view kRecordPlugin = "record";

/// Of all windows. A show without a window gets one beside the end of `mix`.
[[nodiscard]] Result<Edit> set_fullscreen(const show::Show& show, const PluginMap& plugins,
                                          const std::string& mix, bool is_fullscreen);
/// Of these windows.
[[nodiscard]] Edit set_fullscreen(const std::vector<show::Port>& windows, bool is_fullscreen);

/// The window goes to the display `name`, which has this number on its node now; it stays the
/// window's while the name is missing. An empty name: the number alone.
[[nodiscard]] Edit put_on_display(const show::Port& window, const std::string& name,
                                  std::size_t number);

[[nodiscard]] bool is_recording(const show::Show& show);
/// Each time that recording begins, each recorder begins a new film. A show without a recorder gets
/// one beside the end of `mix`; its films are named after the show and the time.
[[nodiscard]] Result<Edit> set_recording(const show::Show& show, const PluginMap& plugins,
                                         const std::string& mix, bool is_recording);
void switch_recorders_off(show::Submix& submix);
/// The show with each recorder off; the same if none is on.
[[nodiscard]] std::shared_ptr<const show::Show> without_recording(
    std::shared_ptr<const show::Show> show);
/// Whether `edit` does nothing but switch recorders on or off.
[[nodiscard]] bool is_recording_switch(const show::Show& show, const Edit& edit);

}  // namespace submix::model
