// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/bank_sources.hpp"

#include <utility>

namespace submix::io {

void BankSources::Seat::refuse(const Error& error, const Refuse& tell) {
  is_refused = true;
  if (std::exchange(refusal, error.message) != error.message) tell(error);
}

void BankSources::set(const show::ClipBank& bank, std::size_t playing) {
  seats_.resize(bank.size());
  for (std::size_t i = 0; i < bank.size(); ++i) {
    const auto& file = i + 1 == playing ? std::string() : bank[i].file;
    if (seats_[i].file != file) seats_[i] = Seat{file};
  }
}

void BankSources::open_next(const Open& open, const Refuse& refuse) {
  for (auto& seat : seats_) {
    if (seat.file.empty() || seat.source || seat.is_refused) continue;
    auto source = open(seat.file);
    if (source) {
      seat.source = *std::move(source);
    } else {
      seat.refuse(source.error(), refuse);
    }
    return;
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
  return std::exchange(seat.source, nullptr);
}

}  // namespace submix::io
