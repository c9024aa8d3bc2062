// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/host_loop.hpp"

#include "common/base/descriptor.hpp"
#include "common/base/realtime.hpp"
#include "common/base/result.hpp"
#include "common/media/frame.hpp"
#include "node/host/channel.hpp"
#include "node/host/confinement.hpp"
#include "node/host/control_block.hpp"
#include "node/host/futex.hpp"
#include "node/host/host_views.hpp"
#include "node/host/probe_status.hpp"
#include "node/plugin/frei0r_instance.hpp"
#include "node/plugin/frei0r_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::host {
namespace {

// Address space: the views with what is around them, pictures for plugins that keep some, and
// libraries, of which OpenCV's are the largest.
constexpr std::size_t kPicturesOfPluginMax = 128;
constexpr std::size_t kOtherBytesMax = std::size_t{1} << 30U;

ControlBlock* map_control_block() {
  void* const mapped =
      ::mmap(nullptr, kControlBytes, PROT_READ | PROT_WRITE, MAP_SHARED, kControlDescriptor, 0);
  ::close(kControlDescriptor);
  return mapped == MAP_FAILED ? nullptr : static_cast<ControlBlock*>(mapped);
}

class Host {
 public:
  Host(HostTask task, ControlBlock& control)
      : task_(std::move(task)), control_(control), views_(task_.size) {}

  // Ends only by an error or by the end of the process.
  Result<void> run() {
    become_ordinary_when_out_of_time();
    if (auto confined = confine_self(); !confined) return confined;
    for (std::uint32_t done = 0;;) {
      const auto asked = control_.asked.load(std::memory_order_acquire);  // the job was published before
      if (asked == done) {
        wait_while(control_.asked, done, std::nullopt);
        continue;
      }
      if (auto worked = work(control_.job); !worked) return worked;
      done = asked;
      control_.answered.store(done, std::memory_order_release);  // publishes the picture
      wake(control_.answered);
    }
  }

 private:
  Result<void> confine_self() {
    const auto picture_bytes = task_.size.pixels() * media::kBytesPerRgbaPixel;
    return confine({.readable = {task_.file.parent_path()},
                    .memory_bytes_max = HostViews::address_bytes_max(task_.size) +
                                        kPicturesOfPluginMax * picture_bytes + kOtherBytesMax});
  }

  Result<void> work(const Job& job) {
    while (messages_ != job.messages) {
      auto received = receive(kChannelDescriptor);
      if (!received) return tl::unexpected(received.error());
      ++messages_;
      if (auto taken = std::visit([&](const auto& message) { return take(message, received->descriptor); },
                                  received->message);
          !taken)
        return taken;
    }
    if (is_ready_) {
      std::ranges::fill(std::exchange(task_.spare_mark, {}), '\0');
      draw(job);
    }
    is_ready_ = true;
    return {};
  }

  Result<void> take(const MapView& view, const Descriptor& memory) { return views_.map(view, memory.get()); }

  // The first ones are what the instance is made with.
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

  Result<void> make(const SetParameters& parameters) {
    plugin::Setup setup;
    setup.slot = task_.slot;
    setup.size = task_.size;
    setup.parameters = parameters.values;
    auto made = plugin::Frei0rInstance::make(task_.file, setup);
    if (!made) return tl::unexpected(std::move(made.error()));
    plugin_ = std::move(*made);
    return {};
  }

  void draw(const Job& job) {
    for (std::size_t i = 0; i < std::min<std::size_t>(job.number_count, kNumbersMax); ++i) {
      const auto& [place, value] = control_.numbers[i];
      if (place < names_.size()) plugin_->set(names_[place], value);
    }
    plugin::Frei0rInstance::Inputs inputs{};
    for (std::size_t i = 0; i < plugin_->input_count(); ++i)
      inputs[i] = views_.pixels(job.inputs[i]);
    plugin_->draw(std::chrono::nanoseconds(job.pts_ns), inputs, views_.pixels(job.output));
  }

  HostTask task_;
  ControlBlock& control_;
  HostViews views_;
  std::unique_ptr<plugin::Frei0rInstance> plugin_;
  std::vector<std::string> names_;  // of its parameters, as the first message had them
  std::uint32_t messages_ = 0;
  bool is_ready_ = false;  // job 1 is done
};

void tell(ControlBlock& control, std::string_view problem) {
  const auto length = std::min(problem.size(), control.problem.size() - 1);
  std::memcpy(control.problem.data(), problem.data(), length);
  control.problem[length] = '\0';
}

}  // namespace

int run(const HostTask& task) {
  ::close_range(kControlDescriptor + 1, ~0U, 0);  // whatever the node may have left open
  auto* const control = map_control_block();
  if (control == nullptr) return 1;
  Host host(task, *control);
  const auto ended = host.run();
  tell(*control, ended ? "it ended" : ended.error().message);
  std::_Exit(1);  // a plugin's destructors have no say here
}

int probe(const std::filesystem::path& file) {
  ::close_range(STDERR_FILENO + 1, ~0U, 0);  // as above
  if (!confine({.readable = {file.parent_path()}, .memory_bytes_max = kOtherBytesMax})) return 1;
  const auto memory = plugin::probe_frei0r_memory(file);
  const int status = !memory ? 1 : *memory == plugin::Memory::none ? kKeepsNothing : kKeepsFrames;
  std::_Exit(status);  // as above
}

}  // namespace submix::host
