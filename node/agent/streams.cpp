// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/streams.hpp"

#include "common/show/text.hpp"
#include "node/agent/link_setup.hpp"
#include "node/io/stream/stream_plugins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace submix::agent {
namespace {

const show::Stream* find_stream_to(const std::vector<show::Stream>& streams,
                                   const show::Port& port) {
  const auto found = std::find_if(streams.begin(), streams.end(),
                                  [&](const show::Stream& stream) { return stream.to == port; });
  return found == streams.end() ? nullptr : &*found;
}

/// Whether a running sender can continue under the new show. The receiver's node and the links may
/// change.
bool is_same_sender(const show::Stream& a, const show::Stream& b) {
  return a.from == b.from && a.to == b.to && a.congestion == b.congestion && a.pixels == b.pixels &&
         a.checksum == b.checksum && a.is_encrypted == b.is_encrypted;
}

/// The frames that an input keeps on their way for the show's delay: all but the frame that its
/// patch is making.
std::size_t frames_least(const show::Show& show) {
  return static_cast<std::size_t>(std::max(show.delay_frames - 1, 1));
}

}  // namespace

Streams::Streams(std::string node, Dependencies dependencies)
    : node_(std::move(node)),
      data_plane_(dependencies.data_plane),
      transport_(dependencies.transport),
      events_(dependencies.events),
      clock_(dependencies.clock),
      epochs_(dependencies.epochs),
      pictures_(std::move(dependencies.pictures), events_, clock_) {}

void Streams::add_plugins(plugin::Catalog& catalog) {
  io::add_stream_plugins(catalog,
                         {[this](const plugin::Setup& setup) { return open_input(setup); },
                          [this](const plugin::Setup& setup) { return open_output(setup); }});
}

void Streams::follow(const show::Show& show, std::uint64_t revision) {
  MutexLock lock(mutex_);
  note_arrivals(show);
  show_ = show;
  const bool is_applied_anew = std::exchange(revision_, revision) != revision;
  drain_senders();
  drain_receivers();
  draining_senders_.forget_all_but(show_.streams);
  draining_senders_.follow(show_, node_);
  for (auto& [name, sender] : senders_) {
    const auto* stream = show_.find_stream(name);
    if (link_setup_of(*stream) != link_setup_of(sender.stream))
      sender.edge->sender().set_links(link_setup_of(*stream));
    sender.edge->set_policy(stream->policy, stream->pause_budget);
    sender.stream = *stream;
    follow_receiver(sender);
  }
  for (auto& [name, receiver] : receivers_) {
    const auto* stream = show_.find_stream(name);
    pictures_.request(*stream, receiver.end->size(), receiver.policy);
    receiver.policy->set(stream->policy, stream->pause_budget);
    receiver.end->set_frames_least(frames_least(show_));
    if (is_applied_anew) receiver.end->doubt_epoch();
  }
  draining_receivers_.follow(show_);
}

void Streams::note_arrivals(const show::Show& next) {
  for (const auto& stream : next.streams) {
    const auto* now = next.find_submix(stream.from.submix);
    const auto before = node_of(stream.from);
    const bool is_here = now != nullptr && now->node == node_;
    if (!is_here) {
      arriving_.erase(stream.name);
    } else if (!before.empty() && before != node_) {
      arriving_.insert(stream.name);
    }
  }
}

void Streams::drain_senders() {
  for (auto entry = senders_.begin(); entry != senders_.end();) {
    auto& sender = entry->second;
    const auto* stream = show_.find_stream(entry->first);
    const bool stays = stream != nullptr && node_of(stream->from) == node_ &&
                       is_same_sender(*stream, sender.stream) && has_format(sender.edge->sender());
    if (!stays) draining_senders_.add(sender.stream, sender.destination, std::move(sender.edge));
    entry = stays ? std::next(entry) : senders_.erase(entry);
  }
}

void Streams::drain_receivers() {
  draining_receivers_.forget_gone();
  for (auto entry = receivers_.begin(); entry != receivers_.end();) {
    const auto& receiver = entry->second;
    const auto* stream = show_.find_stream(entry->first);
    const bool stays =
        stream != nullptr && node_of(stream->to) == node_ && has_format(*receiver.end);
    if (!stays) {
      draining_receivers_.add({entry->first, receiver.to, receiver.end, receiver.policy});
      pictures_.forget(entry->first);
    }
    entry = stays ? std::next(entry) : receivers_.erase(entry);
  }
}

void Streams::follow_receiver(Sender& sender) {
  const auto node = node_of(sender.stream.to);
  const bool is_moving = !node.empty() && !sender.destination.empty() && node != sender.destination;
  if (!is_moving || running_[node].all.contains(sender.stream.to.submix))
    return point_to_receiver(sender);
  if (!sender.moves_by) sender.moves_by = clock_.now() + kMovePatience;
}

