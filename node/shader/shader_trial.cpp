// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/shader_trial.hpp"

#include "common/media/frame.hpp"
#include "node/shader/shader_description.hpp"
#include "node/shader/shader_renderer.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

namespace submix::shader {
namespace {

constexpr Size kSize{320, 180};
constexpr std::chrono::milliseconds kFrameTime(40);
constexpr std::uint64_t kFrames = 12;   // with the same values
constexpr std::uint64_t kMoments = 97;  // frame times between two drawn frames
// How far along their ranges the numbers stand, in turn. Negative: at their initial values.
constexpr std::array<double, 6> kPlaces{-1, 0.5, 1, 0.25, 0.75, 0};
constexpr Size kMeasuredSize{1280, 720};
constexpr std::size_t kMeasuredFrames = 9;
constexpr std::chrono::seconds kMeasuredTime(1);
constexpr double kShift = 0.37;
constexpr int kSeen = 2;  // mean difference of two pictures that counts, of 255

using Picture = std::vector<std::uint8_t>;

/// Colours that run into each other, with squares, lines and a transparent part. They move, and
/// each picture is of another kind.
void paint(Picture& picture, unsigned number, unsigned moved) {
  for (unsigned y = 0; y < static_cast<unsigned>(kSize.height); ++y) {
    for (unsigned column = 0; column < static_cast<unsigned>(kSize.width); ++column) {
      auto* pixel = &picture[(std::size_t{y} * static_cast<unsigned>(kSize.width) + column) * 4];
      const unsigned x = column + moved;
      const bool is_square = (x / 20 + y / 20 + number) % 3 == 0;
      const unsigned line = y % 2 * 40;
      pixel[0] = static_cast<std::uint8_t>(is_square ? 210 + line : x * 255 / 320 % 256);
      pixel[1] = static_cast<std::uint8_t>(number % 2 == 0 ? y * 255 / 180 : 255 - y);
      pixel[2] = static_cast<std::uint8_t>(is_square ? 40 + line : (x + y * number * 3) % 256);
      pixel[3] = x / 64 % 4 == number % 4 ? 90 : 255;
    }
  }
}

int difference(const Picture& a, const Picture& b) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += static_cast<std::uint64_t>(std::abs(a[i] - b[i]));
  return static_cast<int>(sum / a.size());
}

// A picture of one colour, however bright, is nothing to look at.
bool has_content(const Picture& picture) {
  for (std::size_t i = 4; i < picture.size(); ++i) {
    if (std::abs(picture[i] - picture[i % 4]) > kSeen) return true;
  }
  return false;
}

using SteadyClock = std::chrono::steady_clock;

/// Milliseconds for a frame of kMeasuredSize: the median of the frames of a second, nine at most.
double time_of_frame(const ShaderSource& source) {
  const auto renderer = ShaderRenderer::make(source, kMeasuredSize);
  if (!renderer) return 0;
  const Picture input(kMeasuredSize.pixels() * media::kBytesPerRgbaPixel, 100);
  const std::vector<std::span<const std::uint8_t>> inputs(picture_inputs(source.header).size(),
                                                          input);
  Picture output(input.size());
  std::vector<double> times;
  const auto end = SteadyClock::now() + kMeasuredTime;
  while (times.size() < kMeasuredFrames && (times.empty() || SteadyClock::now() < end)) {
    const auto begin = SteadyClock::now();
    (*renderer)->draw({.time = kFrameTime * static_cast<int>(times.size())}, inputs, output);
    const std::chrono::duration<double, std::milli> taken = SteadyClock::now() - begin;
    times.push_back(taken.count());
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

/// The shader, its pictures and its values.
class Trial {
 public:
  Trial(ShaderRenderer& renderer, const plugin::Description& description, std::size_t pictures)
      : renderer_(renderer), description_(description) {
    pictures_.resize(pictures, output_);
    inputs_.assign(pictures_.begin(), pictures_.end());
  }

  bool draws() {
    return std::ranges::any_of(kPlaces, [this](double place) { return draws_at(place); });
  }

 private:
  bool draws_at(double place) {
    for (std::uint64_t i = 0; i < kFrames; ++i) {
      if (i == 0 || i == kFrames / 2) set_values(place, i != 0);
      for (unsigned number = 0; number < pictures_.size(); ++number)
        paint(pictures_[number], number + 1, static_cast<unsigned>(moment_.frame) * 7);
      moment_.delta = kFrameTime;
      moment_.time += kFrameTime * kMoments;
      ++moment_.frame;
      renderer_.draw(moment_, inputs_, output_);
      if (is_seen()) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_seen() const {
    const bool is_new = std::ranges::all_of(
        pictures_, [this](const Picture& input) { return difference(input, output_) >= kSeen; });
    return is_new && has_content(output_);
  }

  void set_values(double place, bool is_on) {
    double shift = 0;  // so that two points are never the same
    for (const auto& parameter : description_.parameters) {
      shift += kShift;
      const bool is_switch = parameter.type == plugin::ParameterType::boolean;
      if (is_switch) renderer_.set(parameter.name, is_on);
      if (place >= 0 && !is_switch)
        renderer_.set(parameter.name, value_at(parameter, place, shift));
    }
  }

  static show::ParameterValue value_at(const plugin::ParameterDescription& parameter, double place,
                                       double shift) {
    const double x = std::fmod(place + shift, 1.0);
    switch (parameter.type) {
      case plugin::ParameterType::boolean:
        break;
      case plugin::ParameterType::number:
        return parameter.minimum + place * (parameter.maximum - parameter.minimum);
      case plugin::ParameterType::color:
        return std::vector<double>{x, 1 - x, place};
      case plugin::ParameterType::position:
        return std::vector<double>{x, 1 - x};
      case plugin::ParameterType::text:
        return parameter
            .choices[static_cast<std::size_t>(x * static_cast<double>(parameter.choices.size()))];
    }
    return parameter.initial;
  }

  ShaderRenderer& renderer_;
  const plugin::Description& description_;
  Picture output_ = Picture(kSize.pixels() * media::kBytesPerRgbaPixel);
  std::vector<Picture> pictures_;
  std::vector<std::span<const std::uint8_t>> inputs_;
  Moment moment_;
};

}  // namespace

ShaderTrial try_shader(const std::filesystem::path& file) {
  ShaderTrial trial;
  const auto source = load_source(file);
  if (!source) return {.problem = source.error().message};
  const auto description = describe_file(*source, file);
  if (!description) return {.problem = description.error().message};
  trial.kind = plugin::to_string(description->kind);
  const auto renderer = ShaderRenderer::make(*source, kSize);
  if (!renderer) {
    trial.problem = renderer.error().message;
    return trial;
  }
  trial.is_compiled = true;
  trial.is_drawn = Trial(**renderer, *description, picture_inputs(source->header).size()).draws();
  if (trial.is_drawn) trial.frame_ms = time_of_frame(*source);
  if (!trial.is_drawn)
    trial.problem = "draws one colour or an unchanged input, whatever its values";
  return trial;
}

std::string to_json(const std::filesystem::path& file, const ShaderTrial& trial) {
  nlohmann::json json{{"file", file.filename().string()},
                      {"kind", trial.kind},
                      {"compiled", trial.is_compiled},
                      {"drawn", trial.is_drawn},
                      {"frame_ms", std::round(trial.frame_ms * 10) / 10},
                      {"problem", trial.problem}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace submix::shader
