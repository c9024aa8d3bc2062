// SPDX-License-Identifier: GPL-3.0-or-later
// Thousands of wrong edits from a seed, by commands, OSC,
// files and a window's session, on three nodes. A random node restarts after each tenth edit. The
// show keeps its rate, and the cluster's show is always one that nodes can start.
// SUBMIX_WRONG_EDITS=2000 makes the test longer; SUBMIX_SEED repeats a run.

#include "tests/input/osc_client.hpp"
#include "tests/system/wrong_hands.hpp"

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <thread>

namespace submix::testing {
namespace {

using std::chrono::milliseconds;

constexpr int kEditsBetweenRestarts = 10;
// A change of size or rate waits up to two seconds for the other nodes' patches.
constexpr milliseconds kSwitchMax(2500);

std::uint64_t number_of(const char* variable, std::uint64_t usual) {
  const char* text = std::getenv(variable);
  return text == nullptr ? usual : std::stoull(text);
}

/// The show: a clip that two of three nodes have, a recording that is off, and a submix that stays
/// unedited.
constexpr const char* kShow = R"toml(
[show]
name = "wrong edits"
size = [320, 240]
rate = 30

[[node]]
name = "left"
[[node]]
name = "right"
[[node]]
name = "mix"

[[submix]]
name = "left"
node = "left"
slot = [
  { name = "clip", plugin = "clip", parameters = { file = "a.mkv" } },
  { name = "stamp", plugin = "stamp" },
  { name = "out", plugin = "stream-out" },
]

[[submix]]
name = "right"
node = "right"
slot = [
  { name = "pattern", plugin = "pattern" },
  { name = "invert", plugin = "frei0r/invert0r" },
  { name = "stamp", plugin = "stamp" },
  { name = "out", plugin = "stream-out" },
]

[[submix]]
name = "mix"
node = "mix"
slot = [
  { name = "left", plugin = "stream-in" },
  { name = "right", plugin = "stream-in" },
  { name = "fade", plugin = "frei0r/xfade0r", inputs = ["left", "right"] },
  { name = "film", plugin = "record", parameters = { file = "film.mkv", recording = false } },
]

[[submix]]
name = "witness"
node = "mix"
slot = [
  { name = "pattern", plugin = "pattern" },
  { name = "end", plugin = "null" },
]

[[stream]]
name = "left"
from = "left.out"
to = "mix.left"
links = 2
policy = "hold"
pause_budget_ms = 200
local = "off"

[[stream]]
name = "right"
from = "right.out"
to = "mix.right"
links = 2
policy = "hold"
pause_budget_ms = 200
local = "off"
)toml";

/// Measures how long a slot makes no frame.
class FrameWatch {
 public:
  explicit FrameWatch(LocalTime now) : since_(now) {}

  void look(std::uint64_t frames, LocalTime now) {
    if (frames == frames_) {
      longest_gap_ = std::max(longest_gap_, now - since_);
      return;
    }
    total_ += frames > frames_ ? frames - frames_ : frames;  // the count may have begun again
    frames_ = frames;
    since_ = now;
  }
  /// Forgets all but the total.
  void begin(std::uint64_t frames, LocalTime now) {
    frames_ = frames;
    since_ = now;
    longest_gap_ = {};
  }
  [[nodiscard]] milliseconds longest_gap() const {
    return std::chrono::duration_cast<milliseconds>(longest_gap_);
  }
  [[nodiscard]] std::uint64_t total() const { return total_; }

 private:
  std::uint64_t frames_ = 0;
  std::uint64_t total_ = 0;
  LocalTime since_;
  LocalTime::duration longest_gap_{};
};

/// Watches the mix and, beside it, the unedited submix, whose gaps are the machine's own.
/// Synchronized.
class Watchers {
 public:
  explicit Watchers(const LiveCluster& cluster) : cluster_(cluster) {}

