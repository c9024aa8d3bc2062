// SPDX-License-Identifier: GPL-3.0-or-later
// submix snapshot
#include "common/media/png.hpp"
#include "common/show/edit.hpp"
#include "common/show/macros.hpp"
#include "common/show/nearest.hpp"
#include "common/show/parse.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"

#include <fmt/format.h>

#include <ostream>

namespace submix::cli {
namespace {

struct SlotPlace {
  std::string node;
  std::string slot;  // of the node's patch
};

// The node and slot, by the cluster's show.
Result<SlotPlace> slot_place(cluster::Cluster& cluster, const std::string& submix_name,
                             const std::string& slot) {
  const auto desired = cluster.show();
  SUBMIX_TRY(desired);
  if (desired->revision == 0) return fail("no show is applied; run: submix apply FILE");
  const auto show = show::parse(desired->value.toml, "the cluster's show");
  if (!show) return fail("{}", to_string(show.error()));
  const auto* submix = show->find_submix(submix_name);
  std::vector<std::string> names;
  for (const auto& item : show->submixes)
    names.push_back(item.name);
  if (submix == nullptr) {
    return fail("submix \"{}\" is not in the show{}; there are: {}", submix_name,
                show::did_you_mean(submix_name, names), fmt::join(names, ", "));
  }
  if (submix->node.empty())
    return fail("submix \"{}\" runs nowhere; run: submix assign {} NODE", submix_name, submix_name);
  return SlotPlace{submix->node, show::slot_behind(*show, {submix_name, slot})};
}

Result<cluster::Snapshot> take(cluster::Cluster& cluster, const SnapshotOptions& options) {
  const auto dot = options.target.find('.');
  const auto submix = options.target.substr(0, dot);
  const auto slot = dot == std::string::npos ? "" : options.target.substr(dot + 1);
  const auto place = slot_place(cluster, submix, slot);
  SUBMIX_TRY(place);
  return cluster.request_snapshot(
      place->node, {cluster::CommandKind::snapshot, submix, place->slot, options.width_max});
}

}  // namespace

int run_snapshot(Context& context, const SnapshotOptions& options) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  const auto snapshot = take(connection->cluster(), options);
  if (!snapshot) return failed(context, snapshot.error().message);
  if (snapshot->rgb24.empty())
    return failed(context, options.target + ": its node sent a preview in place of the picture");
  const media::Rgb24Image image{snapshot->size, {snapshot->rgb24.begin(), snapshot->rgb24.end()}};
  const auto file = options.file.empty() ? options.target + ".png" : options.file;
  if (const auto written = media::write_png(file, image); !written) {
    return failed(context, written.error().message);
  }
  context.out << fmt::format("{}: frame {} of {}, {} x {} pixels", file, snapshot->frame,
                             options.target, snapshot->size.width, snapshot->size.height)
              << std::endl;
  return kOk;
}

}  // namespace submix::cli
