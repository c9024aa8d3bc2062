// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/built_ins.hpp"
#include "node/plugin/strip.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>

namespace submix::plugin {
namespace {

/// What can be said of a frame; each is counted.
enum class Finding : std::uint8_t {
  checked,
  lost,
  duplicated,
  reordered,
  torn,
  unreadable,
  wrong_source,
  epochs,
  count
};

constexpr std::size_t kFindings = static_cast<std::size_t>(Finding::count);
constexpr std::array<const char*, kFindings> kFindingNames{
    "checked", "lost", "duplicated", "reordered", "torn", "unreadable", "wrong_source", "epochs"};

class Checker final : public Plugin {
 public:
  explicit Checker(const Setup& setup) : events_(setup.events), about_(setup.about()) {
    for (const auto& [name, value] : setup.parameters)
      set(name, value);
  }

  std::optional<media::Frame> process(Work& work) override {
    check({work.inputs[0].rgba(), work.inputs[0].size()});
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
  void check(const Picture& picture) {
    add(Finding::checked, 1);
    const auto mark = read_strip(picture, place_);
    if (!mark)
      return blame_one(Finding::unreadable, "no strip can be read: is a stamp in front, at the same place?");
    if (source_ >= 0 && mark->source != source_) {
      return blame_one(Finding::wrong_source, fmt::format("the strip is of source {}", mark->source));
    }
    if (const int rows = count_torn_rows(picture, place_, *mark); rows > 0) {
      return blame_one(Finding::torn, fmt::format("{} rows are of another frame", rows));
    }
    follow(*mark);
  }

  // The frame takes one position, but which it is cannot be trusted.
  void blame_one(Finding finding, const std::string& why) {
    blame(finding, 1, why);
    if (last_) ++last_->index;
  }

  void follow(const StripMark& mark) {
    if (!last_ || mark.epoch > last_->epoch) {
      add(Finding::epochs, 1);
      last_ = mark;
      return;
    }
    if (mark.epoch < last_->epoch || mark.index < last_->index) {
      return blame(Finding::reordered, 1, fmt::format("frame {} came after {}", mark.index, last_->index));
    }
    if (mark.index == last_->index)
      return blame(Finding::duplicated, 1, fmt::format("frame {} came twice", mark.index));
    if (const auto missing = mark.index - last_->index - 1; missing > 0) {
      blame(Finding::lost, missing, fmt::format("frame {} came after {}", mark.index, last_->index));
    }
    last_ = mark;
  }

  // Only the first of a kind is told: the counters tell the rest.
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
  std::array<std::atomic<std::uint64_t>, kFindings> counts_{};  // relaxed: each stands alone
};

}  // namespace

Description checker_description() {
  return {.id = "checker",
          .kind = Kind::output,
          .explanation =
              "Reads stamp's strip, counts frames lost, duplicated, reordered and torn; passes its input on",
          .parameters = {{.name = "source",
                          .explanation = "The source that it must be; -1: any",
                          .initial = -1.0,
                          .minimum = -1,
                          .maximum = 65535},
                         {.name = "place",
                          .explanation = "Where the strip stands, as in stamp",
                          .minimum = 0,
                          .maximum = kStripPlaces - 1}}};
}

Result<std::unique_ptr<Plugin>> make_checker(const Setup& setup) {
  return std::make_unique<Checker>(setup);
}

}  // namespace submix::plugin
