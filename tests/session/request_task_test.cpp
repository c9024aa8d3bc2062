// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/request_task.hpp"

#include "tests/session/fake_cluster.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::session {
namespace {

const Error kFull{"too many wait"};

TEST(RequestTask, RunsARequestOnTheCluster) {
  FakeCluster cluster;
  cluster.start([](const Update&) {});
  const auto task = task_of(WriteTransport{{true, 3, "me"}});
  EXPECT_EQ(task.queue, RequestQueue::writes);
  const auto reply = task.run(cluster);
  const auto& written = std::get<TransportWritten>(reply);
  EXPECT_TRUE(written.result);
  EXPECT_EQ(written.transport.steps, 3U);
}

TEST(RequestTask, RefusesWithTheReplyOfItsRequest) {
  const auto written = task_of(WriteShow{}).refused(kFull);
  const auto& outcome = std::get<ShowWritten>(written).outcome;
  EXPECT_EQ(outcome.kind, WriteOutcome::Kind::failed);
  EXPECT_EQ(outcome.error, "too many wait");

  const auto picture = task_of(TakePicture{{"left", "clip"}, "stage", "clip"}).refused(kFull);
  EXPECT_EQ(std::get<PictureTaken>(picture).key, (PictureKey{"left", "clip"}));
  EXPECT_EQ(why(std::get<PictureTaken>(picture).result), "too many wait");

  const auto folder = task_of(ListFolder{"/shows"}).refused(kFull);
  EXPECT_EQ(std::get<FolderListed>(folder).folder.path, "/shows");
  EXPECT_EQ(std::get<FolderListed>(folder).folder.error, "too many wait");

  const auto trace = task_of(AskTrace{7, "stage", 5}).refused(kFull);
  EXPECT_EQ(std::get<TraceTold>(trace).job, 7U);
}

TEST(RequestTask, GivesARefusedFileBackToItsShow) {
  const auto reply = task_of(WriteFile{.path = "/a.toml", .text = "[show]"}).refused(kFull);
  const auto& written = std::get<FileWritten>(reply);
  EXPECT_EQ(written.request.text, "[show]");
  EXPECT_EQ(why(written.copy), "/a.toml: not written: the disk does not answer");
}

TEST(RequestTask, KeepsRequestsThatWaitForTheDiskOffTheCluster) {
  EXPECT_EQ(task_of(ReadFile{}).queue, RequestQueue::files);
  EXPECT_EQ(task_of(WriteText{}).queue, RequestQueue::files);
  EXPECT_EQ(task_of(TakePicture{}).queue, RequestQueue::questions);
  EXPECT_EQ(task_of(ListPlugins{}).queue, RequestQueue::slow);
  EXPECT_EQ(task_of(TakeMediaPicture{}).queue, RequestQueue::media);
  EXPECT_EQ(task_of(MergeTraces{}).queue, RequestQueue::slow);
}

}  // namespace
}  // namespace submix::session
