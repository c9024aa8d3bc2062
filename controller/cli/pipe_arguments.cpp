// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/command_binding.hpp"
#include "controller/cli/commands.hpp"

namespace submix::cli {
namespace {

void add_pipe_out(CLI::App& group, Invocation& invocation) {
  auto& out = add_command(
      group, "out",
      "Write the pictures of a submix to standard output, until Ctrl+C. A slow reader gets the "
      "newest pictures; those left out are counted on standard error, and the show does not wait",
      "  submix pipe out mix | ffmpeg -i - out.mp4\n"
      "  submix pipe out mix --format y4m | gst-launch-1.0 fdsrc ! y4mdec ! videoconvert ! "
      "autovideosink\n"
      "  submix pipe out left.glow --lossless > glow.mkv");
  auto& options = bind_planned(out, invocation, run_pipe_out);
  out.add_option("from", options.place, "Submix, or SUBMIX.SLOT")->required();
  out.add_option("--format", options.format,
                 "matroska: exact RGB with times; y4m: Y'CbCr 4:4:4; raw: RGB24 without a header")
      ->check(CLI::IsMember({"matroska", "y4m", "raw"}))
      ->option_text("FORMAT (matroska)");
  out.add_flag("--lossless", options.is_lossless,
               "Leave no picture out: a reader that is slow or stops HOLDS THE SHOW UP");
}

void add_pipe_in(CLI::App& group, Invocation& invocation) {
  auto& in = add_command(
      group, "in",
      "Show the pictures of standard input as a layer, until they end. Y4M, or Matroska without "
      "compression; the show does not wait for a late picture",
      "  ffmpeg -i x.mp4 -pix_fmt yuv444p -f yuv4mpegpipe - | submix pipe in camera2\n"
      "  gst-launch-1.0 -q videotestsrc ! y4menc ! fdsink | submix pipe in test --level 1\n"
      "  ./frames.py | submix pipe in script --format raw --size 640x360 --rate 25");
  auto& options = bind_planned(in, invocation, run_pipe_in);
  in.add_option("layer", options.name, "The layer's name; the show has none of this name")
      ->required();
  in.add_option("--format", options.format, "by-itself: y4m or matroska, as the bytes tell")
      ->check(CLI::IsMember({"by-itself", "y4m", "matroska", "raw"}))
      ->option_text("FORMAT (by-itself)");
  in.add_option("--size", options.size, "Of raw pictures, which are RGB24")
      ->option_text("WIDTHxHEIGHT");
  in.add_option("--rate", options.rate, "Of raw pictures, and of others without a rate")
      ->option_text("RATE (the show's)");
  in.add_option("--mix", options.mix, "Submix that mixes (default: the only one)")
      ->option_text("SUBMIX");
  in.add_option("--level", options.level, "Opacity over the layers below")
      ->check(number_within(0.0, 1.0))
      ->option_text("0..1 (0.5)");
  in.add_flag(
      "--lossless", options.is_lossless,
      "Each picture is one frame of the show: a writer that is slow or stops HOLDS THE SHOW UP");
}

}  // namespace

void add_pipe_commands(CLI::App& app, Invocation& invocation) {
  auto& group =
      add_group(app, "pipe", "Lead pictures of the show to a program, or of one into it",
                "  submix pipe out mix | ffmpeg -i - out.mp4\n"
                "  ffmpeg -i x.mp4 -pix_fmt yuv444p -f yuv4mpegpipe - | submix pipe in camera2\n"
                "  submix pipe remove camera2     # after a PC with a pipe has failed");
  add_pipe_out(group, invocation);
  add_pipe_in(group, invocation);
  auto& remove = add_command(group, "remove",
                             "Remove a pipe from the show whose command has ended without doing so",
                             "  submix pipe remove camera2");
  remove
      .add_option("pipe", bind(remove, invocation, run_pipe_remove).name, "Its node or its layer")
      ->required();
}

}  // namespace submix::cli