  void begin() {
    const MutexLock lock(mutex_);
    mix_.begin(frames("mix", "fade"), clock_.now());
    witness_.begin(frames("witness", "end"), clock_.now());
    is_on_ = true;
  }
  void end() {
    const MutexLock lock(mutex_);
    is_on_ = false;
  }
  /// The mix's longest gap minus the witness's.
  [[nodiscard]] milliseconds gap() const {
    const MutexLock lock(mutex_);
    return mix_.longest_gap() - witness_.longest_gap();
  }
  [[nodiscard]] double share_of_frames() const {
    const MutexLock lock(mutex_);
    return static_cast<double>(mix_.total()) /
           static_cast<double>(std::max<std::uint64_t>(witness_.total(), 1));
  }

 private:
  [[nodiscard]] std::uint64_t frames(const char* submix, const char* slot) const {
    return frames_of(*cluster_.view(), submix, slot);
  }
  void run(const std::stop_token& stop) {
    constexpr milliseconds kLook(20);
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(kLook);
      const MutexLock lock(mutex_);
      if (!is_on_) continue;
      mix_.look(frames("mix", "fade"), clock_.now());
      witness_.look(frames("witness", "end"), clock_.now());
    }
  }

  const LiveCluster& cluster_;
  const SteadyClock clock_;
  mutable Mutex mutex_;
  bool is_on_ SUBMIX_GUARDED_BY(mutex_) = false;
  FrameWatch mix_ SUBMIX_GUARDED_BY(mutex_){clock_.now()};
  FrameWatch witness_ SUBMIX_GUARDED_BY(mutex_){clock_.now()};
  std::jthread thread_{
      [this](const std::stop_token& stop) { run(stop); }};  // last: it uses all above
};

/// Draws wrong edits at random.
class Hands {
 public:
  explicit Hands(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] Words command() {
    switch (below(14)) {
      case 0:
        return {"set", slot() + ".style", word()};
      case 1:
        return {"set", slot() + ".speed", number()};
      case 2:
        return {"set", slot() + "." + word(), number()};
      case 3:
        return {
            "set", "left.clip." + one_of({"file", "in", "out", "loop", "fit"}),
            one_of({"b.mkv", "nowhere.mkv", "../../etc/passwd", "3", "7", "-1", "false", "all"})};
      case 4:
        return {"slot", "insert", slot(), plugin()};
      case 5:
        return {"assign", submix(), node()};
      case 6:
        return {"show", "size", one_of({"16x16", "0x0", "9000x9000", "321x241", "banana"})};
      case 7:
        return {"show", "rate", one_of({"0", "-5", "1000", "59.941", "fast"})};
      case 8:
        return {"helpers", slot(), one_of({"0", "2", "99"})};
      case 9:
        return {"set", "mix.film.file",
                one_of({"/etc/film.mkv", "../film.mkv", "", ".film.mkv", "film.exe"})};
      case 10:
        return {"knob", "wild", "--target",
                slot() + "." + one_of({"style", "speed", "file", "x"}) + "=0..99999"};
      case 11:
        return {"knob", "wild", one_of({"0.5", "7", "-1", "x"})};
      case 12:
        return below(2) == 0 ? Words{"cue", "save", "wild", "--assign", submix() + "=" + node()}
                             : Words{"cue", "save", "wild", "--set", slot() + ".style=" + word()};
      default:
        return {"cue", "go", "wild"};
    }
  }

  /// A command that a node may refuse, with --force.
  [[nodiscard]] Words forced_command() {
    switch (below(4)) {
      case 0:
        return {"assign", submix(), node(), "--force"};
      case 1:
        return {"set", "left.clip.file", one_of({"b.mkv", "nowhere.mkv"}), "--force"};
      case 2:
        return {"slot", "insert", slot(), plugin(), "--force"};
      default:
        return {"show", "size", one_of({"16x16", "328x248"}), "--force"};
    }
  }

  [[nodiscard]] model::Edit edit() {
    const show::Port port{submix(), slot_name()};
    switch (below(7)) {
      case 0:
        return model::SetParameter{port, one_of({"style", "speed", "in", "out", "loop", "file"}),
                                   value()};
      case 1:
        return model::SetParameter{
            {"left", "clip"}, one_of({"file", "in", "out", "speed", "loop"}), value()};
      case 2:
        return model::SetHelpers{port, below(12)};
      case 3:
        return model::AssignSubmix{submix(), node()};
      case 4:
        return model::SetLinks{submix(), below(12)};
      case 5:
        return model::SetParameter{port, "speed", value()};
      default:
        return model::SetBypass{port, below(2) == 0};
    }
  }

