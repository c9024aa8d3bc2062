// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/external_peer.hpp"

#include "common/base/child_process.hpp"
#include "tests/throughput/usage.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <utility>

namespace submix::throughput {
namespace {

using std::chrono::milliseconds;
using Words = std::vector<std::string>;

constexpr milliseconds kPeerLook{20};
constexpr milliseconds kPeerPatience{5000};  // for a program to listen or to connect

std::string number(auto value) {
  return std::to_string(value);
}

// The command lines of the peers.

Words iperf_receiver(const PeerWork& work) {
  return {"iperf3", "-s", "-1", "-B", work.address, "-p", number(work.port)};
}

Words iperf_sender(const PeerWork& work) {
  return {"iperf3", "-c", work.address, "-p",   number(work.port), "-C", "cubic",
          "-l",     "1M", "-t",         "86400"};
}

Words gstreamer_receiver(const PeerWork& work) {
  return {"gst-launch-1.0",
          "-q",
          "tcpserversrc",
          "host=" + work.address,
          "port=" + number(work.port),
          "blocksize=262144",
          "!",
          "rawvideoparse",
          "format=rgb",
          "width=" + number(work.size.width),
          "height=" + number(work.size.height),
          "!",
          "fakesink",
          "sync=false"};
}

Words gstreamer_sender(const PeerWork& work) {
  return {"gst-launch-1.0",
          "-q",
          "fakesrc",
          "sizetype=fixed",
          "sizemax=" + number(wire_bytes(work.size)),
          "filltype=nothing",
          "data=allocate",
          "!",
          "tcpclientsink",
          "host=" + work.address,
          "port=" + number(work.port),
          "sync=false"};
}

Words ffmpeg(const PeerWork& work, const std::string& input) {
  return {"ffmpeg",     "-nostdin", "-v", "error",
          "-avioflags", "direct",   "-f", "rawvideo",
          "-pix_fmt",   "rgb24",    "-s", fmt::format("{}x{}", work.size.width, work.size.height),
          "-i",         input,      "-c", "copy"};
}

Words ffmpeg_receiver(const PeerWork& work) {
  auto words = ffmpeg(work, fmt::format("tcp://{}:{}?listen=1", work.address, work.port));
  words.insert(words.end(), {"-f", "null", "-"});
  return words;
}

Words ffmpeg_sender(const PeerWork& work) {
  auto words = ffmpeg(work, "/dev/zero");
  words.insert(words.end(), {"-f", "rawvideo", "-avioflags", "direct",
                             fmt::format("tcp://{}:{}", work.address, work.port)});
  return words;
}

// Observing the running programs.

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string output_of(const Words& command) {
  std::string line;
  for (const auto& word : command)
    line += "'" + word + "' ";
  std::string text;
  std::FILE* pipe = ::popen((line + "2>/dev/null").c_str(), "re");
  if (pipe == nullptr) return text;
  std::array<char, 4096> part{};
  for (std::size_t count = 0; (count = std::fread(part.data(), 1, part.size(), pipe)) > 0;)
    text.append(part.data(), count);
  ::pclose(pipe);
  return text;
}

std::uint16_t free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  socklen_t bytes = sizeof place;
  const bool is_bound = ::bind(socket, reinterpret_cast<const sockaddr*>(&place), bytes) == 0 &&
                        ::getsockname(socket, reinterpret_cast<sockaddr*>(&place), &bytes) == 0;
  ::close(socket);
  return is_bound ? ntohs(place.sin_port) : std::uint16_t{5201};
}

/// A folder for the programs' output. It is removed with its files.
class Logs {
 public:
  Logs() {
    auto pattern = (std::filesystem::temp_directory_path() / "submix-throughput-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
  }
  ~Logs() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  Logs(const Logs&) = delete;
  Logs& operator=(const Logs&) = delete;

  [[nodiscard]] std::filesystem::path file(const std::string& side) const { return folder_ / side; }
  [[nodiscard]] std::string last_line(const std::string& side) const {
    std::istringstream lines(text_of(file(side)));
    std::string last = "without a word";
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) last = line;
    }
    return last;
  }

 private:
  std::filesystem::path folder_;
};

/// The two running programs. Compatible.
class Pair {
 public:
  Pair(const Testbed& testbed, const ExternalPeer& peer, PeerWork work, const Meanwhile& meanwhile)
      : testbed_(testbed), peer_(peer), work_(std::move(work)), meanwhile_(meanwhile) {}

  Result<void> start() {
    auto receiver = start_side(Side::receive, peer_.receiver(work_), "receiver");
    SUBMIX_TRY(receiver);
    receiver_.emplace(std::move(*receiver));
    auto is_listening = wait_until([this] { return is_receiver_listening(); }, "does not listen");
    if (!is_listening) return is_listening;
    auto sender = start_side(Side::send, peer_.sender(work_), "sender");
    SUBMIX_TRY(sender);
    sender_.emplace(std::move(*sender));
    return wait_until([this] { return bytes_received() > 0; }, "receives nothing");
  }
  Result<void> let_run(milliseconds duration) {
    const auto deadline = std::chrono::steady_clock::now() + duration;
    while (std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(kPeerLook);
      if (auto alive = check_running(); !alive) return alive;
    }
    return {};
  }
  [[nodiscard]] std::uint64_t bytes_received() const {
    return received_bytes_of(output_of(testbed_.command_on(
        Side::receive,
        {"ss", "-tinH", "state", "established", "sport", "=", fmt::format(":{}", work_.port)})));
  }
  [[nodiscard]] ProcessUse use_of(Side side) const {
    const auto& process = side == Side::send ? sender_ : receiver_;
    return process_use_of(text_of(fmt::format("/proc/{}/stat", process->pid())));
  }

