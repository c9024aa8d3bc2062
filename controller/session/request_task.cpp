// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/request_task.hpp"

#include "common/base/files.hpp"
#include "common/media/jpeg.hpp"
#include "common/show/announce.hpp"
#include "common/show/parse.hpp"
#include "controller/session/file_note.hpp"
#include "controller/session/missing_media.hpp"
#include "controller/session/picture_schedule.hpp"
#include "controller/session/show_storage.hpp"
#include "controller/session/trace_merge.hpp"

#include <chrono>
#include <memory>
#include <utility>
#include <variant>

namespace submix::session {
namespace {

using Queue = RequestQueue;
using Unexpected = tl::unexpected<Error>;

// Both functions share the request, since only one of them is called.
template <typename Kind, typename Run, typename Refused>
RequestTask make_task(Queue queue, Kind request, Run run, Refused refused) {
  const auto shared = std::make_shared<Kind>(std::move(request));
  return {queue, [shared, run](ClusterAccess& cluster) -> Reply { return run(cluster, *shared); },
          [shared, refused](const Error& error) -> Reply {
            return refused(*shared, Unexpected(error));
          }};
}

// Writes the show, unless a node cannot run it. Changes of pace are announced as late as possible:
// asking the nodes may take seconds.
WriteOutcome write_checked(ClusterAccess& cluster, WriteShow& write) {
  using Kind = WriteOutcome::Kind;
  auto check = cluster.ask_nodes(write.before.get(), *write.after);
  if (const auto verdict = check.verdict(); !verdict)
    return {check.is_unreachable ? Kind::failed : Kind::declined, 0, verdict.error().message};

  std::shared_ptr<show::Show> announced;
  if (show::needs_announcement(write.before.get(), *write.after)) {
    const auto now = cluster.show_time();
    if (!now) return {Kind::failed, 0, now.error().message};
    announced = std::make_shared<show::Show>(*write.after);
    show::announce(write.before.get(), *announced, show::announced_after(*now));
    write.show.toml = show::to_toml(*announced);
  }

  auto outcome = cluster.write_show(write.show, write.expected_revision);
  outcome.warnings = std::move(check.absent);
  outcome.announced = std::move(announced);
  return outcome;
}

// Its pixels, if it came as a JPEG.
Result<cluster::Snapshot> decoded(Result<cluster::Snapshot> picture) {
  if (!picture || picture->jpeg.empty()) return picture;
  const auto image = media::decode_jpeg(picture->jpeg, picture->size);
  SUBMIX_TRY(image);
  picture->rgb24.assign(image->pixels.begin(), image->pixels.end());
  picture->jpeg.clear();
  return picture;
}

Result<cluster::Snapshot> take_picture(ClusterAccess& cluster, const TakePicture& take) {
  const int width_max = take.is_large ? kLargePictureWidthMax : kPictureWidthMax;
  cluster::Command command{cluster::CommandKind::snapshot, take.key.submix, take.slot, width_max};
  command.is_preview = true;
  return decoded(cluster.take_snapshot(take.node, command));
}

Result<model::MediaPicture> take_media_picture(ClusterAccess& cluster,
                                               const model::MediaPictureKey& key) {
  using Picture = cluster::MediaPicture;
  constexpr Size kSize{Picture::kWidth, Picture::kHeight};
  auto taken = cluster.take_media_picture(
      key.node, key.file, static_cast<double>(key.step) / model::MediaPictureKey::kSteps);
  SUBMIX_TRY(taken);
  const auto image = media::decode_jpeg(taken->jpeg, kSize);
  SUBMIX_TRY(image);
  auto picture = std::make_shared<cluster::Snapshot>(
      cluster::Snapshot{kSize, 0, std::string(image->pixels.begin(), image->pixels.end())});
  return model::MediaPicture{std::move(picture), std::move(taken->facts), {}};
}

RequestTask task(WriteShow request) {
  return make_task(
      Queue::writes, std::move(request),
      [](ClusterAccess& cluster, WriteShow& write) {
        return ShowWritten{write_checked(cluster, write)};
      },
      [](WriteShow&, const Unexpected& error) {
        return ShowWritten{{WriteOutcome::Kind::failed, 0, error.value().message}};
      });
}

RequestTask task(WriteTransport request) {
  return make_task(
      Queue::writes, std::move(request),
      [](ClusterAccess& cluster, WriteTransport& write) {
        return TransportWritten{write.transport, cluster.write_transport(write.transport)};
      },
      [](WriteTransport& write, const Unexpected& error) {
        return TransportWritten{write.transport, error};
      });
}

RequestTask task(TakePicture request) {
  return make_task(
      Queue::questions, std::move(request),
      [](ClusterAccess& cluster, TakePicture& take) {
        return PictureTaken{take.key, take_picture(cluster, take)};
      },
      [](TakePicture& take, const Unexpected& error) { return PictureTaken{take.key, error}; });
}

RequestTask task(ListPlugins request) {
  return make_task(
      Queue::slow, std::move(request),
      [](ClusterAccess& cluster, ListPlugins& list) {
        return PluginsListed{list.node, cluster.list_plugins(list.node)};
      },
      [](ListPlugins& list, const Unexpected& error) { return PluginsListed{list.node, error}; });
}

RequestTask task(ListMedia request) {
  return make_task(
      Queue::slow, std::move(request),
      [](ClusterAccess& cluster, ListMedia& list) {
        return MediaListed{list.node, cluster.list_media(list.node)};
      },
      [](ListMedia& list, const Unexpected& error) { return MediaListed{list.node, error}; });
}

RequestTask task(TakeMediaPicture request) {
  return make_task(
      Queue::media, std::move(request),
      [](ClusterAccess& cluster, TakeMediaPicture& take) {
        return MediaPictureTaken{take.key, take_media_picture(cluster, take.key)};
      },
      [](TakeMediaPicture& take, const Unexpected& error) {
        return MediaPictureTaken{take.key, error};
      });
}

RequestTask task(TakeEffectPicture request) {
  return make_task(
      Queue::media, std::move(request),
      [](ClusterAccess& cluster, TakeEffectPicture& take) {
        auto taken =
            cluster.take_effect_picture(take.node, {take.key.submix, take.slot}, take.key.plugin);
        return EffectPictureTaken{take.key, decoded(std::move(taken))};
      },
      [](TakeEffectPicture& take, const Unexpected& error) {
        return EffectPictureTaken{take.key, error};
      });
}

MissingMediaFound find_missing(ClusterAccess& cluster, const FindMissingMedia& find) {
  const MediaQuestions questions{
      [&](const std::string& node) { return cluster.list_media(node); },
      [&](const model::NodeFile& wanted) {
        return cluster.take_media_picture(wanted.node, wanted.file, 0).has_value();
      }};
  auto found = find_missing_media(questions, *find.show, find.nodes);
  return {find.opening, std::move(found.files), std::move(found.faults)};
}

RequestTask task(FindMissingMedia request) {
  return make_task(
      Queue::media, std::move(request),
      [](ClusterAccess& cluster, FindMissingMedia& find) { return find_missing(cluster, find); },
      [](FindMissingMedia& find, const Unexpected& error) {
        return MissingMediaFound{find.opening, error};
      });
}

RequestTask task(CopyMediaFile request) {
  return make_task(
      Queue::copies, std::move(request),
      [](ClusterAccess& cluster, CopyMediaFile& copy) {
        const auto go_on = [&copy](const cluster::MediaCopy& now) {
          copy.progress->bytes = now.bytes;
          copy.progress->bytes_all = now.bytes_all;
          return !copy.progress->is_stopped;
        };
        return MediaCopied{copy.node, cluster.copy_media(copy.origin, copy.node, copy.name, go_on)};
      },
      [](CopyMediaFile& copy, const Unexpected& error) { return MediaCopied{copy.node, error}; });
}

RequestTask task(ReadFile request) {
  return make_task(
      Queue::files, std::move(request),
      [](ClusterAccess&, ReadFile& read) {
        return FileRead{read.path, read_text_or_pipe(read.path)};
      },
      [](ReadFile& read, const Unexpected& error) { return FileRead{read.path, error}; });
}

RequestTask task(FindFileOfShow request) {
  return make_task(
      Queue::files, std::move(request),
      [](ClusterAccess&, FindFileOfShow& find) {
        return FileOfShowFound{find.show_name, find_noted_file(find.note)};
      },
      [](FindFileOfShow& find, const Unexpected& error) {
        return FileOfShowFound{find.show_name, error};
      });
}

RequestTask task(WriteFile request) {
  return make_task(
      Queue::files, std::move(request),
      [](ClusterAccess&, WriteFile& write) {
        auto copy = write_show(write);
        return FileWritten{std::move(write), std::move(copy)};
      },
      [](WriteFile& write, const Unexpected&) {
        auto fault = fail("{}: not written: the disk does not answer", write.path);
        return FileWritten{std::move(write), std::move(fault)};
      });
}

RequestTask task(ListFolder request) {
  return make_task(
      Queue::files, std::move(request),
      [](ClusterAccess&, ListFolder& list) { return FolderListed{list_folder(list.path)}; },
      [](ListFolder& list, const Unexpected& error) {
        return FolderListed{{.path = list.path, .entries = {}, .error = error.value().message}};
      });
}

RequestTask task(WriteText request) {
  return make_task(
      Queue::files, std::move(request),
      [](ClusterAccess&, WriteText& write) {
        return TextWritten{write.purpose, write.path, write_new_text(write)};
      },
      [](WriteText& write, const Unexpected& error) {
        return TextWritten{write.purpose, write.path, error};
      });
}

RequestTask task(AskTrace request) {
  return make_task(
      Queue::questions, std::move(request),
      [](ClusterAccess& cluster, AskTrace& ask) {
        return TraceTold{ask.job, cluster.take_trace(ask.node, std::chrono::seconds(ask.seconds))};
      },
      [](AskTrace& ask, const Unexpected& error) { return TraceTold{ask.job, error}; });
}

RequestTask task(MergeTraces request) {
  return make_task(
      Queue::slow, std::move(request),
      [](ClusterAccess&, MergeTraces& merge) {
        return TracesMerged{merge.job, merge_traces(merge.texts)};
      },
      [](MergeTraces& merge, const Unexpected& error) { return TracesMerged{merge.job, error}; });
}

RequestTask task(ShareSeenAlerts request) {
  return make_task(
      Queue::slow, std::move(request),
      [](ClusterAccess& cluster, ShareSeenAlerts& share) {
        const auto& [seen, over] = share.changes;
        return SeenAlertsShared{cluster.change_alerts_seen(seen, over)};
      },
      [](ShareSeenAlerts&, const Unexpected& error) { return SeenAlertsShared{error}; });
}

RequestTask task(ForgetNode request) {
  return make_task(
      Queue::slow, std::move(request),
      [](ClusterAccess& cluster, ForgetNode& forget) {
        return NodeForgotten{forget.node, cluster.forget_node(forget.node)};
      },
      [](ForgetNode& forget, const Unexpected& error) {
        return NodeForgotten{forget.node, error};
      });
}

}  // namespace

RequestTask task_of(Request request) {
  return std::visit([](auto& kind) { return task(std::move(kind)); }, request);
}

}  // namespace submix::session