void Streams::set_endpoints(const std::string& node, std::vector<DataEndpoint> endpoints,
                            const LocalEndpoint& local) {
  MutexLock lock(mutex_);
  const Endpoints known_endpoints{std::move(endpoints), local};
  if (endpoints_[node] == known_endpoints) return;
  endpoints_[node] = known_endpoints;
  for (auto& [name, sender] : senders_) {
    if (node_of(sender.stream.to) == node && !sender.moves_by) point_to_receiver(sender);
  }
}

void Streams::set_running(const std::string& node,
                          const std::vector<cluster::SubmixReport>& submixes) {
  MutexLock lock(mutex_);
  auto& runs = running_[node];
  runs = {};
  for (const auto& submix : submixes) {
    if (!submix.awaits_first_frame) runs.with_frames.insert(submix.name);
    if (submix.state != cluster::SubmixState::running) continue;
    runs.all.insert(submix.name);
    if (!submix.awaits_first_frame && submix.error.empty()) runs.faultless.insert(submix.name);
  }
  for (auto& [name, sender] : senders_) {
    if (sender.moves_by) follow_receiver(sender);
  }
}

void Streams::set_epoch_report(const std::string& node, const EpochReport& report) {
  MutexLock lock(mutex_);
  epoch_reports_[node] = report;
}

std::vector<show::Port> Streams::tend() {
  MutexLock lock(mutex_);
  const auto now = clock_.now();
  const bool had_draining = !draining_senders_.is_empty();
  for (const auto& stream : draining_senders_.tend(now, transport_.state().is_paused)) {
    // The submix moves: its patch keeps the sender until the new node takes over.
    if (node_of(stream.from) != node_) continue;
    events_.report(
        Severity::warning, "stream " + stream.name,
        fmt::format(
            "goes on as before, since the change of submix \"{}\" has failed: mend the fault of "
            "the submix, or take the change of the stream back",
            stream.from.submix));
  }
  for (auto& [name, sender] : senders_) {
    const bool waited = had_draining && sender.destination.empty();
    const bool is_former_gone =
        sender.moves_by && now >= *sender.moves_by && !is_any_link_open(sender.edge->sender());
    if (waited || is_former_gone) point_to_receiver(sender);
  }
  return drain_outbid_senders(now);
}

bool Streams::is_any_link_open(const link::StreamSender& sender) {
  const auto links = sender.telemetry().links;
  return std::ranges::any_of(
      links, [](const auto& link) { return link.state == telemetry::LinkState::open; });
}

// A refusal alone proves nothing, since it is not signed. A node with an older show must first hear
// the newer show; otherwise two nodes that both own the stream would take it from each other.
bool Streams::is_outbid(const Sender& sender) const {
  if (!sender.edge->sender().is_superseded()) return false;
  const auto report = epoch_reports_.find(sender.destination);
  if (report == epoch_reports_.end() || report->second.epoch <= sender.epoch) return false;
  if (epochs_.is_believable(report->second.epoch)) return report->second.show_revision <= revision_;
  // No greater epoch is believable. But the receiver has given the epoch up since this sender
  // began.
  return report->second.show_revision == revision_ && sender.revision < revision_;
}

std::vector<show::Port> Streams::drain_outbid_senders(LocalTime now) {
  std::vector<show::Port> outputs;
  for (auto entry = senders_.begin(); entry != senders_.end();) {
    auto& sender = entry->second;
    if (!is_outbid(sender)) {
      sender.outbid_since.reset();
    } else if (!sender.outbid_since) {
      sender.outbid_since = now;
    }
    const bool stays = !sender.outbid_since || now - *sender.outbid_since < kOutbidPatience;
    if (!stays) {
      events_.report(
          Severity::note, "stream " + entry->first,
          fmt::format(
              "node {} follows another sender as the newer one, whose clock was ahead of this "
              "machine's: this sender begins anew as the newest",
              sender.destination));
      outputs.push_back(sender.stream.from);
      draining_senders_.add(sender.stream, sender.destination, std::move(sender.edge));
    }
    entry = stays ? std::next(entry) : senders_.erase(entry);
  }
  return outputs;
}

bool Streams::is_changing() const {
  MutexLock lock(mutex_);
  return draining_senders_.is_any_to_end() ||
         std::any_of(senders_.begin(), senders_.end(), [](const auto& entry) {
           return entry.second.moves_by.has_value() || entry.second.outbid_since.has_value();
         });
}

