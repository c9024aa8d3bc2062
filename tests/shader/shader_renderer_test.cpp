// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/shader_renderer.hpp"

#include "common/media/png.hpp"
#include "node/shader/gl_context.hpp"
#include "node/shader/shader_description.hpp"
#include "node/shader/shader_trial.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace submix::shader {
namespace {

using namespace std::chrono_literals;

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Size kSize{16, 8};
using Pixel = std::array<int, 4>;
using Picture = std::vector<std::uint8_t>;

/// A shader on OpenGL's software renderer.
class ShaderRendererTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    ::setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    auto opened = GlContext::open();
    ASSERT_TRUE(opened) << opened.error().message;
    context_ = std::move(*opened);
  }
  static void TearDownTestSuite() { context_ = nullptr; }

  void make(std::string_view text) {
    auto made = ShaderRenderer::make(read_source(text).value(), kSize);
    ASSERT_TRUE(made) << made.error().message;
    renderer_ = std::move(*made);
  }

  static std::string refusal(std::string_view text) {
    const auto made = ShaderRenderer::make(read_source(text).value(), kSize);
    return made ? "made" : made.error().message;
  }

  Picture draw(const std::vector<Picture>& inputs = {}, Moment moment = {}) {
    std::vector<std::span<const std::uint8_t>> spans(inputs.begin(), inputs.end());
    Picture output(kSize.pixels() * 4);
    renderer_->draw(moment, spans, output);
    return output;
  }

  static Pixel at(const Picture& picture, int x, int y) {
    const auto first = static_cast<std::size_t>(y * kSize.width + x) * 4;
    return {picture[first], picture[first + 1], picture[first + 2], picture[first + 3]};
  }

  static Picture rows() {
    Picture picture;
    for (int y = 0; y < kSize.height; ++y)
      for (int x = 0; x < kSize.width; ++x)
        for (const int part : {y * 30, x * 15, 7, 255})
          picture.push_back(static_cast<std::uint8_t>(part));
    return picture;
  }

  std::unique_ptr<ShaderRenderer> renderer_;

 private:
  static inline std::unique_ptr<GlContext> context_;
};

// Red is the wave, green the spectrum, each over the picture's width.
constexpr std::string_view kSoundShader = R"(/*{"INPUTS": [
  {"NAME": "wave", "TYPE": "audio"}, {"NAME": "bands", "TYPE": "audioFFT"}]}*/
void main() {
  vec2 at = vec2(isf_FragNormCoord.x, 0.5);
  gl_FragColor = vec4(IMG_NORM_PIXEL(wave, at).r, IMG_NORM_PIXEL(bands, at).g, 0.0, 1.0);
})";

TEST_F(ShaderRendererTest, ShowsSilenceUntilAParameterOfTheSoundIsSet) {
  make(kSoundShader);
  const auto picture = draw();
  for (int x = 0; x < kSize.width; ++x)
    EXPECT_EQ(at(picture, x, 3), (Pixel{128, 0, 0, 255})) << x;
}

TEST_F(ShaderRendererTest, PaintsEachBandOfTheSoundInItsThird) {
  make(kSoundShader);
  renderer_->set("bands_bass", 1.0);
  auto picture = draw();
  EXPECT_GT(at(picture, 2, 3)[1], 230) << "the bass is at the left";
  EXPECT_EQ(at(picture, kSize.width - 1, 3)[1], 0);
  renderer_->set("bands_bass", 0.0);
  renderer_->set("bands_highs", 0.5);
  picture = draw();
  EXPECT_EQ(at(picture, 2, 3)[1], 0);
  EXPECT_NEAR(at(picture, kSize.width - 3, 3)[1], 128, 12);
}

TEST_F(ShaderRendererTest, SwingsAWaveAsFarAsItIsLoud) {
  make(kSoundShader);
  const auto swing = [&](double loudness) {
    renderer_->set("wave", loudness);
    const auto picture = draw();
    int low = 255;
    int high = 0;
    for (int x = 0; x < kSize.width; ++x) {
      low = std::min(low, at(picture, x, 0)[0]);
      high = std::max(high, at(picture, x, 0)[0]);
    }
    return high - low;
  };
  // Four periods in 16 pixels: each is drawn 45 degrees beside a peak.
  EXPECT_NEAR(swing(0.5), 90, 4);
  EXPECT_NEAR(swing(1), 180, 4);
}

constexpr Size kReferenceSize{96, 54};
constexpr double kTolerance = 2;  // of 255: processors differ in the last bits of a sine

