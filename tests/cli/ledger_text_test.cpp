// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/ledger_text.hpp"

#include "controller/session/ledger_export.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace submix::cli {
namespace {

using session::ledger_csv;
using session::ledger_json;
using ::testing::HasSubstr;

std::vector<model::LedgerEdge> ledger() {
  model::LedgerEdge left;
  left.name = "left";
  left.is_stream = true;
  left.produced = 100;
  left.delivered = 88;
  left.skipped_latest = 4;
  left.lost_with_epoch = 2;
  left.queued = 1;
  left.on_the_way = 2;
  left.waiting = 3;
  left.replaced = 7;
  left.balance = model::Balance::exact;
  model::LedgerEdge queue;
  queue.name = "mix.a to mix.b";
  queue.produced = 9;
  queue.delivered = 8;
  queue.balance = model::Balance::off;
  queue.remark = "9 frames were put into \"it\", 8 taken out";
  return {left, queue};
}

TEST(LedgerText, SaysWhereEveryFrameIsAndWhichEdgeIsOff) {
  const auto text = ledger_text(ledger());
  EXPECT_THAT(
      text, HasSubstr("stream left          100         88  4 by latest, 2 ended by a change       "
                      "1           2        3         7  exact\n"));
  EXPECT_THAT(text, HasSubstr("mix.a to mix.b: 9 frames were put into \"it\", 8 taken out\n"));
}

TEST(LedgerText, IsJsonOnOneLine) {
  const auto json = nlohmann::json::parse(ledger_json(ledger()));
  EXPECT_EQ(json["is_balanced"], false);
  EXPECT_EQ(json["edges"][0]["edge"], "left");
  EXPECT_EQ(json["edges"][0]["lost_with_epoch"], 2);
  EXPECT_EQ(json["edges"][1]["balance"], "off");
}

TEST(LedgerText, IsCsvWithQuotedNames) {
  EXPECT_EQ(ledger_csv(ledger()),
            "edge,kind,produced,delivered,skipped_latest,skipped_detached,lost_with_epoch,lost_in_"
            "gap,queued,"
            "on_the_way,waiting,replaced,balance,remark\n"
            "\"left\",stream,100,88,4,0,2,0,1,2,3,7,exact,\"\"\n"
            "\"mix.a to mix.b\",slots,9,8,0,0,0,0,0,0,0,0,off,\"9 frames were put into \"\"it\"\", "
            "8 taken "
            "out\"\n");
}

}  // namespace
}  // namespace submix::cli
