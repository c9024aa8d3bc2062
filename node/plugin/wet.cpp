// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/wet.hpp"

#include "common/media/pixels.hpp"
#include "common/show/validate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace submix::plugin {
namespace {

constexpr std::size_t kAlpha = 3;  // the place of a pixel's alpha
// How many bytes are tested for alpha at a time. Most pictures are opaque and need no division.
constexpr std::size_t kRunBytes = 1024;

using Input = std::span<const std::uint8_t>;
using Pixels = std::span<std::uint8_t>;

std::uint8_t mixed(unsigned from, unsigned to, unsigned share, unsigned whole) {
  return static_cast<std::uint8_t>((from * (whole - share) + to * share + whole / 2) / whole);
}

// Sixteen bits hold 255 * 256 and the rounding half, so the compiler vectorises this loop.
void mix_opaque(Input input, Pixels picture, std::uint16_t share) {
  const auto rest = static_cast<std::uint16_t>(256 - share);
  for (std::size_t i = 0; i < picture.size(); ++i) {
    const auto sum = static_cast<std::uint16_t>(input[i] * rest + picture[i] * share + 128);
    picture[i] = static_cast<std::uint8_t>(sum >> 8U);
  }
}

void mix_pixel(Input input, Pixels picture, unsigned share) {
  constexpr unsigned kAllShares = 256;
  const unsigned from = input[kAlpha] * (kAllShares - share);
  const unsigned to = picture[kAlpha] * share;
  const unsigned both = from + to;
  for (std::size_t c = 0; c < kAlpha && both > 0; ++c)
    picture[c] = mixed(input[c], picture[c], to, both);
  picture[kAlpha] = mixed(input[kAlpha], picture[kAlpha], share, kAllShares);
}

}  // namespace

bool wants_wet(const Description& description) {
  return description.kind == Kind::filter && description.is_listed &&
         description.parameters.size() < show::kParametersMax &&
         description.find_parameter(kWet) == nullptr;
}

void add_wet(Description& description) {
  if (!wants_wet(description)) return;
  description.parameters.insert(
      description.parameters.begin(),
      {.name = std::string(kWet),
       .explanation = "How much of the effect is seen: 0 is the picture without it",
       .initial = 1.0});
}

void WetShare::set(const show::ParameterValue& value) {
  share_ = static_cast<unsigned>(std::lround(std::get<double>(value) * double{kWhole}));
}

void WetShare::blend(Input input, Pixels picture) const {
  if (is_whole()) return;
  if (is_none()) {
    std::memcpy(picture.data(), input.data(), picture.size());
    return;
  }
  for (std::size_t begin = 0; begin < picture.size(); begin += kRunBytes) {
    const auto length = std::min(kRunBytes, picture.size() - begin);
    const auto from = input.subspan(begin, length);
    const auto to = picture.subspan(begin, length);
    if (media::is_opaque(from) && media::is_opaque(to)) {
      mix_opaque(from, to, static_cast<std::uint16_t>(share_));
      continue;
    }
    for (std::size_t i = 0; i < length; i += media::kBytesPerRgbaPixel)
      mix_pixel(from.subspan(i, media::kBytesPerRgbaPixel),
                to.subspan(i, media::kBytesPerRgbaPixel), share_);
  }
}

namespace {

class WetFilter final : public Plugin {
 public:
  WetFilter(std::unique_ptr<Plugin> filter, Memory memory)
      : filter_(std::move(filter)), memory_(memory) {}

  std::optional<media::Frame> process(Work& work) override {
    if (share_.is_whole()) return filter_->process(work);
    if (share_.is_none() && memory_ == Memory::none) return work.inputs[0];
    work.takeable = nullptr;  // the input is needed afterwards
    auto picture = filter_->process(work);
    if (!picture) return std::nullopt;
    if (share_.is_none() || picture->seat() == work.inputs[0].seat()) return work.inputs[0];
    return blended(work, std::move(*picture));
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    if (parameter == kWet) return share_.set(value);
    filter_->set(parameter, value);
  }

  [[nodiscard]] PluginTraits traits() const override {
    auto traits = filter_->traits();
    if (traits.frames_retained > 0) ++traits.frames_retained;  // see blended()
    return traits;
  }

  [[nodiscard]] Lateness lateness() const override { return filter_->lateness(); }
  [[nodiscard]] Pace pace() const override { return filter_->pace(); }
  [[nodiscard]] std::optional<Demand> demand() const override { return filter_->demand(); }
  void wait_until_ready(std::chrono::steady_clock::time_point deadline) override {
    filter_->wait_until_ready(deadline);
  }
  void try_again() override { filter_->try_again(); }
  void tell_beat(const Beat& beat) override { filter_->tell_beat(beat); }
  [[nodiscard]] std::string trouble() const override { return filter_->trouble(); }
  [[nodiscard]] std::vector<media::SeatNote> own_seats() const override {
    return filter_->own_seats();
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    return filter_->counters();
  }

 private:
  // A filter may have kept its picture, so its pixels must not change.
  [[nodiscard]] std::optional<media::Frame> blended(Work& work, media::Frame picture) const {
    auto output = picture.take_for_writing();
    if (!output) {
      output = work.acquire_output();
      if (!output) return std::nullopt;
      std::ranges::copy(picture.rgba(), output->rgba().begin());
    }
    share_.blend(work.inputs[0].rgba(), output->rgba());
    return std::move(*output).publish();
  }

  const std::unique_ptr<Plugin> filter_;
  const Memory memory_;
  WetShare share_;
};

}  // namespace

std::unique_ptr<Plugin> with_wet(std::unique_ptr<Plugin> filter, const Setup& setup,
                                 Memory memory) {
  auto made = std::make_unique<WetFilter>(std::move(filter), memory);
  const auto share = setup.parameters.find(kWet);
  if (share != setup.parameters.end()) made->set(kWet, share->second);
  return made;
}

}  // namespace submix::plugin
