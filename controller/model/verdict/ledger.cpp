// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/ledger.hpp"

#include "common/show/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace submix::model {
namespace {

using telemetry::EpochReading;

const EpochReading* find_epoch(const std::vector<EpochReading>& epochs, std::uint64_t epoch) {
  const auto found = std::ranges::find(epochs, epoch, &EpochReading::epoch);
  return found == epochs.end() ? nullptr : &*found;
}

// The frames of an epoch that a receiver has released, whatever happened to them later.
std::uint64_t released(const EpochReading& epoch) {
  return epoch.next_frame - epoch.first_frame - epoch.frames_lost;
}

/// A size and a rate; 0 x 0: not known.
using Format = std::pair<Size, FrameRate>;

Format format_of(const StreamEndView& end) {
  return {end.size, end.size == Size{} ? FrameRate() : end.rate};
}

bool may_be_same(const Format& one, const Format& other) {
  return one == other || one.first == Size{} || other.first == Size{};
}

bool is_of_one_format(const StreamView& stream) {
  const StreamEndView* first = nullptr;
  const auto is_as_first = [&](const StreamEndView* end) {
    if (end->node.empty()) return true;
    if (first == nullptr) first = end;
    return may_be_same(format_of(*first), format_of(*end));
  };
  return std::ranges::all_of(
      std::array{&stream.next_sender, &stream.next_receiver, &stream.sender, &stream.receiver},
      is_as_first);
}

/// The ends of one size and rate, of a stream with ends of several.
struct FormatEnds {
  Format format;
  StreamView stream;
  bool is_alone = false;  ///< the other end has another size or rate
};

bool has_met(const StreamEndView& receiver, std::uint64_t epoch) {
  return find_epoch(receiver.epochs, epoch) != nullptr;
}

// A sender also reports the epochs of its predecessors.
void share_out_ended(std::vector<FormatEnds>& all) {
  for (auto& from : all) {
    const auto running = from.stream.sender.epoch;
    for (auto& to : all) {
      if (&to == &from) continue;
      const auto is_its = [&](const EpochReading& sent) {
        return sent.epoch != running && has_met(to.stream.receiver, sent.epoch) &&
               !has_met(from.stream.receiver, sent.epoch);
      };
      for (auto* ended : {&from.stream.sender.epochs, &from.stream.former_senders}) {
        std::ranges::copy_if(*ended, std::back_inserter(to.stream.former_senders), is_its);
        std::erase_if(*ended, is_its);
      }
    }
  }
}

// The show's format first. Empty: all ends have one format.
std::vector<FormatEnds> by_format(const StreamView& stream) {
  if (is_of_one_format(stream)) return {};
  std::vector<FormatEnds> all;
  const auto add = [&](const StreamEndView& end, StreamEndView StreamView::* place) {
    if (end.node.empty()) return;
    const auto format = format_of(end);
    const auto known = std::ranges::find_if(
        all, [&](const FormatEnds& ends) { return may_be_same(ends.format, format); });
    auto& ends = known == all.end() ? all.emplace_back(FormatEnds{format, {}}) : *known;
    ends.stream.*place = end;
  };
  add(stream.next_sender, &StreamView::sender);
  add(stream.next_receiver, &StreamView::receiver);
  add(stream.sender, &StreamView::sender);
  add(stream.receiver, &StreamView::receiver);
  all.front().stream.former_senders = stream.former_senders;
  for (auto& [format, ends, is_alone] : all) {
    const auto& [size, rate] = format;
    ends.name = fmt::format("{} ({}x{}, {} fps)", stream.name, size.width, size.height,
                            show::to_string(rate));
    ends.is_handing_over = stream.is_handing_over;
    const auto& missing = ends.sender.node.empty() ? stream.sender : stream.receiver;
    is_alone = (ends.sender.node.empty() || ends.receiver.node.empty()) && missing.is_current;
  }
  share_out_ended(all);
  return all;
}

/// The count of one stream, or of its ends of one size and rate.
class StreamCount {
 public:
  explicit StreamCount(const StreamView& stream, bool is_alone = false)
      : stream_(stream), is_alone_(is_alone) {
    edge_.name = stream.name;
    edge_.is_stream = true;
    edge_.replaced = stream.receiver.frames_duplicated;
  }

