// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/probe_loop.hpp"

#include "node/host/channel.hpp"
#include "node/host/confinement.hpp"
#include "node/host/control_block.hpp"
#include "node/host/library_report.hpp"
#include "node/plugin/frei0r/frei0r_instance.hpp"

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>

namespace submix::host {
namespace {

// Address space for all libraries of a distribution together: OpenCV's and Cairo's are among them.
constexpr std::size_t kLibrariesBytesMax = std::size_t{4} << 30U;

bool tell(const Result<plugin::Description>& report) {
  auto bytes = encode(report);
  if (bytes.size() > kMessageBytesMax)
    bytes =
        encode(fail("its description has {} bytes, more than {}", bytes.size(), kMessageBytesMax));
  return ::write(kChannelDescriptor, bytes.data(), bytes.size()) >= 0;
}

}  // namespace

int run_probe(const std::vector<std::filesystem::path>& folders) {
  ::close_range(kChannelDescriptor + 1, ~0U, 0);  // descriptors that the node may have left open
  if (const auto confined = confine({.readable = folders, .memory_bytes_max = kLibrariesBytesMax});
      !confined)
    return tell(tl::unexpected(confined.error())) ? 1 : 2;
  std::array<char, 4096> name{};
  for (;;) {
    const auto length = ::read(kChannelDescriptor, name.data(), name.size());
    if (length <= 0) std::_Exit(0);  // runs no destructors of libraries
    if (!tell(plugin::describe_frei0r(std::string(name.data(), static_cast<std::size_t>(length)))))
      return 2;
  }
}

}  // namespace submix::host
