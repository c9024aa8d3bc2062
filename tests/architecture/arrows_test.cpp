// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the includes of every source file and holds the arrows that ARCHITECTURE.md draws.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace submix {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

const Names kCommon{"common/base",   "common/media", "common/telemetry", "common/wire",
                    "common/stream", "common/link",  "common/show",      "common/cluster"};

Names operator+(Names a, const Names& b) {
  a.insert(b.begin(), b.end());
  return a;
}

Names operator-(Names a, const Names& b) {
  for (const auto& name : b)
    a.erase(name);
  return a;
}

/// The part of common that the controller uses: it carries no pixels.
const Names kCommonOfControllers{"common/base", "common/cluster", "common/media", "common/show",
                                 "common/telemetry"};

/// What each folder may include besides itself: the table of ARCHITECTURE.md.
const std::map<std::string, Names> kAllowed{
    {"common/base", {}},
    {"common/media", {"common/base"}},
    {"common/telemetry", {"common/base"}},
    {"common/metrics", {"common/base", "common/telemetry"}},
    {"common/wire", {"common/base"}},
    {"common/stream", {"common/base", "common/media", "common/wire"}},
    {"common/link",
     {"common/base", "common/media", "common/telemetry", "common/wire", "common/stream"}},
    {"common/show", {"common/base"}},
    {"common/cluster", {"common/base", "common/show", "common/telemetry"}},
    {"node/plugin", kCommon - Names{"common/link", "common/cluster"}},
    {"node/host", kCommon - Names{"common/link", "common/cluster"} + Names{"node/plugin"}},
    {"node/engine", kCommon - Names{"common/link", "common/cluster"} + Names{"node/plugin"}},
    {"node/io", kCommon - Names{"common/cluster"} + Names{"node/plugin"}},
    {"node/decode", kCommon - Names{"common/link", "common/cluster"} +
                        Names{"node/plugin", "node/host", "node/io"}},
    {"node/shader",
     kCommon - Names{"common/link", "common/cluster"} + Names{"node/plugin", "node/host"}},
    {"node/doctor", {"common/base", "common/link", "node/plugin"}},
    {"node/agent", kCommon + Names{"common/metrics", "node/plugin", "node/host", "node/engine",
                                   "node/io", "node/decode", "node/doctor", "node/shader"}},
    {"controller/model", {"common/base", "common/show", "common/telemetry", "common/cluster"}},
    {"controller/session",
     {"common/base", "common/media", "common/show", "common/telemetry", "common/cluster",
      "controller/model"}},
    {"controller/input",
     {"common/base", "common/show", "common/cluster", "controller/model", "controller/session"}},
    {"controller/local", {"common/base", "common/cluster"}},
    {"controller/pairing",
     {"common/base", "common/cluster", "common/show", "common/wire", "controller/local"}},
    {"controller/ui",
     kCommonOfControllers + Names{"controller/model", "controller/session", "controller/input",
                                  "controller/local", "controller/pairing"}},
    {"controller/simulation", {"common/base", "common/show", "common/telemetry", "common/cluster"}},
    {"controller/cli",
     kCommonOfControllers + Names{"common/metrics", "controller/model", "controller/session",
                                  "controller/input", "controller/local", "controller/pairing",
                                  "controller/simulation"}},
    {"tests/throughput", kCommon + Names{"controller/cli", "tests/support"}},
};

/// Libraries that only some folders may see; the rest of the tree never includes them.
const std::map<std::string, Names> kLibraryHomes{
    {R"(dbus/)", {"node/agent"}},
    {R"(boost/asio)", {"common/link", "common/metrics", "node/doctor", "controller/pairing"}},
    {R"(boost/beast|prometheus/)", {"common/metrics"}},
    {R"(nats[./])", {"common/cluster"}},
    {R"(imgui)", {"controller/ui"}},
    {R"(SDL)", {"controller/ui", "node/io"}},
    {R"(X11/)", {"common/base", "node/io"}},
    {R"(libav|libsw)", {"common/media", "node/io"}},
    {R"(aubio/|pulse/)", {"node/io"}},
    {R"(alsa/)", {"controller/input", "node/io"}},
    {R"(libyuv)", {"common/media"}},
    {R"(frei0r)", {"node/plugin"}},
    {R"(EGL/|GL/)", {"node/shader"}},
    {R"(seccomp\.h|linux/landlock)", {"node/host"}},
    {R"(png\.h)", {"common/media"}},
    {R"(sodium)", {"common/wire", "common/link", "common/cluster", "controller/pairing"}},
    {R"(botan/|avahi-)", {"controller/pairing"}},
    {R"(openssl/)", {"common/wire", "common/cluster"}},
    {R"(xxh)", {"common/wire"}},
    {R"(ipsec-mb)", {"common/wire"}},
    {R"(toml\+\+|toml\.hpp)", {"common/show", "controller/input", "controller/ui"}},
    {R"(jack/)", {"controller/input", "node/io"}},
    {R"(rtmidi/|lo/|ableton/)", {"controller/input"}},
    {R"(spdlog)", {"common/base"}},
};

struct Include {
  std::string file;
  std::string folder;  ///< of the file
  std::string target;
  bool is_own = false;  ///< written with quotes
};

std::string folder_of(const std::string& path) {
  const auto second = path.find('/', path.find('/') + 1);
  return path.substr(0, second);
}

std::vector<Include> read_includes() {
  static const std::regex kPattern(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
  std::vector<Include> includes;
  for (const auto* top : {"common", "node", "controller", "tests/throughput"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SUBMIX_SOURCE_DIR) / top)) {
      if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") continue;
      const auto path = fs::relative(entry.path(), SUBMIX_SOURCE_DIR).string();
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        std::smatch match;
        if (std::regex_search(line, match, kPattern))
          includes.push_back({path, folder_of(path), match[2], match[1] == "\""});
      }
    }
  }
  return includes;
}

