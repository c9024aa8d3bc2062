// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/camera/loopback_camera.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/videodev2.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>

namespace submix::io {
namespace {

constexpr std::string_view kDriver = "v4l2 loopback";
constexpr unsigned int kVideoMajor = 81;  // of all devices of Video4Linux
constexpr auto kOutput = V4L2_BUF_TYPE_VIDEO_OUTPUT;

constexpr const char* kMissing =
    "this computer has no loopback device, which other programs would have as a camera; install "
    "and load it: {} && {}";
constexpr const char* kWritten =
    "{} is written by another slot or program; choose another device, or end the other writer";

bool is_video_device(const std::filesystem::path& file) {
  struct stat status{};
  return ::lstat(file.c_str(), &status) == 0 && S_ISCHR(status.st_mode) &&
         major(status.st_rdev) == kVideoMajor;
}

std::string reason(int code) {
  if (code == EACCES || code == EPERM)
    return "it may not be written; this user has to be in the group video";
  if (code == EBUSY) return "too many programs have it open";
  return std::strerror(code);
}

std::string fourcc_text(std::uint32_t code) {
  std::string text;
  for (int shift = 0; shift < 32; shift += 8)
    text += static_cast<char>(code >> shift & 0x7F);
  return text;
}

}  // namespace

Result<std::vector<Camera>> find_loopbacks(const std::string& device,
                                           const std::vector<Camera>& cameras) {
  SUBMIX_TRY(check_camera_name(device));
  std::vector<Camera> loopbacks;
  std::ranges::copy_if(cameras, std::back_inserter(loopbacks), &Camera::is_loopback);
  if (loopbacks.empty()) return fail(kMissing, kInstallLoopback, kLoadLoopback);
  if (device.empty()) return loopbacks;
  if (const auto* found = find_camera(device, loopbacks)) return std::vector{*found};
  return fail("no loopback device \"{}\" is here; this computer has {}", device,
              shown_names(loopbacks));
}

std::vector<CaptureDevice> loopback_devices(const std::vector<Camera>& cameras) {
  std::vector<CaptureDevice> devices;
  for (const auto& camera : cameras) {
    if (camera.is_loopback && devices.size() < kCaptureDevicesMax)
      devices.push_back({camera.file.filename().string(), camera.name});
  }
  return devices;
}

Result<LoopbackCamera> LoopbackCamera::open(const Camera& camera, Size size, FrameRate rate) {
  const auto name = shown_name(camera);
  if (!is_video_device(camera.file)) return fail("{} is no video device", name);
  LoopbackCamera opened(
      name, Descriptor(::open(camera.file.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)));
  if (!opened.device_) return fail("{} cannot be opened: {}", name, reason(errno));
  SUBMIX_TRY(opened.check_driver());
  SUBMIX_TRY(opened.become_only_writer());
  opened.begin();
  SUBMIX_TRY(opened.set_format(size));
  opened.set_rate(rate);
  return opened;
}

// A device of exclusive_caps=1 is a camera, and no output any longer, while somebody writes it.
Result<void> LoopbackCamera::check_driver() const {
  v4l2_capability able{};
  const bool is_answered = ::ioctl(device_.get(), VIDIOC_QUERYCAP, &able) == 0;
  const auto* const driver = reinterpret_cast<const char*>(able.driver);
  if (!is_answered || driver != kDriver)
    return fail("{} is no loopback device; nothing is written to it", name_);
  const bool is_camera_only = (able.device_caps & V4L2_CAP_VIDEO_CAPTURE) != 0 &&
                              (able.device_caps & V4L2_CAP_VIDEO_OUTPUT) == 0;
  if (is_camera_only) return fail(kWritten, name_);
  return {};
}

// The driver lets several programs write one device in turns. Nodes exclude each other by a lock.
Result<void> LoopbackCamera::become_only_writer() const {
  if (::flock(device_.get(), LOCK_EX | LOCK_NB) != 0) return fail(kWritten, name_);
  return {};
}

Result<void> LoopbackCamera::set_format(Size size) const {
  v4l2_format format{};
  format.type = kOutput;
  auto& picture = format.fmt.pix;
  picture.width = static_cast<std::uint32_t>(size.width);
  picture.height = static_cast<std::uint32_t>(size.height);
  picture.pixelformat = V4L2_PIX_FMT_YUYV;
  picture.field = V4L2_FIELD_NONE;
  picture.bytesperline = picture.width * 2;
  picture.sizeimage = picture.bytesperline * picture.height;
  picture.colorspace = V4L2_COLORSPACE_SRGB;
  picture.ycbcr_enc = V4L2_YCBCR_ENC_601;
  picture.quantization = V4L2_QUANTIZATION_LIM_RANGE;
  if (::ioctl(device_.get(), VIDIOC_S_FMT, &format) != 0) {
    return errno == EBUSY ? fail(kWritten, name_)
                          : fail("{} takes no pictures of {}x{}: {}", name_, size.width,
                                 size.height, std::strerror(errno));
  }
  const bool is_granted = picture.width == static_cast<std::uint32_t>(size.width) &&
                          picture.height == static_cast<std::uint32_t>(size.height) &&
                          picture.pixelformat == V4L2_PIX_FMT_YUYV;
  if (is_granted) return {};
  return fail(
      "{} is kept at {}x{} {} by a program that reads it, and this show has {}x{} YUYV; end that "
      "program, or choose its other camera first",
      name_, picture.width, picture.height, fourcc_text(picture.pixelformat), size.width,
      size.height);
}

// Programs only show the rate, so a driver that does not take it is no failure.
void LoopbackCamera::set_rate(FrameRate rate) const {
  v4l2_streamparm timing{};
  timing.type = kOutput;
  timing.parm.output.timeperframe = {rate.denominator, rate.numerator};
  static_cast<void>(::ioctl(device_.get(), VIDIOC_S_PARM, &timing));
}

// The driver's version 0.12 announces a device as an output again only when a writer closes it that
// had begun so. After a program that had not, the format is refused; the next attempt succeeds.
// Later versions begin at the first picture and refuse this call.
void LoopbackCamera::begin() const {
  int type = kOutput;
  static_cast<void>(::ioctl(device_.get(), VIDIOC_STREAMON, &type));
}

Result<void> LoopbackCamera::write(std::span<const std::uint8_t> yuyv) {
  ::ssize_t count = 0;
  do {
    count = ::write(device_.get(), yuyv.data(), yuyv.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0 && errno == EBUSY) return fail(kWritten, name_);
  if (count < 0) return fail("{} takes no more pictures: {}", name_, std::strerror(errno));
  if (static_cast<std::size_t>(count) == yuyv.size()) return {};
  return fail("{} takes only {} of a picture's {} bytes", name_, count, yuyv.size());
}

}  // namespace submix::io
