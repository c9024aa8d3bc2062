// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/desk_description.hpp"

#include "common/base/plain_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::pairing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::SizeIs;

TEST(DeskDescription, IsReadAsItWasWritten) {
  for (const auto state :
       {ShowState::untold, ShowState::none, ShowState::running, ShowState::paused}) {
    const DeskDescription description{"rack0", "Süd=West", state};
    EXPECT_EQ(description_of(to_entries(description)), description);
  }
  EXPECT_THAT(to_entries({}), IsEmpty());
}

TEST(DeskDescription, HasTheEntriesOfThePage) {
  EXPECT_THAT(to_entries({"rack0", "duo", ShowState::running}),
              ElementsAre("machine=rack0", "show=duo", "state=running"));
}

TEST(DeskDescription, FitsATxtRecordHoweverLongTheNamesAre) {
  const auto entries = to_entries({std::string(5000, 'a'), std::string(5000, '\n'), {}});
  EXPECT_THAT(entries, SizeIs(2));
  EXPECT_THAT(entries, Each(SizeIs(Le(255U))));
}

TEST(DeskDescription, TakesNothingFromAStrangerButShortPlainLines) {
  const auto read =
      description_of({"show=\x1b[2Jduo\n\xff\xe2\x80\xae", "machine=" + std::string(9000, 'x'),
                      "state=on fire", "key=value", "no sign", "", "="});
  EXPECT_TRUE(is_one_plain_line(read.show)) << read.show;
  EXPECT_TRUE(is_one_plain_line(read.machine));
  EXPECT_THAT(read.machine, SizeIs(Le(64U)));
  EXPECT_EQ(read.state, ShowState::untold);

  std::vector<std::string> many(100'000, "x=y");
  many.emplace_back("show=late");
  EXPECT_THAT(description_of(many).show, IsEmpty());
}

TEST(DeskDescription, IsTextForPeople) {
  EXPECT_EQ(to_text({"rack0", "duo", ShowState::running}), "show duo, running");
  EXPECT_EQ(to_text({"rack0", "duo", ShowState::untold}), "show duo");
  EXPECT_EQ(to_text({"rack0", "", ShowState::paused}), "paused");
  EXPECT_EQ(to_text({"rack0", "empty", ShowState::none}), "no show");
  EXPECT_EQ(to_text({"rack0"}), "");
}

}  // namespace
}  // namespace submix::pairing
