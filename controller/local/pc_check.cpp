// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/pc_check.hpp"

#include "common/base/program_folder.hpp"
#include "controller/local/program_answer.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

namespace submix::local {
namespace {

constexpr std::chrono::seconds kPatience(10);
constexpr std::chrono::seconds kPatienceToMend(40);

Grade grade_named(const std::string& name) {
  for (const auto grade : {Grade::good, Grade::note, Grade::mended}) {
    if (name == name_of(grade)) return grade;
  }
  return Grade::bad;
}

/// A line of `submix-node --doctor`. What is no finding is its error.
Finding finding_of(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return {Grade::bad, "submix-node", line};
  const auto text = [&json](const char* key) { return json.value(key, std::string()); };
  return {grade_named(text("grade")), text("subject"), text("found"), text("remedy"),
          json.value("can_mend", false)};
}

std::vector<std::string> command_for(const PcCheck& check, const std::string& node) {
  std::vector<std::string> command{node, "--doctor"};
  if (!check.recordings.empty()) command.insert(command.end(), {"--recordings", check.recordings});
  if (check.is_mending) command.emplace_back("--mend");
  for (const auto& target : check.targets)
    command.push_back("--reach=" + target);  // one word: names from the network are no options
  return command;
}

std::size_t count_of(const Findings& findings, Grade grade) {
  return static_cast<std::size_t>(std::ranges::count(findings, grade, &Finding::grade));
}

}  // namespace

Findings check_pc(const PcCheck& check, const std::stop_token& stop) {
  const auto node = program_folder() / "submix-node";
  std::error_code error;
  if (!std::filesystem::exists(node, error))
    return {{Grade::note, "node", "submix-node is not installed: this PC can only control a show",
             "sudo apt install ./submix-node*.deb, if it shall run submixes"}};
  const auto patience = check.is_mending ? kPatienceToMend : kPatience;
  const auto answer = answer_of(command_for(check, node.string()), patience, stop);
  if (!answer) return {{Grade::bad, "node", answer.error().message}};
  Findings findings;
  for (std::size_t begin = 0; begin < answer->size();) {
    const auto end = std::min(answer->find('\n', begin), answer->size());
    if (end > begin) findings.push_back(finding_of(answer->substr(begin, end - begin)));
    begin = end + 1;
  }
  if (findings.empty())
    findings.push_back(
        {Grade::bad, "node",
         fmt::format("submix-node --doctor has said nothing within {} s", patience.count())});
  return findings;
}

std::string verdict_of(const Findings& findings) {
  const auto bad = count_of(findings, Grade::bad);
  const auto notes = count_of(findings, Grade::note);
  const auto notes_text = fmt::format("{} {}", notes, notes == 1 ? "note" : "notes");
  if (bad > 0) return fmt::format("A show would suffer here: {} bad, {}.", bad, notes_text);
  return notes > 0 ? fmt::format("A show can run here; {}.", notes_text)
                   : std::string("This PC is ready for a show.");
}

bool is_any_bad(const Findings& findings) {
  return count_of(findings, Grade::bad) > 0;
}

}  // namespace submix::local
