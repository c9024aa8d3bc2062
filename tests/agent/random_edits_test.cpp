// A show of three nodes is edited at random while frames flow. The unedited branch is checked frame
// by frame.
#include "common/show/parse.hpp"
#include "common/show/validate.hpp"
#include "controller/model/verdict/ledger.hpp"
#include "controller/model/view/cluster_model.hpp"
#include "tests/agent/machines.hpp"
#include "tests/agent/random_editor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace submix::agent {
namespace {

using namespace std::chrono_literals;

// The test continues until each kind was made. More edits by SUBMIX_RANDOM_EDITS=10000, other edits
// by SUBMIX_SEED=2.
constexpr int kEdits = 150;

int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): before any thread
  return text == nullptr ? otherwise : std::atoi(text);
}

class RandomEditsOfAShow : public ::testing::Test {
 protected:
  RandomEditsOfAShow() {
    for (auto& machine : machines_) {
      for (auto& other : machines_)
        machine.meet(other);
    }
  }
  ~RandomEditsOfAShow() override {
    for (auto& machine : machines_)
      machine.stop();
  }

  void give(const show::Show& show) {
    ASSERT_EQ(to_string(show::validate(show)), "") << show::to_toml(show);
    for (auto& machine : machines_)
      machine.give(show);
  }

  void follow(bool is_paused) {
    is_paused_ = is_paused;
    for (auto& machine : machines_)
      machine.transport().follow(is_paused, steps_);
  }

  void step() {
    ++steps_;
    follow(true);
  }

  // Counts from the branch's first frames, which may still be of the former stream.
  void begin_count() {
    ASSERT_TRUE(wait_until([this] { return counted()["checked"] >= kFirstFrames; })) << state();
    epochs_ = counted()["epochs"];
  }

  void end_count() {
    auto found = counted();
    frames_counted_ += found["checked"];
    EXPECT_GE(found["checked"], kFirstFrames);
    EXPECT_EQ(found["epochs"], epochs_) << state();
    for (const auto* fault : {"lost", "duplicated", "held", "reordered", "torn", "unreadable"})
      EXPECT_EQ(found[fault], 0U) << fault << "\n" << state();
  }

  // With another size or rate every patch restarts, and the count with it.
  void change(const show::Show& before, const show::Show& after) {
    const bool is_anew = before.size != after.size || before.rate != after.rate;
    if (is_anew) end_count();
    give(after);
    if (!is_anew) return;
    follow(false);
    ASSERT_TRUE(wait_until_settled()) << state();
    ASSERT_TRUE(wait_until_handed_over()) << state();
    settle();  // earlier refusals are over
    begin_count();
  }

  void settle() {
    ASSERT_TRUE(wait_until_settled()) << state();
    EXPECT_EQ(errors(), "") << state();
  }

  [[nodiscard]] std::string errors() const {
    std::string errors;
    for (const auto& machine : machines_) {
      for (const auto& report : machine.reports())
        if (!report.error.empty())
          errors += fmt::format("{}: {} {}\n", machine.name(), report.name, report.error);
    }
    return errors;
  }

  // A stream's memory is fixed when it opens. Delays that do not fit are refused, and the patch
  // runs on.
  [[nodiscard]] bool is_refused_for_delays() const {
    return errors().find("the slots behind it would keep") != std::string::npos;
  }

  // A refused edit is taken back, step by step.
  void take_back_refused(std::vector<show::Show>& history) {
    ASSERT_TRUE(wait_until_settled()) << state();
    while (history.size() > 1 && is_refused_for_delays()) {
      ++refused_;
      const auto before = history.back();
      history.pop_back();
      change(before, history.back());
      ASSERT_TRUE(wait_until_settled()) << state();
    }
  }

  [[nodiscard]] std::map<std::string, std::uint64_t> counted() const {
    for (const auto& submix : machines_[2].submixes()) {
      for (const auto& stage : submix.stages) {
        if (stage.slot == "check") return {stage.counters.begin(), stage.counters.end()};
      }
    }
    return {};
  }

