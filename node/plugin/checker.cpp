// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/built_ins.hpp"
#include "node/plugin/strip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace submix::plugin {
namespace {

/// Findings about a frame; each is counted.
enum class Finding : std::uint8_t {
  checked,
  lost,
  duplicated,
  reordered,
  torn,
  unreadable,
  wrong_source,
  epochs,
  black,  ///< no picture: an input without frames shows black
  held,   ///< a stand-in: the last picture again, or the stand-by picture
  count
};

constexpr std::size_t kFindings = static_cast<std::size_t>(Finding::count);
constexpr std::array<const char*, kFindings> kFindingNames{
    "checked",    "lost",         "duplicated", "reordered", "torn",
    "unreadable", "wrong_source", "epochs",     "black",     "held"};

class CheckerPlugin final : public Plugin {
 public:
  explicit CheckerPlugin(const Setup& setup) : events_(setup.events), about_(setup.about()) {
    for (const auto& [name, value] : setup.parameters)
      set(name, value);
  }

  std::optional<media::Frame> process(Work& work) override {
    const auto& input = work.inputs[0];
    check({input.rgba(), input.size()}, input.stamp().epoch == kStandInEpoch);
    return work.inputs[0];
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    if (parameter == "source") source_ = static_cast<int>(std::lround(std::get<double>(value)));
    if (parameter == "place") place_ = static_cast<int>(std::lround(std::get<double>(value)));
  }

  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    std::vector<std::pair<std::string, std::uint64_t>> counters;
    counters.reserve(kFindings);
    for (std::size_t i = 0; i < kFindings; ++i) {
      counters.emplace_back(kFindingNames[i], counts_[i].load(std::memory_order_relaxed));
    }
    return counters;
  }

 private:
  void check(const Picture& picture, bool stands_in) {
    add(Finding::checked, 1);
    const auto mark = read_strip(picture, place_);
    if (!mark && is_black(picture)) {
      add(Finding::black, 1);
      return;
    }
    // Behind a mixer the stamp and the strip may belong to different inputs. So only a picture
    // without a strip can be a stand-in.
    if (mark ? mark->epoch == kStandInEpoch : stands_in) {
      add(Finding::held, 1);
      return;
    }
    if (!mark)
      return blame_one(Finding::unreadable,
                       "no strip can be read: is a stamp in front, at the same place?");
    if (source_ >= 0 && mark->source != source_) {
      return blame_one(Finding::wrong_source,
                       fmt::format("the strip is of source {}", mark->source));
    }
    if (const int rows = count_torn_rows(picture, place_, *mark); rows > 0) {
      return blame_one(Finding::torn, fmt::format("{} rows are of another frame", rows));
    }
    follow(*mark);
  }

  // The frame counts for one position, but its own number cannot be trusted.
  void blame_one(Finding finding, const std::string& why) {
    blame(finding, 1, why);
    ++unplaced_;
    may_be_held_ = false;
  }

  void follow(const StripMark& mark) {
    if (!last_ || mark.epoch > last_->epoch || goes_on_in_former(mark)) return begin(mark);
    if (mark.epoch < last_->epoch) former_ = mark;
    if (mark.epoch < last_->epoch || mark.index < last_->index) {
      may_be_held_ = false;
      return blame(Finding::reordered, 1,
                   fmt::format("frame {} came after {}", mark.index, last_->index));
    }
    if (mark.index == last_->index && may_be_held_) {
      add(Finding::held, 1);
      return;
    }
    if (mark.index == last_->index)
      return blame(Finding::duplicated, 1, fmt::format("frame {} came twice", mark.index));
    const auto gap = mark.index - last_->index - 1;
    if (const auto missing = gap - std::min(gap, unplaced_); missing > 0) {
      blame(Finding::lost, missing,
            fmt::format("frame {} came after {}", mark.index, last_->index));
    }
    unplaced_ = 0;
    last_ = mark;
    may_be_held_ = true;
  }

  // A source whose clock was set back starts again below its former epoch. A frame of the former
  // epoch may still follow.
  [[nodiscard]] bool goes_on_in_former(const StripMark& mark) const {
    return former_ && mark.epoch == former_->epoch && mark.index == former_->index + 1;
  }

  void begin(const StripMark& mark) {
    add(Finding::epochs, 1);
    last_ = mark;
    former_.reset();
    unplaced_ = 0;
    may_be_held_ = true;
  }

  static bool is_black(const Picture& picture) {
    const auto rgba = picture.rgba;
    for (std::size_t i = 0; i + 3 < rgba.size(); i += 4) {
      if (rgba[i] != 0 || rgba[i + 1] != 0 || rgba[i + 2] != 0) return false;
    }
    return true;
  }

  // Only the first finding of a kind is reported; the counters have the rest.
  void blame(Finding finding, std::uint64_t frames, const std::string& why) {
    if (add(finding, frames) == 0 && events_ != nullptr) {
      events_->report(Severity::warning, about_,
                      fmt::format("{}: {}", kFindingNames[static_cast<std::size_t>(finding)], why));
    }
  }

  std::uint64_t add(Finding finding, std::uint64_t frames) {
    return counts_[static_cast<std::size_t>(finding)].fetch_add(frames, std::memory_order_relaxed);
  }

  EventSink* events_;
  std::string about_;
  int source_ = -1;
  int place_ = 0;
  std::optional<StripMark> last_;
  std::optional<StripMark> former_;  // of a lower epoch, seen since
  std::uint64_t unplaced_ = 0;       // frames since the last readable one
  bool may_be_held_ = false;         // the last frame may repeat: only stand-ins have come since
  std::array<std::atomic<std::uint64_t>, kFindings> counts_{};  // relaxed: each stands alone
};

}  // namespace

Description checker_description() {
  return {.id = "checker",
          .kind = Kind::output,
          .explanation =
              "Reads stamp's strip, counts frames lost, duplicated, reordered and torn; black "
              "ones, and those that an input holds, apart; passes its input on",
          .parameters = {{.name = "source",
                          .explanation = "The source that it must be; -1: any",
                          .initial = -1.0,
                          .minimum = -1,
                          .maximum = 65535,
                          .is_integer = true},
                         {.name = "place",
                          .explanation = "Where the strip stands, as in stamp",
                          .minimum = 0,
                          .maximum = kStripPlaces - 1,
                          .is_integer = true}}};
}

Result<std::unique_ptr<Plugin>> make_checker(const Setup& setup) {
  return std::make_unique<CheckerPlugin>(setup);
}

}  // namespace submix::plugin