 private:
  Result<ChildProcess> start_side(Side side, const Words& command, const std::string& log) {
    return ChildProcess::start(testbed_.command_on(side, command), logs_.file(log));
  }
  template <typename Question>
  Result<void> wait_until(Question is_true, const char* complaint) {
    const auto deadline = std::chrono::steady_clock::now() + kPeerPatience;
    while (!is_true()) {
      if (auto alive = check_running(); !alive) return alive;
      if (std::chrono::steady_clock::now() > deadline)
        return fail("it {} for {} s", complaint, kPeerPatience.count() / 1000);
      std::this_thread::sleep_for(kPeerLook);
    }
    return {};
  }
  Result<void> check_running() {
    if (auto go_on = meanwhile_(); !go_on) return go_on;
    if (receiver_->exit_status())
      return fail("its receiver has ended: {}", logs_.last_line("receiver"));
    if (sender_ && sender_->exit_status())
      return fail("its sender has ended: {}", logs_.last_line("sender"));
    return {};
  }
  // These tables belong to the process's own network namespace.
  bool is_receiver_listening() {
    const auto folder = fmt::format("/proc/{}/net/", receiver_->pid());
    return has_listener(text_of(folder + "tcp"), work_.port) ||
           has_listener(text_of(folder + "tcp6"), work_.port);
  }

  const Testbed& testbed_;
  const ExternalPeer& peer_;
  const PeerWork work_;
  const Meanwhile& meanwhile_;
  Logs logs_;
  std::optional<ChildProcess> receiver_;
  std::optional<ChildProcess> sender_;
};

/// The state of the two programs at one moment.
struct PairSnapshot {
  ProcessUse sender;
  ProcessUse receiver;
  std::uint64_t bytes = 0;
  std::int64_t at_ns = 0;
};

// Asking for the bytes takes some milliseconds, but as long at the end as at the beginning.
PairSnapshot snapshot_of(const Pair& pair) {
  PairSnapshot snapshot{pair.use_of(Side::send), pair.use_of(Side::receive), pair.bytes_received(),
                        0};
  snapshot.at_ns = monotonic_ns();
  return snapshot;
}

}  // namespace

const std::vector<ExternalPeer>& external_peers() {
  static const std::vector<ExternalPeer> kPeers{
      {"iperf3", "iperf3", "-C cubic -l 1M", iperf_receiver, iperf_sender},
      {"gstreamer", "gst-launch-1.0",
       "fakesrc (whose memory costs nothing) to tcpclientsink; tcpserversrc to rawvideoparse to "
       "fakesink",
       gstreamer_receiver, gstreamer_sender},
      {"ffmpeg", "ffmpeg",
       "rawvideo from /dev/zero to tcp; rawvideo from tcp to null; -avioflags direct, -c copy",
       ffmpeg_receiver, ffmpeg_sender}};
  return kPeers;
}

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

Result<ExternalFigures> measure_external(const Testbed& testbed, const ExternalPeer& peer,
                                         Size size, milliseconds warm_up, milliseconds duration,
                                         const Meanwhile& meanwhile) {
  Pair pair(testbed, peer, {size, testbed.addresses(Side::receive).front(), free_port()},
            meanwhile);
  SUBMIX_TRY(pair.start());
  SUBMIX_TRY(pair.let_run(warm_up));
  const auto begin = snapshot_of(pair);
  SUBMIX_TRY(pair.let_run(duration));
  const auto end = snapshot_of(pair);
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  const auto more = [](std::uint64_t later, std::uint64_t earlier) {
    return static_cast<double>(later - earlier);
  };
  return ExternalFigures{more(end.bytes, begin.bytes),
                         static_cast<double>(end.at_ns - begin.at_ns) / 1e9,
                         more(end.sender.cpu_ticks, begin.sender.cpu_ticks) / ticks,
                         more(end.receiver.cpu_ticks, begin.receiver.cpu_ticks) / ticks,
                         more(end.sender.page_faults, begin.sender.page_faults) +
                             more(end.receiver.page_faults, begin.receiver.page_faults)};
}

std::uint64_t received_bytes_of(const std::string& socket_statistics) {
  constexpr std::string_view kName = "bytes_received:";
  std::uint64_t bytes = 0;
  for (auto at = socket_statistics.find(kName); at != std::string::npos;
       at = socket_statistics.find(kName, at)) {
    at += kName.size();
    std::uint64_t value = 0;
    std::from_chars(socket_statistics.data() + at,
                    socket_statistics.data() + socket_statistics.size(), value);
    bytes += value;
  }
  return bytes;
}

bool has_listener(const std::string& table, std::uint16_t port) {
  constexpr std::string_view kListening = "0A";
  const auto ending = fmt::format(":{:04X}", port);
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string row;
    std::string local;
    std::string remote;
    std::string state;
    words >> row >> local >> remote >> state;
    if (local.ends_with(ending) && state == kListening) return true;
  }
  return false;
}

// The name in parentheses may hold any characters. After it, the 8th and 10th words are minor and
// major faults, the 12th and 13th are times.
ProcessUse process_use_of(const std::string& stat) {
  constexpr std::size_t kWords = 13;
  const auto name_end = stat.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream text(stat.substr(name_end + 1));
  std::array<std::uint64_t, kWords + 1> words{};
  std::string state;
  text >> state;
  for (std::size_t word = 2; word <= kWords; ++word) {
    std::int64_t value = 0;  // some fields are -1
    text >> value;
    words[word] = static_cast<std::uint64_t>(value);
  }
  return {words[12] + words[13], words[8] + words[10]};
}

}  // namespace submix::throughput
