// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/picture_transit.hpp"

#include <cstring>
#include <optional>
#include <utility>

namespace submix::host {
namespace {

constexpr std::size_t kOutputPlace = plugin::kInstanceInputsMax;

bool has_own_pages(const std::optional<media::SharedPlace>& place) {
  return place && place->offset_bytes % media::kPageBytes == 0;
}

}  // namespace

PictureTransit::PictureTransit(Size size)
    : picture_bytes_(media::whole_pages(size.pixels() * media::kBytesPerRgbaPixel)) {}

Result<void> PictureTransit::show(std::span<const media::Frame> inputs,
                                  const media::WritableFrame& output, int channel, Job& job) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto own = inputs[i].shared_place();
    const auto place = has_own_pages(own) ? Result<media::SharedPlace>(*own) : copied(inputs[i], i);
    SUBMIX_TRY(place);
    const auto view = views_.find(*place, false, channel);
    SUBMIX_TRY(view);
    job.inputs[i] = *view;
  }
  const auto own = output.shared_place();
  is_output_copied_ = !has_own_pages(own);
  const auto place =
      is_output_copied_ ? copy_place(kOutputPlace) : Result<media::SharedPlace>(*own);
  SUBMIX_TRY(place);
  const auto view = views_.find(*place, true, channel);
  SUBMIX_TRY(view);
  job.output = *view;
  return {};
}

void PictureTransit::collect(media::WritableFrame& output) {
  if (!is_output_copied_) return;
  const auto pixels = output.rgba();
  std::memcpy(pixels.data(), copies_memory_->data() + kOutputPlace * picture_bytes_, pixels.size());
  copies_.fetch_add(1, std::memory_order_relaxed);
}

Result<media::SharedPlace> PictureTransit::copied(const media::Frame& frame, std::size_t place) {
  const auto there = copy_place(place);
  if (!there) return there;
  const auto pixels = frame.rgba();
  std::memcpy(copies_memory_->data() + there->offset_bytes, pixels.data(), pixels.size());
  copies_.fetch_add(1, std::memory_order_relaxed);
  return there;
}

Result<media::SharedPlace> PictureTransit::copy_place(std::size_t place) {
  if (copies_memory_ == nullptr) {
    auto memory = media::SharedMemory::create((kOutputPlace + 1) * picture_bytes_);
    SUBMIX_TRY(memory);
    copies_memory_ = std::move(*memory);
    if (picture_bytes_ >= media::MappedMemory::kHugePageBytes)
      copies_memory_->join_pages(copies_memory_->size_bytes());
  }
  return media::SharedPlace{*copies_memory_, place * picture_bytes_};
}

}  // namespace submix::host
