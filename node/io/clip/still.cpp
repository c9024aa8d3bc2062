// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/still.hpp"

#include "common/show/picture_series.hpp"
#include "node/io/clip/missing_source.hpp"
#include "node/io/parameters.hpp"
#include "node/io/picture_fit.hpp"
#include "node/plugin/black_frame.hpp"
#include "node/plugin/trouble.hpp"

#include <cstring>
#include <utility>

namespace submix::io {
namespace {

using plugin::ParameterType;

/// People who have numbered pictures may try them here.
Result<OpenFile> open_image(const MediaFolders& folders, std::string_view file) {
  auto opened = open_media(folders, file);
  if (opened || !show::series_name(file)) return opened;
  return fail("{}; the plugin clip plays numbered pictures", opened.error().message);
}

/// Paints its file once, and then drops the source.
class Still final : public plugin::Plugin {
 public:
  Still(const plugin::Setup& setup, MediaFolders folders, SourceOpener opener,
        std::unique_ptr<PictureSource> source)
      : setup_(setup),
        folders_(std::move(folders)),
        opener_(std::move(opener)),
        frames_retained_(1 + source->frames_retained()),
        was_missing_(source->is_missing()),
        is_missing_(was_missing_),
        source_(std::move(source)) {
    trouble_.set(source_->trouble());
  }

  std::optional<media::Frame> process(plugin::Work& work) override {
    const bool is_new = source_ && has_come();
    if (!is_new && !last_) return plugin::black_frame(work);
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    if (is_new) {
      auto painted = source_->paint(request(), *std::move(output), work.stop);
      if (painted.outcome == PaintedPicture::Outcome::stopped) return std::nullopt;
      tell_of_trouble();
      if (!painted.output) return last_ ? std::optional(last_) : plugin::black_frame(work);
      source_ = nullptr;
      last_ = (*std::move(painted.output)).publish();
      return last_;
    }
    const auto pixels = output->rgba();
    std::memcpy(pixels.data(), last_.rgba().data(), pixels.size());
    return std::move(*output).publish();
  }

  void set(std::string_view name, const show::ParameterValue& value) override {
    setup_.parameters.insert_or_assign(std::string(name), value);
    open_file();
  }

  void try_again() override {
    if (is_missing_) return open_file();
    if (source_) source_->try_again();
  }
  plugin::PluginTraits traits() const override {
    return {.frames_retained = frames_retained_, .shares_outputs = opener_.is_elsewhere()};
  }
  std::string trouble() const override { return trouble_.text(); }

 private:
  void open_file() {
    auto file = open_image(folders_, parameter<std::string>(setup_.parameters, "file"));
    auto source =
        file ? opener_.open(std::move(*file), source_setup(setup_)) : tl::unexpected(file.error());
    if (source) {
      source_ = std::move(*source);
      is_missing_ = false;
    } else {
      refuse(source.error());
    }
  }

  /// The present image stays until the next one is ready. Creation has waited for the first one.
  bool has_come() {
    const auto ready = source_->is_ready(PictureSource::SteadyTime{});
    if (!ready) refuse(ready.error());
    const bool is_refused = !ready && (last_ || was_missing_);
    if (is_refused) source_ = nullptr;
    return ready && *ready;
  }

  [[nodiscard]] PictureRequest request() const {
    return {.fit = fit_named(parameter<std::string>(setup_.parameters, "fit"))};
  }

  void tell_of_trouble() {
    trouble_.set(source_->trouble());
    if (source_->report().is_unpaintable)
      report(fmt::format("image {}: its pixels have a format that cannot be converted; it is black",
                         source_->name()));
  }

  void refuse(const Error& error) const {
    report(fmt::format("{}; {}", error.message,
                       was_missing_ && !last_ ? "it stays black" : "the image before it stays"));
  }

  void report(std::string text) const {
    if (setup_.events != nullptr)
      setup_.events->report(Severity::warning, setup_.about(), std::move(text));
  }

  plugin::Setup setup_;
  const MediaFolders folders_;
  const SourceOpener opener_;
  const std::size_t frames_retained_;
  const bool was_missing_;                 // the slot was made bypassed, without its file
  bool is_missing_;                        // the file is still missing
  std::unique_ptr<PictureSource> source_;  // null: the image is painted
  media::Frame last_;                      // as painted; none: the first image is not painted yet
  plugin::Trouble trouble_;
};

}  // namespace

Result<std::vector<std::uint8_t>> load_still(OpenFile file, Size size, const SourceOpener& opener) {
  const auto source = open_ready(opener, std::move(file), {.slot = "stand-by", .size = size});
  SUBMIX_TRY(source);
  return read_picture(**source, {}, size, opener);
}

plugin::Description still_description() {
  return {
      .id = "still",
      .kind = plugin::Kind::source,
      .explanation = "Shows an image file",
      .author = "Submix",
      .parameters = {
          {"file", ParameterType::text, "the image, SVG too, below the node's media folder",
           std::string()},
          {"fit", ParameterType::text, "letterbox (clear bars), fill (cut the edges) or stretch",
           std::string("letterbox"), 0.0, 1.0, fit_names()},
      }};
}

Result<std::unique_ptr<plugin::Plugin>> make_still(const plugin::Setup& setup,
                                                   const MediaFolders& folders,
                                                   const SourceOpener& opener) {
  const auto& file = parameter<std::string>(setup.parameters, "file");
  if (file.empty()) return fail("{}: no image is named; set its parameter file", setup.about());
  auto source =
      open_or_miss(opener, open_image(folders, file), source_setup(setup), setup.is_bypassed);
  if (!source) return fail("{}: image {}", setup.about(), source.error().message);
  return std::make_unique<Still>(setup, folders, opener, *std::move(source));
}

}  // namespace submix::io
