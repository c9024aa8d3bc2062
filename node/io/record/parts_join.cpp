// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/record/parts_join.hpp"

#include "node/io/file_io.hpp"
#include "node/io/record/matroska_file.hpp"

#include <optional>
#include <utility>

namespace submix::io {
namespace {

constexpr double kRoundingSeconds = 0.001;  // Matroska rounds to milliseconds

class Joiner {
 public:
  Joiner(double from_seconds, RecordingPlace place)
      : from_seconds_(from_seconds), place_(std::move(place)) {}

  /// Fails only if writing fails.
  Result<void> append(const OpenFile& part) {
    const auto opened = open_input(part);
    if (!opened || (*opened)->nb_streams == 0) return {};
    const auto& input = *opened;
    const auto packet = make_packet();
    while (av_read_frame(input.get(), packet.get()) >= 0) {
      auto copied = copy(*input->streams[0], *packet);
      av_packet_unref(packet.get());
      if (!copied) return copied;
    }
    return {};
  }

  Result<void> finish() {
    if (!file_) return fail("{}: none of its parts can be read", place_.path().string());
    return file_->finish();
  }

 private:
  Result<void> copy(const AVStream& stream, AVPacket& packet) {
    if (!file_) {
      const double seconds = static_cast<double>(packet.pts) * av_q2d(stream.time_base);
      const bool is_key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
      if (!is_key || seconds < from_seconds_ - kRoundingSeconds) return {};
      const auto rate = stream.avg_frame_rate.num > 0 ? stream.avg_frame_rate : AVRational{30, 1};
      auto made = MatroskaFile::create(place_, *stream.codecpar, av_inv_q(rate));
      SUBMIX_TRY(made);
      file_.emplace(std::move(*made));
      first_ticks_ = packet.pts;
    }
    packet.pts -= first_ticks_;
    packet.dts = packet.pts;  // no codec of ours reorders
    return file_->write(packet, stream.time_base);
  }

  double from_seconds_;
  RecordingPlace place_;
  std::optional<MatroskaFile> file_;
  std::int64_t first_ticks_ = 0;
};

}  // namespace

Result<void> join_parts(const OpenFolder& folder, const std::vector<std::string>& parts,
                        double from_seconds, const RecordingPlace& place) {
  Joiner joiner(from_seconds, place);
  Result<void> joined;
  for (const auto& name : parts) {
    const auto part = folder.open_file(name);
    if (part) joined = joiner.append(*part);
    if (!joined) break;
  }
  if (joined) joined = joiner.finish();
  if (!joined) place.folder->remove(place.name);
  return joined;
}

}  // namespace submix::io