// A receiver that accepts frames of this node is never left. If other receivers have switched to
// the new node, an unreachable receiver gets nothing from here anyway.
bool Streams::has_taken_over(const std::string& submix) const {
  const MutexLock lock(mutex_);
  const auto is_superseded = [](const auto& draining) {
    return draining.edge->sender().is_superseded();
  };
  const auto is_taken = [&](const auto& draining) {
    return !is_superseded(draining) && is_any_link_open(draining.edge->sender());
  };
  const auto can_be_superseded = [this](const auto& draining)
                                     SUBMIX_REQUIRES(mutex_) { return has_heir(draining); };
  if (draining_senders_.is_any_of(submix, is_taken)) return false;
  if (draining_senders_.is_any_of(submix, is_superseded)) return true;
  if (draining_senders_.is_any_of(submix, can_be_superseded)) return false;
  const auto runs = running_.find(node_of({submix, {}}));
  return runs != running_.end() && runs->second.faultless.contains(submix);
}

bool Streams::has_heir(const DrainingSenders::Sender& draining) const {
  const auto* next = show_.find_stream(draining.stream.name);
  return next != nullptr && next->from.submix == draining.stream.from.submix &&
         next->to == draining.stream.to && !draining.destination.empty() &&
         node_of(next->to) == draining.destination && has_format(draining.edge->sender());
}

std::string Streams::other_node_of(const std::string& submix) const {
  const MutexLock lock(mutex_);
  return find_other_node(submix);
}

std::string Streams::find_other_node(const std::string& submix) const {
  const auto found = std::ranges::find_if(running_, [&](const auto& entry) {
    return entry.first != node_ && entry.second.with_frames.contains(submix);
  });
  return found == running_.end() ? std::string() : found->first;
}

// A peer whose submix no node runs is not waited for. A sender that contacts its receiver only with
// a frame does not wait either.
PeersReady Streams::peers_ready(std::string_view submix) const {
  MutexLock lock(mutex_);
  bool are_all = true;
  bool has_frame = false;
  for (const auto& stream : show_.streams) {
    const auto sender = senders_.find(stream.name);
    const auto receiver = receivers_.find(stream.name);
    if (stream.from.submix == submix && sender != senders_.end() && !node_of(stream.to).empty()) {
      are_all &= sender->second.waits_for_frame || sender->second.edge->sender().has_credit();
    } else if (stream.to.submix == submix && receiver != receivers_.end() &&
               !node_of(stream.from).empty()) {
      const bool has_come = receiver->second.end->telemetry().frames_queued > 0;
      are_all &= has_come;
      has_frame |= has_come;
    }
  }
  if (are_all) return PeersReady::all;
  return has_frame ? PeersReady::some : PeersReady::none;
}

std::vector<telemetry::StreamReading> Streams::readings() const {
  MutexLock lock(mutex_);
  auto readings = sender_readings();
  auto received = receiver_readings();
  std::move(received.begin(), received.end(), std::back_inserter(readings));
  for (auto& reading : readings)
    reading.is_former =
        reading.size != Size{} && (reading.size != show_.size || reading.rate != show_.rate);
  return readings;
}

void Streams::add_ended_epochs(telemetry::StreamReading& reading) const {
  const auto ended = draining_senders_.ended(reading.stream);
  reading.epochs.insert(reading.epochs.begin(), ended.begin(), ended.end());
}

// A draining sender reports for its successor of the same format, which waits for it. The newest
// sender's reading has the ended epochs.
std::vector<telemetry::StreamReading> Streams::sender_readings() const {
  auto readings = draining_senders_.readings();
  for (auto& reading : readings) {
    if (const auto next = senders_.find(reading.stream);
        next != senders_.end() &&
        !draining_senders_.has_predecessor_of(next->second.edge->sender()))
      continue;
    add_ended_epochs(reading);
  }
  for (const auto& [name, sender] : senders_) {
    if (draining_senders_.has_predecessor_of(sender.edge->sender())) continue;
    add_ended_epochs(readings.emplace_back(sender.edge->telemetry()));
  }
  for (const auto& stream : show_.streams) {
    auto ended = draining_senders_.ended(stream.name);
    if (ended.empty() || senders_.contains(stream.name) || draining_senders_.has(stream.name))
      continue;
    auto& reading = readings.emplace_back();
    reading.stream = stream.name;
    reading.is_sender = true;
    reading.epochs = std::move(ended);
  }
  return readings;
}

std::vector<telemetry::StreamReading> Streams::receiver_readings() const {
  std::vector<telemetry::StreamReading> readings;
  for (const auto& [name, receiver] : receivers_)
    readings.push_back(receiver.end->telemetry());
  auto draining = draining_receivers_.readings(show_, node_);
  std::move(draining.begin(), draining.end(), std::back_inserter(readings));
  return readings;
}

std::uint64_t Streams::greatest_epoch_met() const {
  MutexLock lock(mutex_);
  std::uint64_t greatest = 0;
  for (const auto& [name, receiver] : receivers_)
    greatest = std::max(greatest, receiver.end->telemetry().epoch);
  return greatest;
}

