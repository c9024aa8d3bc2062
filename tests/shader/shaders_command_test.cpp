// SPDX-License-Identifier: GPL-3.0-or-later
// The real program `submix shaders`.
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace submix::shader {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

struct Ended {
  int status;
  std::string text;  ///< of stdout and stderr
};

Ended run_submix(const std::string& words) {
  auto* const pipe = ::popen(fmt::format("{} {} 2>&1", SUBMIX_PROGRAM, words).c_str(), "r");
  std::string text;
  std::array<char, 4096> bytes{};
  while (const auto count = std::fread(bytes.data(), 1, bytes.size(), pipe))
    text.append(bytes.data(), count);
  return {WEXITSTATUS(::pclose(pipe)), text};
}

class ShadersCommand : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name) << text;
  }
  [[nodiscard]] Ended run(const std::string& options = "") const {
    return run_submix(fmt::format("shaders '{}' {}", folder_.path().string(), options));
  }

  testing::TemporaryFolder folder_;
};

constexpr auto* kGood = "/*{}*/ void main() { gl_FragColor = vec4(isf_FragNormCoord, 0, 1); }";

TEST_F(ShadersCommand, TellsOfEachFileAndCounts) {
  write("good.fs", kGood);
  write("below/dark.fs", "/*{}*/ void main() { gl_FragColor = vec4(0); }");
  write("wrong.fs", "/*{}*/\nvoid main() { mistake; }");
  write("readme.txt", "no shader");
  const auto ended = run();
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.text,
              AllOf(ContainsRegex("draws     source  +[0-9.]+ ms  good.fs\n"),
                    HasSubstr("compiles  source       0.0 ms  dark.fs: draws one colour"),
                    HasSubstr("fails     source       0.0 ms  wrong.fs: line 2: "),
                    HasSubstr("3 files: 2 compile, 1 draw\n")));
}

TEST_F(ShadersCommand, PrintsJson) {
  write("a \"good\" one.fs", kGood);
  const auto ended = run("--json");
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.text, AllOf(HasSubstr(R"("file":"a \"good\" one.fs")"),
                                HasSubstr(R"({"compiled":1,"drawn":1,"files":1})")));
}

TEST_F(ShadersCommand, SaysWhatIsWrongWithAFolder) {
  EXPECT_THAT(run().text, HasSubstr("has no shader, a file NAME.fs"));
  const auto ended = run_submix("shaders /nowhere");
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.text, HasSubstr("/nowhere: is no folder"));
}

}  // namespace
}  // namespace submix::shader
