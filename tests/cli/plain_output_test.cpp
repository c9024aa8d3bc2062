// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/plain_output.hpp"

#include "controller/cli/table.hpp"

#include <fmt/ostream.h>
#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>

namespace submix::cli {
namespace {

TEST(PlainOutput, LetsNobodysTextSteerTheTerminal) {
  std::ostringstream terminal;
  PlainOutput out(terminal);
  out << "node \x1b]0;OWNED\x07\x1b[31mmix" << '\x1b' << std::setw(3) << 7 << std::endl;
  fmt::print(out, "{}\t{}\n", "Größe",
             "\xc2\x9b"
             "2J");
  EXPECT_EQ(terminal.str(), "node �]0;OWNED��[31mmix�  7\nGröße\t�2J\n");
}

TEST(PlainOutput, FailsWhereItsTargetFails) {
  std::ostringstream terminal;
  PlainOutput out(terminal);
  terminal.setstate(std::ios::badbit);
  out << "text" << std::flush;
  EXPECT_FALSE(out);
}

TEST(Table, HasOneLineForEachRowWhateverItsCellsHold) {
  Table table({"PLUGIN", "WHAT IT DOES"});
  table.add({"glow", "Makes it\n  glow\r\nforged line"});
  EXPECT_EQ(table.text(), "PLUGIN  WHAT IT DOES\nglow    Makes it glow forged line\n");
}

}  // namespace
}  // namespace submix::cli
