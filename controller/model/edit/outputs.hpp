// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <string>
#include <string_view>

/// The windows and recorders of a show, switched all at once.
namespace submix::model {

inline constexpr std::string_view kWindowPlugin = "window";
inline constexpr std::string_view kRecordPlugin = "record";

/// Whether a window covers its screen, by the show; people may have changed it by hand since.
[[nodiscard]] bool is_fullscreen(const show::Show& show);
/// Fails if the show has no window.
[[nodiscard]] Result<Edit> set_fullscreen(const show::Show& show, bool is_fullscreen);

[[nodiscard]] bool is_recording(const show::Show& show);
/// A show without a recorder gets one beside the end of `mix`, when recording begins.
[[nodiscard]] Result<Edit> set_recording(const show::Show& show, const PluginMap& plugins,
                                         const std::string& mix, bool is_recording);

}  // namespace submix::model
