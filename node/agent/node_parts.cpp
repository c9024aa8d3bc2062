// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/node_parts.hpp"

#include "common/base/log.hpp"
#include "node/agent/machine_probe.hpp"
#include "node/decode/network_plugin.hpp"
#include "node/decode/remote_sound.hpp"
#include "node/decode/remote_source.hpp"
#include "node/host/hosted_plugin.hpp"
#include "node/host/library_probe.hpp"
#include "node/host/memory_probe.hpp"
#include "node/io/clip/still.hpp"
#include "node/io/io_plugins.hpp"
#include "node/io/pipe/pipe_in.hpp"
#include "node/io/pipe/pipe_out.hpp"
#include "node/shader/shader_folders.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <limits>
#include <utility>
#include <vector>

namespace submix::agent {
namespace {

std::string new_instance() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{:x}-{}", std::chrono::duration_cast<std::chrono::microseconds>(now).count(),
                     ::getpid());
}

/// Memory that frames may use: nine tenths of the free memory.
std::size_t memory_for_frames() {
  const auto available = memory_available_bytes();
  return available == 0 ? std::numeric_limits<std::size_t>::max() : available / 10 * 9;
}

Result<std::unique_ptr<host::HostKeeper>> open_host_keeper() {
  auto keeper = host::HostKeeper::open(host::host_program());
  if (!keeper) log::warning("no plugin runs in a process of its own: {}", keeper.error().message);
  return keeper;
}

/// Files are decoded in this process only if it cannot start a decoder process.
io::SourceOpener source_opener(const Result<std::unique_ptr<host::HostKeeper>>& hosts) {
  return hosts ? decode::open_in_decoders(**hosts) : io::SourceOpener();
}

io::ClipSoundOpener sound_opener(const Result<std::unique_ptr<host::HostKeeper>>& hosts) {
  if (hosts) return decode::open_sound_in_decoders(**hosts);
  return
      [&hosts](const io::OpenFile&, const std::string&) -> Result<std::unique_ptr<io::ClipSound>> {
        return tl::unexpected(hosts.error());
      };
}

void add_pipe(plugin::Catalog& catalog, const io::PipeOptions& pipe) {
  if (pipe.direction == io::PipeDirection::in) {
    io::add_pipe_in(catalog, pipe);
  } else {
    io::add_pipe_out(catalog, pipe);
  }
}

plugin::MediaFiles media_files(const io::MediaFolders& folders) {
  return {
      .read = [folders](const std::string& file,
                        std::size_t bytes_max) { return io::read_media(folders, file, bytes_max); },
      .state = [folders](const std::string& file) { return io::state_of_media(folders, file); }};
}

void add_plugins(NodeParts& parts) {
  const auto stop = parts.probing.get_token();
  plugin::add_built_ins(parts.catalog, media_files(parts.folders));
  parts.catalog.host_with(
      [&hosts = parts.hosts](
          const plugin::Description& description, const std::filesystem::path& file,
          const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
        SUBMIX_TRY(hosts);
        return host::make_hosted_plugin(**hosts, description, file, setup);
      });
  parts.catalog.probe_memory_with([stop](const std::filesystem::path& file) {
    return host::probe_memory(host::host_program(), file, stop);
  });
  parts.catalog.probe_libraries_with([stop](const std::vector<std::filesystem::path>& files) {
    return host::library_prober(host::host_program(), files, host::kProbeTimeout, stop);
  });
  shader::add_shaders(parts.catalog, shader::shader_folders(parts.folders.media));
  io::add_io_plugins(parts.catalog, parts.folders, parts.opener, parts.output, parts.displays,
                     parts.clips);
  decode::add_network(parts.catalog, parts.hosts);
  parts.streams->add_plugins(parts.catalog);
  if (parts.options.pipe) add_pipe(parts.catalog, *parts.options.pipe);
}

