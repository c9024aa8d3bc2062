// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/host_loop.hpp"

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"
#include "common/media/frame.hpp"
#include "node/host/channel.hpp"
#include "node/host/confinement.hpp"
#include "node/host/control_block.hpp"
#include "node/host/host_views.hpp"
#include "node/host/job_loop.hpp"
#include "node/host/probe_status.hpp"
#include "node/plugin/frei0r/frei0r_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace submix::host {
namespace {

// Address space for the views with their guard pages, for the pictures that some plugins keep, and
// for libraries. OpenCV's libraries are the largest.
constexpr std::size_t kPicturesOfPluginMax = 128;
constexpr std::size_t kProbedBytesMax = std::size_t{1} << 30U;

class Host final : public JobHandler {
 public:
  Host(HostTask task, const HostedPlugins& plugins)
      : task_(std::move(task)), plugins_(plugins), views_(task_.size) {}

  Result<void> begin() override {
    if (plugins_.prepare) SUBMIX_TRY(plugins_.prepare());
    const auto picture_bytes = task_.size.pixels() * media::kBytesPerRgbaPixel;
    return confine({.readable = {task_.file.parent_path()},
                    .memory_bytes_max = HostViews::address_bytes_max(task_.size) +
                                        kPicturesOfPluginMax * picture_bytes +
                                        plugins_.other_bytes_max,
                    .uses_devices = plugins_.uses_devices,
                    .uses_network = plugins_.uses_network});
  }

  Result<void> take(Received received) override {
    return std::visit([&](const auto& message) { return take(message, received.descriptor); },
                      received.message);
  }

  Result<void> work(ControlBlock& control) override {
    if (is_ready_) {
      std::ranges::fill(std::exchange(task_.spare_mark, {}), '\0');
      draw(control);
      tell(control.report);
    }
    is_ready_ = true;
    return {};
  }

 private:
  Result<void> take(const MapView& view, const Descriptor& memory) {
    return views_.map(view, memory.get());
  }

  // The first parameters are used to make the instance.
  Result<void> take(const SetParameters& parameters, const Descriptor&) {
    if (plugin_ == nullptr) {
      for (const auto& [name, value] : parameters.values)
        names_.push_back(name);
      return make(parameters);
    }
    for (const auto& [name, value] : parameters.values)
      plugin_->set(name, value);
    return {};
  }

  Result<void> take(const ReadFile& file, const Descriptor&) {
    return fail("a plugin has no use for the file {}", file.name);
  }

  Result<void> make(const SetParameters& parameters) {
    plugin::Setup setup;
    setup.slot = task_.slot;
    setup.size = task_.size;
    setup.parameters = parameters.values;
    auto made = plugins_.make(task_.file, setup);
    SUBMIX_TRY(made);
    plugin_ = std::move(*made);
    return {};
  }

  void draw(const ControlBlock& control) {
    const auto& job = control.job;
    for (std::size_t i = 0; i < std::min<std::size_t>(job.number_count, kNumbersMax); ++i) {
      const auto& [place, value] = control.numbers[i];
      if (place < names_.size()) plugin_->set(names_[place], value);
    }
    plugin::InstanceInputs inputs{};
    for (std::size_t i = 0; i < plugin_->input_count(); ++i)
      inputs[i] = views_.pixels(job.inputs[i]);
    plugin_->draw(std::chrono::nanoseconds(job.pts_ns), inputs, views_.pixels(job.output));
  }

  void tell(HostedReport& told) {
    const auto report = plugin_->report();
    told.counts = report.counts;
    told.trouble.fill('\0');
    report.trouble.copy(told.trouble.data(), told.trouble.size() - 1);
  }

  HostTask task_;
  const HostedPlugins& plugins_;
  HostViews views_;
  std::unique_ptr<plugin::Instance> plugin_;
  std::vector<std::string> names_;  // of its parameters, in the order of the first message
  bool is_ready_ = false;           // job 1 is done
};

}  // namespace

void run(const HostTask& task, const HostedPlugins& plugins) {
  Host host(task, plugins);
  do_jobs(host);
}

int probe(const std::filesystem::path& file) {
  ::close_range(STDERR_FILENO + 1, ~0U, 0);  // as above
  if (!confine({.readable = {file.parent_path()}, .memory_bytes_max = kProbedBytesMax})) return 1;
  const auto memory = plugin::probe_frei0r_memory(file);
  const int status = !memory ? 1 : *memory == plugin::Memory::none ? kKeepsNothing : kKeepsFrames;
  std::_Exit(status);  // as above
}

}  // namespace submix::host
