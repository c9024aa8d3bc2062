// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/doctor/doctor.hpp"

#include "common/link/cards/interfaces.hpp"
#include "node/doctor/mend.hpp"
#include "node/doctor/reach.hpp"
#include "node/plugin/catalog.hpp"

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <system_error>

namespace submix::doctor {
namespace {

FolderState look_at_folder(const std::filesystem::path& folder) {
  FolderState state{.subject = "recordings", .folder = folder, .writable = {}};
  if (::access(folder.c_str(), W_OK) != 0)
    state.writable = fail("{} cannot be written: {}", folder.string(), std::strerror(errno));
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  if (!error) state.free_bytes = space.available;
  return state;
}

std::size_t count_frei0r_plugins() {
  std::size_t count = 0;
  for (const auto& folder : plugin::frei0r_folders())
    count += plugin::files_in(folder, ".so").size();
  return count;
}

/// Names and addresses come from the network: what cannot be read is told and left out.
Findings look_at_ways(const std::vector<std::string>& texts,
                      const std::vector<NetworkInterface>& interfaces) {
  Findings findings;
  std::vector<Target> targets;
  for (const auto& text : texts) {
    if (auto target = parse_target(text)) {
      targets.push_back(std::move(*target));
    } else {
      findings.push_back(
          {.grade = Grade::note, .subject = "ways", .found = target.error().message});
    }
  }
  const auto near = near_targets(targets, interfaces);
  std::ranges::move(examine_distant_nodes(targets, near), std::back_inserter(findings));
  std::ranges::move(try_targets(near), std::back_inserter(findings));
  return findings;
}

}  // namespace

Findings examine_pc(const Examination& examination) {
  Findings all;
  const auto add = [&all](Findings findings) {
    std::ranges::move(findings, std::back_inserter(all));
  };
  if (examination.is_mending) add(mend());
  auto interfaces = link::list_interfaces();
  link::add_speeds(interfaces);
  const auto pc = read_pc("/", interfaces);
  add(examine_rights(examination.rights));
  add(examine_processors(pc));
  add(examine_loopback(pc));
  add(examine_cameras(pc));
  all.push_back(examine_memory(examination.memory_available_bytes));
  all.push_back(examine_folder(look_at_folder(examination.recordings_folder)));
  all.push_back(examine_plugins(count_frei0r_plugins()));
  add(examine_cards(pc.cards));
  add(look_at_ways(examination.targets, interfaces));
  return all;
}

std::string json_line(const Finding& finding) {
  return nlohmann::ordered_json{{"grade", name_of(finding.grade)},
                                {"subject", finding.subject},
                                {"found", finding.found},
                                {"remedy", finding.remedy},
                                {"can_mend", finding.can_mend}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace submix::doctor
