// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/trace_job.hpp"

#include <utility>

namespace submix::session {

using State = model::TraceView::State;

void TraceJob::start(std::vector<std::string> nodes, int seconds) {
  ++number_;
  is_asking_ = false;
  waiting_ = std::move(nodes);
  nodes_ = waiting_.size();
  seconds_ = seconds;
  texts_.clear();
  problems_.clear();
  if (waiting_.empty())
    return fail_with("no node is here to be asked; start one with: submix-node --name NAME");
  model::TraceView view;
  view.state = State::asking;
  view.seconds = seconds;
  view.nodes = nodes_;
  show(std::move(view));
}

void TraceJob::cancel() {
  if (view_->state != State::asking && view_->state != State::merging) return;
  ++number_;
  is_asking_ = false;
  waiting_.clear();
  texts_.clear();
  model::TraceView view;
  if (last_ != nullptr) {
    view.state = State::ready;
    view.timeline = std::shared_ptr<const model::Timeline>(last_, &last_->timeline);
  }
  show(std::move(view));
}

std::optional<Request> TraceJob::next_request() {
  if (is_asking_) return std::nullopt;
  if (view_->state == State::asking && !waiting_.empty()) {
    is_asking_ = true;
    return AskTrace{number_, waiting_.front(), seconds_};
  }
  if (view_->state == State::merging) {
    is_asking_ = true;
    return MergeTraces{number_, std::exchange(texts_, {})};
  }
  return std::nullopt;
}

void TraceJob::on(TraceTold& reply) {
  if (reply.job != number_ || waiting_.empty()) return;
  is_asking_ = false;
  waiting_.erase(waiting_.begin());
  if (reply.text) {
    texts_.push_back(std::move(*reply.text));
  } else {
    problems_.push_back(reply.text.error().message);
  }
  if (waiting_.empty() && texts_.empty()) return fail_with("no node has told its trace");
  auto view = *view_;
  view.nodes_answered = nodes_ - waiting_.size();
  view.problems = problems_;
  if (waiting_.empty()) view.state = State::merging;
  show(std::move(view));
}

void TraceJob::on(TracesMerged& reply) {
  if (reply.job != number_) return;
  is_asking_ = false;
  if (!reply.trace) return fail_with(reply.trace.error().message);
  last_ = std::make_shared<const MergedTrace>(std::move(*reply.trace));
  auto view = *view_;
  view.state = State::ready;
  view.timeline = std::shared_ptr<const model::Timeline>(last_, &last_->timeline);
  show(std::move(view));
}

Result<WriteText> TraceJob::save(const std::string& path) {
  if (last_ == nullptr || view_->state != State::ready)
    return fail("there is no trace yet; take one first");
  auto view = *view_;
  view.is_saving = true;
  view.saved_as.clear();
  view.save_error.clear();
  show(std::move(view));
  return WriteText{WriteText::Purpose::trace, path,
                   std::shared_ptr<const std::string>(last_, &last_->text)};
}

void TraceJob::on(const TextWritten& reply) {
  auto view = *view_;
  view.is_saving = false;
  if (reply.result) {
    view.saved_as = reply.path;
  } else {
    view.save_error = reply.result.error().message;
  }
  show(std::move(view));
}

void TraceJob::fail_with(std::string problem) {
  problems_.insert(problems_.begin(), std::move(problem));
  auto view = *view_;
  view.state = State::failed;
  view.problems = problems_;
  show(std::move(view));
}

void TraceJob::show(model::TraceView view) {
  view_ = std::make_shared<const model::TraceView>(std::move(view));
}

}  // namespace submix::session