  LedgerEdge run() {
    check_sender();
    check_receiver();
    auto sent = stream_.former_senders;
    sent.insert(sent.end(), stream_.sender.epochs.begin(), stream_.sender.epochs.end());
    std::erase_if(sent, [this](const EpochReading& epoch) { return is_forgotten(epoch); });
    for (const auto& epoch : sent)
      add(epoch, find_epoch(stream_.receiver.epochs, epoch.epoch));
    add_epochs_without_sender(sent);
    add_running();
    judge();
    return std::move(edge_);
  }

 private:
  void fault(const std::string& what) {
    edge_.balance = Balance::off;
    is_off_ = true;
    edge_.remark += (edge_.remark.empty() ? "" : "; ") + what;
  }
  void remark(const std::string& what) {
    edge_.remark += (edge_.remark.empty() ? "" : "; ") + what;
  }

  /// Whether the epoch's frames are included in the receiver's sum of forgotten epochs.
  [[nodiscard]] bool is_forgotten(const EpochReading& sent) const {
    const auto& end = stream_.receiver;
    return end.frames_forgotten > 0 && !end.epochs.empty() && sent.epoch < end.epochs.front().epoch;
  }

  // Checks one reading: frames taken from the patch = frames numbered, skipped, or held for a
  // number.
  void check_sender() {
    const auto& end = stream_.sender;
    const auto* running = end.running_epoch();
    if (running == nullptr) return;
    const auto held = running->frames_acknowledged + end.frames_queued + running->frames_skipped;
    if (end.frames_produced != held) {
      fault(fmt::format("its sender on node {} took {} frames, and accounts for {}", end.node,
                        end.frames_produced, held));
    }
  }

  // Checks one reading: frames released in all epochs = frames delivered to the patch or waiting
  // for it.
  void check_receiver() {
    const auto& end = stream_.receiver;
    std::uint64_t all = end.frames_forgotten;
    for (const auto& epoch : end.epochs)
      all += released(epoch);
    if (all != end.frames + end.frames_left_over) {
      fault(fmt::format("its receiver on node {} released {} frames, and accounts for {}", end.node,
                        all, end.frames + end.frames_left_over));
    }
  }

  void add(const EpochReading& sent, const EpochReading* received) {
    const auto* running = stream_.sender.running_epoch();
    const bool runs = running != nullptr && running->epoch == sent.epoch;
    edge_.skipped_latest += sent.frames_skipped - sent.frames_skipped_detached;
    edge_.skipped_detached += sent.frames_skipped_detached;
    edge_.produced += sent.next_frame + sent.frames_skipped;
    if (runs) return;  // add_running() counts the rest
    const auto arrived = received == nullptr ? sent.frames_acknowledged : received->next_frame;
    const auto lost = received == nullptr ? 0 : received->frames_lost;
    const auto whole =
        received != nullptr && received == stream_.receiver.running_epoch() ? whole_frames() : 0;
    edge_.delivered += arrived - lost;
    edge_.lost_in_gap += lost;
    // While the receiver counts the epoch as running, its reading may be the older one.
    const bool may_be_older =
        received == stream_.receiver.running_epoch() && !stream_.receiver.is_still;
    if ((arrived < sent.frames_acknowledged && !may_be_older) ||
        arrived + whole > sent.next_frame) {
      return fault(fmt::format("epoch {}: {} frames arrived, {} were acknowledged and {} sent",
                               sent.epoch, arrived + whole, sent.frames_acknowledged,
                               sent.next_frame));
    }
    edge_.lost_with_epoch += sent.next_frame - arrived - whole;
  }

  // Epochs of senders whose node restarted or reports no more: only the arrived frames are known.
  void add_epochs_without_sender(const std::vector<EpochReading>& sent) {
    auto count = stream_.receiver.frames_forgotten;
    for (const auto& epoch : stream_.receiver.epochs) {
      if (find_epoch(sent, epoch.epoch) == nullptr) count += released(epoch);
    }
    edge_.produced += count;
    edge_.delivered += count;
    if (count > 0)
      remark(fmt::format("{} frames came from senders that no node reports any more", count));
  }

