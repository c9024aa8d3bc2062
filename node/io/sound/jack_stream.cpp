// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/jack_stream.hpp"

#include "common/show/sound.hpp"
#include "node/io/sound/jack_calls.hpp"
#include "node/io/sound/jack_server.hpp"
#include "node/io/sound/rate_conversion.hpp"
#include "node/io/sound/sound_device.hpp"

#include <fmt/format.h>
#include <boost/lockfree/spsc_queue.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace submix::io {
namespace {

constexpr std::chrono::seconds kJackPatience{3};
constexpr std::chrono::milliseconds kClosePatience{100};
constexpr std::chrono::milliseconds kConnectionPatience{500};
constexpr std::chrono::milliseconds kGlance{5};
constexpr int kGlances = 4;
constexpr std::size_t kRingSamples = 65'536;     // eight of JACK's longest periods
constexpr std::chrono::milliseconds kKept{200};  // for a late listener
constexpr std::chrono::seconds kDelayMax{2};     // more is a fault of the server

std::chrono::nanoseconds now_on_steady_clock() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

/// A client of JACK with one input port. JACK adds up the ports that are connected to it.
class JackListener {
 public:
  /// All functions of libjack that wait for its server are called here, and by the destructor.
  [[nodiscard]] static Result<std::shared_ptr<JackListener>> open(const std::string& device);
  JackListener() = default;
  JackListener(const JackListener&) = delete;
  JackListener& operator=(const JackListener&) = delete;

  /// Takes all waiting samples.
  void take(std::vector<float>& samples) {
    samples.resize(ring_.read_available());
    samples.resize(ring_.pop(samples.data(), samples.size()));
  }
  [[nodiscard]] bool has_samples() { return ring_.read_available() > 0; }
  [[nodiscard]] bool is_server_gone() const { return is_server_gone_.load(); }
  [[nodiscard]] bool is_connected() const {
    return ::jack_port_connected(port_) >= static_cast<int>(sources_);
  }
  [[nodiscard]] int rate_hz() const {
    return static_cast<int>(::jack_get_sample_rate(client_.get()));
  }
  [[nodiscard]] std::size_t sources() const { return sources_; }
  /// From the end of the newest period at the sound card until now.
  [[nodiscard]] std::chrono::nanoseconds age() const;

 private:
  static int process(jack_nframes_t samples, void* listener);
  static void note_shutdown(void* listener) {
    static_cast<JackListener*>(listener)->is_server_gone_.store(true);
  }
  [[nodiscard]] Result<std::vector<std::string>> find_sources(const std::string& device) const;
  [[nodiscard]] Result<void> start();
  [[nodiscard]] Result<void> connect(const std::vector<std::string>& sources);

