// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/validate.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "tests/model/readings.hpp"

#include <gtest/gtest.h>

namespace submix::model {

/// The sample show, and edits of it.
class ShowUnderEdit : public ::testing::Test {
 protected:
  /// Applies the edit. Expects a valid show, and that undoing restores the former show.
  void make(const Result<Edit>& edit) {
    ASSERT_TRUE(edit) << edit.error().message;
    const auto before = show_;
    const auto inverse = present(show_, *edit);
    ASSERT_TRUE(inverse) << inverse.error().message;
    ASSERT_TRUE(apply(show_, *edit));
    EXPECT_EQ(to_string(show::validate(show_)), "");
    auto undone = show_;
    ASSERT_TRUE(apply(undone, *inverse));
    EXPECT_TRUE(undone == before) << title(*edit);
  }

  show::Show show_ = sample::show();
};

}  // namespace submix::model
