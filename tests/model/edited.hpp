// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/model/edit/show_edit.hpp"

#include <gtest/gtest.h>

#include <string>

namespace submix::model {

inline show::Show after(show::Show show, const Edit& edit) {
  EXPECT_TRUE(apply(show, edit));
  return show;
}

/// The reason for a refusal.
template <typename Value>
std::string why(const Result<Value>& result) {
  return result ? "admitted" : result.error().message;
}

}  // namespace submix::model