  boost::lockfree::spsc_queue<float> ring_{kRingSamples};
  std::atomic<std::chrono::nanoseconds::rep> came_{0};  // when the newest period came
  std::atomic<bool> is_server_gone_{false};
  jack_port_t* port_ = nullptr;
  std::size_t sources_ = 0;
  JackClient client_;  // the last: its threads use all others
};

// Runs in JACK's thread, often a real-time thread, which libjack may cancel: takes no lock and
// makes no system call.
int JackListener::process(jack_nframes_t samples, void* listener) {
  auto& self = *static_cast<JackListener*>(listener);
  const auto* buffer = static_cast<const float*>(::jack_port_get_buffer(self.port_, samples));
  self.came_.store(now_on_steady_clock().count());
  if (buffer != nullptr) self.ring_.push(buffer, samples);
  return 0;
}

// JACK tells the age of a period's first sample when the period arrives.
std::chrono::nanoseconds JackListener::age() const {
  jack_latency_range_t latency{};
  ::jack_port_get_latency_range(port_, JackCaptureLatency, &latency);
  const auto period = ::jack_get_buffer_size(client_.get());
  const auto samples = latency.max > period ? latency.max - period : 0;
  const auto rate_hz = std::max(this->rate_hz(), 1);
  const auto on_the_way = std::chrono::nanoseconds(std::chrono::seconds(samples)) / rate_hz;
  const auto age = on_the_way + now_on_steady_clock() - std::chrono::nanoseconds(came_.load());
  return age < kDelayMax ? age : std::chrono::nanoseconds(0);
}

Result<std::shared_ptr<JackListener>> JackListener::open(const std::string& device) {
  auto client = open_jack_client("submix");
  SUBMIX_TRY(client);
  auto listener = std::make_shared<JackListener>();
  listener->client_ = std::move(*client);
  const auto sources = listener->find_sources(device);
  SUBMIX_TRY(sources);
  SUBMIX_TRY(listener->start());
  SUBMIX_TRY(listener->connect(*sources));
  return listener;
}

Result<std::vector<std::string>> JackListener::find_sources(const std::string& device) const {
  auto named = show::jack_ports(device).value_or(std::vector<std::string>());
  auto captures = jack_outputs(client_.get(), true);
  if (named.empty() && captures.empty())
    return fail("JACK has no capture ports; name a program's port: jack:CLIENT:PORT");
  if (named.empty()) return captures;
  const auto outputs = jack_outputs(client_.get(), false);
  for (const auto& port : named) {
    if (std::ranges::find(outputs, port) != outputs.end()) continue;
    const bool is_there = ::jack_port_by_name(client_.get(), port.c_str()) != nullptr;
    const auto inputs = list_of_inputs(jack_inputs_of(outputs, !captures.empty()));
    return fail("JACK's port \"{}\" {}; {}", port, is_there ? "gives no sound" : "is not here",
                inputs);
  }
  return named;
}

Result<void> JackListener::start() {
  auto* const client = client_.get();
  port_ = ::jack_port_register(client, "input", JACK_DEFAULT_AUDIO_TYPE,
                               JackPortIsInput | JackPortIsTerminal, 0);
  if (port_ == nullptr)
    return fail("JACK has no port left; start its server with more (--port-max)");
  ::jack_on_shutdown(client, note_shutdown, this);
  const bool is_set = ::jack_set_process_callback(client, process, this) == 0;
  if (!is_set || ::jack_activate(client) != 0) return fail("JACK does not run its client");
  return {};
}

Result<void> JackListener::connect(const std::vector<std::string>& sources) {
  for (const auto& source : sources) {
    const int code = ::jack_connect(client_.get(), source.c_str(), ::jack_port_name(port_));
    if (code != 0 && code != EEXIST) return fail("JACK refuses the connection with \"{}\"", source);
  }
  sources_ = sources.size();
  // The server shows a connection to its clients from the next period on.
  const auto deadline = std::chrono::steady_clock::now() + kConnectionPatience;
  while (!is_connected() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(kGlance);
  return {};
}

class JackStream final : public SoundStream {
 public:
  JackStream(std::shared_ptr<JackListener> listener, int rate_hz, RateConversion conversion,
             std::string title)
      : listener_(std::move(listener)),
        rate_hz_(rate_hz),
        conversion_(std::move(conversion)),
        title_(std::move(title)) {}
  ~JackStream() override { destroy_by_jack(std::move(listener_), kClosePatience); }
  JackStream(const JackStream&) = delete;
  JackStream& operator=(const JackStream&) = delete;

  Result<std::span<const float>> next() override {
    SUBMIX_TRY(check());
    for (int i = 0; i < kGlances && !listener_->has_samples(); ++i)
      std::this_thread::sleep_for(kGlance);
    listener_->take(samples_);
    if (samples_.empty()) return std::span<const float>();

    const auto share = 1.0F / static_cast<float>(listener_->sources());
    for (auto& sample : samples_)
      sample *= share;
    const auto converted = conversion_.convert(newest());
    delay_ = listener_->age() + conversion_.delay();
    return converted;
  }
  std::chrono::nanoseconds delay() const override { return delay_; }

 private:
  [[nodiscard]] Result<void> check() const {
    if (listener_->is_server_gone())
      return fail("{} stopped: the JACK server has ended, or has removed Submix", title_);
    if (!listener_->is_connected()) return fail("{} was unplugged in JACK", title_);
    if (listener_->rate_hz() != rate_hz_)
      return fail("{} stopped: JACK has changed its rate from {} Hz", title_, rate_hz_);
    return {};
  }
  [[nodiscard]] std::span<const float> newest() const {
    const auto kept = static_cast<std::size_t>(rate_hz_ * kKept / std::chrono::seconds(1));
    return std::span(samples_).last(std::min(samples_.size(), kept));
  }

  std::shared_ptr<JackListener> listener_;
  const int rate_hz_;
  RateConversion conversion_;
  const std::string title_;
  std::vector<float> samples_;
  std::chrono::nanoseconds delay_{0};
};

}  // namespace

Result<std::unique_ptr<SoundStream>> open_jack_stream(const std::string& device,
                                                      const std::stop_token& stop) {
  const auto title = title_of_input(device);
  const auto open = [device] { return JackListener::open(device); };
  auto listener = ask_jack<std::shared_ptr<JackListener>>(open, stop, kJackPatience);
  if (!listener) return fail("{} cannot be opened: {}", title, listener.error().message);
  const auto rate_hz = (*listener)->rate_hz();
  auto conversion = RateConversion::from(rate_hz);
  if (!conversion) {
    destroy_by_jack(*std::move(listener), kClosePatience);
    return fail("{} cannot be opened: {}", title, conversion.error().message);
  }
  return std::make_unique<JackStream>(*std::move(listener), rate_hz, *std::move(conversion), title);
}

}  // namespace submix::io
