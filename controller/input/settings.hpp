// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/input/midi_core.hpp"
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
  bool is_on = false;  ///< OSC knows no key: every user of this machine could move the show by it
  std::string host =
      "127.0.0.1";  ///< where it listens, a numeric address; OSC knows no key, so only this
                    ///< machine unless told
  std::uint16_t port = kOscPort;     ///< 0: a free one
  std::vector<OscPeer> receivers{};  ///< are told of all changes without having asked

  friend bool operator==(const OscSettings&, const OscSettings&) = default;
};

/// What control from outside keeps from one start to the next.
struct InputSettings {
  OscSettings osc{};
  bool is_midi_on = true;
  bool is_link_on = false;
  std::vector<Mapping> mappings{};

  friend bool operator==(const InputSettings&, const InputSettings&) = default;
};

struct ReadSettings {
  InputSettings settings;
  std::vector<std::string> problems{};  ///< each with its line; what they concern is left out
};

/// As the file's text. read_settings() of it gives the same.
[[nodiscard]] std::string to_toml(const InputSettings& settings);
[[nodiscard]] ReadSettings read_settings(std::string_view text);

/// $XDG_CONFIG_HOME/submix/control.toml, or ~/.config/submix/control.toml.
[[nodiscard]] std::filesystem::path settings_file();

/// The file that settings stand in. One that has problems is copied beside it before it is written for the
/// first time; as long as nothing is written, nothing is copied.
///
/// Threads  Compatible.
class SettingsFile {
 public:
  explicit SettingsFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// The file's settings; the initial ones where there is no file.
  [[nodiscard]] ReadSettings load();
  /// Gives the copy that was made of a broken one; empty: none was. Fails, and nothing is lost, where it
  /// cannot be copied or written.
  [[nodiscard]] Result<std::filesystem::path> save(const InputSettings& settings);

 private:
  std::filesystem::path path_;
  bool is_broken_ = false;
};

}  // namespace submix::input
