// SPDX-License-Identifier: GPL-3.0-or-later
// submix pipe out, in and remove
#include "common/base/host_name.hpp"
#include "common/show/text.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/editing.hpp"
#include "controller/cli/pipe_run.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/cli/size_text.hpp"
#include "controller/model/edit/pipes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <optional>
#include <random>
#include <string>
#include <utility>

namespace submix::cli {
namespace {

/// A name that no other pipe has, also on other PCs: two nodes of one name would take turns.
std::string new_pipe_name(std::string_view about) {
  constexpr std::size_t kAboutMax = 20;
  std::random_device random;
  return fmt::format("pipe-{}-{:04x}", about.substr(0, kAboutMax), random() & 0xFFFFU);
}

int used_wrongly(Context& context, std::string_view message) {
  static_cast<void>(failed(context, message));
  return kWrongUse;
}

std::string description_of(std::string_view what) {
  return fmt::format("{} of a program on {}", what, host_name());
}

/// Fails if `descriptor` cannot carry pictures in this direction; told before the show changes.
Result<void> check_end(int descriptor, int access, std::string_view name, std::string_view remedy) {
  if (::isatty(descriptor) == 1) return fail("{} is a terminal; {}", name, remedy);
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0) return fail("{} is closed; {}", name, remedy);
  const int opened = flags & O_ACCMODE;
  if (opened == access || opened == O_RDWR) return {};
  return fail("{} is open for {} only; {}", name, access == O_WRONLY ? "reading" : "writing",
              remedy);
}

/// The pictures that come in, as the options describe them.
struct PicturesIn {
  std::optional<Size> size{};       ///< empty: the stream tells it
  std::optional<FrameRate> rate{};  ///< empty: the show's, if the stream does not tell
};

Result<Size> raw_size(const std::string& text) {
  if (text.empty()) return fail("--format raw needs the pictures' size: --size 1280x720");
  auto size = parse_size(text);
  if (size && !is_allowed(*size))
    return fail("--size {}: pictures have {}x{} to {}x{}", text, kSmallestSize.width,
                kSmallestSize.height, kLargestSize.width, kLargestSize.height);
  return size;
}

Result<PicturesIn> pictures_in(const PipeInOptions& options) {
  PicturesIn pictures;
  if (!show::is_name(options.name)) return fail("\"{}\": {}", options.name, show::kNameRule);
  if (options.format == "raw") {
    const auto size = raw_size(options.size);
    SUBMIX_TRY(size);
    pictures.size = *size;
  } else if (!options.size.empty()) {
    return fail("--size is for --format raw; other streams tell their size themselves");
  }
  if (options.rate.empty()) return pictures;
  const auto rate = show::parse_frame_rate(options.rate);
  SUBMIX_TRY(rate);
  pictures.rate = *rate;
  return pictures;
}

/// The words behind the format in submix-node --pipe.
std::string more_words_in(const PicturesIn& pictures, bool is_lossless, const show::Show& show) {
  const auto rate = pictures.rate.value_or(show.rate);
  auto words = fmt::format(",{}/{}", rate.numerator, rate.denominator);
  if (pictures.size) words += fmt::format(",{}x{}", pictures.size->width, pictures.size->height);
  return is_lossless ? words + ",lossless" : words;
}

Result<model::Edit> add_layer_of(model::NewPipeIn added, const show::Show& show,
                                 cluster::Cluster& cluster) {
  if (added.layer.mix.empty()) {
    auto mix = model::find_mix(show);
    SUBMIX_TRY(mix);
    added.layer.mix = *std::move(mix);
  }
  return model::add_pipe_in(show, plugins_for(cluster, show, {added.layer.mix}), added);
}

}  // namespace

int run_pipe_out(Context& context, const PipeOutOptions& options) {
  const auto end = check_end(
      STDOUT_FILENO, O_WRONLY, "stdout",
      "lead the pictures to a program or a file: submix pipe out mix | ffmpeg -i - out.mp4");
  if (!end) return used_wrongly(context, end.error().message);
  const auto place = parse_place(options.place);
  if (!place) return used_wrongly(context, place.error().message);
  const auto name = new_pipe_name(place->submix);
  const model::NewPipeOut added{name, description_of("stdin"), *place, options.is_lossless};
  const auto add = [added](const show::Show& show, cluster::Cluster& cluster) {
    return model::add_pipe_out(show, plugins_for(cluster, show, {added.from.submix}), added);
  };
  return run_pipe(context, {.is_out = true,
                            .node = name,
                            .submix = name,
                            .stream = name,
                            .format = "out," + options.format,
                            .more_words = [](const show::Show&) { return std::string(); },
                            .add = add});
}

int run_pipe_in(Context& context, const PipeInOptions& options) {
  const auto end = check_end(STDIN_FILENO, O_RDONLY, "stdin",
                             "lead pictures into it: ffmpeg -i FILE -pix_fmt yuv444p -f "
                             "yuv4mpegpipe - | submix pipe in NAME");
  if (!end) return used_wrongly(context, end.error().message);
  const auto pictures = pictures_in(options);
  if (!pictures) return used_wrongly(context, pictures.error().message);
  const auto node = new_pipe_name(options.name);
  const model::NewPipeIn added{
      {.name = options.name, .mix = options.mix, .node = node, .level = options.level},
      description_of("stdout"),
      options.is_lossless};
  const auto more_words = [&](const show::Show& show) {
    return more_words_in(*pictures, options.is_lossless, show);
  };
  const auto add = [added](const show::Show& show, cluster::Cluster& cluster) {
    return add_layer_of(added, show, cluster);
  };
  return run_pipe(context, {.is_out = false,
                            .node = node,
                            .submix = options.name,
                            .stream = options.name,
                            .format = "in," + options.format,
                            .more_words = more_words,
                            .add = add});
}

int run_pipe_remove(Context& context, const PipeRemoveOptions& options) {
  auto opened = open_show(context);
  if (!opened) return failed(context, opened.error().message);
  auto& cluster = opened->cluster();
  const auto& present = opened->current.show;
  const auto* submix = present.find_submix(options.name);
  const auto node = submix == nullptr ? options.name : submix->node;
  if (!model::has_pipe_node(present, node)) {
    const auto nodes = model::pipe_nodes(present);
    return failed(
        context, fmt::format("the show has no pipe \"{}\"; {}", options.name,
                             nodes.empty() ? "it has none"
                                           : fmt::format("there are: {}", fmt::join(nodes, ", "))));
  }
  if (remove_pipe_from_show(context, cluster, node) != kOk) return kFailed;
  // A command that runs sees the removal and ends; then it forgets its node itself.
  forget_pipe_node(cluster, node);
  return kOk;
}

}  // namespace submix::cli
