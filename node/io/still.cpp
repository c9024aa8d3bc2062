// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/still.hpp"

#include "node/io/parameters.hpp"
#include "node/io/picture_fit.hpp"
#include "node/io/video_reader.hpp"

#include <cstring>
#include <utility>

namespace submix::io {
namespace {

using plugin::ParameterType;

Result<std::vector<std::uint8_t>> paint_file(const std::filesystem::path& file, Size size, Fit fit) {
  auto reader = VideoReader::open(file);
  if (!reader) return tl::unexpected(reader.error());
  PicturePainter painter(size, fit);
  std::vector<std::uint8_t> rgba(size.pixels() * media::kBytesPerRgbaPixel);
  if (auto painted = painter.paint(*reader->next()->frame, rgba); !painted)
    return tl::unexpected(painted.error());
  return rgba;
}

class Still final : public plugin::Plugin {
 public:
  Still(const plugin::Setup& setup, MediaFolders folders) : setup_(setup), folders_(std::move(folders)) {}

  /// Reads and paints the file that the parameters name; on failure all stays as it was.
  Result<void> load() {
    auto fresh = paint_file(resolve(folders_.media, parameter<std::string>(setup_.parameters, "file")),
                            setup_.size, fit_named(parameter<std::string>(setup_.parameters, "fit")));
    if (!fresh) return tl::unexpected(fresh.error());
    rgba_ = std::move(*fresh);
    return {};
  }

  std::optional<media::Frame> process(plugin::Work& work) override {
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    std::memcpy(output->rgba().data(), rgba_.data(), rgba_.size());
    return std::move(*output).publish();
  }

  void set(std::string_view name, const show::ParameterValue& value) override {
    setup_.parameters.insert_or_assign(std::string(name), value);
    const auto loaded = load();
    if (loaded || setup_.events == nullptr) return;
    setup_.events->report(Severity::warning, setup_.about(),
                          fmt::format("{}; the image before it stays", loaded.error().message));
  }

 private:
  plugin::Setup setup_;
  MediaFolders folders_;
  std::vector<std::uint8_t> rgba_;
};

}  // namespace

Result<std::vector<std::uint8_t>> load_still(const std::filesystem::path& file, Size size) {
  return paint_file(file, size, Fit::letterbox);
}

plugin::Description still_description() {
  return {.id = "still",
          .kind = plugin::Kind::source,
          .explanation = "Shows an image file",
          .author = "Submix",
          .parameters = {
              {"file", ParameterType::text, "the image, absolute or below the node's media folder",
               std::string()},
              {"fit", ParameterType::text, "letterbox (black bars), fill (cut the edges) or stretch",
               std::string("letterbox"), 0.0, 1.0, fit_names()},
          }};
}

Result<std::unique_ptr<plugin::Plugin>> make_still(const plugin::Setup& setup, const MediaFolders& folders) {
  if (parameter<std::string>(setup.parameters, "file").empty()) {
    return fail("{}: no image is named; set its parameter file", setup.about());
  }
  auto still = std::make_unique<Still>(setup, folders);
  if (auto loaded = still->load(); !loaded)
    return fail("{}: image {}", setup.about(), loaded.error().message);
  return still;
}

}  // namespace submix::io
