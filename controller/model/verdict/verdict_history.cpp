// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/verdict_history.hpp"

#include "controller/model/verdict/verdict.hpp"

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

bool is_same(const VerdictSpan& a, const VerdictSpan& b) {
  return a.kind == b.kind && a.culprit == b.culprit;
}

}  // namespace

void VerdictHistory::add(const Bottleneck& verdict, LocalTime now) {
  VerdictSpan span{verdict.kind, culprit_of(verdict), verdict.sentence, now, now};
  if (spans_->empty()) return begin(std::move(span), now);
  if (is_same(span, present_)) {
    candidate_.reset();
    present_.sentence = std::move(span.sentence);
    return;
  }
  if (!candidate_ || !is_same(*candidate_, span)) {
    candidate_ = std::move(span);
    return;
  }
  if (now - candidate_->from < kSettleTime) return;
  candidate_->sentence = std::move(span.sentence);
  begin(*std::exchange(candidate_, std::nullopt), now);
}

void VerdictHistory::begin(VerdictSpan span, LocalTime now) {
  Spans spans = *spans_;
  if (!spans.empty()) {
    spans.back() = present_;
    spans.back().until = span.from;
  }
  std::erase_if(spans, [&](const VerdictSpan& old) { return now - old.until > kKept; });
  if (spans.size() == kSpansMax) spans.erase(spans.begin());
  present_ = span;
  spans.push_back(std::move(span));
  spans_ = std::make_shared<const Spans>(std::move(spans));
}

}  // namespace submix::model
