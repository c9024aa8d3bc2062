// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/command_binding.hpp"
#include "controller/cli/commands.hpp"

namespace submix::cli {

void add_media_commands(CLI::App& app, Invocation& invocation) {
  auto& group = add_group(app, "media", "What nodes have in their media folders",
                          "  submix media list\n  submix media copy rain.mp4 rack2");
  auto& list =
      add_command(group, "list", "List the clips and stills of each node, with their sizes",
                  "  submix media list\n  submix media list rack2 --details");
  auto& options = bind(list, invocation, run_media_list);
  list.add_option("node", options.node, "Node (default: all)");
  list.add_flag("--details", options.has_details,
                "Also length, size, rate and codec; the nodes open each file for it");
  auto& copy = add_command(
      group, "copy",
      "Copy a clip or a still to a node's media folder; a copy that was broken off goes on",
      "  submix media copy ~/clips/rain.mp4 rack1\n  submix media copy rack1:rain.mp4 rack2\n  "
      "submix media copy rain.mp4 rack1 --as autumn/rain.mp4");
  auto& copied = bind(copy, invocation, run_media_copy);
  copy.add_option("from", copied.from, "File of this computer, or NODE:FILE")->required();
  copy.add_option("node", copied.node, "Node that gets it")->required();
  copy.add_option("--as", copied.name, "Its name in the media folder there")->option_text("FILE");
  auto& relink = add_command(
      group, "relink", "Find the show's missing files by their names, on their node or another one",
      "  submix media relink --dry-run\n  submix media relink");
  relink.add_flag("--dry-run", bind(relink, invocation, run_media_relink).is_dry,
                  "Only say what would be done");
}

}  // namespace submix::cli
