// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/clip/picture_source.hpp"

#include <memory>

namespace submix::io {

/// Opens the source of a slot, and waits until it is ready. If a bypassed slot's file is missing,
/// the source is black and is_missing().
///
/// Errors   As open_ready(), unless the slot is bypassed.
[[nodiscard]] Result<std::unique_ptr<PictureSource>> open_or_miss(const SourceOpener& opener,
                                                                  Result<OpenFile> file,
                                                                  const SourceSetup& setup,
                                                                  bool is_bypassed);

}  // namespace submix::io
