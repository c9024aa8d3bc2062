// SPDX-License-Identifier: GPL-3.0-or-later
// submix media list
#include "common/cluster/codec.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace submix::cli {
namespace {

using Facts = std::map<std::string, Result<cluster::MediaFacts>>;

struct Answer {
  std::string node;
  Result<cluster::MediaList> media;
  Facts facts{};  ///< by file; empty: not asked for
};

constexpr std::size_t kFilesBetweenNews = 20;
const std::vector<std::string> kColumns{"NODE",  "FILE", ">MB",  ">SECONDS",
                                        ">SIZE", ">FPS", "CODEC"};

std::vector<std::string> nodes_to_ask(Observer& observer, const std::string& node) {
  if (!node.empty()) return {node};
  std::vector<std::string> names;
  for (const auto& present : observer.measured_view().nodes) {
    if (present.health == model::Health::healthy) names.push_back(present.name);
  }
  return names;
}

// A node reads its files one after the other, so as not to disturb its show.
Facts ask_for_facts(Context& context, cluster::Cluster& cluster, const std::string& node,
                    const cluster::MediaList& media) {
  Facts facts;
  for (const auto& file : media.files) {
    auto picture = cluster.request_media_picture(node, file.name, 0);
    facts.emplace(file.name, picture ? Result<cluster::MediaFacts>(std::move(picture->facts))
                                     : tl::unexpected(std::move(picture.error())));
    if (context.is_terminal && facts.size() % kFilesBetweenNews == 0)
      context.err << fmt::format("{}: {} of {} files read", node, facts.size(), media.files.size())
                  << std::endl;
  }
  return facts;
}

void add_row(const cluster::MediaFile& file, const Answer& answer, Table& table) {
  const auto count =
      file.pictures > 0 ? fmt::format(" ({} pictures)", file.pictures) : std::string();
  std::vector<std::string> cells{answer.node, file.name + count,
                                 fmt::format("{:.1f}", static_cast<double>(file.bytes) / 1e6)};
  cells.resize(kColumns.size());
  const auto found = answer.facts.find(file.name);
  if (found != answer.facts.end() && !found->second) {
    cells.back() = "cannot be read";
  } else if (found != answer.facts.end()) {
    const auto& facts = *found->second;
    if (facts.seconds > 0) cells[3] = fmt::format("{:.2f}", facts.seconds);
    cells[4] = fmt::format("{}x{}", facts.size.width, facts.size.height);
    if (facts.rate > 0) cells[5] = fmt::format("{:.4g}", facts.rate);
    cells[6] = facts.codec;
  }
  table.add(std::move(cells));
}

std::string text_of(const std::vector<Answer>& answers) {
  Table table(kColumns);
  std::string rest;
  for (const auto& answer : answers) {
    const auto& [node, media, facts] = answer;
    if (!media) continue;
    for (const auto& file : media->files)
      add_row(file, answer, table);
    if (media->files.empty())
      rest += fmt::format("node \"{}\" has no clip and no still in its media folder\n", node);
    if (media->is_cut)
      rest += fmt::format("node \"{}\" has more; only the first {} are listed\n", node,
                          media->files.size());
  }
  return table.text() + rest;
}

void add_facts(const Facts& facts, nlohmann::json& files) {
  for (auto& file : files) {
    const auto found = facts.find(file["name"].get<std::string>());
    if (found == facts.end()) continue;
    if (!found->second) {
      file["error"] = found->second.error().message;
      continue;
    }
    const auto& known = *found->second;
    file.update({{"seconds", known.seconds},
                 {"width", known.size.width},
                 {"height", known.size.height},
                 {"rate", known.rate},
                 {"codec", known.codec}});
  }
}

std::string json_of(const std::vector<Answer>& answers) {
  auto nodes = nlohmann::json::array();
  for (const auto& [node, media, facts] : answers) {
    auto entry = media ? nlohmann::json::parse(cluster::encode(*media))
                       : nlohmann::json{{"error", media.error().message}};
    if (media) add_facts(facts, entry["files"]);
    entry["node"] = node;
    nodes.push_back(std::move(entry));
  }
  return nlohmann::json{{"nodes", std::move(nodes)}}.dump() + "\n";
}

// Why something of an answer is missing, for people.
std::vector<std::string> faults_of(const Answer& answer) {
  if (!answer.media) return {answer.media.error().message};
  std::vector<std::string> faults;
  for (const auto& [file, facts] : answer.facts) {
    if (!facts) faults.push_back(facts.error().message);
  }
  return faults;
}

}  // namespace

int run_media_list(Context& context, const MediaOptions& options) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  auto& cluster = (*observer)->cluster();
  std::vector<Answer> answers;
  for (auto& node : nodes_to_ask(**observer, options.node)) {
    Answer answer{node, cluster.request_media(node)};
    if (options.has_details && answer.media)
      answer.facts = ask_for_facts(context, cluster, node, *answer.media);
    answers.push_back(std::move(answer));
  }
  if (answers.empty())
    return failed(context, "no node is here to be asked; start one with: submix-node --name NAME");
  context.out << (context.is_json ? json_of(answers) : text_of(answers)) << std::flush;
  int status = kOk;
  for (const auto& answer : answers) {
    for (const auto& fault : faults_of(answer))
      status = failed(context, fault);
  }
  return status;
}

}  // namespace submix::cli
