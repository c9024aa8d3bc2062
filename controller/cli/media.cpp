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
const std::vector<std::string> kColumns{"NODE",  "FILE", ">MB",     ">SECONDS",
                                        ">SIZE", ">FPS", ">CPU_MS", "CODEC"};

std::vector<std::string> nodes_to_ask(Observer& observer, const std::string& node) {
  if (!node.empty()) return {node};
  std::vector<std::string> names;
  for (const auto& present : observer.measured_view().nodes) {
    if (present.health == model::Health::healthy) names.push_back(present.name);
  }
  return names;
}

std::string name_of(const cluster::MediaFile& file) {
  return file.pictures > 0 ? fmt::format("{} ({} pictures)", file.name, file.pictures) : file.name;
}

std::string megabytes_of(const cluster::MediaFile& file) {
  return fmt::format("{:.1f}", static_cast<double>(file.bytes) / 1e6);
}

void add_row(const cluster::MediaFile& file, const Answer& answer, Table& table) {
  std::vector<std::string> cells{answer.node, name_of(file), megabytes_of(file)};
  cells.resize(kColumns.size());
  const auto found = answer.facts.find(file.name);
  if (found != answer.facts.end() && !found->second) {
    cells.back() = "cannot be read";
  } else if (found != answer.facts.end()) {
    const auto& facts = *found->second;
    if (facts.seconds > 0) cells[3] = fmt::format("{:.2f}", facts.seconds);
    cells[4] = fmt::format("{}x{}", facts.size.width, facts.size.height);
    if (facts.rate > 0) cells[5] = fmt::format("{:.4g}", facts.rate);
    if (facts.decoding_ms > 0) cells[6] = fmt::format("{:.1f}", facts.decoding_ms);
    cells[7] = facts.codec;
  }
  table.add(std::move(cells));
}

// A node reads its files one after the other, so as not to disturb its show.
template <typename AfterEach>
void read_facts(cluster::Cluster& cluster, Answer& answer, const AfterEach& after_each) {
  if (!answer.media) return;
  for (const auto& file : answer.media->files) {
    auto picture = cluster.request_media_picture(answer.node, file.name, 0);
    answer.facts.emplace(file.name, picture ? Result<cluster::MediaFacts>(std::move(picture->facts))
                                            : tl::unexpected(std::move(picture.error())));
    after_each(file);
  }
}

// JSON comes at the end, so a person sees the progress.
void read_details(Context& context, cluster::Cluster& cluster, std::vector<Answer>& answers) {
  for (auto& answer : answers) {
    read_facts(cluster, answer, [&](const cluster::MediaFile&) {
      if (!context.is_terminal || answer.facts.size() % kFilesBetweenNews != 0) return;
      context.err << fmt::format("{}: {} of {} files read\n", answer.node, answer.facts.size(),
                                 answer.media->files.size())
                  << std::flush;
    });
  }
}

// Reading many files takes long: each has its row as soon as it is read.
void print_details(Context& context, cluster::Cluster& cluster, std::vector<Answer>& answers) {
  Table table(kColumns);
  for (const auto& answer : answers) {
    if (!answer.media) continue;
    for (const auto& file : answer.media->files)
      table.expect({answer.node, name_of(file), megabytes_of(file), "1000.00", "1920x1080", "29.97",
                    "100.0", "h264"});
  }
  for (auto& answer : answers) {
    read_facts(cluster, answer, [&](const cluster::MediaFile& file) {
      add_row(file, answer, table);
      context.out << table.take_new_rows() << std::flush;
    });
  }
}

std::string table_of(const std::vector<Answer>& answers) {
  Table table(kColumns);
  for (const auto& answer : answers) {
    if (!answer.media) continue;
    for (const auto& file : answer.media->files)
      add_row(file, answer, table);
  }
  return table.text();
}

// What the table does not tell.
std::string rest_of(const std::vector<Answer>& answers) {
  std::string rest;
  for (const auto& [node, media, facts] : answers) {
    if (!media) continue;
    if (media->files.empty())
      rest += fmt::format("node \"{}\" has no clip and no still in its media folder\n", node);
    if (media->is_cut)
      rest += fmt::format("node \"{}\" has more; only the first {} are listed\n", node,
                          media->files.size());
  }
  return rest;
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
                 {"decoding_ms", known.decoding_ms},
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

void print_answers(Context& context, cluster::Cluster& cluster, std::vector<Answer>& answers,
                   bool has_details) {
  if (context.is_json) {
    if (has_details) read_details(context, cluster, answers);
    context.out << json_of(answers);
  } else {
    if (has_details) print_details(context, cluster, answers);
    context.out << (has_details ? "" : table_of(answers)) << rest_of(answers);
  }
  context.out << std::flush;
}

}  // namespace

int run_media_list(Context& context, const MediaOptions& options) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  auto& cluster = (*observer)->cluster();
  std::vector<Answer> answers;
  for (auto& node : nodes_to_ask(**observer, options.node))
    answers.push_back({node, cluster.request_media(node)});
  if (answers.empty())
    return failed(context, "no node is here to be asked; start one with: submix-node --name NAME");
  print_answers(context, cluster, answers, options.has_details);
  int status = kOk;
  for (const auto& answer : answers) {
    for (const auto& fault : faults_of(answer))
      status = failed(context, fault);
  }
  return status;
}

}  // namespace submix::cli
