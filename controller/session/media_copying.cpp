// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/media_copying.hpp"

#include "common/base/descriptor.hpp"
#include "common/cluster/media_part.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <thread>

namespace submix::session {
namespace {

constexpr std::chrono::milliseconds kProgressPeriod{200};

Result<Descriptor> open_own_file(const std::string& path) {
  Descriptor opened(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!opened) return fail("{}: cannot be read: {}", path, std::strerror(errno));
  struct stat status{};
  if (::fstat(opened.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return fail("{}: is no plain file; name a clip or a picture", path);
  if (status.st_size == 0) return fail("{}: is empty (0 bytes)", path);
  return opened;
}

Result<void> wait_for_copy(cluster::Cluster& cluster, const std::string& node,
                           cluster::MediaCopyOrder order, const CopyWatch& go_on) {
  while (true) {
    const auto copy = cluster.request_media_copy(node, order);
    SUBMIX_TRY(copy);
    const bool is_wanted = go_on(*copy);
    if (copy->is_over && !copy->error.empty()) return fail("{}: {}", node, copy->error);
    if (copy->is_over) return {};
    if (!is_wanted) order.is_stop = true;
    std::this_thread::sleep_for(kProgressPeriod);
  }
}

}  // namespace

std::string name_of_copy(const MediaOrigin& origin) {
  return origin.node.empty() ? std::filesystem::path(origin.file).filename().string() : origin.file;
}

Result<void> copy_media(cluster::Cluster& cluster, const MediaOrigin& origin,
                        const std::string& node, const std::string& name, const CopyWatch& go_on) {
  const auto token = cluster::new_token();
  if (!origin.node.empty() && origin.file != name)
    return fail("{}: keeps its name when it is copied from {} to {}", origin.file, origin.node,
                node);
  if (!origin.node.empty()) return wait_for_copy(cluster, node, {token, name, origin.node}, go_on);

  auto file = open_own_file(origin.file);
  SUBMIX_TRY(file);
  const auto shared = std::make_shared<const Descriptor>(*std::move(file));
  const auto giver = "giver-" + token;
  const auto giving = cluster.give_media(giver, [shared](std::uint64_t offset) {
    return cluster::read_media_part(shared->get(), offset);
  });
  return wait_for_copy(cluster, node, {token, name, giver}, go_on);
}

}  // namespace submix::session
