// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/svg_drawing.hpp"

#include "common/base/files.hpp"
#include "common/media/png.hpp"
#include "node/io/clip/clip.hpp"
#include "node/io/clip/still.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace submix::io {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using DrawnPixel = std::array<int, 4>;
constexpr DrawnPixel kNoInk{0, 0, 0, 0};
constexpr DrawnPixel kRedInk{200, 0, 0, 255};

std::string svg(const std::string& attributes, const std::string& inside) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" "
         "xmlns:xlink=\"http://www.w3.org/1999/xlink\" " +
         attributes + ">" + inside + "</svg>";
}

/// The right half is red.
const std::string kRightHalf =
    svg(R"(width="4" height="2")", R"(<rect x="2" width="2" height="2" fill="#c80000"/>)");
const std::string kSquare =
    svg(R"(viewBox="0 0 10 10")", R"(<rect width="10" height="10" fill="#c80000"/>)");

class Svg : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file_atomically(folder_ / name, text));
  }
  Result<std::unique_ptr<plugin::Plugin>> make(const std::string& file,
                                               const std::string& fit = "letterbox") {
    return make_still(rig_.setup(still_description(), {{"file", file}, {"fit", fit}}),
                      {folder_.path(), {}});
  }
  /// The pixel of a frame of 128x64 in which `text` is shown.
  DrawnPixel pixel(const std::string& text, int x, int y, const std::string& fit = "letterbox") {
    write("a.svg", text);
    const auto still = make("a.svg", fit);
    EXPECT_TRUE(still) << (still ? "" : still.error().message);
    if (!still) return {};
    const auto frame = rig_.make(**still, 0);
    const auto at = frame.rgba().subspan((static_cast<std::size_t>(y) * 128 + std::size_t(x)) * 4);
    return {at[0], at[1], at[2], at[3]};
  }
  std::string refusal(const std::string& text) {
    write("a.svg", text);
    const auto still = make("a.svg");
    return still ? "it was drawn" : still.error().message;
  }

  testing::TemporaryFolder folder_;
  testing::PluginRig rig_;
};

TEST_F(Svg, IsDrawnInTheSizeOfTheFrameAndHasSharpEdges) {
  EXPECT_EQ(pixel(kRightHalf, 63, 32), kNoInk);
  EXPECT_EQ(pixel(kRightHalf, 64, 32), kRedInk);
}

TEST_F(Svg, FitsAsOtherImagesDo) {
  EXPECT_EQ(pixel(kSquare, 31, 32), kNoInk);
  EXPECT_EQ(pixel(kSquare, 32, 0), kRedInk);
  EXPECT_EQ(pixel(kSquare, 95, 63), kRedInk);
  EXPECT_EQ(pixel(kSquare, 96, 32), kNoInk);
  EXPECT_EQ(pixel(kSquare, 0, 0, "fill"), kRedInk);
  EXPECT_EQ(pixel(kSquare, 127, 63, "stretch"), kRedInk);
}

TEST_F(Svg, IsDrawnAnewForAnotherFit) {
  write("a.svg", kSquare);
  const auto still = make("a.svg");
  ASSERT_TRUE(still);
  (*still)->set("fit", std::string("stretch"));
  EXPECT_EQ(rig_.make(**still, 0).rgba()[3], 255);
}

