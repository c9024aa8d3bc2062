// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <string>

namespace submix::cli {

/// The cluster as one JSON object on one line, for `status --json` and `watch --json`. Names are stable:
/// fields may be added, none is renamed. Shares are 0 to 1 of the last second; counts are totals since the
/// thing began.
///
///   connection   {state, text}
///   show         null or {name, revision, author, size: [width, height], rate: "30", error,
///                tempo, master_speed, oscillators: [{parameter, waveform, period, from, to, is_on, value}]}
///   transport    {is_paused, steps, author}
///   fps          of the slowest submix that an audience sees
///   waits_for    [text]: what all wait for while the show stands still; empty while it flows or is paused
///   bottleneck   what limits the show's rate, as bottleneck_json() has it, without the remedy
///   nodes        [{name, health, host, version, cores, cpu_cores, memory_bytes, page_faults,
///                page_faults_per_second, allocations, allocations_per_second, uptime_s, show_revision,
///                is_paused}]
///   submixes     [{name, node, state, error, fps, frames, late_frames, missed_frames, still_s, jitter,
///   pools: [{slot, capacity,
///                taken, seats: [{place, where, seats}], free_but_held, is_steady}], slots: [{slot, plugin,
///                frames, fps,
///   working, starved, blocked,
///                queues: [{from, size, capacity}], counters: {…}, trouble: why its plugin does not work,
///                or empty}]}]
///   streams      [{name, from, to, policy, mb_per_second, latency_ms_p50, latency_ms_p99, latency_ms_max,
///   round_trip_ms,
///                clock_offset_ms, sender: END, receiver: END, links: [LINK]}]; latency is that of the last
///                512 frames, from when the stream takes a frame until the receiver's patch has it
///                END   {node, epoch, frames, frames_produced, frames_dropped, frames_duplicated,
///                      frames_skipped, frames_copied, detached: why, or empty, frames_queued, credits,
///                      fps, blocked}
///                LINK  {index, state, local, remote, error, warning, bytes, mb_per_second,
///                      capacity_mb_per_second: the plan's, limit_mb_per_second: carried of late while more
///                      waited, or 0, best_mb_per_second: the greatest of a second, queue_fill, queue_bytes,
///                      queue_limit_bytes, sending, blocked, idle, reconnects, stripes_damaged}
///   checks       {lost, duplicated, reordered, torn, held, …}: the checkers' counters, added up
///   events       [{node, severity, about, text, count}], newest last
[[nodiscard]] std::string status_json(const model::ClusterView& view);

/// What limits the show's rate, an object in one line:
///   {kind: a model::Bottleneck::Kind, sentence, fps, wanted_fps,
///    still_s: of a standstill, at least so long,
///    path: [name, from the output back to what limits, or to a source], steps: [the figures of each],
///    boxes: [{kind: slot|queue|links|submix, name, node, state, is_limit, queued, capacity, remark}]: the
///           same way over nodes and links, with the queues between,
///    figures: {slot: as in status, or null; stream: as in status, or null; standstill: null or
///              {causes: [{text, node, submix, slot, stream}], waiting: [{edge, frames, capacity}]};
///              machine: null or {node, host, cores, cores_used, cores_used_by_nodes, nodes, share,
///              core_shares, memory_available_bytes, health, silent_s}}: of what limits,
///    node, submix, slot, frame_ms, stream, link, mb_per_second, mb_per_second_needed: of what limits,
///    held: [{stream, node, fps, sentence}]: inputs whose performers are too slow,
///    remedy: what would help, or null where none is known}
[[nodiscard]] std::string bottleneck_json(const model::ClusterView& view,
                                          const model::Bottleneck& bottleneck,
                                          const std::string& remedy);

}  // namespace submix::cli
