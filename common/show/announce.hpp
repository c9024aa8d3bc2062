// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <chrono>

/// Changes of pace take effect on all nodes at one announced frame. The writer of a show states it.
namespace submix::show {

/// Completes `after`, which is about to be written in place of `before` (null: no show): changes of
/// the tempo and of oscillators' paces hold from `at` on, and nothing jumps there. One-shots whose
/// count grew, and new ones, begin at `at`. What did not change keeps its time.
///
/// A tempo that begins later than the one in `before` was announced already and stays as it is.
/// Pure.
void announce(const Show* before, Show& after, std::chrono::milliseconds at);

/// Whether announce() has something to do, so that a writer needs the time.
[[nodiscard]] bool needs_announcement(const Show* before, const Show& after);

/// The oscillator as a person states it: without what announce() adds.
[[nodiscard]] Oscillator stated(Oscillator oscillator);

}  // namespace submix::show