TEST_F(Svg, KeepsItsAlphaAndItsColoursBelowIt) {
  const auto half = svg(R"(width="128" height="64")",
                        R"(<rect width="128" height="64" fill="#c80000" fill-opacity="0.5"/>)");
  const auto [red, green, blue, alpha] = pixel(half, 64, 32);
  EXPECT_NEAR(red, 200, 1);
  EXPECT_EQ(green + blue, 0);
  EXPECT_NEAR(alpha, 128, 1);
}

/// As FFmpeg's decoder draws it in this size, with colours multiplied by alpha.
std::vector<std::uint8_t> drawn_by_ffmpeg(const std::string& text, Size size) {
  const auto* codec = avcodec_find_decoder_by_name("librsvg");
  const CodecPointer decoder(avcodec_alloc_context3(codec));
  av_opt_set_int(decoder->priv_data, "width", size.width, 0);
  av_opt_set_int(decoder->priv_data, "height", size.height, 0);
  av_opt_set_int(decoder->priv_data, "keep_ar", 0, 0);
  EXPECT_GE(avcodec_open2(decoder.get(), codec, nullptr), 0);
  const auto packet = make_packet();
  EXPECT_GE(av_new_packet(packet.get(), static_cast<int>(text.size())), 0);
  std::ranges::copy(text, packet->data);
  const auto frame = make_frame();
  EXPECT_GE(avcodec_send_packet(decoder.get(), packet.get()), 0);
  EXPECT_GE(avcodec_receive_frame(decoder.get(), frame.get()), 0);
  std::vector<std::uint8_t> rgba;
  for (int y = 0; y < size.height; ++y) {
    const auto* row = frame->data[0] + static_cast<std::ptrdiff_t>(y) * frame->linesize[0];
    for (int x = 0; x < size.width; ++x, row += 4)
      rgba.insert(rgba.end(), {row[2], row[1], row[0], row[3]});
  }
  return rgba;
}

TEST_F(Svg, WithoutTransparencyIsByteForByteAsFfmpegDrawsIt) {
  const auto text =
      svg(R"(width="40" height="20")",
          R"(<rect width="40" height="20" fill="#205080"/><circle cx="20" cy="9" r="7.3" )"
          R"(fill="#e0c010"/><path d="M1 19 L39 3" stroke="#fff" stroke-width="0.7"/>)");
  write("a.svg", text);
  const auto still = make("a.svg");
  ASSERT_TRUE(still) << still.error().message;
  const auto frame = rig_.make(**still, 0);
  const auto shown = frame.rgba();
  EXPECT_EQ(std::vector<std::uint8_t>(shown.begin(), shown.end()),
            drawn_by_ffmpeg(text, {128, 64}));
}

TEST_F(Svg, OfEnormousSizeIsDrawnAsSmallAsTheFrame) {
  const std::string half = R"(<rect x="50%" width="50%" height="100%" fill="#c80000"/>)";
  const auto enormous = svg(R"(width="200000" height="100000")", half);
  EXPECT_EQ(pixel(enormous, 63, 32), kNoInk);
  EXPECT_EQ(pixel(enormous, 64, 32), kRedInk);
  EXPECT_EQ(pixel(svg(R"(width="9000" height="1")", half), 127, 32, "fill"), kRedInk);
}

TEST_F(Svg, MayBeginWithAMarkAndADeclarationOnOneLine) {
  EXPECT_EQ(pixel("\xef\xbb\xbf<?xml version=\"1.0\"?>" + kRightHalf, 64, 32), kRedInk);
}

TEST_F(Svg, FollowsNoNameOfAnotherFile) {
  media::Rgb24Image secret{{8, 8}, std::vector<std::uint8_t>(8 * 8 * 3, 255)};
  ASSERT_TRUE(media::write_png(folder_ / "secret.png", secret));
  const auto path = (folder_ / "secret.png").string();
  for (const auto& name : {path, "file://" + path, std::string("secret.png")}) {
    const auto image = "<image xlink:href=\"" + name + R"(" width="8" height="8"/>)";
    EXPECT_EQ(pixel(svg(R"(width="8" height="8")", image), 64, 32), kNoInk) << name;
  }
  const auto entity = "<?xml version=\"1.0\"?>\n<!DOCTYPE svg [<!ENTITY x SYSTEM \"file://" + path +
                      "\">]>\n" + svg(R"(width="8" height="8")", "<text y=\"8\">&x;</text>");
  EXPECT_THAT(refusal(entity), HasSubstr("is no SVG that can be drawn"));
}

TEST_F(Svg, ThatCannotBeDrawnNamesTheFileAndTheRemedy) {
  std::string bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE svg [<!ENTITY a0 \"0123456789\">";
  for (int i = 1; i < 12; ++i) {
    bomb += "<!ENTITY a" + std::to_string(i) + " \"";
    for (int copy = 0; copy < 10; ++copy)
      bomb += "&a" + std::to_string(i - 1) + ";";
    bomb += "\">";
  }
  bomb += "]>\n" + svg(R"(width="8" height="8")", "<text>&a11;</text>");
  std::string deep;
  for (int i = 0; i < 100'000; ++i)
    deep += "<g>";
  for (const auto& text :
       {std::string("no drawing"), kRightHalf.substr(0, 150), bomb, deep,
        svg(R"(width="8" height="8")", deep), svg(R"(width="0" height="0")", "")}) {
    EXPECT_THAT(refusal(text), AllOf(HasSubstr("a.svg: is no SVG that can be drawn"),
                                     HasSubstr("save it again, or as PNG")))
        << text.substr(0, 80);
  }
}

TEST_F(Svg, OfManyMegabytesIsRefused) {
  EXPECT_THAT(refusal(svg(R"(width="8" height="8")", std::string(17U << 20U, ' '))),
              HasSubstr("a.svg: an SVG has at most 16 MiB here, and this one has 18; save it as"));
}

TEST_F(Svg, IsAStandingPictureInAClip) {
  write("a.svg", kRightHalf);
  const auto clip =
      make_clip(rig_.setup(clip_description(), {{"file", "a.svg"}}), {folder_.path(), {}});
  ASSERT_TRUE(clip) << clip.error().message;
  for (const std::uint64_t index : {0U, 1U, 100U})
    EXPECT_EQ(rig_.make(**clip, index).rgba()[(32 * 128 + 64) * 4], 200) << index;
}

}  // namespace
}  // namespace submix::io