StandbyPictures::Files picture_files(const io::MediaFolders& folders,
                                     const io::SourceOpener& opener) {
  return {
      [folders](const std::string& file) { return io::state_of_media(folders, file); },
      [folders, opener](const std::string& file, Size size) -> Result<std::vector<std::uint8_t>> {
        auto opened = io::open_media(folders, file);
        SUBMIX_TRY(opened);
        return io::load_still(std::move(*opened), size, opener);
      }};
}

// How long a node may take to answer before it counts as silent.
constexpr std::chrono::milliseconds kAnswerPatience(500);
// For a part of a file from a slow disk, or the digest of a whole file.
constexpr std::chrono::seconds kPartPatience(10);

}  // namespace

NodeParts::NodeParts(const NodeOptions& node_options, std::unique_ptr<cluster::Bus> node_bus,
                     std::shared_ptr<Mailbox> node_mailbox)
    : options(node_options),
      folders{options.media_folder, options.recordings_folder, options.allows_any_file},
      instance(new_instance()),
      started(clock.now()),
      mailbox(std::move(node_mailbox)),
      bus(std::move(node_bus)),
      cluster(*bus),
      events(options.name, cluster),
      trace(options.name, options.traces_folder, events, clock),
      displays(std::make_shared<io::Displays>([wake = mailbox] { wake->wake(); })),
      hosts(open_host_keeper()),
      opener(source_opener(hosts)),
      sound(
          options.name, [this](const auto& heard) { cluster.publish(heard); },
          [this](LocalTime local) { return cluster_clock.time_at(local); }, events, clock,
          {clips, folders, sound_opener(hosts)}),
      film_sound(options.is_rendering ? std::make_unique<FilmSound>(folders, sound_opener(hosts))
                                      : nullptr),
      followed_sound(film_sound ? static_cast<FollowedSound&>(*film_sound) : sound),
      trace_shelf([this](auto look_back) { return trace.text(look_back, streams->readings()); }),
      missing_files([this](const std::string& file) { return io::state_of_media(folders, file); }),
      copies(folders,
             [this](const std::string& from, const std::string& file, std::uint64_t offset) {
               return cluster.request_media_part(from, file, offset, kPartPatience);
             }),
      ended_nodes([this](const std::string& node) { return is_there(node); }),
      slow_work(std::in_place) {}

Result<void> NodeParts::open() {
  SUBMIX_TRY(open_data_plane());
  make_streams();
  make_submixes();
  return {};
}

void NodeParts::end() {
  probing.request_stop();
  slow_work.reset();
}

Result<void> NodeParts::open_data_plane() {
  link::DataPlaneOptions plane;
  plane.node = options.name;
  plane.addresses = options.data_addresses;
  plane.port = options.data_port;
  if (options.key) plane.key = options.key->stream_key();
  plane.takes_partners_only = identity.has_value();
  plane.events = &events;
  plane.trace = &trace.trace();
  // So that the endpoints are reported at once.
  plane.on_endpoints = [wake = mailbox] { wake->wake(); };
  auto opened = link::DataPlane::start(std::move(plane));
  SUBMIX_TRY(opened);
  data_plane = std::move(*opened);
  return {};
}

void NodeParts::make_streams() {
  streams = std::make_unique<Streams>(
      options.name, Streams::Dependencies{*data_plane, transport, events, clock, epochs,
                                          picture_files(folders, opener)});
}

void NodeParts::make_submixes() {
  add_plugins(*this);
  submixes = std::make_unique<Submixes>(
      engine::PatchEnvironment{catalog, events, clock, transport, &trace.trace(), memory_for_frames,
                               [this](LocalTime local) { return cluster_clock.time_at(local); },
                               &followed_sound.source()},
      epochs, [this](const std::string& submix) { return streams->peers_ready(submix); },
      [this](const std::string& submix) { return streams->other_node_of(submix); },
      options.is_rendering);
}

// Without NATS, no node can be asked; running submixes continue.
bool NodeParts::is_there(const std::string& node) {
  return !bus->is_connected() || cluster.is_there(node, kAnswerPatience) || !bus->is_connected();
}

}  // namespace submix::agent
