// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "node/io/sound/jack_calls.hpp"
#include "tests/io/sound/sound_server.hpp"
#include "tests/io/sound/synthetic_sound.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/temporary_folder.hpp"

#include <jack/jack.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace submix::testing {

/// What one port plays.
struct JackPart {
  std::string port;
  Samples samples;  // again and again
};

/// A program that plays on ports of its own.
class JackPlayer {
 public:
  /// `parts` are not empty. The server runs.
  JackPlayer(const char* client, std::vector<JackPart> parts) {
    for (auto& part : parts)
      voices_.push_back({std::move(part)});
    client_.reset(::jack_client_open(client, JackNoStartServer, nullptr));
    if (!client_) return;
    for (auto& voice : voices_)
      voice.port = ::jack_port_register(client_.get(), voice.part.port.c_str(),
                                        JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
    ::jack_set_process_callback(client_.get(), play, this);
    ::jack_activate(client_.get());
  }
  JackPlayer(const JackPlayer&) = delete;
  JackPlayer& operator=(const JackPlayer&) = delete;

  [[nodiscard]] bool is_playing() const { return client_ != nullptr; }

 private:
  struct Voice {
    JackPart part;
    jack_port_t* port = nullptr;
    std::size_t played = 0;
  };
  struct Close {
    void operator()(jack_client_t* client) const { ::jack_client_close(client); }
  };

  // The thread sanitizer does not see how libjack passes a buffer on to its readers.
  __attribute__((no_sanitize("thread"))) static int play(jack_nframes_t count, void* player) {
    for (auto& [part, port, played] : static_cast<JackPlayer*>(player)->voices_) {
      auto* const buffer = static_cast<float*>(::jack_port_get_buffer(port, count));
      if (buffer == nullptr) continue;  // while the server ends
      for (jack_nframes_t i = 0; i < count; ++i)
        buffer[i] = part.samples[played++ % part.samples.size()];
    }
    return 0;
  }

  std::vector<Voice> voices_;
  std::unique_ptr<jack_client_t, Close> client_;  // the last: it calls play()
};

/// A JACK server of the test alone, without a sound card. JACK_DEFAULT_SERVER leads this process to
/// it, and no variable to a server of PulseAudio.
class PrivateJack {
 public:
  PrivateJack() {
    environment_.set("JACK_DEFAULT_SERVER", name_.c_str());
    environment_.set("JACK_NO_AUDIO_RESERVATION", "1");
    environment_.set("PULSE_SERVER", nullptr);
    environment_.set("XDG_RUNTIME_DIR", nullptr);
    ::jack_set_error_function([](const char*) {});
    ::jack_set_info_function([](const char*) {});
  }
  ~PrivateJack() {
    // Calls that were left behind would meet the next server.
    static_cast<void>(io::call_jack([] {}, {}, std::chrono::seconds(10)));
    player_.reset();
    server_.reset();
    remove_semaphores();
  }
  PrivateJack(const PrivateJack&) = delete;
  PrivateJack& operator=(const PrivateJack&) = delete;

  /// False: no server can be started here. The patience with clients suits a busy machine.
  [[nodiscard]] bool start(int rate_hz = kSampleRateHz, int capture_ports = 2) {
    auto started = ChildProcess::start(
        {"jackd", "--no-realtime", "--timeout", "5000", "--port-max", "64", "-n", name_, "-d",
         "dummy", "-r", std::to_string(rate_hz), "-p", "1024", "-C", std::to_string(capture_ports)},
        folder_ / "jackd.log");
    if (!started) return false;
    server_.emplace(std::move(*started));
    return eventually([&] { return answers() || server_->exit_status(); }) &&
           !server_->exit_status();
  }
  void signal(int number) { server_->send_signal(number); }
  void kill() {
    stop_playing();
    server_->send_signal(SIGKILL);
    server_.reset();
  }
  [[nodiscard]] bool play(std::vector<JackPart> parts) {
    player_ = std::make_unique<JackPlayer>("band", std::move(parts));
    return player_->is_playing();
  }
  void stop_playing() { player_.reset(); }
  [[nodiscard]] std::string log() const {
    return read_text_file(folder_ / "jackd.log").value_or("no jackd is installed");
  }

 private:
  /// Those that a killed server and its clients leave behind.
  void remove_semaphores() const {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", error)) {
      const auto file = entry.path().filename().string();
      if (file.starts_with("jack_sem.") && file.find("_" + name_ + "_") != std::string::npos)
        std::filesystem::remove(entry.path(), error);
    }
  }
  static bool answers() {
    auto* const client = ::jack_client_open("look", JackNoStartServer, nullptr);
    if (client != nullptr) ::jack_client_close(client);
    return client != nullptr;
  }

  const std::string name_ = "submix-sound-" + std::to_string(::getpid());
  TemporaryFolder folder_;
  Environment environment_;
  std::optional<ChildProcess> server_;
  std::unique_ptr<JackPlayer> player_;  // ends before its server
};

}  // namespace submix::testing
