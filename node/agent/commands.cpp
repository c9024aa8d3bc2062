// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/commands.hpp"

#include "common/cluster/codec.hpp"
#include "common/cluster/media_part.hpp"
#include "common/media/jpeg.hpp"
#include "common/show/macros.hpp"
#include "common/show/parse.hpp"
#include "common/show/text.hpp"
#include "node/agent/effect_picture.hpp"
#include "node/agent/node_share.hpp"
#include "node/io/clip/media_picture.hpp"
#include "node/io/incoming_media.hpp"

#include <chrono>
#include <utility>

namespace submix::agent {
namespace {

cluster::PluginSummary summary_of(const plugin::Description& description) {
  cluster::PluginSummary summary{description.id,
                                 std::string(plugin::to_string(description.kind)),
                                 description.explanation,
                                 description.author,
                                 {},
                                 {},
                                 std::string(plugin::to_string(description.memory))};
  for (const auto& parameter : description.parameters) {
    summary.parameters.push_back({parameter.name, std::string(plugin::to_string(parameter.type)),
                                  parameter.explanation, parameter.initial, parameter.minimum,
                                  parameter.maximum, parameter.choices, parameter.is_integer});
  }
  return summary;
}

Result<cluster::Reply> plugins(const plugin::Catalog& catalog) {
  std::vector<cluster::PluginSummary> summaries;
  for (const auto& description : catalog.list())
    summaries.push_back(summary_of(description));
  for (const auto& [id, reason] : catalog.refusals())
    summaries.push_back({.id = id, .refused_because = reason});
  return summaries;
}

Result<engine::TapPicture> newest_picture(const cluster::Command& command, const Submixes& submixes,
                                          int width_max) {
  auto picture = submixes.picture(command.submix, command.slot, width_max);
  SUBMIX_TRY(picture);
  if (!*picture) return fail("{}: no frame has been made yet", command.submix);
  return **std::move(picture);
}

Result<cluster::Reply> snapshot(const cluster::Command& command, const Submixes& submixes) {
  const auto picture = newest_picture(command, submixes, command.width_max);
  SUBMIX_TRY(picture);
  const auto& [image, stamp] = *picture;
  if (command.is_preview) {
    auto jpeg = media::encode_jpeg(image);
    SUBMIX_TRY(jpeg);
    return cluster::Snapshot{image.size, stamp.index.value, {}, *std::move(jpeg)};
  }
  return cluster::Snapshot{image.size, stamp.index.value,
                           std::string(image.pixels.begin(), image.pixels.end())};
}

// "{"name":"…","bytes":…,"pictures":…}", in the message's JSON.
constexpr std::size_t kBytesAroundAName = 72;

Result<cluster::Reply> media(const io::MediaFolders& folders) {
  auto found = io::list_media(folders, cluster::MediaList::kFilesMax);
  SUBMIX_TRY(found);
  cluster::MediaList list;
  list.is_cut = found->is_cut;
  std::size_t bytes = 0;
  for (auto& file : found->files) {
    if (!show::is_plain_text(file.name)) continue;  // a show cannot name it
    bytes += file.name.size() + kBytesAroundAName;
    if (bytes > cluster::kMessageBytesMax / 2) {
      list.is_cut = true;
      break;
    }
    list.files.push_back({std::move(file.name), file.bytes, file.pictures});
  }
  for (auto& lut : found->luts) {
    if (!show::is_plain_text(lut)) continue;
    bytes += lut.size() + kBytesAroundAName;
    if (bytes > cluster::kMessageBytesMax / 2) break;
    list.luts.push_back(std::move(lut));
  }
  return list;
}

Result<cluster::Reply> media_picture(const cluster::Command& command, const CommandContext& node) {
  using Picture = cluster::MediaPicture;
  auto file = io::open_clip(node.folders, command.file);
  SUBMIX_TRY(file);
  auto found = io::read_media_picture(*std::move(file), {Picture::kWidth, Picture::kHeight},
                                      command.at, node.opener);
  SUBMIX_TRY(found);
  auto jpeg = media::encode_jpeg(found->picture);
  SUBMIX_TRY(jpeg);
  return Picture{*std::move(jpeg),
                 {found->own_size, found->seconds, found->rate, std::move(found->codec),
                  std::chrono::duration<double, std::milli>(found->decoding).count()}};
}

Result<cluster::Reply> media_part(const cluster::Command& command, const CommandContext& node) {
  const auto file = io::open_copied(node.folders, command.file);
  SUBMIX_TRY(file);
  auto part = cluster::read_media_part(file->descriptor.get(), command.offset);
  if (!part) return fail("{}: {}", file->path.string(), part.error().message);
  return *std::move(part);
}

Result<cluster::Reply> media_copy(const cluster::Command& command, MediaCopies& copies) {
  auto progress = copies.ask(command);
  SUBMIX_TRY(progress);
  return *std::move(progress);
}

Result<cluster::Reply> effect_picture(const cluster::Command& command, const CommandContext& node) {
  const auto now = newest_picture(command, node.submixes, cluster::kEffectPictureWidth);
  SUBMIX_TRY(now);
  constexpr std::chrono::milliseconds kPatience(2000);
  const auto image =
      picture_with_effect(now->image, command.plugin, node.catalog, node.hosts, kPatience);
  SUBMIX_TRY(image);
  auto jpeg = media::encode_jpeg(*image);
  SUBMIX_TRY(jpeg);
  return cluster::Snapshot{image->size, now->stamp.index.value, {}, *std::move(jpeg)};
}

Result<cluster::Reply> check(const cluster::Command& command, const CommandContext& node) {
  const auto show = show::parse(command.show, "the show to be checked");
  if (!show) return fail("{}", show::to_string(show.error()));
  const auto share = share_of(show::expand(*show), node.name);
  node.catalog.probe(plugins_of(share).all);
  auto faults = node.submixes.find_faults(share, command.is_whole);
  if (faults.size() > cluster::kSubmixFaultsMax) faults.resize(cluster::kSubmixFaultsMax);
  return faults;
}

}  // namespace

Result<cluster::Reply> answer(const cluster::Command& command, const CommandContext& node,
                              TraceShelf& traces) {
  switch (command.kind) {
    case cluster::CommandKind::snapshot:
      return snapshot(command, node.submixes);
    case cluster::CommandKind::plugins:
      return plugins(node.catalog);
    case cluster::CommandKind::check:
      return check(command, node);
    case cluster::CommandKind::media:
      return media(node.folders);
    case cluster::CommandKind::media_picture:
      return media_picture(command, node);
    case cluster::CommandKind::media_part:
      return media_part(command, node);
    case cluster::CommandKind::media_copy:
      return media_copy(command, node.copies);
    case cluster::CommandKind::effect_picture:
      return effect_picture(command, node);
    case cluster::CommandKind::trace:
      return traces.part(command).map(
          [](cluster::TracePart part) { return cluster::Reply(std::move(part)); });
  }
  return fail("this submix-node does not know the command; update it");
}

}  // namespace submix::agent
