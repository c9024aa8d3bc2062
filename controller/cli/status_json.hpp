// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <string>

namespace submix::cli {

/// The cluster as one JSON object on one line, for `status --json` and `watch --json`. Names are
/// stable: fields may be added, but never renamed. Shares are 0 to 1 of the last second. Counts are
/// totals since their thing began.
///
///   connection   {state, text}
///   show         null or {name, revision, author, size: [width, height], rate: "30", error, tempo,
///                master_speed, oscillators: [{parameter, waveform, period, from, to, is_on,
///                value}]}
///   transport    {is_paused, steps, author}
///   fps          of the slowest submix that an audience sees
///   waits_for    [text]: the causes of a standstill; empty while the show flows or is paused
///   bottleneck   the limit of the show's rate: bottleneck_json() without the remedy
///   nodes        [{name, health, host, version, cores, cpu_cores, memory_bytes, page_faults,
///                page_faults_per_second, allocations, allocations_per_second, uptime_s,
///                show_revision, is_paused}]
///   submixes     [{name, node, state, error, fps, frames, late_frames, missed_frames, still_s,
///                delay_ms_p50, delay_ms_p99, jitter, pools: [{slot, capacity, taken, seats:
///                [{place, where, seats}], free_but_held, is_steady}], slots: [{slot, plugin,
///                frames, fps, working, run_delay, starved, blocked, queues: [{from, size,
///                capacity}], counters: {…}, trouble: why its plugin fails, or empty}]}]
///   delays       [{performer, output, ms_p50, ms_p99}]: how old a performer's picture is when the
///                output shows it
///   streams      [{name, from, to, policy, mb_per_second, latency_ms_p50, latency_ms_p99,
///                latency_ms_max, round_trip_ms, clock_offset_ms, sender: END, receiver: END,
///                links: [LINK]}]; latency covers the last 512 frames, from the sending patch to
///                the receiving patch
///                END   {node, epoch, frames, frames_produced, frames_dropped,
///                      frames_duplicated, frames_skipped, frames_copied, detached: why, or
///                      empty, frames_queued, credits, fps, blocked}
///                LINK  {index, state, local, remote, error, warning, bytes, mb_per_second,
///                      capacity_mb_per_second: the plan's, limit_mb_per_second: recent rate
///                      while more waited, or 0, best_mb_per_second: the greatest of a second,
///                      queue_fill, queue_bytes, queue_limit_bytes, sending, blocked, idle,
///                      reconnects, stripes_damaged, protection: none, XXH3, or the cipher}
///   checks       {lost, duplicated, reordered, torn, held, …}: sums of the checkers' counters
///   events       [{node, severity, about, text, count}], newest last
[[nodiscard]] std::string status_json(const model::ClusterView& view);

/// The limit of the show's rate, as one JSON object on one line:
///
///   {kind: a model::Bottleneck::Kind, sentence, fps, wanted_fps,
///    still_s: length of a standstill, at least,
///    path: [names from the output back to the limit, or to a source], steps: [their figures],
///    boxes: [{kind: slot|queue|links|submix, name, node, state, is_limit, queued, capacity,
///           remark}]: the same way over nodes and links, with the queues between,
///    figures: measurements of the limit: {slot: as in status, or null; stream: as in status, or
///           null; standstill: null or {causes: [{text, node, submix, slot, stream}], waiting:
///           [{edge, frames, capacity}]}; machine: null or {node, host, cores, cores_used,
///           cores_used_by_nodes, nodes, share, core_shares, memory_available_bytes, health,
///           silent_s}},
///    node, submix, slot, frame_ms, stream, link, mb_per_second, mb_per_second_needed: the limit,
///    held: [{stream, node, fps, sentence}]: inputs with slow performers,
///    remedy: a text, or null where none is known}
[[nodiscard]] std::string bottleneck_json(const model::ClusterView& view,
                                          const model::Bottleneck& bottleneck,
                                          const std::string& remedy);

}  // namespace submix::cli
