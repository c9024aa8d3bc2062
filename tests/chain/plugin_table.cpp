// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/chain/plugin_table.hpp"

#include "common/base/clock.hpp"
#include "node/host/host_keeper.hpp"
#include "node/host/hosted_plugin.hpp"
#include "node/host/library_probe.hpp"
#include "node/plugin/catalog.hpp"
#include "node/plugin/frei0r/frei0r_repairs.hpp"
#include "node/plugin/wet.hpp"
#include "tests/chain/processes.hpp"
#include "tests/support/event_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::chain {
namespace {

constexpr Size kSize{1280, 720};
constexpr FrameRate kTableRate{30, 1};
constexpr int kTableFramesToWarmUp = 3;
constexpr int kFramesMax = 60;
constexpr std::chrono::milliseconds kTimeForEach(250);

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown CPU";
}

// '|' would end the cell.
std::string cell(std::string text) {
  std::replace(text.begin(), text.end(), '|', '/');
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string parameters_of(const plugin::Description& description) {
  std::vector<std::string> names;
  for (const auto& parameter : description.parameters) {
    if (parameter.name == plugin::kWet) continue;  // every filter has it
    const bool is_number = parameter.type == plugin::ParameterType::number;
    names.push_back(is_number ? parameter.name
                              : fmt::format("{} ({})", parameter.name, to_string(parameter.type)));
  }
  return cell(fmt::format("{}", fmt::join(names, ", ")));
}

std::string repairs_of(std::string_view id) {
  const auto repair = plugin::find_frei0r_repair(id.substr(show::kFrei0rPrefix.size()));
  std::vector<std::string> done;
  if (!repair) return "";
  if (repair->writes_inputs) done.emplace_back("gets copies of its inputs, which it writes to");
  if (!repair->fixed_parameter.empty())
    done.push_back(
        fmt::format("\"{}\" is fixed at {}", repair->fixed_parameter, repair->fixed_value));
  if (repair->wants_clear_output) done.emplace_back("its output is cleared first");
  if (repair->sets_all) done.emplace_back("all its parameters are set at the start");
  if (repair->runs_alone) done.emplace_back("in process, one instance draws at a time");
  return fmt::format("{}", fmt::join(done, "; "));
}

class Meter {
 public:
  Meter() {
    catalog_.probe_libraries_with(
        [this](const auto& files) { return host::library_prober(program_, files); });
    host::host_plugins_of(catalog_, *keeper_);
  }

  [[nodiscard]] const plugin::Catalog& catalog() const { return catalog_; }

  /// CPU time for a frame, of the plugin's process and this process. Empty: the plugin makes no
  /// frames.
  std::optional<double> milliseconds_of(const plugin::Description& description) {
    plugin::Setup setup{.submix = "table",
                        .slot = "fx",
                        .size = kSize,
                        .rate = kTableRate,
                        .parameters = {},
                        .events = &events_};
    setup.clock = &clock_;
    setup.hosting = show::Hosting::own_process;
    const auto made = catalog_.create(description.id, setup);
    if (!made) return std::nullopt;
    std::vector<media::Frame> inputs;
    for (std::size_t i = 0; i < input_count(description.kind).least; ++i)
      inputs.push_back(noise(static_cast<std::uint32_t>(i + 1)));
    std::uint64_t index = 0;
    for (; index < kTableFramesToWarmUp; ++index)
      draw(**made, index, inputs);
    const auto end = std::chrono::steady_clock::now() + kTimeForEach;
    const auto before = cpu_of_all();
    int frames = 0;
    while (frames < kFramesMax && (frames < 3 || std::chrono::steady_clock::now() < end)) {
      draw(**made, index++, inputs);
      ++frames;
    }
    if (!(*made)->trouble().empty()) return std::nullopt;
    return (cpu_of_all() - before).count() * 1e3 / frames;
  }

 private:
  void draw(plugin::Plugin& plugin, std::uint64_t index, const std::vector<media::Frame>& inputs) {
    plugin::Work work;
    work.inputs = inputs;
    work.stamp = {1, {index}, kTableRate.time_of({index}), {}};
    work.pool = &pool_;
    work.clock = &clock_;
    (void)plugin.process(work);
  }

  media::Frame noise(std::uint32_t seed) {
    auto frame = *pool_.try_acquire();
    for (auto& byte : frame.rgba())
      byte = static_cast<std::uint8_t>((seed = seed * 1664525U + 1013904223U) >> 24U);
    return std::move(frame).publish();
  }

  const std::filesystem::path program_ = host::host_program();
  std::unique_ptr<host::HostKeeper> keeper_ = host::HostKeeper::open(program_).value();
  testing::EventLog events_;
  SteadyClock clock_;
  media::FramePool pool_{kSize, 10, media::Backing::shared};
  plugin::Catalog catalog_;
};

}  // namespace

int print_plugin_table() {
  Meter meter;
  const auto plugins = meter.catalog().list();
  const auto refusals = meter.catalog().refusals();
  fmt::print(
      "# frei0r's plugins, as Submix runs them\n\n"
      "Made by `submix-chain --table > node/plugin/FREI0R.md` with Debian 12's package "
      "frei0r-plugins, on "
      "one\n"
      "{} core. The cost is CPU time for a frame of {}x{}, initial parameters, noise for its "
      "inputs, in a\n"
      "process of its own: that is included. Parameters are numbers from 0 to 1 unless another "
      "type is "
      "named.\nEvery filter has the parameter `wet`, too. Sources draw into a cleared output.\n\n"
      "## {} plugins\n\n| plugin | kind | ms a frame | parameters | what is done for it |\n"
      "| --- | --- | ---: | --- | --- |\n",
      cpu_name(), kSize.width, kSize.height, plugins.size());
  for (const auto& description : plugins) {
    const auto cost = meter.milliseconds_of(description);
    fmt::print("| `{}` | {} | {} | {} | {} |\n", description.id, to_string(description.kind),
               cost ? fmt::format("{:.2f}", *cost) : "-", parameters_of(description),
               repairs_of(description.id));
  }
  fmt::print("\n## {} refused\n\n| plugin | why |\n| --- | --- |\n", refusals.size());
  for (const auto& [id, reason] : refusals)
    fmt::print("| `{}` | {} |\n", id, cell(reason));
  return plugins.empty() ? 1 : 0;
}

}  // namespace submix::chain
