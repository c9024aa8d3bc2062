// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace submix::cli {

/// The node that renders.
inline constexpr const char* kRenderNode = "render";

/// What to record of a show.
struct RenderTarget {
  std::string mix;   ///< "submix" or "submix.slot"; empty: the only submix that sends no stream
  std::string file;  ///< name below the node's folder for recordings
  std::string codec;
  std::uint64_t frames = 0;
};

/// A show made ready for rendering.
struct RenderedShow {
  show::Show show;
  show::Port source;                 ///< the slot whose picture is recorded, for people
  show::Port record;                 ///< the slot that records
  std::vector<std::string> remarks;  ///< what differs from the live show, for people
};

/// The part of a valid show that its mix shows, on one node, for a film. Pure.
///
/// Shape    Streams lose and repeat nothing. Windows, recordings and senders pass their pictures on
///          and do nothing else. Oscillators and beats begin at the film's first frame; one-shots,
///          too. Fades are over, and no cue goes.
/// Errors   There is no such mix, several are possible, or a live picture is part of it.
[[nodiscard]] Result<RenderedShow> show_to_render(const show::Show& show,
                                                  const RenderTarget& target);

}  // namespace submix::cli
