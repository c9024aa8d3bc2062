// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/capture/capture_device.hpp"

#include "common/base/files.hpp"
#include "common/base/plain_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <system_error>

namespace submix::io {
namespace {

constexpr std::size_t kNameLengthMax = 100;
constexpr std::size_t kFileBytesMax = 4096;  // of the kernel's own
constexpr std::string_view kScreen = "screen";
constexpr const char* kLoopbackMark = "max_openers";  // a file that only v4l2loopback adds

std::optional<int> number_of(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && number >= 0;
  return is_number ? std::optional(number) : std::nullopt;
}

/// 2 for "/dev/video2" and "video2". Empty: not a camera's file.
std::optional<int> camera_number(std::string_view device) {
  if (device.starts_with("/dev/")) device.remove_prefix(5);
  if (!device.starts_with("video")) return std::nullopt;
  return number_of(device.substr(5));
}

bool is_screen(std::string_view device) {
  return device == kScreen || device.starts_with("screen ");
}

// ":1" or ":1.0". X's library would also take other computers and their ports.
bool is_display(std::string_view display) {
  constexpr int kDisplaysOfComputer = 100;
  if (!display.starts_with(':')) return false;
  display.remove_prefix(1);
  const auto dot = display.find('.');
  const auto server = number_of(display.substr(0, dot));
  const auto screen = dot == std::string_view::npos ? 0 : number_of(display.substr(dot + 1));
  return server && *server < kDisplaysOfComputer && screen && *screen < kDisplaysOfComputer;
}

/// ":1" of "screen :1".
std::string display_of(std::string_view device) {
  if (device != kScreen) return std::string(device.substr(kScreen.size() + 1));
  const char* const display = std::getenv("DISPLAY");
  return display == nullptr ? std::string() : display;
}

const Camera* first_camera(const std::vector<Camera>& cameras) {
  if (cameras.empty()) return nullptr;
  const auto found = std::ranges::find(cameras, false, &Camera::is_loopback);
  return found == cameras.end() ? cameras.data() : &*found;
}

CaptureOption rate_option(FrameRate rate) {
  return {"framerate", fmt::format("{}/{}", rate.numerator, rate.denominator)};
}

Result<CaptureInput> screen(const CaptureWish& wish) {
  const auto display = display_of(wish.device);
  if (display.empty()) {
    return fail(
        "this node was started without a screen (DISPLAY is not set); \"screen :0\" names one");
  }
  return CaptureInput{"x11grab", display, {{rate_option(wish.rate)}}};
}

}  // namespace

std::vector<Camera> find_cameras(const std::filesystem::path& class_folder) {
  std::vector<std::pair<int, Camera>> found;
  std::error_code error;
  std::filesystem::directory_iterator entry(class_folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const auto name = entry->path().filename().string();
    const auto number = camera_number(name);
    const auto index = read_text_file(entry->path() / "index", kFileBytesMax).value_or("0");
    if (!number || !index.starts_with('0')) continue;  // a node for the camera's statistics
    auto title = read_text_file(entry->path() / "name", kFileBytesMax).value_or(name);
    if (title.ends_with('\n')) title.pop_back();
    const bool is_loopback =
        read_text_file(entry->path() / kLoopbackMark, kFileBytesMax).has_value();
    found.emplace_back(*number,
                       Camera{"/dev/" + name, plain_text(title, kNameLengthMax), is_loopback});
  }
  std::ranges::sort(found, {}, [](const auto& each) { return each.first; });
  std::vector<Camera> cameras;
  for (auto& [number, camera] : found)
    cameras.push_back(std::move(camera));
  return cameras;
}

const Camera* find_camera(std::string_view device, const std::vector<Camera>& cameras) {
  const auto number = camera_number(device);
  const std::string part(device);
  const auto found = std::ranges::find_if(cameras, [&](const Camera& camera) {
    return number ? camera_number(camera.file.string()) == number
                  : ::strcasestr(camera.name.c_str(), part.c_str()) != nullptr;
  });
  return found == cameras.end() ? nullptr : &*found;
}

std::string shown_name(const Camera& camera) {
  return fmt::format("{} ({})", camera.file.filename().string(), camera.name);
}

std::string shown_names(const std::vector<Camera>& cameras) {
  std::vector<std::string> names;
  for (const auto& camera : cameras)
    names.push_back(shown_name(camera));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<CaptureDevice> capture_devices(const std::vector<Camera>& cameras) {
  std::vector<CaptureDevice> devices;
  for (const auto& camera : cameras) {
    if (devices.size() + 1 < kCaptureDevicesMax)
      devices.push_back({camera.file.filename().string(), camera.name});
  }
  if (!display_of(kScreen).empty()) devices.push_back({std::string(kScreen), ""});
  return devices;
}

Result<void> check_camera_name(std::string_view device) {
  if (device.size() > kNameLengthMax)
    return fail("a device's name has {} letters, {} are possible", device.size(), kNameLengthMax);
  const bool is_path = device.find('/') != std::string_view::npos;
  if (!is_path || camera_number(device)) return {};
  return fail("\"{}\" is no camera; write its number, such as video0, or a part of its name",
              device);
}

Result<void> check_capture_name(std::string_view device) {
  if (!is_screen(device)) return check_camera_name(device);
  if (device == kScreen || is_display(device.substr(kScreen.size() + 1))) return {};
  return fail("\"{}\" is no screen of this computer; write screen, or screen :0", device);
}

Result<CaptureInput> find_capture(const CaptureWish& wish, const std::vector<Camera>& cameras) {
  SUBMIX_TRY(check_capture_name(wish.device));
  if (is_screen(wish.device)) return screen(wish);
  const auto* camera =
      wish.device.empty() ? first_camera(cameras) : find_camera(wish.device, cameras);
  if (camera == nullptr && wish.device.empty())
    return fail("no camera is plugged in; the device \"screen\" captures the screen");
  if (camera == nullptr) {
    return fail("no camera \"{}\" is here; this computer has {}", wish.device,
                cameras.empty() ? "none" : shown_names(cameras));
  }
  const CaptureOption size{"video_size", fmt::format("{}x{}", wish.size.width, wish.size.height)};
  const auto rate = rate_option(wish.rate);
  const CaptureOption clock{"timestamps", "abs"};
  // A camera's cable carries large sizes at the full rate only as JPEG. The driver chooses the
  // nearest size and rate that it has.
  return CaptureInput{
      "v4l2",
      camera->file.string(),
      {{clock, size, rate, {"input_format", "mjpeg"}}, {clock, size, rate}, {clock}},
  };
}

}  // namespace submix::io
