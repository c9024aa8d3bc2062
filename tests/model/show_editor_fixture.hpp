// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/edit/show_editor.hpp"
#include "tests/model/readings.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace submix::model {

/// An editor of the sample show, which another person may change.
class ShowEditorTest : public ::testing::Test {
 protected:
  /// Moves submix `left` to another node.
  inline static const Edit kMove = AssignSubmix{"left", "rack2"};
  static Edit blur(double value) { return SetParameter{sample::kGlow, "Blur", value}; }

  ShowEditorTest() { set(sample::show(), 1); }

  void set(show::Show show, std::uint64_t revision) {
    editor_.set_desired(std::make_shared<const show::Show>(std::move(show)), revision);
  }
  /// The sample show, changed by another person.
  static show::Show with(const Edit& edit) {
    auto show = sample::show();
    EXPECT_TRUE(apply(show, edit));
    return show;
  }
  [[nodiscard]] std::string node_of_left() const {
    return editor_.draft()->find_submix("left")->node;
  }
  [[nodiscard]] double blur_now() const {
    return std::get<double>(editor_.draft()->find_slot(sample::kGlow)->parameters.at("Blur"));
  }

  ShowEditor editor_;
};

}  // namespace submix::model