/// A sky with a sun, whose middle is at `sun`; or a night with bars.
Picture scene(bool is_night, int sun = 0) {
  Picture picture;
  for (int y = 0; y < kReferenceSize.height; ++y) {
    for (int x = 0; x < kReferenceSize.width; ++x) {
      const int from_sun = (x - sun) * (x - sun) + (y - 20) * (y - 20);
      const bool is_sun = !is_night && from_sun < 140;
      const bool is_bar = is_night && x / 6 % 3 == 0;
      const std::array day{is_sun ? 255 : 60 + y * 3, is_sun ? 230 : 90 + y,
                           is_sun ? 120 : 200 - y * 2};
      const std::array night{is_bar ? 40 : 10, is_bar ? 200 : 20 + y, is_bar ? 90 + x : 60};
      for (const int part : is_night ? night : day)
        picture.push_back(static_cast<std::uint8_t>(part));
      picture.push_back(255);
    }
  }
  return picture;
}

/// The shader's third frame, two seconds after its beginning.
media::Rgb24Image draw_file(const std::filesystem::path& file) {
  const auto source = load_source(file).value();
  const auto renderer = ShaderRenderer::make(source, kReferenceSize).value();
  const auto night = scene(true);
  const auto pictures = picture_inputs(source.header).size();
  Picture output(kReferenceSize.pixels() * 4);
  for (int frame = 0; frame < 3; ++frame) {
    const auto day = scene(false, 16 + 14 * frame);
    const std::array<std::span<const std::uint8_t>, 2> inputs{day, night};
    renderer->draw({.time = 1900ms + 50ms * frame, .delta = 50ms},
                   std::span(inputs).first(pictures), output);
  }
  media::Rgb24Image image{kReferenceSize, {}};
  for (std::size_t i = 0; i < output.size(); ++i)
    if (i % 4 != 3) image.pixels.push_back(output[i]);
  return image;
}

double mean_difference(const Picture& a, const Picture& b) {
  if (a.size() != b.size()) return 255;
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

constexpr auto* kImage = R"(/*{"INPUTS": [{"NAME": "inputImage", "TYPE": "image"}]}*/)";

TEST_F(ShaderRendererTest, PassesAPictureThroughByteForByte) {
  make(std::string(kImage) + "void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage); }");
  EXPECT_EQ(draw({rows()}), rows());
  make(std::string(kImage) +
       "void main() { gl_FragColor = IMG_PIXEL(inputImage, gl_FragCoord.xy); }");
  EXPECT_EQ(draw({rows()}), rows());
}

TEST_F(ShaderRendererTest, CountsRowsFromBelow) {
  make(
      "/*{}*/ void main() { gl_FragColor = vec4(isf_FragNormCoord.y > 0.5, gl_FragCoord.y > 4.0, "
      "0, 1); }");
  const auto picture = draw();
  EXPECT_THAT(at(picture, 3, 0), ElementsAre(255, 255, 0, 255)) << "the highest row";
  EXPECT_THAT(at(picture, 3, 7), ElementsAre(0, 0, 0, 255));
}

TEST_F(ShaderRendererTest, GivesTheMoment) {
  make(
      "/*{}*/ void main() { gl_FragColor = vec4(TIME / 10.0, TIMEDELTA, float(FRAMEINDEX) / 255.0, "
      "1); }");
  const auto picture = draw({}, {.time = 2s, .delta = 200ms, .frame = 9});
  EXPECT_THAT(at(picture, 0, 0), ElementsAre(51, 51, 9, 255));
}

TEST_F(ShaderRendererTest, FollowsItsValues) {
  make(R"(/*{"INPUTS": [{"NAME": "level", "TYPE": "float", "DEFAULT": 0.2},
    {"NAME": "mode", "TYPE": "long", "VALUES": [3, 51], "LABELS": ["Low", "High"], "DEFAULT": 3},
    {"NAME": "tint", "TYPE": "color", "DEFAULT": [0, 0, 1, 1]}]}*/
    void main() { gl_FragColor = vec4(level, float(mode) / 255.0, tint.b, 1); })");
  EXPECT_THAT(at(draw(), 0, 0), ElementsAre(51, 3, 255, 255)) << "the initial ones";
  renderer_->set("level", 1.0);
  renderer_->set("mode", std::string("High"));
  renderer_->set("tint", std::vector<double>{0, 0, 0});
  renderer_->set("unknown", 3.0);
  EXPECT_THAT(at(draw(), 0, 0), ElementsAre(255, 51, 0, 255));
}

TEST_F(ShaderRendererTest, FiresAnEventForOneFrame) {
  make(R"(/*{"INPUTS": [{"NAME": "flash", "TYPE": "event"}]}*/
    void main() { gl_FragColor = vec4(flash ? 1.0 : 0.0); })");
  renderer_->set("flash", true);
  EXPECT_THAT(draw(), Each(255));
  EXPECT_THAT(draw(), Each(0));
}

