// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/pairing_code.hpp"

#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace submix::pairing {
namespace {

using ::testing::HasSubstr;

TEST(PairingCode, IsReadAsItIsShown) {
  const auto code = PairingCode::random();
  EXPECT_EQ(code.digits().size(), 6U);
  EXPECT_EQ(PairingCode::parse(code.text()), code);
  EXPECT_EQ(PairingCode::parse("123-456")->text(), "123 456");
  EXPECT_EQ(PairingCode::parse("000001\r\n")->digits(), "000001");
}

TEST(PairingCode, IsAnotherOneEachTime) {
  std::set<std::string> codes;
  for (int i = 0; i < 100; ++i)
    codes.insert(PairingCode::random().digits());
  EXPECT_GT(codes.size(), 90U);
}

TEST(PairingCode, RefusesAnythingElse) {
  EXPECT_THAT(why(PairingCode::parse("12345")), HasSubstr("6 digits, not 5"));
  EXPECT_THAT(why(PairingCode::parse("1234567")), HasSubstr("not 7"));
  EXPECT_THAT(why(PairingCode::parse("12345o")), HasSubstr("digits only"));
  EXPECT_FALSE(PairingCode::parse("").has_value());
}

}  // namespace
}  // namespace submix::pairing
