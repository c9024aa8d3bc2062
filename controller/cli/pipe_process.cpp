// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/pipe_process.hpp"

#include "common/cluster/membership.hpp"
#include "controller/local/last_line.hpp"
#include "controller/local/start_node.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace submix::cli {
namespace {

constexpr std::chrono::milliseconds kGrace(1500);
constexpr std::size_t kLineMax = 4096;  // of untrusted text

/// Inherited by the node, unlike all other descriptors.
Descriptor inherited(int descriptor) {
  return Descriptor(::dup(descriptor));
}

/// Closing alone would give the number to the next file.
void put_nothing_in_place_of(int descriptor) {
  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (nothing) ::dup2(nothing.get(), descriptor);
}

std::filesystem::path log_in(const std::filesystem::path& folder) {
  return folder / "node.log";
}

/// A node without address and key follows the desk that this PC has joined, also to a new key.
bool is_desk_of_pc(const Context& context) {
  const auto membership = cluster::read_membership();
  return membership && *membership && (*membership)->nats_url == context.url &&
         (*membership)->key_file == context.key_file;
}

std::vector<std::string> command_for(const Context& context, const std::string& name,
                                     const std::filesystem::path& folder) {
  // The node's folder has nothing to offer: only this user's programs see the current one.
  local::NodeOptions node{.name = name, .media = folder, .recordings = folder, .traces = folder};
  if (!is_desk_of_pc(context)) {
    node.nats_url = context.url;
    node.key_file = context.key_file;
  }
  auto command = local::node_command(node);
  // The show's own threads go first.
  command.insert(command.end(), {"--realtime", "off", "--no-trace-at-end"});
  return command;
}

}  // namespace

Result<PipeProcess> PipeProcess::start(const Context& context, const Options& options) {
  auto folder = StateFolder::make(std::filesystem::temp_directory_path(), "submix-pipe-");
  SUBMIX_TRY(folder);
  std::array<int, 2> status{};
  if (::pipe2(status.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    return fail("no pipe for the node's status: {}", std::strerror(errno));
  Descriptor reading(status[0]);
  const Descriptor writing(status[1]);
  const auto node_data = inherited(options.descriptor);
  const auto node_status = inherited(writing.get());
  if (!node_data || !node_status) return fail("no descriptor is left: {}", std::strerror(errno));

  auto command = command_for(context, options.name, folder->path());
  command.emplace_back("--pipe");
  command.push_back(
      fmt::format("{},{},{}{}", options.format, node_data.get(), node_status.get(), options.more));
  auto node = ChildProcess::start(command, log_in(folder->path()));
  SUBMIX_TRY(node);
  put_nothing_in_place_of(options.descriptor);
  return PipeProcess(*std::move(folder), std::move(reading), *std::move(node));
}

std::optional<std::string> PipeProcess::next_line() {
  std::array<char, 1024> bytes{};
  for (;;) {
    const auto end = unread_.find('\n');
    if (end != std::string::npos) {
      auto line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    const auto read = ::read(status_.get(), bytes.data(), bytes.size());
    if (read <= 0 || unread_.size() > kLineMax) return std::nullopt;
    unread_.append(bytes.data(), static_cast<std::size_t>(read));
  }
}

Result<void> PipeProcess::check() {
  const auto status = node_.exit_status();
  if (!status) return {};
  return fail("the pipe's node has ended (status {}): {}", *status,
              local::last_line(log_in(folder_.path())));
}

void PipeProcess::end() {
  node_.terminate(kGrace);
}

}  // namespace submix::cli
