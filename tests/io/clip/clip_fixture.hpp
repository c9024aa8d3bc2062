// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/files.hpp"
#include "node/io/clip/clip.hpp"
#include "tests/io/numbered_clip.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/plugin_counter.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace submix::io {

/// Plays clips of numbered pictures from a folder of its own.
class ClipTest : public ::testing::Test {
 protected:
  std::unique_ptr<plugin::Plugin> open(show::Parameters parameters) {
    auto made = try_open(std::move(parameters));
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return made ? std::move(*made) : nullptr;
  }
  Result<std::unique_ptr<plugin::Plugin>> try_open(show::Parameters parameters) {
    return make_clip(rig_.setup(clip_description(), std::move(parameters)), {folder_.path(), {}});
  }
  std::string refusal(show::Parameters parameters) {
    const auto made = try_open(std::move(parameters));
    return made ? "made" : made.error().message;
  }
  static std::uint64_t held(const plugin::Plugin& clip) { return testing::counter(clip, "held"); }
  /// A loop of 15 pictures, 15 s behind the file's only key picture.
  std::unique_ptr<plugin::Plugin> open_far_loop() {
    testing::write_numbered_clip(folder_ / "a.mp4", {.pictures = 500, .pictures_per_key = 600});
    return open({{"file", "a.mp4"}, {"in", 15.0}, {"out", 15.5}});
  }
  int number(plugin::Plugin& clip, std::uint64_t index) {
    return testing::shown_number(rig_.make(clip, index));
  }
  std::vector<int> numbers(plugin::Plugin& clip, const std::vector<std::uint64_t>& indices) {
    std::vector<int> shown;
    for (const auto index : indices)
      shown.push_back(number(clip, index));
    return shown;
  }
  /// Keeps only the first `share` of the file's bytes.
  void cut(const std::string& file, double share) {
    const auto bytes = std::filesystem::file_size(folder_ / file);
    std::filesystem::resize_file(folder_ / file,
                                 static_cast<std::uintmax_t>(static_cast<double>(bytes) * share));
  }

  int middle_red(plugin::Plugin& clip, std::uint64_t index) {
    const auto frame = rig_.make(clip, index);
    const auto middle_row = frame.rgba().subspan(frame.rgba().size() / 2);
    return middle_row[static_cast<std::size_t>(frame.size().width) * 2];
  }
  void run_ffmpeg(const std::string& arguments, const std::string& file) {
    const auto command =
        "timeout 30 ffmpeg -nostdin -v error " + arguments + " " + (folder_ / file).string();
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }

  /// Destroys the first PNG bytes of one picture.
  void overwrite_picture(const std::string& file, int number) {
    auto bytes = *read_text_file(folder_ / file, 10 << 20);
    std::size_t at = 0;
    for (int i = 0; i <= number; ++i)
      at = bytes.find("\x89PNG", at + 1);
    bytes.replace(at, 16, 16, '\0');
    ASSERT_TRUE(write_file_atomically(folder_ / file, bytes));
  }

  testing::TemporaryFolder folder_;
  testing::PluginRig rig_;
};

}  // namespace submix::io
