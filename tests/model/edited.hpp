// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/edit/show_edit.hpp"

#include <gtest/gtest.h>

#include <string>

namespace submix::model {

inline show::Show after(show::Show show, const Edit& edit) {
  EXPECT_TRUE(apply(show, edit));
  return show;
}

inline std::string why(const Result<Edit>& edit) {
  return edit ? "admitted" : edit.error().message;
}

}  // namespace submix::model
