// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/stream/stream_out.hpp"

#include "common/show/document.hpp"

#include <algorithm>
#include <utility>

namespace submix::io {
namespace {

class StreamOut final : public plugin::Plugin {
 public:
  StreamOut(StreamOutput output, const plugin::Setup& setup)
      : output_(std::move(output)), has_other_ends_(setup.has_other_ends) {
    late_.reserve(output_.edges.size());
    if (!setup.demand_grew) return;
    for (const auto& edge : output_.edges)
      edge->watch(this, setup.demand_grew);
  }

  ~StreamOut() override {
    for (const auto& edge : output_.edges)
      edge->unwatch(this);
  }

  std::optional<media::Frame> process(plugin::Work& work) override {
    const auto& frame = work.inputs[0];
    if (output_.edges.empty() || hand_over(frame, work)) return frame;
    const plugin::Waiting waiting(work, plugin::StageState::blocked);
    while (!work.stop.stop_requested()) {
      if (wait_for_late(frame, work)) return frame;
    }
    return std::nullopt;
  }

  void set(std::string_view, const show::ParameterValue&) override {}

  /// Retained frames are the sum over the edges: a slow edge holds other frames than the others.
  plugin::PluginTraits traits() const override {
    const auto& edges = output_.edges;
    plugin::PluginTraits traits{.is_connected = !edges.empty()};
    for (const auto& edge : edges) {
      traits.frames_retained += edge->sender().frames_retained();
      traits.shows_inputs = traits.shows_inputs || edge->sender().wants_shared_frames();
    }
    return traits;
  }

  plugin::Pace pace() const override {
    const bool is_held_back = std::any_of(output_.edges.begin(), output_.edges.end(),
                                          [](const auto& edge) { return edge->holds_back(); });
    return is_held_back ? plugin::Pace::receivers : plugin::Pace::show;
  }

  /// The demand of the receiver with the least credit. If others could go on without this receiver,
  /// it is offered a frame anyway, because only then can it be given up.
  std::optional<plugin::Demand> demand() const override {
    std::optional<plugin::Demand> least;
    bool can_others_go_on = has_other_ends_;
    for (const auto& edge : output_.edges) {
      const auto credits = edge->sender().credits();
      can_others_go_on |= credits > 0;
      if (!edge->holds_back() || (least && least->frames <= credits)) continue;
      least = {.frames = credits, .is_all = credits == edge->sender().frames_max()};
    }
    if (least && least->frames == 0 && can_others_go_on) least->frames = 1;
    return least;
  }

 private:
  bool hand_over(const media::Frame& frame, const plugin::Work& work) {
    const plugin::HandOver handing_over(work, plugin::StageState::blocked);
    return offer(frame);
  }

  /// False: some receiver must be waited for.
  bool offer(const media::Frame& frame) {
    late_.clear();
    for (const auto& edge : output_.edges) {
      if (!edge->offer(frame, is_shared())) late_.push_back(edge.get());
    }
    return late_.empty();
  }

  /// All late receivers must take the frame or be given up, so any order will do. Each wait is
  /// short, so that the others get their turn.
  bool wait_for_late(const media::Frame& frame, const plugin::Work& work) {
    if (late_.front()->wait(frame, work.stop)) late_.erase(late_.begin());
    std::erase_if(late_, [&](StreamEdge* edge) { return edge->offer(frame, is_shared()); });
    const bool do_wait = do_others_wait();
    const auto now = work.clock->now();
    std::erase_if(late_, [&](StreamEdge* edge) { return edge->gives_up(frame, do_wait, now); });
    return late_.empty();
  }

  /// A receiver must not count as late only because its links are busy.
  bool is_shared() const { return has_other_ends_ || output_.edges.size() > 1; }

  /// True if a receiver has this frame and would take the next one.
  bool do_others_wait() const {
    if (output_.is_show_paused && output_.is_show_paused()) return false;
    return has_other_ends_ ||
           std::any_of(output_.edges.begin(), output_.edges.end(), [this](const auto& edge) {
             return std::find(late_.begin(), late_.end(), edge.get()) == late_.end() &&
                    edge->sender().has_credit();
           });
  }

  const StreamOutput output_;
  const bool has_other_ends_;
  std::vector<StreamEdge*> late_;  // the edges that have not taken this frame
};

}  // namespace

plugin::Description stream_out_description() {
  return {
      .id = std::string(show::kStreamOutPlugin),
      .kind = plugin::Kind::output,
      .explanation = "Sends its input to other submixes by the streams that the show has from it"};
}

Result<std::unique_ptr<plugin::Plugin>> make_stream_out(const plugin::Setup& setup,
                                                        StreamOutput output) {
  for (const auto& edge : output.edges) {
    const auto size = edge->sender().size();
    if (size == setup.size) continue;
    return fail("{}: stream \"{}\" is {}x{}, the patch {}x{}", setup.about(),
                edge->sender().stream(), size.width, size.height, setup.size.width,
                setup.size.height);
  }
  return std::make_unique<StreamOut>(std::move(output), setup);
}

}  // namespace submix::io
