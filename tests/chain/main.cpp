// SPDX-License-Identifier: GPL-3.0-or-later
// What a chain of frei0r filters costs in a plain loop, in the engine, and in the engine with each filter in
// a process of its own: CPU time of all processes for a frame, in alternating rounds.

#include "common/base/clock.hpp"
#include "node/engine/patch.hpp"
#include "node/host/host_keeper.hpp"
#include "node/host/hosted_plugin.hpp"
#include "node/plugin/frei0r_instance.hpp"
#include "tests/support/event_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace submix;

struct Options {
  std::vector<std::string> filters{"invert0r", "gamma", "brightness", "contrast0r", "B",
                                   "G",        "R",     "invert0r",   "gamma",      "brightness"};
  int rounds = 7;
  double seconds = 3;
  int fps = 0;
  int kills = 0;
  bool is_json = false;
  Size size{1280, 720};
};

struct Figures {
  double cpu_ms = 0;  ///< for a frame, of all processes
  double fps = 0;
  double page_faults = 0;  ///< for a frame, of this process
};

std::chrono::duration<double> cpu_of(pid_t pid) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::vector<pid_t> children_of_this() {
  std::vector<pid_t> found;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;)
      found.push_back(child);
  }
  return found;
}

/// This process and its children, which do not change meanwhile.
class Meter {
 public:
  Meter() : faults_(faults()), began_(std::chrono::steady_clock::now()), cpu_(cpu()) {}

  [[nodiscard]] Figures figures(std::uint64_t frames) const {
    const auto count = static_cast<double>(frames);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
    return {.cpu_ms = (cpu() - cpu_).count() * 1e3 / count,
            .fps = count / passed.count(),
            .page_faults = static_cast<double>(faults() - faults_) / count};
  }

 private:
  static std::chrono::duration<double> cpu() {
    auto sum = cpu_of(0);
    for (const auto child : children_of_this())
      sum += cpu_of(child);
    return sum;
  }
  static long faults() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt + usage.ru_majflt;
  }

  long faults_;
  std::chrono::steady_clock::time_point began_;
  std::chrono::duration<double> cpu_;
};

/// Gives one and the same picture again and again, for no time.
class FixedPicture final : public plugin::Plugin {
 public:
  std::optional<media::Frame> process(plugin::Work& work) override {
    if (!frame_) {
      auto frame = work.acquire_output();
      if (!frame) return std::nullopt;
      std::uint32_t noise = 1;
      for (auto& byte : frame->rgba())
        byte = static_cast<std::uint8_t>((noise = noise * 1664525U + 1013904223U) >> 24U);
      frame_ = std::move(*frame).publish();
    }
    return frame_;
  }
  void set(std::string_view, const show::ParameterValue&) override {}
  [[nodiscard]] std::size_t frames_retained() const override { return 1; }

 private:
  media::Frame frame_;
};

class Chain {
 public:
  explicit Chain(Options options)
      : options_(std::move(options)),
        keeper_(host::HostKeeper::open(host::host_program_beside_this()).value()) {
    catalog_.add({.id = "fixed", .kind = plugin::Kind::source},
                 [](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                   return std::make_unique<FixedPicture>();
                 });
    catalog_.host_with([this](const plugin::Description& description, const std::filesystem::path& file,
                              const plugin::Setup& setup) {
      return host::make_hosted_plugin(*keeper_, description, file, setup);
    });
  }