Result<io::StreamInput> Streams::open_input(const plugin::Setup& setup) {
  MutexLock lock(mutex_);
  const auto* stream = find_stream_to(show_.streams, {setup.submix, setup.slot});
  if (stream == nullptr) return io::StreamInput();  // no stream leads here yet: the slot waits
  auto known = receivers_.find(stream->name);
  if (known == receivers_.end()) {
    auto opened = receiver_for(*stream, setup);
    SUBMIX_TRY(opened);
    auto policy = std::make_shared<io::StreamPolicy>(stream->policy, stream->pause_budget);
    known = receivers_
                .emplace(stream->name, Receiver{stream->to, std::move(*opened), std::move(policy)})
                .first;
    known->second.end->set_frames_least(frames_least(show_));
    pictures_.request(*stream, setup.size, known->second.policy);
  }
  const auto show_pause = [&transport = transport_] {
    const auto state = transport.state();
    return io::ShowPause{state.is_paused, state.pauses, state.steps};
  };
  return io::StreamInput{known->second.end, known->second.policy, show_pause};
}

// Reuses a draining receiver of the same format: the new slot waits for the former slot anyway.
Result<std::shared_ptr<link::StreamReceiver>> Streams::receiver_for(const show::Stream& stream,
                                                                    const plugin::Setup& setup) {
  if (auto kept = draining_receivers_.reuse(stream.name, show_)) return kept;
  return data_plane_.open_receiver(
      {.stream = stream.name,
       .size = setup.size,
       .rate = setup.rate,
       .frames_held = setup.frames_behind + 1 + plugin::kFramesForEdits,
       .backing = setup.is_output_shown ? media::Backing::shared : media::Backing::own});
}

Result<io::StreamOutput> Streams::open_output(const plugin::Setup& setup) {
  MutexLock lock(mutex_);
  const show::Port port{setup.submix, setup.slot};
  io::StreamOutput output{{}, [&transport = transport_] { return transport.state().is_paused; }};
  for (const auto& stream : show_.streams) {
    if (stream.from != port) continue;
    auto edge = open_edge(stream, setup);
    SUBMIX_TRY(edge);
    output.edges.push_back(std::move(*edge));
  }
  return output;
}

Result<std::shared_ptr<io::StreamEdge>> Streams::open_edge(const show::Stream& stream,
                                                           const plugin::Setup& setup) {
  if (const auto known = senders_.find(stream.name); known != senders_.end())
    return known->second.edge;
  const auto epoch = epochs_.next();
  const bool has_arrived = arriving_.erase(stream.name) > 0;
  const bool waits_for_frame = has_arrived || !find_other_node(stream.from.submix).empty();
  auto opened = data_plane_.open_sender({.stream = stream.name,
                                         .size = setup.size,
                                         .rate = setup.rate,
                                         .links = link_setup_of(stream),
                                         .epoch = epoch,
                                         .congestion = stream.congestion,
                                         .format = stream.pixels,
                                         .checksum = stream.checksum,
                                         .is_encrypted = stream.is_encrypted,
                                         .waits_for_frame = waits_for_frame,
                                         .is_receiver_near = is_receiver_near(stream)});
  SUBMIX_TRY(opened);
  auto edge =
      std::make_shared<io::StreamEdge>(io::StreamEdgeOptions{.sender = std::move(*opened),
                                                             .about = setup.about(),
                                                             .events = &events_,
                                                             .rate = setup.rate,
                                                             .policy = stream.policy,
                                                             .pause_budget = stream.pause_budget});
  point_to_receiver(
      senders_
          .emplace(stream.name, Sender{stream, edge, {}, {}, epoch, revision_, {}, waits_for_frame})
          .first->second);
  return edge;
}

// The predecessor's last frames must be acknowledged first: a newer epoch ends the former. A
// predecessor of another format has its own receiver.
void Streams::point_to_receiver(Sender& sender) {
  if (draining_senders_.has_predecessor_of(sender.edge->sender())) return;
  const auto node = node_of(sender.stream.to);
  sender.destination = node;
  sender.moves_by.reset();
  const auto known = endpoints_.find(node);
  const auto known_endpoints = known == endpoints_.end() ? Endpoints() : known->second;
  sender.edge->sender().set_destination(node, known_endpoints.addresses, known_endpoints.local);
}

bool Streams::is_receiver_near(const show::Stream& stream) const {
  const auto known = endpoints_.find(node_of(stream.to));
  return stream.is_local_allowed &&
         (known == endpoints_.end() ||
          known->second.local.machine == data_plane_.local_endpoint().machine);
}

std::string Streams::node_of(const show::Port& port) const {
  const auto* submix = show_.find_submix(port.submix);
  return submix == nullptr ? std::string() : submix->node;
}

}  // namespace submix::agent
