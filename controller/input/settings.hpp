// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/input/mapping_core.hpp"
#include "controller/input/osc_message.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::input {

inline constexpr std::uint16_t kOscPort = 7770;

struct OscSettings {
  /// OSC has no key: with it on, every user of this machine can change the show
  bool is_on = false;
  /// Numeric address to listen at. OSC has no key, so the default is this machine only.
  std::string host = "127.0.0.1";
  std::uint16_t port = kOscPort;     ///< 0: any free port
  std::vector<OscPeer> receivers{};  ///< get all changes without a subscription

  friend bool operator==(const OscSettings&, const OscSettings&) = default;
};

/// The settings of control from outside, kept from one start to the next.
struct InputSettings {
  OscSettings osc{};
  bool is_midi_on = true;
  bool is_link_on = false;
  bool is_music_followed = false;
  std::vector<Mapping> mappings{};

  friend bool operator==(const InputSettings&, const InputSettings&) = default;
};

struct ReadSettings {
  InputSettings settings;
  /// Each with its line; the settings in question are left out.
  std::vector<std::string> problems{};
};

/// The settings as the file's text. read_settings() reads it back.
[[nodiscard]] std::string to_toml(const InputSettings& settings);
[[nodiscard]] ReadSettings read_settings(std::string_view text);

/// $XDG_CONFIG_HOME/submix/control.toml, or ~/.config/submix/control.toml.
[[nodiscard]] std::filesystem::path settings_file();

/// The file with the settings. A file with problems is copied before it is overwritten for the
/// first time. Without a write there is no copy.
///
/// Threads  Compatible.
class SettingsFile {
 public:
  explicit SettingsFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// The file's settings; the defaults if there is no file.
  [[nodiscard]] ReadSettings load();
  /// Returns the path of the copy of a broken file; empty: no copy was needed. Fails, and loses
  /// nothing, if the file cannot be copied or written.
  [[nodiscard]] Result<std::filesystem::path> save(const InputSettings& settings);

 private:
  std::filesystem::path path_;
  bool is_broken_ = false;
};

}  // namespace submix::input