class Arrows : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { includes_ = read_includes(); }
  static std::vector<Include> includes_;
};
std::vector<Include> Arrows::includes_;

TEST_F(Arrows, EveryFolderOfTheTreeHasARow) {
  for (const auto& include : includes_)
    EXPECT_TRUE(kAllowed.contains(include.folder)) << include.file;
}

TEST_F(Arrows, AFolderIncludesOnlyWhatItMay) {
  ASSERT_GT(includes_.size(), 500U);
  for (const auto& include : includes_) {
    if (!include.is_own) continue;
    const auto target = folder_of(include.target);
    if (target == include.folder || !kAllowed.contains(include.folder)) continue;
    EXPECT_TRUE(kAllowed.at(include.folder).contains(target))
        << include.file << " includes " << include.target;
  }
}

// A header that comes first compiles on its own. The build compiles headers without a source by
// themselves.
TEST_F(Arrows, AHeaderIsTheFirstIncludeOfItsSource) {
  std::set<std::string> begun;
  for (const auto& include : includes_) {
    const bool is_first = begun.insert(include.file).second;
    const auto header = fs::path(include.file).replace_extension(".hpp").string();
    if (!is_first || header == include.file || !fs::exists(fs::path(SUBMIX_SOURCE_DIR) / header))
      continue;
    EXPECT_EQ(include.target, header) << include.file << " has it later";
  }
}

TEST_F(Arrows, OwnHeadersAreNamedFromTheRoot) {
  for (const auto& include : includes_) {
    if (!include.is_own) continue;
    EXPECT_TRUE(fs::exists(fs::path(SUBMIX_SOURCE_DIR) / include.target))
        << include.file << " includes \"" << include.target << '"';
  }
}

TEST_F(Arrows, ALibraryIsIncludedOnlyInItsHome) {
  for (const auto& [pattern, homes] : kLibraryHomes) {
    const std::regex library("^" + pattern);
    for (const auto& include : includes_) {
      if (include.is_own || !std::regex_search(include.target, library)) continue;
      EXPECT_TRUE(homes.contains(include.folder))
          << include.file << " includes <" << include.target << '>';
    }
  }
}

// Each room of the window includes only itself and the rooms before it; panel.hpp is for all.
TEST_F(Arrows, ARoomOfTheWindowIncludesNoRoomAboveIt) {
  static const std::vector<std::string> kRooms{"draw", "plots", "edits", "pages", "shell"};
  const auto level_of = [](const std::string& path) {
    const auto inside = fs::path(path).parent_path().lexically_relative("controller/ui");
    return std::ranges::find(kRooms, inside.begin()->string()) - kRooms.begin();
  };
  for (const auto& include : includes_) {
    if (include.folder != "controller/ui" || folder_of(include.target) != "controller/ui") continue;
    if (include.target == "controller/ui/panel.hpp") continue;
    EXPECT_LE(level_of(include.target), level_of(include.file))
        << include.file << " includes " << include.target;
  }
}

TEST_F(Arrows, TheHarnessTakesOnlyTablesFromTheController) {
  for (const auto& include : includes_) {
    if (include.folder != "tests/throughput" || folder_of(include.target) != "controller/cli")
      continue;
    EXPECT_EQ(include.target, "controller/cli/table.hpp") << include.file;
  }
}

TEST_F(Arrows, TheModelHasNoThreadOfItsOwn) {
  static const Names kThreads{"thread", "mutex", "condition_variable", "future",
                              "common/base/thread.hpp"};
  for (const auto& include : includes_) {
    if (include.folder != "controller/model") continue;
    EXPECT_FALSE(kThreads.contains(include.target))
        << include.file << " includes " << include.target;
  }
}

TEST_F(Arrows, TheModelKnowsTheControlPlanesMessagesOnly) {
  for (const auto& include : includes_) {
    if (include.folder != "controller/model" || folder_of(include.target) != "common/cluster")
      continue;
    EXPECT_EQ(include.target, "common/cluster/messages.hpp") << include.file;
  }
}

// The state machines know a Loop and Links only, so tests can simulate both.
TEST_F(Arrows, TheStateMachinesOfStreamsReachNoSocket) {
  static const std::regex kSockets(R"(^(boost/asio|sys/socket|sys/epoll|netinet/|linux/netlink))");
  Names reached;
  std::vector<std::string> unread{"common/link/sender_core.cpp", "common/link/link_supervisor.cpp",
                                  "common/link/receiver_core.cpp"};
  while (!unread.empty()) {
    const auto file = unread.back();
    unread.pop_back();
    if (!reached.insert(file).second) continue;
    for (const auto& include : includes_) {
      if (include.file != file) continue;
      if (include.is_own) unread.push_back(include.target);
      EXPECT_FALSE(std::regex_search(include.target, kSockets))
          << file << " includes <" << include.target << '>';
    }
  }
  EXPECT_GT(reached.size(), 20U);
}

TEST_F(Arrows, HeadersDoNotCarryHeavyLibraries) {
  // A few sources of one folder share each of these headers; no other folder includes it.
  static const Names kShared{"common/cluster/json_fields.hpp",
                             "controller/cli/command_binding.hpp"};
  static const std::regex kHeavy(R"(^(CLI/|nlohmann/json\.hpp|spdlog/|boost/asio\.hpp))");
  for (const auto& include : includes_) {
    if (!include.file.ends_with(".hpp") || kShared.contains(include.file)) continue;
    EXPECT_FALSE(std::regex_search(include.target, kHeavy))
        << include.file << " includes " << include.target;
  }
}

}  // namespace
}  // namespace submix
