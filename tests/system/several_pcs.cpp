// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/system/several_pcs.hpp"

#include "common/base/files.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace submix::testing {
namespace {

constexpr std::chrono::milliseconds kPcsLook(50);

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream text(command);
  std::vector<std::string> words;
  for (std::string word; text >> word;)
    words.push_back(word);
  return words;
}

std::string path_with_programs() {
  const char* path = std::getenv("PATH");
  return "PATH=" + std::filesystem::path(SUBMIX_NODE).parent_path().string() + ":" +
         (path ? path : "/usr/bin");
}

}  // namespace

SeveralPcs::SeveralPcs() {
  for (const auto* pc : {"desk", "rack1", "rack2"})
    std::filesystem::create_directory(folder_of(pc));
}

SeveralPcs::~SeveralPcs() {
  if (!::testing::Test::HasFailure()) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    if (entry.path().extension() != ".log") continue;
    const auto name = entry.path().stem().string();
    std::fprintf(stderr, "---- %s\n%s\n", name.c_str(), log_of(name).c_str());
  }
}

ChildProcess SeveralPcs::spawn(const std::string& name, const std::string& pc,
                               const std::string& command) {
  const auto folder = folder_of(pc).string();
  std::vector<std::string> words{"env",
                                 "-C",
                                 folder,
                                 path_with_programs(),
                                 "XDG_STATE_HOME=" + folder,
                                 "XDG_CONFIG_HOME=" + folder};
  for (auto& word : words_of(command))
    words.push_back(std::move(word));
  auto started = ChildProcess::start(network_.command_on(pc, words), folder_ / (name + ".log"));
  if (!started) throw std::runtime_error(started.error().message);
  return *std::move(started);
}

SeveralPcs::Outcome SeveralPcs::run(const std::string& pc, const std::string& command) {
  const auto name = "run" + std::to_string(++runs_);
  auto program = spawn(name, pc, command);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!program.exit_status() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(kPcsLook);
  return {program.exit_status().value_or(-1), log_of(name)};
}

void SeveralPcs::start(const std::string& name, const std::string& pc, const std::string& command) {
  programs_.erase(name);
  programs_.emplace(name, spawn(name, pc, command));
}

void SeveralPcs::kill(const std::string& name) {
  programs_.at(name).send_signal(SIGKILL);
}

void SeveralPcs::freeze(const std::string& name) {
  programs_.at(name).send_signal(SIGSTOP);
}

void SeveralPcs::thaw(const std::string& name) {
  programs_.at(name).send_signal(SIGCONT);
}

bool SeveralPcs::is_running(const std::string& name) {
  return !programs_.at(name).exit_status();
}

std::string SeveralPcs::log_of(const std::string& name) const {
  return read_text_file(folder_ / (name + ".log"), std::size_t{16} << 20).value_or("");
}

bool SeveralPcs::wait_until_log_says(const std::string& name, const std::string& text) const {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (log_of(name).find(text) == std::string::npos) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(kPcsLook);
  }
  return true;
}

}  // namespace submix::testing
