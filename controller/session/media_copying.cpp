// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/media_copying.hpp"

#include "common/base/files.hpp"
#include "common/cluster/media_part.hpp"
#include "common/media/cube_file.hpp"
#include "controller/model/edit/lut.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

namespace submix::session {
namespace {

constexpr std::chrono::milliseconds kProgressPeriod{200};
constexpr std::chrono::seconds kAwayMax{15};
constexpr std::chrono::seconds kStopMax{3};

// NATS or the node may be away for a moment; the copy goes on meanwhile.
Result<void> wait_for_copy(cluster::Cluster& cluster, const std::string& node,
                           cluster::MediaCopyOrder order, const CopyWatch& go_on) {
  using std::chrono::steady_clock;
  auto answered = steady_clock::now();
  bool is_begun = false;
  cluster::MediaCopy latest;
  std::optional<steady_clock::time_point> stopped;
  while (true) {
    const auto copy = cluster.request_media_copy(node, order);
    if (copy) answered = steady_clock::now();
    const bool is_lost = !copy && (!is_begun || steady_clock::now() - answered > kAwayMax);
    if (is_lost) return tl::unexpected(copy.error());
    is_begun = true;
    if (copy && copy->is_over)
      return copy->error.empty() ? Result<void>() : fail("{}: {}", node, copy->error);
    if (copy) latest = *copy;
    const bool is_wanted = go_on(latest);
    if (!is_wanted && !stopped) stopped = steady_clock::now();
    if (stopped && steady_clock::now() - *stopped > kStopMax)
      return fail("{}: was told to stop the copy of {}, but has not answered yet", node,
                  order.file);
    order.is_stop = stopped.has_value();
    std::this_thread::sleep_for(kProgressPeriod);
  }
}

}  // namespace

Result<Descriptor> open_own_file(const std::string& path) {
  Descriptor opened(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!opened) return fail("{}: cannot be read: {}", path, std::strerror(errno));
  struct stat status{};
  const bool is_known = ::fstat(opened.get(), &status) == 0;
  if (is_known && S_ISDIR(status.st_mode)) {
    return fail(
        "{}: is a folder, and folders are not taken; choose or drop the clips and pictures "
        "in it instead, several at once",
        path);
  }
  if (!is_known || !S_ISREG(status.st_mode))
    return fail("{}: is no plain file; name a clip or a picture", path);
  if (status.st_size == 0) return fail("{}: is empty (0 bytes)", path);
  return opened;
}

std::string name_of_copy(const MediaOrigin& origin) {
  return origin.node.empty() ? std::filesystem::path(origin.file).filename().string() : origin.file;
}

Result<void> check_own_lut(const std::string& path) {
  constexpr auto kBytesMax = media::CubeFile::kBytesMax;
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(path, failed);
  if (!failed && bytes > kBytesMax)
    return fail("{}: has {} bytes; at most {} are read; export the LUT with fewer points", path,
                bytes, kBytesMax);

  const auto text = read_text_file(path, kBytesMax);
  SUBMIX_TRY(text);
  SUBMIX_TRY(media::parse_cube(*text, path));
  return {};
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
  // It would take the place of a LUT that works.
  if (model::is_lut_name(origin.file)) SUBMIX_TRY(check_own_lut(origin.file));
  const auto shared = std::make_shared<const Descriptor>(*std::move(file));
  const auto giver = "giver-" + token;
  const auto giving = cluster.give_media(giver, [shared](std::uint64_t offset) {
    return cluster::read_media_part(shared->get(), offset);
  });
  return wait_for_copy(cluster, node, {token, name, giver}, go_on);
}

}  // namespace submix::session
