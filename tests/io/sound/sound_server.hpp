// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "tests/io/sound/synthetic_sound.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace submix::testing {

/// Variables of the environment, until the end of this object. Null: unset.
class Environment {
 public:
  void set(const std::string& name, const char* value) {
    const char* const before = std::getenv(name.c_str());
    before_.try_emplace(name, before == nullptr ? std::optional<std::string>() : before);
    change(name, value);
  }
  Environment() = default;
  ~Environment() {
    for (const auto& [name, value] : before_)
      change(name, value ? value->c_str() : nullptr);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  static void change(const std::string& name, const char* value) {
    if (value == nullptr) {
      ::unsetenv(name.c_str());
    } else {
      ::setenv(name.c_str(), value, 1);
    }
  }

  std::map<std::string, std::optional<std::string>> before_;
};

/// A PulseAudio server of the test alone, with one output "stage" that nobody hears. PULSE_SERVER
/// leads this process and its children to the server.
class SoundServer {
 public:
  SoundServer() {
    environment_.set("PULSE_SERVER", ("unix:" + socket().string()).c_str());
    environment_.set("XDG_RUNTIME_DIR", nullptr);
  }

  [[nodiscard]] std::filesystem::path socket() const { return folder_ / "socket"; }

  /// False: no server can be started here.
  [[nodiscard]] bool start() {
    std::filesystem::remove(socket());  // of a server that was killed
    auto started = ChildProcess::start(
        command({"pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
                 "--disallow-exit", "-L",
                 "module-native-protocol-unix auth-anonymous=1 socket=" + socket().string(), "-L",
                 "module-null-sink sink_name=stage sink_properties=device.description=Stage"}),
        folder_ / "pulseaudio.log");
    if (!started) return false;
    server_.emplace(std::move(*started));
    return eventually(
               [&] { return std::filesystem::exists(socket()) || server_->exit_status(); }) &&
           !server_->exit_status();
  }
  void signal(int number) { server_->send_signal(number); }
  void kill() {
    player_.reset();
    server_->send_signal(SIGKILL);
    server_.reset();
  }
  /// Plays `samples` on the output, once.
  [[nodiscard]] bool play(const Samples& samples) {
    std::string bytes;
    for (const float sample : samples) {
      const auto value = static_cast<std::int16_t>(std::lround(sample * 32'000.0F));
      bytes.push_back(static_cast<char>(value & 0xff));
      bytes.push_back(static_cast<char>(value >> 8));
    }
    const auto file = folder_ / "sound.raw";
    if (!write_file_atomically(file, bytes)) return false;
    auto started = ChildProcess::start(
        command({"pacat", "--playback", "--raw", "--device=stage", "--format=s16le", "--rate=48000",
                 "--channels=1", file.string()}),
        folder_ / "pacat.log");
    if (!started) return false;
    player_.emplace(std::move(*started));
    return true;
  }
  [[nodiscard]] std::string log() const {
    return read_text_file(folder_ / "pulseaudio.log").value_or("") +
           read_text_file(folder_ / "pacat.log").value_or("");
  }

 private:
  /// With this folder as a home: cookies and settings of the user stay as they are.
  [[nodiscard]] std::vector<std::string> command(std::vector<std::string> words) const {
    const auto home = folder_.path().string();
    words.insert(words.begin(), {"env", "HOME=" + home, "XDG_RUNTIME_DIR=" + home,
                                 "XDG_CONFIG_HOME=" + home, "PULSE_RUNTIME_PATH=" + home});
    return words;
  }

  TemporaryFolder folder_;
  Environment environment_;
  std::optional<ChildProcess> server_;
  std::optional<ChildProcess> player_;  // ends before its server
};

}  // namespace submix::testing