TEST_F(ShaderRendererTest, KeepsPersistentPictures) {
  make(
      R"(/*{"PASSES": [{"TARGET": "sum", "PERSISTENT": true, "FLOAT": true, "WIDTH": 1, "HEIGHT": 1}, {}]}*/
    void main() {
      if (PASSINDEX == 0) gl_FragColor = IMG_NORM_PIXEL(sum, vec2(0.5)) + vec4(10.0 / 255.0);
      else gl_FragColor = IMG_NORM_PIXEL(sum, vec2(0.5));
    })");
  EXPECT_THAT(draw(), Each(10));
  EXPECT_THAT(draw(), Each(20));
  EXPECT_THAT(draw(), Each(30));
}

TEST_F(ShaderRendererTest, ShowsTheLastPassThoughItHasATarget) {
  make(R"(/*{"PASSES": [{"TARGET": "small", "WIDTH": "$WIDTH/4", "HEIGHT": "$HEIGHT/4"}]}*/
    void main() { gl_FragColor = vec4(RENDERSIZE / 255.0, 0, 1); })");
  EXPECT_THAT(at(draw(), 8, 4), ElementsAre(4, 2, 0, 255));
}

TEST_F(ShaderRendererTest, PlaysShadersOfOtherSites) {
  make(
      "void mainImage(out vec4 color, in vec2 at) { color = vec4(at / iResolution.xy, iTime, 0.0); "
      "}");
  EXPECT_THAT(at(draw({}, {.time = 1s}), 15, 0), ElementsAre(247, 239, 255, 255)) << "opaque";
  make(
      "uniform float time; uniform vec2 resolution;"
      "void main() { gl_FragColor = vec4(time, resolution.x / 255.0, 0.0, 0.0); }");
  EXPECT_THAT(at(draw({}, {.time = 1s}), 0, 0), ElementsAre(255, 16, 0, 255));
}

TEST_F(ShaderRendererTest, NamesTheLineThatDoesNotCompile) {
  EXPECT_THAT(refusal("/*{}*/\n\nvoid main() {\n  gl_FragColor = nothing;\n}"),
              AllOf(HasSubstr("line 4: "), HasSubstr("nothing")));
  EXPECT_THAT(refusal(R"(/*{"PASSES": [{"TARGET": "a", "WIDTH": "$SIZE"}]}*/ void main() {})"),
              HasSubstr("\"$SIZE\" is unknown"));
}

TEST_F(ShaderRendererTest, ImportsPicturesFromItsFolderOnly) {
  EXPECT_THAT(refusal(R"(/*{"IMPORTED": {"a": {"PATH": "../secret.png"}}}*/ void main() {})"),
              HasSubstr("does not lie below"));
  EXPECT_THAT(refusal(R"(/*{"IMPORTED": {"a": {"PATH": "/etc/secret.png"}}}*/ void main() {})"),
              HasSubstr("does not lie below"));
}

// SUBMIX_WRITE_REFERENCES=1 writes the pictures; look at them before they are committed.
TEST_F(ShaderRendererTest, DrawsOurShadersLikeTheirReferences) {
  int count = 0;
  const bool is_writing = std::getenv("SUBMIX_WRITE_REFERENCES") != nullptr;
  for (const auto& file : std::filesystem::directory_iterator(SUBMIX_OWN_SHADERS)) {
    const auto reference =
        std::filesystem::path(SUBMIX_SHADER_REFERENCES) / file.path().stem().concat(".png");
    const auto drawn = draw_file(file.path());
    const auto written = is_writing ? media::write_png(reference, drawn) : Result<void>();
    EXPECT_TRUE(written);
    const auto expected = media::read_png(reference);
    ASSERT_TRUE(expected) << expected.error().message;
    EXPECT_LE(mean_difference(drawn.pixels, expected->pixels), kTolerance) << file.path();
    ++count;
  }
  EXPECT_EQ(count, 20);
}

TEST_F(ShaderRendererTest, TellsAShaderThatDrawsNothing) {
  const testing::TemporaryFolder folder;
  const auto try_text = [&](const std::string& text) {
    std::ofstream(folder.path() / "a.fs") << text;
    return try_shader(folder.path() / "a.fs");
  };
  EXPECT_THAT(try_text("/*{}*/ void main() { gl_FragColor = vec4(0); }").problem,
              HasSubstr("one colour"));
  const auto same =
      try_text(std::string(kImage) + "void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage); }");
  EXPECT_TRUE(same.is_compiled);
  EXPECT_FALSE(same.is_drawn);
  EXPECT_FALSE(try_text("/*{}*/ void main() { error }").is_compiled);
  EXPECT_EQ(try_text("nothing").kind, "");
}

}  // namespace
}  // namespace submix::shader
