// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/host_port.hpp"
#include "common/cluster/names.hpp"
#include "common/show/text.hpp"
#include "common/show/validate.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/frame_text.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/sight.hpp"
#include "controller/ui/draw/verdict_colors.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/pages/overview_panels.hpp"
#include "controller/ui/panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace submix::ui {
namespace {

constexpr std::size_t kMinuteSamples = std::chrono::minutes(1) / model::kHistoryPeriod;

struct LinkWords {
  std::string word;
  ImU32 color = color::kDim;
};

LinkWords words_of(const model::LinkView& link, bool is_current, ImU32 when_blocked) {
  if (!is_current) return {"unknown", color::kDim};
  switch (link.state) {
    case telemetry::LinkState::connecting:
      return {"connecting", color::kWarning};
    case telemetry::LinkState::refused:
      return {"refused", color::kBad};
    case telemetry::LinkState::open:
      break;
  }
  if (!link.warning.empty() || link.stripes_damaged > 0) return {"open", color::kWarning};
  if (link.shares.blocked > 0.5) return {"full", when_blocked};
  return {"open", color::kGood};
}

void draw_route(const model::LinkView& link, bool is_sender, const Fonts& fonts) {
  const auto& from = is_sender ? link.local : link.remote;
  const auto& to = is_sender ? link.remote : link.local;
  const FrameText route("{} {} {}", without_port(from), fonts.arrow, without_port(to));
  text_cut(route, ImGui::GetContentRegionAvail().x, color::kDim);
  if (!ImGui::IsItemHovered()) return;
  const auto& remark = link.error.empty() ? link.warning : link.error;
  const auto damage =
      link.stripes_damaged == 0 ? "" : fmt::format(", {} stripes damaged", link.stripes_damaged);
  const auto resent =
      link.segments_retransmitted == 0
          ? ""
          : fmt::format(", {} sent again by TCP ({} segments, {} a second now)",
                        bytes_text(link.bytes_retransmitted), link.segments_retransmitted,
                        rate_text(link.retransmits_per_second));
  const auto round_trip =
      link.round_trip.count() == 0
          ? ""
          : fmt::format(", there and back in {}", milliseconds_text(link.round_trip));
  const auto cipher = is_cipher(link.protection)
                          ? fmt::format(", encrypted with {}", cluster::name_of(link.protection))
                          : "";
  tip("{} {} {}\n{} in all, {} of the stream now{}, connected anew {} times{}{}{}{}{}", from,
      fonts.arrow, to, bytes_text(link.bytes), percent_text(link.share), round_trip,
      link.reconnects, resent, damage, cipher, remark.empty() ? "" : "\n", remark);
}

// A thin bar in the middle of the row, with its figure at the right.
void draw_gauge(std::span<const BarPart> parts, const std::string& figure, ImU32 paint,
                float figure_width) {
  const float room = ImGui::GetContentRegionAvail().x;
  const float bar = std::max(8.0F, room - figure_width);
  const float y = ImGui::GetCursorPosY();
  const float height = std::round(ImGui::GetTextLineHeight() * 0.55F);
  const float x = ImGui::GetCursorPosX();
  ImGui::SetCursorPosY(y + std::round((ImGui::GetTextLineHeight() - height) * 0.6F));
  parts_bar(parts, ImVec2(bar, height));
  ImGui::SetCursorPos(ImVec2(x + bar, y));
  text_right(figure, paint);
}

/// Shared by all rows of a stream's table.
struct LinkTable {
  bool is_current = false;
  bool is_sender = false;
  float maximum = 1;  // top of the plots' axes
  ImU32 when_blocked = 0;
};

void draw_link(const model::LinkView& link, const LinkTable& table, Panel& panel) {
  const auto [is_current, is_sender, maximum, when_blocked] = table;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const auto state = words_of(link, is_current, when_blocked);
  badge(state.word, state.color);
  tooltip(link.error.empty() ? link.warning : link.error);
  ImGui::TableNextColumn();
  draw_route(link, is_sender, panel.fonts);
  ImGui::TableNextColumn();
  plot({link.history, kMinuteSamples, maximum,
        state.color == color::kBad ? color::kBad : color::kAccent},
       ImVec2(ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight()));
  tooltip("MB/s of the last minute");
  ImGui::TableNextColumn();
  text_right(rate_text(link.mb_per_second));
  ImGui::TableNextColumn();
  const BarPart fill{link.queue_fill(), link.queue_fill() > 0.9 ? when_blocked : color::kAccent};
  draw_gauge({&fill, 1}, bytes_text(link.queue_bytes), color::kText, panel.px(56));
  tip("{} of {} handed to the network and not yet acknowledged", bytes_text(link.queue_bytes),
      bytes_text(link.queue_limit_bytes));
  ImGui::TableNextColumn();
  const std::array parts{BarPart{link.shares.sending, color::kGood},
                         BarPart{link.shares.blocked, when_blocked},
                         BarPart{link.shares.idle, color::kWaiting}};
  draw_gauge(parts, percent_text(link.shares.blocked),
             link.shares.blocked > 0.5 ? when_blocked : color::kText, panel.px(46));
  tip("sending {}, blocked {}, idle {}", percent_text(link.shares.sending),
      percent_text(link.shares.blocked), percent_text(link.shares.idle));
}

std::string node_or_question(const std::string& node) {
  return node.empty() ? "?" : node;
}

std::string explanation_of(show::InputPolicy policy) {
  switch (policy) {
    case show::InputPolicy::wait:
      return "wait: nothing is lost";
    case show::InputPolicy::hold:
      return "hold: an input without a frame repeats the last one";
    case show::InputPolicy::black:
      return "black: an input without a frame goes black";
    case show::InputPolicy::standby:
      return "standby: an input without a frame shows a stand-by picture";
    case show::InputPolicy::latest:
      return "latest: newer frames take the place of unsent ones";
  }
  return {};
}

std::string count_text(int links) {
  return fmt::format("{} link{}", links, links == 1 ? "" : "s");
}

void draw_policies(const show::Stream& stream, Panel& panel) {
  text("when an end is late", color::kFaint);
  for (const auto policy :
       {show::InputPolicy::wait, show::InputPolicy::hold, show::InputPolicy::black,
        show::InputPolicy::standby, show::InputPolicy::latest}) {
    const bool is_chosen = policy == stream.policy;
    if (ImGui::Selectable(explanation_of(policy).c_str(), is_chosen) && !is_chosen)
      edit_show(model::Edit(model::SetPolicy{stream.name, policy}), Gesture::none, panel);
  }
}

void draw_link_counts(const show::Stream& stream, Panel& panel) {
  text("over", color::kFaint);
  if (!stream.routes.empty()) ImGui::Selectable("the pairs of cards stated by the show", true);
  for (int count = 1; count <= show::kLinksMax; ++count) {
    const bool is_chosen = stream.routes.empty() && count == stream.link_count;
    if (ImGui::Selectable(count_text(count).c_str(), is_chosen) && !is_chosen)
      edit_show(model::Edit(model::SetLinks{stream.name, count}), Gesture::none, panel);
  }
}

// Policy and number of links as the show wants them. Both may change while frames flow.
void draw_wishes(const model::StreamView& view, Panel& panel) {
  if (!panel.view.show) return;
  const auto* stream = panel.view.show->find_stream(view.name);
  if (stream == nullptr) return;
  const auto shown = fmt::format("{} {} {}", show::to_string(stream->policy), panel.fonts.dot,
                                 count_text(stream->link_count));
  ImGui::SetNextItemWidth(width_of(shown) + panel.px(16));
  auto& padding = ImGui::GetStyle().FramePadding;  // of the button, not of the list
  const auto usual = std::exchange(padding, ImVec2(panel.px(8), 0));
  const bool is_open = begin_combo(("##" + view.name).c_str(), shown.c_str(), panel,
                                   ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLargest);
  padding = usual;
  if (!is_open) return tooltip("Click to change its policy for late ends and its number of links");
  draw_policies(*stream, panel);
  rule();
  draw_link_counts(*stream, panel);
  end_combo();
}

void draw_stream_head(const model::StreamView& stream, Panel& panel) {
  const auto& fonts = panel.fonts;
  text_in(fonts.strong, stream.name);
  ImGui::SameLine();
  ImGui::BeginDisabled(panel.state.editing->is_bay_locked);
  draw_wishes(stream, panel);
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (!stream.sender.detached.empty()) {
    badge("detached", color::kBad);
    tooltip(stream.sender.detached);
    ImGui::SameLine();
  }
  if (!stream.receiver.detached.empty()) {
    badge("too slow", color::kWarning);
    tooltip(stream.receiver.detached);
    ImGui::SameLine();
  }
  const FrameText figures("{} MB/s {} {} fps", rate_text(stream.mb_per_second()), fonts.dot,
                          rate_text(stream.receiver.fps));
  const FrameText ends("{}.{} on {} {} {}.{} on {}", stream.from.submix, stream.from.slot,
                       node_or_question(stream.sender.node), fonts.arrow, stream.to.submix,
                       stream.to.slot, node_or_question(stream.receiver.node));
  text_cut(ends, ImGui::GetContentRegionAvail().x - width_of(figures) - panel.px(16), color::kDim);
  ImGui::SameLine();
  text_right(figures);
}

void draw_stream_foot(const model::StreamView& stream, Panel& panel) {
  const auto& sender = stream.sender;
  const auto& receiver = stream.receiver;
  const auto dot = panel.fonts.dot;
  const auto latency = std::chrono::duration<double, std::milli>(sender.latency.p50).count();
  const auto dropped = sender.frames_dropped + receiver.frames_dropped;
  ImGui::PushFont(panel.fonts.small);
  const FrameText lost("{} lost", dropped);
  const float gap = ImGui::GetFontSize() * 0.3F;
  text_cut(FrameText("{} frame{} in flight {} {} waiting on {} {} credits {} {} sender waits {} {} "
                     "{:.1f} ms on the way {}",
                     sender.frames_queued, sender.frames_queued == 1 ? "" : "s", dot,
                     receiver.frames_queued, node_or_question(receiver.node), dot, sender.credits,
                     dot, percent_text(sender.blocked_share), dot, latency, dot),
           ImGui::GetContentRegionAvail().x - gap - width_of(lost), color::kDim);
  ImGui::SameLine(0, gap);
  text(lost, dropped == 0 ? color::kGood : color::kBad);
  if (const auto privacy = stream.privacy(); !privacy.empty()) {
    ImGui::SameLine();
    text(FrameText("{} {}", dot, privacy), color::kDim);
  }
  if (receiver.frames_duplicated > 0) {
    ImGui::SameLine();
    text(FrameText("{} held", receiver.frames_duplicated), color::kWarning);
  }
  if (sender.frames_skipped > 0) {
    ImGui::SameLine();
    text(FrameText("{} skipped", sender.frames_skipped), color::kWarning);
    tooltip("replaced by newer frames, since the receiver did not take them in time");
  }
  ImGui::PopFont();
}

float greatest_sample(const std::vector<model::LinkView>& links) {
  float greatest = 1;
  for (const auto& link : links) {
    for (const float sample : link.history)
      greatest = std::max(greatest, sample);
  }
  return greatest;
}

void draw_table_head() {
  ImGui::TableNextRow();
  head_cell("link");
  head_cell("cards");
  head_cell("last minute");
  head_cell("MB/s", true);
  head_cell("queue");
  head_cell("blocked", true);
}

void draw_stream(const model::StreamView& stream, Panel& panel) {
  draw_stream_head(stream, panel);
  const auto& links = stream.links();
  const bool is_sender = &links == &stream.sender.links;
  const auto& end = is_sender ? stream.sender : stream.receiver;
  if (links.empty()) return text("no links yet: waits for both nodes", color::kDim);
  const LinkTable table{end.is_current, is_sender, greatest_sample(links),
                        blocked_stream_color(panel.view, stream.name)};
  ImGui::PushFont(panel.fonts.small);
  if (ImGui::BeginTable(stream.name.c_str(), 6)) {
    ImGui::TableSetupColumn("state", ImGuiTableColumnFlags_WidthFixed, panel.px(82));
    ImGui::TableSetupColumn("route", ImGuiTableColumnFlags_WidthStretch, 1.5F);
    ImGui::TableSetupColumn("plot", ImGuiTableColumnFlags_WidthStretch, 1.0F);
    ImGui::TableSetupColumn("rate", ImGuiTableColumnFlags_WidthFixed, panel.px(48));
    ImGui::TableSetupColumn("queue", ImGuiTableColumnFlags_WidthStretch, 0.9F);
    ImGui::TableSetupColumn("shares", ImGuiTableColumnFlags_WidthStretch, 0.9F);
    if (&stream == panel.view.streams.data())
      draw_table_head();  // all tables have the same columns
    for (const auto& link : links)
      draw_link(link, table, panel);
    ImGui::EndTable();
  }
  ImGui::PopFont();
  draw_stream_foot(stream, panel);
}

}  // namespace

float links_height(const Panel& panel) {
  const float row = panel.fonts.small->FontSize + panel.px(7);
  float height = panel.px(46) + row;
  for (const auto& stream : panel.view.streams) {
    height += static_cast<float>(stream.links().size()) * row + panel.px(66);
  }
  return height;
}

void draw_links_panel(Panel& panel) {
  if (begin_panel("Links", panel.fonts)) {
    title_legend(std::array{Meaning{"sending", color::kGood},
                            Meaning{"blocked", blocked_color(panel.view)},
                            Meaning{"idle", color::kWaiting}});
    for (const auto& stream : panel.view.streams) {
      draw_if_seen(stream.name, [&] {
        draw_stream(stream, panel);
        ImGui::Dummy(ImVec2(0, panel.px(4)));
      });
    }
    if (panel.view.streams.empty()) text("The show has no streams between nodes.", color::kDim);
  }
  end_panel();
}

}  // namespace submix::ui