  void send(OscClient& client) {
    const auto address =
        fmt::format("/submix/{}/{}/{}{}", submix(), slot_name(),
                    one_of({"style", "speed", "file", "in", "out", "loop", "fader"}),
                    below(2) == 0 ? "/value" : "");
    switch (below(5)) {
      case 0:
        return client.send(address.c_str(), "f", below(2) == 0 ? 1e30 : -0.5);
      case 1:
        return client.send(address.c_str(), "s", word().c_str());
      case 2:
        return client.send(("/assign/" + submix()).c_str(), "s", node().c_str());
      case 3:
        return client.send("/go/wild", "");
      default:
        return client.send("/knob/wild", "f", 2.0);
    }
  }

  /// A show file with a mistake, as typed in haste.
  [[nodiscard]] std::string file(std::string text) {
    const auto from = one_of({"pattern", "stamp", "stream-in", "frei0r/xfade0r", "left.out", "320",
                              "30", "hold", "a.mkv"});
    const auto to = one_of(
        {"patern", "", "stream-out", "frei0r/nope", "left.oot", "-1", "\"", "none", "b.mkv"});
    const auto at = text.find(from);
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
  }

  [[nodiscard]] int below(int limit) {
    return std::uniform_int_distribution<int>(0, limit - 1)(random_);
  }
  [[nodiscard]] std::string one_of(const std::vector<std::string>& words) {
    return words[static_cast<std::size_t>(below(static_cast<int>(words.size())))];
  }

 private:
  [[nodiscard]] std::string submix() { return one_of({"left", "right", "mix", "nobody"}); }
  [[nodiscard]] std::string node() { return one_of({"left", "right", "mix", "nobody"}); }
  [[nodiscard]] std::string slot_name() {
    return one_of({"clip", "pattern", "stamp", "out", "invert", "fade", "film", "left", "x"});
  }
  [[nodiscard]] std::string slot() { return submix() + "." + slot_name(); }
  [[nodiscard]] std::string word() {
    return one_of({"bars", "stripes", "../../etc/passwd", "", "ü\n"});
  }
  [[nodiscard]] std::string number() {
    return one_of({"0", "1", "-1e300", "nan", "65", "banana", "true"});
  }
  [[nodiscard]] std::string plugin() {
    return one_of({"clip", "still", "record", "frei0r/partik0l", "frei0r/nope", "stream-in",
                   "stream-out", "nothing"});
  }
  [[nodiscard]] show::ParameterValue value() {
    switch (below(6)) {
      case 0:
        return true;
      case 1:
        return std::string("typo.mp4");
      case 2:
        return std::vector<double>{1, 2, 3, 4};
      case 3:
        return 1e18;
      case 4:
        return 4.0;
      default:
        return 0.5;
    }
  }

  std::mt19937_64 random_;
};

class WrongEdits : public WrongHands {
 protected:
  void SetUp() override {
    for (const auto* node : {"left", "right", "mix"}) {
      std::filesystem::create_directory(media_of(node));
      make_clip(media_of(node) / (node == std::string("right") ? "b.mkv" : "a.mkv"));
      start(node);
    }
    cluster_.apply(kShow);
    ASSERT_TRUE(cluster_.wait_until_all_run());
    open_window();
    start_control();
  }

  [[nodiscard]] std::filesystem::path media_of(const std::string& node) const {
    return cluster_.folder() / (node + "-media");
  }
  void start(const std::string& node) override {
    cluster_.start_node(node, {"--media", media_of(node).string()});
  }

  /// Starts `submix control` with OSC.
  void start_control() {
    const auto log = cluster_.folder() / "control.log";
    auto started = ChildProcess::start(
        {"env", "XDG_CONFIG_HOME=" + cluster_.folder().path().string(), program().string(),
         "control", "--osc", "0", "--no-midi", "--nats", cluster_.nats_url()},
        log);
    ASSERT_TRUE(started) << started.error().message;
    control_.emplace(*std::move(started));
    constexpr std::string_view kListens = "OSC: UDP ";
    std::string text;
    ASSERT_TRUE(cluster_.wait_until([&](const auto&) {
      text = read_text_file(log).value_or("");
      return text.find(kListens) != std::string::npos;
    })) << text;
    const auto begin = text.find(kListens) + kListens.size();
    osc_.emplace(text.substr(begin, text.find('\n', begin) - begin));
  }