  [[nodiscard]] bool wait_until(const std::function<bool()>& is_so) const {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!is_so()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(1ms);
    }
    return true;
  }

  [[nodiscard]] bool wait_until_settled() const {
    return wait_until([this] {
      return std::all_of(machines_.begin(), machines_.end(),
                         [](const auto& each) { return each.is_settled(); });
    });
  }

  // Not in a pause: switches wait until its end.
  [[nodiscard]] bool wait_until_handed_over() const {
    return wait_until([this] {
      return std::none_of(machines_.begin(), machines_.end(),
                          [](const auto& each) { return each.is_handing_over(); });
    });
  }

  [[nodiscard]] std::string state() const {
    std::string text;
    for (const auto& machine : machines_) {
      for (const auto& report : machine.reports())
        text += fmt::format("{}: {} {}\n", machine.name(), report.name, report.error);
      for (const auto& submix : machine.submixes()) {
        for (const auto& stage : submix.stages)
          text += fmt::format("{}: {}.{}: {} frames {}\n", machine.name(), submix.name, stage.slot,
                              stage.frames, stage.trouble);
      }
      for (const auto& stream : machine.streams()) {
        text += fmt::format("{}: stream {} {}: {} of {} frames, {} credits, {}\n", machine.name(),
                            stream.stream, stream.is_sender ? "out" : "in", stream.frames,
                            stream.frames_produced, stream.credits, stream.detached);
        for (const auto& link : stream.links)
          text += fmt::format("    {} {} {}\n", link.local, link.remote, link.error);
      }
      for (const auto& line : machine.events())
        text += machine.name() + ": " + line + "\n";
    }
    return text;
  }

  [[nodiscard]] bool wait_for_frames(std::uint64_t more) const {
    const auto before = counted()["checked"];
    return wait_until([&] { return counted()["checked"] >= before + more; });
  }

  // The ledger as controllers make it of one second's readings.
  [[nodiscard]] std::vector<model::LedgerEdge> ledger(const show::Show& show) const {
    const SteadyClock clock;
    model::ClusterModel model;
    model.set_connection(model::ConnectionState::connected, "", clock.now());
    model.set_show(std::make_shared<const show::Show>(show), 1, "");
    for (std::uint64_t sequence = 1; sequence <= 15; ++sequence) {
      for (const auto& machine : machines_) {
        cluster::NodeReport report;
        report.node = report.instance = machine.name();
        report.submixes = machine.reports();
        model.accept(std::move(report), clock.now());
        telemetry::NodeReading reading;
        reading.node = reading.instance = machine.name();
        reading.sequence = sequence;
        reading.uptime = sequence * 100ms;
        reading.submixes = machine.submixes();
        reading.streams = machine.streams();
        model.accept(std::move(reading), clock.now());
      }
      model.advance(clock.now());
      std::this_thread::sleep_for(100ms);
    }
    return make_ledger(model.view(clock.now()));
  }

  [[nodiscard]] bool wait_for_streams(const show::Show& show) const {
    return wait_until([&] {
      std::size_t flowing = 0;
      for (const auto& stream : machines_[2].streams())
        if (!stream.is_sender && stream.frames > 0 && show.find_stream(stream.stream) != nullptr)
          ++flowing;
      return flowing == show.streams.size();
    });
  }

  // Checks each stream and each queue of a patch; all have had frames.
  void judge(const std::vector<model::LedgerEdge>& ledger, const show::Show& show) const {
    std::set<std::string> streams;
    std::size_t queues = 0;
    for (const auto& edge : ledger) {
      const auto about = edge.name + ": " + edge.remark + "\n" + state();
      EXPECT_TRUE(edge.balance == model::Balance::exact || edge.balance == model::Balance::bounded)
          << about;
      if (edge.is_stream) {
        streams.insert(edge.name);
        EXPECT_GT(edge.produced, 0U) << about;
        EXPECT_GT(edge.delivered, 0U) << about;
      } else {
        queues += edge.delivered > 0 ? 1 : 0;
      }
    }
    std::set<std::string> expected;
    for (const auto& stream : show.streams)
      expected.insert(stream.name);
    EXPECT_EQ(streams, expected);
    EXPECT_GE(queues, 6U) << "two of \"still\", two of \"mix\" at least that no edit touches";
  }

  static constexpr std::uint64_t kFirstFrames = 10;

  std::array<Machine, 3> machines_{Machine("a"), Machine("b"), Machine("c")};
  std::uint64_t steps_ = 0;
  bool is_paused_ = false;
  std::uint64_t epochs_ = 0;  // epochs at the beginning of the count
  std::uint64_t frames_counted_ = 0;
  int refused_ = 0;
};

TEST_F(RandomEditsOfAShow, LoseNoFrameOfWhatTheyDoNotTouch) {
  const auto seed = static_cast<unsigned>(number_from("SUBMIX_SEED", 1));
  SCOPED_TRACE(fmt::format("seed {}", seed));
  RandomEditor editor(seed);
  std::vector<show::Show> history{RandomEditor::first_show()};
  give(history.back());
  begin_count();
  int undone = 0;
  const int edits = number_from("SUBMIX_RANDOM_EDITS", kEdits);
  for (int i = 0; i < edits || !editor.has_made_all(); ++i) {
    const auto before = history.back();
    if (history.size() > 1 && editor.below(4) == 0) {
      history.pop_back();
      ++undone;
    } else {
      history.push_back(before);
      editor.edit(history.back());
    }
    if (editor.below(15) == 0) follow(!is_paused_);
    if (is_paused_ && editor.below(3) == 0) step();
    change(before, history.back());
    if (editor.below(4) == 0) {
      take_back_refused(history);
      settle();
    }
    if (!is_paused_ && editor.below(4) == 0) {
      EXPECT_TRUE(wait_for_frames(1)) << state();
    }
    if (HasFailure()) FAIL() << show::to_toml(before) << "\n" << show::to_toml(history.back());
  }
  follow(false);
  take_back_refused(history);
  settle();
  ASSERT_TRUE(wait_until_handed_over()) << state();
  ASSERT_TRUE(wait_for_frames(50)) << show::to_toml(history.back()) << "\n" << state();
  ASSERT_TRUE(wait_for_streams(history.back())) << show::to_toml(history.back()) << "\n" << state();
  end_count();
  follow(true);
  judge(ledger(history.back()), history.back());
  fmt::print("{} undone, {} refused; {}; {} frames counted\n", undone, refused_,
             fmt::join(editor.made(), ", "), frames_counted_);
}

}  // namespace
}  // namespace submix::agent