  /// Two pictures in turn, one thread: what the filters themselves cost.
  Figures loop() {
    media::FramePool pool(options_.size, 2);
    std::vector<std::unique_ptr<plugin::Plugin>> plugins;
    for (const auto& filter : options_.filters)
      plugins.push_back(make(filter));
    FixedPicture source;
    media::FramePool source_pool(options_.size, 1);
    const auto frame = [&](std::uint64_t) {
      plugin::Work work;
      work.pool = &source_pool;
      auto picture = source.process(work).value();
      work.pool = &pool;
      for (const auto& filter : plugins) {
        work.inputs = {&picture, 1};
        auto next = filter->process(work);
        picture = std::move(*next);
      }
    };
    for (std::uint64_t i = 0; i < 10; ++i)
      frame(i);
    const Meter meter;
    std::uint64_t frames = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options_.seconds);
    while (std::chrono::steady_clock::now() < end)
      frame(frames++);
    return meter.figures(frames);
  }

  Figures engine(show::Hosting hosting) {
    const auto patch = start(hosting);
    const Meter meter;
    const auto before = patch->telemetry().frames;
    std::this_thread::sleep_for(std::chrono::duration<double>(options_.seconds));
    const auto figures = meter.figures(patch->telemetry().frames - before);
    patch->stop();
    return figures;
  }

  /// How many frames of its slot are held for each host that is killed; they are killed in turn.
  std::vector<double> held_frames() {
    const auto patch = start(show::Hosting::own_process);
    std::vector<double> held;
    for (int kill = 0; kill < options_.kills; ++kill) {
      const auto hosts = children_of_this();  // the youngest last: the oldest is the next
      const auto before = count(*patch, "held");
      ::kill(hosts.at(0), SIGKILL);
      // Ten slots in six seconds and more: none of them fails three times in ten.
      std::this_thread::sleep_for(std::chrono::milliseconds(650));
      held.push_back(static_cast<double>(count(*patch, "held") - before));
    }
    crashes_ = count(*patch, "crashes");
    patch->stop();
    return held;
  }
  [[nodiscard]] std::uint64_t crashes() const { return crashes_; }

  [[nodiscard]] std::vector<std::string> events() const { return events_.lines(); }

 private:
  static std::uint64_t count(const engine::Patch& patch, std::string_view counter) {
    std::uint64_t sum = 0;
    for (const auto& stage : patch.telemetry().stages) {
      for (const auto& [name, value] : stage.counters)
        sum += name == counter ? value : 0;
    }
    return sum;
  }

  std::unique_ptr<engine::Patch> start(show::Hosting hosting) {
    show::Submix submix{.name = "chain", .node = "", .slots = {}};
    submix.slots.push_back({.name = "source", .plugin = "fixed", .parameters = {}, .inputs = {}});
    for (std::size_t i = 0; i < options_.filters.size(); ++i) {
      show::Slot slot{.name = fmt::format("f{}", i),
                      .plugin = "frei0r/" + options_.filters[i],
                      .parameters = {},
                      .inputs = {}};
      slot.hosting = hosting;
      submix.slots.push_back(std::move(slot));
    }
    engine::PatchOptions patch_options;
    patch_options.size = options_.size;
    patch_options.is_free_running = options_.fps == 0;
    if (options_.fps > 0) patch_options.rate = {static_cast<std::uint32_t>(options_.fps), 1};
    auto patch = engine::Patch::build(submix, patch_options, {catalog_, events_, clock_, transport_}).value();
    patch->start();
    wait_until([&] { return patch->telemetry().frames >= 30; });
    return patch;
  }

  std::unique_ptr<plugin::Plugin> make(const std::string& filter) {
    plugin::Setup setup{
        .submix = "chain", .slot = filter, .size = options_.size, .rate = {30, 1}, .parameters = {}};
    setup.clock = &clock_;
    return catalog_.create("frei0r/" + filter, setup).value();
  }
  static void wait_until(const std::function<bool()>& is_so) {
    while (!is_so())
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }

  const Options options_;
  std::uint64_t crashes_ = 0;
  testing::EventLog events_;
  SteadyClock clock_;
  engine::Transport transport_;
  std::unique_ptr<host::HostKeeper> keeper_;
  plugin::Catalog catalog_;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

struct Way {
  std::string name;
  std::function<Figures()> run;
  std::vector<Figures> rounds = {};

  [[nodiscard]] double median_of(double Figures::* figure) const {
    std::vector<double> values;
    for (const auto& round : rounds)
      values.push_back(round.*figure);
    return median(values);
  }
};

