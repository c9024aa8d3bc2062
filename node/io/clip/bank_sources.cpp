// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/bank_sources.hpp"

#include <utility>

namespace submix::io {

void BankSources::Seat::refuse(const Error& error, const Refuse& tell) {
  is_refused = true;
  if (std::exchange(refusal, error.message) != error.message) tell(error);
}

void BankSources::Seat::set_begin(double seconds) {
  if (std::exchange(begin_seconds, seconds) != seconds) settled_frames = 0;
}

bool BankSources::Seat::prepare(const Open& open, const Refuse& tell) {
  take_next();
  if (file.empty() || is_refused) return false;
  const bool is_moved = source && source_begin_seconds != begin_seconds;
  if (is_moved) ++settled_frames;
  const bool is_due = !source || (is_moved && settled_frames >= kSettledFrames);
  if (!is_due) return false;

  source_begin_seconds = begin_seconds;
  auto opened = open(file, begin_seconds);
  if (!opened) {
    if (!source) refuse(opened.error(), tell);
    return true;
  }
  auto& into = source ? next : source;
  into = *std::move(opened);
  return true;
}

void BankSources::Seat::take_next() {
  if (!next) return;
  const auto ready = next->is_ready(PictureSource::SteadyTime{});
  if (ready && *ready) source = std::move(next);
  if (!ready) next = nullptr;
}

void BankSources::set(const show::ClipBank& bank, std::size_t playing) {
  seats_.resize(bank.size());
  for (std::size_t i = 0; i < bank.size(); ++i) {
    const auto& file = i + 1 == playing ? std::string() : bank[i].file;
    if (seats_[i].file != file) seats_[i] = Seat{file};
    seats_[i].set_begin(bank[i].part.begin);
  }
}

void BankSources::set_begin(std::size_t number, double seconds) {
  if (number >= 1 && number <= seats_.size()) seats_[number - 1].set_begin(seconds);
}

void BankSources::open_next(const Open& open, const Refuse& refuse) {
  for (auto& seat : seats_) {
    if (seat.prepare(open, refuse)) return;
  }
}

void BankSources::try_again(std::size_t number) {
  if (number >= 1 && number <= seats_.size()) seats_[number - 1].is_refused = false;
}

std::unique_ptr<PictureSource> BankSources::take(std::size_t number, const Refuse& refuse) {
  if (number < 1 || number > seats_.size()) return nullptr;
  auto& seat = seats_[number - 1];
  if (!seat.source) return nullptr;
  const auto ready = seat.source->is_ready(PictureSource::SteadyTime{});
  if (!ready) {
    seat.source = nullptr;
    seat.refuse(ready.error(), refuse);
  }
  if (!ready || !*ready) return nullptr;
  seat.next = nullptr;
  return std::exchange(seat.source, nullptr);
}

}  // namespace submix::io
