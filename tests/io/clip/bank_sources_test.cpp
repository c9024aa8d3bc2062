// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/bank_sources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>

namespace submix::io {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A source whose first picture is there when the test says so.
class WaitingSource final : public PictureSource {
 public:
  WaitingSource(const std::string& file, const bool& is_ready)
      : PictureSource(file), is_ready_(is_ready) {}

  Result<bool> is_ready(SteadyTime) override { return is_ready_; }
  PaintedPicture paint(const PictureRequest&, media::WritableFrame output,
                       const std::stop_token&) override {
    return {PaintedPicture::Outcome::painted, std::move(output), false};
  }
  [[nodiscard]] const SourceReport& report() const override { return report_; }

 private:
  const bool& is_ready_;
  SourceReport report_;
};

class BankSourcesTest : public ::testing::Test {
 protected:
  /// The files that opened in these frames, and where.
  std::vector<std::string> opened_in(int frames) {
    std::vector<std::string> opened;
    const auto open = [&](const std::string& file,
                          double begin_seconds) -> Result<std::unique_ptr<PictureSource>> {
      if (file == refused_) return fail("{}: is gone", file);
      opened.push_back(fmt::format("{} at {}", file, begin_seconds));
      return std::make_unique<WaitingSource>(opened.back(), is_ready_);
    };
    for (int i = 0; i < frames; ++i)
      sources_.open_next(open, refuse());
    return opened;
  }
  std::string take(std::size_t number) {
    const auto source = sources_.take(number, refuse());
    return source ? source->name() : "not yet";
  }
  BankSources::Refuse refuse() {
    return [this](const Error& error) { refusals_.push_back(error.message); };
  }

  const show::ClipBank bank_{{"a.mp4", {}, {1, 0}}, {"b.mp4", {}, {2, 4}}, {"c.mp4"}};
  BankSources sources_;
  bool is_ready_ = true;
  std::string refused_;
  std::vector<std::string> refusals_;
};

TEST_F(BankSourcesTest, WaitAtTheInPointOfEachClip) {
  sources_.set(bank_, 3);
  EXPECT_THAT(opened_in(9), ElementsAre("a.mp4 at 1", "b.mp4 at 2"));
  EXPECT_EQ(take(2), "b.mp4 at 2");
}

TEST_F(BankSourcesTest, FollowAnInPointThatHasStoppedMoving) {
  sources_.set(bank_, 3);
  opened_in(2);
  for (double begin = 1; begin < 5; begin += 0.125) {
    sources_.set_begin(1, begin);
    EXPECT_THAT(opened_in(1), IsEmpty()) << "it moves with each frame";
  }
  sources_.set_begin(1, 5);
  EXPECT_THAT(opened_in(2 * BankSources::kSettledFrames), ElementsAre("a.mp4 at 5"));
  EXPECT_EQ(take(1), "a.mp4 at 5");
}

TEST_F(BankSourcesTest, KeepASourceUntilTheOneForTheNewInPointIsReady) {
  sources_.set(bank_, 3);
  opened_in(2);
  is_ready_ = false;
  sources_.set_begin(2, 3);
  opened_in(BankSources::kSettledFrames + 1);
  is_ready_ = true;
  EXPECT_EQ(take(2), "b.mp4 at 2") << "a take misses no beat";
}

TEST_F(BankSourcesTest, KeepASourceWhoseFileCannotBeOpenedAgain) {
  sources_.set(bank_, 3);
  opened_in(2);
  refused_ = "b.mp4";
  sources_.set_begin(2, 3);
  EXPECT_THAT(opened_in(3 * BankSources::kSettledFrames), IsEmpty());
  EXPECT_THAT(refusals_, IsEmpty());
  EXPECT_EQ(take(2), "b.mp4 at 2");
}

}  // namespace
}  // namespace submix::io