  void edit_in_some_way(Hands& hands) {
    const int way = hands.below(16);
    if (way < 5) {
      const auto command = hands.command();
      done_ = fmt::format("submix {}", fmt::join(command, " "));
      submix(command);
    } else if (way < 10) {
      const auto wrong = hands.edit();
      done_ = "window: " + model::title(wrong);
      edit(wrong);
    } else if (way < 13) {
      done_ = "OSC";
      hands.send(*osc_);
    } else if (way < 15) {
      done_ = "a file";
      const auto file = cluster_.folder() / "typed.toml";
      ASSERT_TRUE(write_file_atomically(file, hands.file(text_of_show())));
      submix({"apply", file.string(), "--no-wait"});
    } else {
      const auto command = hands.forced_command();
      done_ = fmt::format("submix {}", fmt::join(command, " "));
      force(command);
    }
  }

  /// Forces a command that a node may refuse, checks that the show goes on, and undoes the command.
  void force(const Words& command) {
    const auto before = text_of_show();
    submix(command);
    if (text_of_show() == before) return;
    expect_show_to_go_on(10);
    const auto undone = submix({"undo"});
    ASSERT_EQ(undone.status, 0) << undone.output;
    ASSERT_TRUE(wait_until_it_runs()) << text_of_show();
  }

  /// A bypassed source is black, and a bypassed output sends nothing. Then the mix may be black by
  /// the hands' own wish.
  [[nodiscard]] bool is_black_by_wish() {
    const auto show = cluster_.view()->show;
    return std::ranges::any_of(show->submixes, [](const show::Submix& submix) {
      return std::ranges::any_of(submix.slots, [](const show::Slot& slot) {
        const bool is_needed = slot.plugin == "clip" || slot.plugin == "pattern" ||
                               slot.plugin == "stream-in" || slot.plugin == "stream-out";
        return is_needed && slot.is_bypassed;
      });
    });
  }

  std::string done_;  // the last edit, for messages
  std::optional<ChildProcess> control_;
  std::optional<OscClient> osc_;
};

TEST_F(WrongEdits, NeverStopTheShow) {
  const auto seed = number_of("SUBMIX_SEED", 1);
  const auto edits = number_of("SUBMIX_WRONG_EDITS", 60);
  SCOPED_TRACE("SUBMIX_SEED=" + std::to_string(seed));
  Hands hands(seed);
  Watchers watchers(cluster_);
  milliseconds longest{};
  for (std::uint64_t i = 1; i <= edits && !HasFailure(); ++i) {
    SCOPED_TRACE(fmt::format("edit {}", i));
    watchers.begin();
    ASSERT_NO_FATAL_FAILURE(edit_in_some_way(hands));
    SCOPED_TRACE(done_);
    expect_show_to_go_on(10);
    longest = std::max(longest, watchers.gap());
    EXPECT_LT(watchers.gap(), kSwitchMax) << text_of_show();
    ASSERT_NO_FATAL_FAILURE(expect_show_that_starts());
    watchers.end();
    if (i % kEditsBetweenRestarts != 0) continue;
    ASSERT_NO_FATAL_FAILURE(restart(hands.one_of({"left", "right", "mix"})));
    ASSERT_NO_FATAL_FAILURE(expect_show_that_starts());
    EXPECT_TRUE(cluster_.wait_until([&](const auto&) {
      return brightest_of_mix() > 0 || is_black_by_wish();
    })) << text_of_show();
  }
  EXPECT_GT(watchers.share_of_frames(), 0.9) << "of the frames of a submix that nobody edits";
  std::printf(
      "%llu edits: the mix stood for %lld ms at most more than its witness; it has %.1f %% of its "
      "frames\n",
      static_cast<unsigned long long>(edits), static_cast<long long>(longest.count()),
      100 * watchers.share_of_frames());
}

}  // namespace
}  // namespace submix::testing