  void add_running() {
    const auto& sender = stream_.sender;
    const auto& receiver = stream_.receiver;
    edge_.waiting = receiver.frames_queued;
    const auto* sent = sender.running_epoch();
    if (sent == nullptr) return;
    const auto unnumbered = frames_without_number(sender, *sent);
    edge_.produced += unnumbered;
    edge_.queued = sender.frames_unsent;
    const auto* received = receiver.running_epoch();
    const bool has_met = received != nullptr && received->epoch == sent->epoch;
    const auto arrived = has_met ? received->next_frame : sent->frames_acknowledged;
    const auto lost = has_met ? received->frames_lost : 0;
    const auto whole = has_met ? whole_frames() : 0;
    edge_.delivered += arrived - lost;
    edge_.lost_in_gap += lost;
    on_the_way_ = static_cast<std::int64_t>(sent->next_frame + unnumbered) -
                  static_cast<std::int64_t>(arrived + whole + edge_.queued);
    if (has_met) compare(*sent, *received, whole);
  }

  /// A frame that waits for credit has no number yet.
  static std::uint64_t frames_without_number(const StreamEndView& sender,
                                             const EpochReading& sent) {
    const auto numbered = sent.next_frame - sent.frames_acknowledged;
    return sender.frames_queued > numbered ? sender.frames_queued - numbered : 0;
  }

  /// Of the receiver's running epoch: frames to be released next.
  [[nodiscard]] std::uint64_t whole_frames() const {
    return stream_.receiver.frames_queued - stream_.receiver.frames_left_over;
  }

  // Numbers only grow, and the earlier readings are about a second old.
  void compare(const EpochReading& sent, const EpochReading& received, std::uint64_t whole) {
    // The last reading of a silent end may be older than the other end's knowledge.
    if (!stream_.sender.is_current || !stream_.receiver.is_current) return;
    const auto& earlier_sent = stream_.sender.earlier;
    const auto& earlier_received = stream_.receiver.earlier;
    if (earlier_sent && earlier_sent->epoch == sent.epoch &&
        received.next_frame < earlier_sent->frames_acknowledged) {
      fault(fmt::format("{} frames had been acknowledged to its sender, {} were released",
                        earlier_sent->frames_acknowledged, received.next_frame));
    }
    if (earlier_received && earlier_received->epoch == sent.epoch &&
        earlier_received->next_frame > sent.next_frame) {
      fault(fmt::format("{} frames had been released, its sender has numbered {}",
                        earlier_received->next_frame, sent.next_frame));
    }
    if (!is_still() || !are_links_empty()) return;
    if (received.next_frame != sent.frames_acknowledged || on_the_way_ != 0) {
      fault(fmt::format(
          "nothing moves, but of {} frames sent {} are acknowledged, {} released, {} wait there "
          "and {} here",
          sent.next_frame, sent.frames_acknowledged, received.next_frame, whole, edge_.queued));
    }
  }

  [[nodiscard]] bool is_still() const {
    return stream_.sender.is_still && stream_.receiver.is_still;
  }
  [[nodiscard]] bool are_links_empty() const {
    const auto& links = stream_.sender.links;
    return !links.empty() && std::ranges::all_of(links, [](const LinkView& link) {
      return link.is_open() && link.queue_bytes == 0;
    });
  }

  void judge() {
    // Frames released at the end of their epoch are counted as delivered, but still wait.
    edge_.delivered -= std::min<std::uint64_t>(edge_.delivered, stream_.receiver.frames_left_over);
    // The receiver was read later than the sender: it has frames that the sender has not reported
    // yet.
    if (on_the_way_ < 0) edge_.produced += static_cast<std::uint64_t>(-on_the_way_);
    edge_.on_the_way = static_cast<std::uint64_t>(std::max<std::int64_t>(0, on_the_way_));
    if (stream_.is_handing_over) {
      edge_.balance = Balance::unknown;
      edge_.remark = "is being handed over to another node: not compared";
      return;
    }
    if (is_off_) return;
    if (is_alone_) return judge_alone();
    for (const auto* end : {&stream_.sender, &stream_.receiver}) {
      if (end->is_current) continue;
      return remark(fmt::format("{} is silent now: not compared",
                                end->node.empty() ? "one of its ends" : "node " + end->node));
    }
    const auto* sent = stream_.sender.running_epoch();
    const auto* received = stream_.receiver.running_epoch();
    const bool has_met = sent != nullptr && received != nullptr && sent->epoch == received->epoch;
    if (!has_met) return remark("its two ends have not connected yet");
    edge_.balance = is_still() ? Balance::exact : Balance::bounded;
  }

