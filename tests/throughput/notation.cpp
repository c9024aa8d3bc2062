// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/notation.hpp"

#include "common/show/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

namespace submix::throughput {
namespace {

constexpr std::size_t kLinksMax = 8;
constexpr double kBitRateMin = 1e6;
constexpr double kBitRateMax = 100e9;

template <typename Number>
std::optional<Number> whole(std::string_view text) {
  Number value{};
  const auto* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

struct Quantity {
  double value = 0;
  std::string_view unit;
};

std::optional<Quantity> split_unit(std::string_view text) {
  Quantity quantity;
  const auto* end = text.data() + text.size();
  const auto [rest, error] =
      std::from_chars(text.data(), end, quantity.value, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(quantity.value)) return std::nullopt;
  quantity.unit = {rest, static_cast<std::size_t>(end - rest)};
  return quantity;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

Result<std::vector<BitRate>> parse_rates(std::string_view text) {
  std::vector<BitRate> rates;
  for (const auto part : split(text, ',')) {
    auto rate = parse_bit_rate(part);
    SUBMIX_TRY(rate);
    rates.push_back(*rate);
  }
  return rates;
}

Result<std::chrono::milliseconds> parse_period(std::string_view text) {
  constexpr double kHour = 3'600'000;
  const auto quantity = split_unit(text);
  const bool is_seconds = quantity && quantity->unit == "s";
  if (!quantity || (!is_seconds && quantity->unit != "ms"))
    return fail("\"{}\" is no time; write it like 2s or 500ms", text);
  const double period_ms = quantity->value * (is_seconds ? 1000 : 1);
  if (period_ms < 10 || period_ms > kHour) return fail("{} is not within 10ms to 3600s", text);
  return std::chrono::milliseconds(std::lround(period_ms));
}

}  // namespace

Result<BitRate> parse_bit_rate(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 3> kUnits{
      {{"kbit", 1e3}, {"mbit", 1e6}, {"gbit", 1e9}}};
  const auto quantity = split_unit(text);
  const auto* unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const auto& u) {
    return quantity && u.first == quantity->unit;
  });
  if (unit == kUnits.end())
    return fail("\"{}\" is no rate; write it like 1gbit, 2.5gbit or 500mbit", text);
  const double bits = quantity->value * unit->second;
  if (bits < kBitRateMin || bits > kBitRateMax)
    return fail("rate {} is not within 1mbit to 100gbit", text);
  return BitRate{static_cast<std::uint64_t>(std::llround(bits))};
}

std::string to_text(BitRate rate) {
  const auto bits = static_cast<double>(rate.bits_per_second);
  return bits >= 1e9 ? fmt::format("{:.4g}gbit", bits / 1e9)
                     : fmt::format("{:.4g}mbit", bits / 1e6);
}

std::string to_text(const std::vector<BitRate>& shape) {
  std::string text;
  for (const auto rate : shape)
    text += (text.empty() ? "" : " + ") + to_text(rate);
  return text;
}

Result<std::vector<BitRate>> parse_shape(std::string_view text) {
  auto rates = parse_rates(text);
  if (rates && rates->size() > kLinksMax)
    return fail("{} links are not within 1 to {}", rates->size(), kLinksMax);
  return rates;
}

Result<std::vector<std::chrono::microseconds>> parse_delays(std::string_view text) {
  constexpr double kDelayMax = 200'000;
  std::vector<std::chrono::microseconds> delays;
  for (const auto part : split(text, ',')) {
    const auto quantity = split_unit(part);
    const bool is_milliseconds = quantity && quantity->unit == "ms";
    if (!quantity || (!is_milliseconds && quantity->unit != "us"))
      return fail("\"{}\" is no delay; write it like 0ms, 2.5ms or 300us", part);
    const double microseconds = quantity->value * (is_milliseconds ? 1000 : 1);
    if (microseconds < 0 || microseconds > kDelayMax)
      return fail("delay {} is not within 0ms to 200ms", part);
    delays.emplace_back(std::lround(microseconds));
  }
  if (delays.size() > kLinksMax)
    return fail("{} links are not within 1 to {}", delays.size(), kLinksMax);
  return delays;
}

Result<media::PixelFormat> parse_pixel_format(std::string_view text) {
  if (text == "rgba") return media::PixelFormat::rgba;
  if (text == "rgb24") return media::PixelFormat::rgb24;
  return fail("\"{}\" is no pixel format; rgba and rgb24 are", text);
}

std::string_view to_text(media::PixelFormat format) {
  return format == media::PixelFormat::rgba ? "rgba" : "rgb24";
}

std::span<const NamedSize> named_sizes() {
  static constexpr std::array<NamedSize, 4> kNames{{{"xga", {1024, 768}},
                                                    {"720p", {1280, 720}},
                                                    {"1080p", {1920, 1080}},
                                                    {"2160p", {3840, 2160}}}};
  return kNames;
}

Result<Size> parse_size(std::string_view text) {
  for (const auto& [name, size] : named_sizes()) {
    if (text == name) return size;
  }
  const auto parts = split(text, 'x');
  const auto width = whole<int>(parts.front());
  const auto height = whole<int>(parts.back());
  if (parts.size() != 2 || !width || !height)
    return fail("\"{}\" is no size; write it like 1024x768, or xga, 720p, 1080p, 2160p", text);
  const Size size{*width, *height};
  if (!is_allowed(size)) {
    return fail("size {} is not within {}x{} to {}x{}", text, kSmallestSize.width,
                kSmallestSize.height, kLargestSize.width, kLargestSize.height);
  }
  return size;
}

Result<std::optional<FrameRate>> parse_frame_rate(std::string_view text) {
  constexpr std::uint32_t kTermMax = 1'000'000;
  if (text == "max") return std::optional<FrameRate>();
  const auto parts = split(text, '/');
  FrameRate rate{0, 0};
  if (parts.size() == 2) {
    rate = {whole<std::uint32_t>(parts[0]).value_or(0), whole<std::uint32_t>(parts[1]).value_or(0)};
  } else if (const auto quantity = split_unit(text);
             quantity && quantity->unit.empty() && parts.size() == 1) {
    constexpr std::uint32_t kThousandths = 1000;
    const double thousandths = quantity->value * kThousandths;
    if (thousandths >= 1 && thousandths <= kTermMax) {
      rate = {static_cast<std::uint32_t>(std::lround(thousandths)), kThousandths};
      const auto divisor = std::gcd(rate.numerator, rate.denominator);
      rate = {rate.numerator / divisor, rate.denominator / divisor};
    }
  }
  if (rate.numerator == 0 || rate.denominator == 0 || rate.numerator > kTermMax ||
      rate.denominator > kTermMax || rate.frames_per_second() > 1000)
    return fail("\"{}\" is no frame rate up to 1000; write it like 30, 59.94, 30000/1001, or max",
                text);
  return std::optional(rate);
}

Result<Variation> parse_variation(std::string_view text) {
  const auto colon = text.find(':');
  const auto at = text.find('@');
  const auto link = whole<std::size_t>(text.substr(0, colon));
  if (colon == std::string_view::npos || at == std::string_view::npos || at < colon || !link)
    return fail(
        "\"{}\" is no change of a link; write it like 1:1gbit,100mbit@2s (link 1 is the second)",
        text);
  auto rates = parse_rates(text.substr(colon + 1, at - colon - 1));
  SUBMIX_TRY(rates);
  if (rates->size() < 2) return fail("\"{}\" has one rate; a change needs two or more", text);
  const auto period = parse_period(text.substr(at + 1));
  SUBMIX_TRY(period);
  return Variation{*link, std::move(*rates), *period};
}

}  // namespace submix::throughput