/// Of CPU time, round by round: neighbours in time are compared.
double ratio(const Way& way, const Way& base) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < way.rounds.size(); ++i)
    ratios.push_back(way.rounds[i].cpu_ms / base.rounds[i].cpu_ms);
  return median(ratios);
}

void print(const std::vector<Way>& ways, const Options& options) {
  nlohmann::json json{{"filters", options.filters},
                      {"size", {options.size.width, options.size.height}},
                      {"rounds", options.rounds},
                      {"seconds", options.seconds},
                      {"fps", options.fps},
                      {"ratios",
                       {{"engine_over_loop", ratio(ways[1], ways[0])},
                        {"own_process_over_in_process", ratio(ways[2], ways[1])}}}};
  for (const auto& way : ways) {
    json["ways"][way.name] = {{"cpu_ms_per_frame", way.median_of(&Figures::cpu_ms)},
                              {"fps", way.median_of(&Figures::fps)},
                              {"page_faults_per_frame", way.median_of(&Figures::page_faults)}};
  }
  if (options.is_json) return fmt::print("{}\n", json.dump());
  for (const auto& way : ways) {
    fmt::print("{:<12} {:7.3f} ms CPU/frame {:7.1f} fps {:6.2f} faults/frame\n", way.name,
               way.median_of(&Figures::cpu_ms), way.median_of(&Figures::fps),
               way.median_of(&Figures::page_faults));
  }
  fmt::print("engine over loop {:.3f}, own process over in process {:.3f} (medians of {} rounds)\n",
             ratio(ways[1], ways[0]), ratio(ways[2], ways[1]), options.rounds);
}

int tell_held_frames(Chain& chain, const Options& options) {
  auto held = chain.held_frames();
  std::sort(held.begin(), held.end());
  const auto at = [&](double share) {
    return held.at(static_cast<std::size_t>(share * static_cast<double>(held.size() - 1)));
  };
  const nlohmann::json json{{"kills", options.kills}, {"crashes", chain.crashes()},
                            {"fps", options.fps},     {"held_p50", at(0.5)},
                            {"held_p99", at(0.99)},   {"held_max", held.back()}};
  fmt::print("{}\n", json.dump());
  return chain.crashes() == static_cast<std::uint64_t>(options.kills) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "What a chain of frei0r filters costs: plain loop, engine, engine with a process for each filter",
      "submix-chain");
  Options options;
  app.add_option("--filters", options.filters, "frei0r filters, in order")->capture_default_str();
  app.add_option("--rounds", options.rounds, "Rounds of all three")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "Of each")
      ->check(CLI::Range(0.1, 60.0))
      ->capture_default_str();
  app.add_option("--fps", options.fps, "Pace of the engine; 0: as fast as it goes")
      ->check(CLI::Range(0, 240));
  app.add_option("--kills", options.kills,
                 "Instead: kill that many hosts, and tell how many frames were held for each; with --fps")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--width", options.size.width, "Pixels")->check(CLI::Range(16, 8192))->capture_default_str();
  app.add_option("--height", options.size.height, "Pixels")
      ->check(CLI::Range(16, 8192))
      ->capture_default_str();
  app.add_flag("--json", options.is_json, "For scripts");
  CLI11_PARSE(app, argc, argv);

  Chain chain(options);
  if (options.kills > 0) return tell_held_frames(chain, options);
  std::vector<Way> ways{{"loop", [&] { return chain.loop(); }},
                        {"in-process", [&] { return chain.engine(show::Hosting::in_process); }},
                        {"own-process", [&] { return chain.engine(show::Hosting::own_process); }}};
  for (int round = 0; round < options.rounds; ++round) {
    for (auto& way : ways)
      way.rounds.push_back(way.run());
  }
  print(ways, options);
  for (const auto& event : chain.events())
    fmt::print(stderr, "{}\n", event);
  return chain.events().empty() ? 0 : 1;
}
