// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/alsa_stream.hpp"

#include "node/io/sound/sound_device.hpp"

#include <alsa/asoundlib.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <utility>

namespace submix::io {
namespace {

constexpr int kWaitMs = 20;
constexpr unsigned kBufferUs = 40'000;  // four periods: a look every 10 ms

struct AlsaDeleter {
  void operator()(snd_pcm_t* pcm) const { snd_pcm_close(pcm); }
  void operator()(snd_config_t* settings) const { snd_config_delete(settings); }
  void operator()(snd_input_t* text) const { snd_input_close(text); }
};
using PcmPointer = std::unique_ptr<snd_pcm_t, AlsaDeleter>;

constexpr const char* kNotPermitted = "it may not be read; this user has to be in the group audio";

/// ALSA converts format, rate and channels.
std::string definition_of(const std::string& card) {
  const auto comma = card.find(',');
  return fmt::format("pcm.input {{ type plug slave.pcm {{ type hw card {} device {} }} }}",
                     card.substr(3, comma - 3), card.substr(comma + 1));
}

std::string missing(const std::string& device) {
  const auto inputs = sound_card_inputs();
  const bool is_listed = std::ranges::find(inputs, device, &CaptureDevice::device) != inputs.end();
  if (is_listed || (device.empty() && !inputs.empty())) return kNotPermitted;
  if (device.empty())
    return "this computer has neither a sound server nor a sound card with an input; plug one in";
  return "it is not here; " + list_of_inputs(inputs);
}

std::string open_reason(const std::string& device, int code) {
  switch (-code) {
    case EBUSY:
      return "another program has it, perhaps the sound server";
    case EACCES:
    case EPERM:
      return kNotPermitted;
    case ENOENT:
    case ENODEV:
    case ENXIO:
      return missing(device);
    default:
      return snd_strerror(code);
  }
}

void say_nothing(const char* /*file*/, int /*line*/, const char* /*function*/, int /*code*/,
                 const char* /*text*/, ...) {}

/// Stops ALSA from writing to stderr; its errors are also returned.
void silence_alsa() {
  static std::once_flag silenced;
  std::call_once(silenced, [] { snd_lib_error_set_handler(say_nothing); });
}

/// Opens "input" as `text` defines it. The computer's ALSA settings are not read: they may load
/// plugins, one of which waits for a hanging sound server.
int open_defined(const std::string& text, snd_pcm_t*& opened) {
  snd_config_t* settings = nullptr;
  int code = snd_config_top(&settings);
  if (code < 0) return code;
  const std::unique_ptr<snd_config_t, AlsaDeleter> settings_end(settings);
  snd_input_t* input = nullptr;
  code = snd_input_buffer_open(&input, text.data(), static_cast<ssize_t>(text.size()));
  if (code < 0) return code;
  const std::unique_ptr<snd_input_t, AlsaDeleter> input_end(input);
  code = snd_config_load(settings, input);
  if (code < 0) return code;
  return snd_pcm_open_lconf(&opened, "input", SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK, settings);
}

class AlsaStream final : public SoundStream {
 public:
  AlsaStream(PcmPointer pcm, std::string title) : title_(std::move(title)), pcm_(std::move(pcm)) {}

  Result<std::span<const float>> next() override {
    const auto taken = snd_pcm_readi(pcm_.get(), samples_.data(), samples_.size());
    if (taken >= 0) {
      delay_ = present_delay();
      return std::span<const float>(samples_).first(static_cast<std::size_t>(taken));
    }
    if (taken == -EAGAIN) {
      snd_pcm_wait(pcm_.get(), kWaitMs);
      return std::span<const float>();
    }
    return begin_again(static_cast<int>(taken));
  }
  std::chrono::nanoseconds delay() const override { return delay_; }

 private:
  /// The delay of the samples that wait in the card.
  std::chrono::nanoseconds present_delay() const {
    snd_pcm_sframes_t waiting = 0;
    const bool is_known = snd_pcm_delay(pcm_.get(), &waiting) == 0 && waiting > 0;
    return is_known ? std::chrono::nanoseconds(std::chrono::seconds(waiting)) / kSoundRateHz
                    : std::chrono::nanoseconds(0);
  }
  /// After samples were lost because nobody read them, and after the computer has slept.
  Result<std::span<const float>> begin_again(int code) {
    constexpr int kSilently = 1;
    code = snd_pcm_recover(pcm_.get(), code, kSilently);
    if (code == 0) code = snd_pcm_start(pcm_.get());
    if (code == 0) return std::span<const float>();
    if (code == -ENODEV) return fail("{} was unplugged", title_);
    return fail("{} stopped: {}", title_, snd_strerror(code));
  }

  const std::string title_;
  const PcmPointer pcm_;
  std::array<float, kSoundRateHz / 100> samples_{};
  std::chrono::nanoseconds delay_{0};
};

}  // namespace

Result<std::unique_ptr<SoundStream>> open_alsa_stream(const std::string& device) {
  if (!device.empty()) return open_alsa_input(device, definition_of(device));
  const auto inputs = sound_card_inputs();
  if (inputs.empty())
    return fail("{} cannot be opened: {}", title_of_input(device), missing(device));
  return open_alsa_input(device, definition_of(inputs.front().device));
}

Result<std::unique_ptr<SoundStream>> open_alsa_input(const std::string& device,
                                                     const std::string& definition) {
  silence_alsa();
  const auto title = title_of_input(device);
  snd_pcm_t* opened = nullptr;
  int code = open_defined(definition, opened);
  if (code < 0) return fail("{} cannot be opened: {}", title, open_reason(device, code));
  PcmPointer pcm(opened);

  constexpr int kConvertsRate = 1;
  code = snd_pcm_set_params(pcm.get(), SND_PCM_FORMAT_FLOAT, SND_PCM_ACCESS_RW_INTERLEAVED, 1,
                            kSoundRateHz, kConvertsRate, kBufferUs);
  if (code == 0) code = snd_pcm_start(pcm.get());
  if (code < 0) return fail("{} cannot be opened: {}", title, open_reason(device, code));
  return std::make_unique<AlsaStream>(std::move(pcm), title);
}

}  // namespace submix::io