  // The only end: its own figures are the whole count.
  void judge_alone() {
    const bool is_sender = stream_.receiver.node.empty();
    const auto& end = is_sender ? stream_.sender : stream_.receiver;
    if (!end.is_current)
      return remark(fmt::format("node {} is silent now: not compared", end.node));
    edge_.balance = end.is_still ? Balance::exact : Balance::bounded;
    remark(fmt::format("has no {} of this size and rate", is_sender ? "receiver" : "sender"));
  }

  const StreamView& stream_;
  const bool is_alone_;
  LedgerEdge edge_;
  bool is_off_ = false;
  std::int64_t on_the_way_ = 0;
};

// Frames with another picture than their plugin's: the last good picture while the plugin restarts
// after a crash, or the plugin's input.
std::uint64_t replaced_by(const StageView& producer) {
  return producer.frames_passed_by + producer.counter("held");
}

LedgerEdge queue_edge(const SubmixView& submix, const StageView& stage,
                      const telemetry::QueueReading& queue) {
  LedgerEdge edge;
  edge.name = fmt::format("{}.{} to {}.{}", submix.name, queue.from, submix.name, stage.slot);
  edge.produced = queue.frames_put;
  edge.delivered = queue.frames_taken;
  edge.queued = queue.size;
  edge.lost_with_epoch = queue.frames_dropped;
  if (const auto* producer = submix.find_stage(queue.from)) edge.replaced = replaced_by(*producer);
  edge.balance = Balance::exact;
  if (edge.produced != edge.delivered + edge.queued + edge.dropped()) {
    edge.balance = Balance::off;
    edge.remark = fmt::format(
        "{} frames were put into its queue, {} taken out, {} are inside, {} were dropped",
        edge.produced, edge.delivered, edge.queued, edge.dropped());
  }
  return edge;
}

// Without reports nothing is known to be in order.
bool is_silent(const SubmixView& submix) {
  const bool shall_run = submix.state == SubmixState::waiting ||
                         submix.state == SubmixState::starting ||
                         submix.state == SubmixState::running;
  return shall_run && submix.stages.empty();
}

LedgerEdge silent_edge(const SubmixView& submix) {
  LedgerEdge edge;
  edge.name = submix.name;
  edge.remark = fmt::format("node {} does not report its queues now: not counted", submix.node);
  return edge;
}

}  // namespace

std::vector<LedgerEdge> make_ledger(const ClusterView& view) {
  std::vector<LedgerEdge> ledger;
  for (const auto& stream : view.streams) {
    const auto formats = by_format(stream);
    for (const auto& ends : formats)
      ledger.push_back(StreamCount(ends.stream, ends.is_alone).run());
    if (formats.empty()) ledger.push_back(StreamCount(stream).run());
  }
  for (const auto& submix : view.submixes) {
    if (is_silent(submix)) ledger.push_back(silent_edge(submix));
    for (const auto& stage : submix.stages) {
      for (const auto& queue : stage.queues)
        ledger.push_back(queue_edge(submix, stage, queue));
    }
  }
  return ledger;
}

bool is_balanced(const std::vector<LedgerEdge>& ledger) {
  return std::ranges::all_of(ledger, [](const LedgerEdge& edge) {
    return edge.balance == Balance::exact || edge.balance == Balance::bounded;
  });
}

std::string_view to_string(Balance balance) {
  static constexpr std::array<std::string_view, 4> kNames{"exact", "bounded", "unknown", "off"};
  return kNames.at(static_cast<std::size_t>(balance));
}

}  // namespace submix::model
