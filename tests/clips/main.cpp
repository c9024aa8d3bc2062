// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how long clips hold their chain: makes twelve files, and plays each at several speeds,
// in loops, and with jumps.

#include "node/decode/remote_source.hpp"
#include "node/host/host_keeper.hpp"
#include "tests/clips/clip_files.hpp"
#include "tests/clips/playing.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/throughput/statistics.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <string>

namespace {

using namespace submix;
using clips::ClipFile;
using clips::Holds;
using clips::Playing;

struct Options {
  std::filesystem::path folder;
  bool is_quick = false;
  unsigned seed = 1;
};

constexpr std::array kSpeeds{1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 4.0, -4.0, 16.0, -16.0};
constexpr std::array kLoops{0.2, 0.5, 1.0, 2.0, 5.0};  // seconds
constexpr int kSpeedFrames = 60;
constexpr int kLoopFrames = 120;
constexpr int kJumps = 200;
constexpr int kJumpFrames = 4;

/// Plays one file in all ways.
class Trial {
 public:
  Trial(const ClipFile& clip, const Options& options, const io::SourceOpener& opener)
      : clip_(clip), options_(options), opener_(opener) {}

  Holds speeds() {
    Holds holds;
    auto playing = open({});
    for (const double speed : kSpeeds) {
      playing->set("speed", speed);
      holds.add(playing->play(frames(kSpeedFrames)));
    }
    return holds;
  }
  /// Each loop ends shortly before the clip does, far behind the key picture of a long group.
  Holds loops() {
    Holds holds;
    for (const double seconds : kLoops) {
      const double out = clip_.seconds - 0.3;
      holds.add(open({{"in", out - seconds}, {"out", out}})->play(frames(kLoopFrames)));
    }
    return holds;
  }
  Holds jumps() {
    Holds holds;
    std::mt19937 random(options_.seed);
    std::uniform_real_distribution<double> moment(0, clip_.seconds - 0.5);
    auto playing = open({});
    for (int jump = 0; jump < frames(kJumps); ++jump) {
      playing->set("in", moment(random));
      holds.add(playing->play(kJumpFrames));
    }
    return holds;
  }

 private:
  std::unique_ptr<Playing> open(show::Parameters parameters) {
    return Playing::open(options_.folder / clip_.name, opener_, std::move(parameters)).value();
  }
  [[nodiscard]] int frames(int whole) const { return options_.is_quick ? whole / 10 : whole; }

  const ClipFile& clip_;
  const Options& options_;
  const io::SourceOpener& opener_;
};

std::string cells(const Holds& holds) {
  const auto ms = throughput::distribution(holds.ms);
  const auto late = 100.0 * static_cast<double>(holds.late) / static_cast<double>(ms.count);
  return fmt::format(" | {:.1f} | {:.1f} | {:.0f} %", ms.p99, ms.max, late);
}

int run(const Options& options) {
  const auto keeper = host::HostKeeper::open(host::host_program()).value();
  const auto opener = decode::open_in_decoders(*keeper);
  const char* const part = "p99 ms | max ms | late";
  fmt::print("| clip | speeds: {0} | loops: {0} | jumps: {0} |\n", part);
  fmt::print("| --- {}|\n", "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: ");
  for (const auto& clip : clips::clip_files()) {
    if (const auto made = clips::make_clip_file(clip, options.folder); !made) {
      fmt::print(stderr, "{}\n", made.error().message);
      return 1;
    }
    Trial trial(clip, options, opener);
    fmt::print("| {}{}", clip.name, cells(trial.speeds()));
    fmt::print("{}{} |\n", cells(trial.loops()), cells(trial.jumps()));
    std::fflush(stdout);
    if (options.is_quick) break;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const testing::TemporaryFolder temporary;
  options.folder = temporary.path();
  CLI::App app(
      "Measures how long a clip holds its chain (in ms, a frame of 1280x720 at 30 fps has 33.3), "
      "and how many frames show another picture than that of their moment");
  app.add_option("--folder", options.folder, "Where the clips are made and kept")
      ->check(CLI::ExistingDirectory);
  app.add_flag("--quick", options.is_quick, "One clip and a tenth of the frames");
  app.add_option("--seed", options.seed, "Of the jumps");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}
