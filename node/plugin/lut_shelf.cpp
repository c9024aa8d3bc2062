// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/lut_shelf.hpp"

#include "common/base/thread.hpp"

#include <utility>

namespace submix::plugin {

std::shared_ptr<const LutState> Lut::state() const {
  const MutexLock lock(mutex_);
  return state_;
}

void Lut::put(LutState state) {
  auto next = std::make_shared<const LutState>(std::move(state));
  const MutexLock lock(mutex_);
  state_.swap(next);
}

std::shared_ptr<const Lut> LutShelf::ask(const std::string& file) {
  const MutexLock lock(mutex_);
  auto& known = luts_[file];
  if (auto lut = known.lock()) return lut;
  auto lut = std::make_shared<Lut>(file);
  known = lut;
  is_asked_ = true;
  changed_.notify_all();
  if (!thread_.joinable())
    thread_ = start_thread("lut", [this](const std::stop_token& stop) { run(stop); });
  return lut;
}

bool LutShelf::wait(const Lut& lut, std::chrono::steady_clock::time_point deadline,
                    const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  return changed_.wait_until(mutex_, stop, deadline, [&lut] { return lut.state()->is_known; });
}

void LutShelf::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    for (const auto& lut : in_use())
      look_at(*lut);
    const MutexLock lock(mutex_);
    static_cast<void>(
        changed_.wait_until(mutex_, stop, std::chrono::steady_clock::now() + pause_,
                            [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS { return is_asked_; }));
  }
}

std::vector<std::shared_ptr<Lut>> LutShelf::in_use() {
  const MutexLock lock(mutex_);
  is_asked_ = false;
  std::erase_if(luts_, [](const auto& entry) { return entry.second.expired(); });
  std::vector<std::shared_ptr<Lut>> found;
  for (const auto& [file, lut] : luts_) {
    if (auto held = lut.lock()) found.push_back(std::move(held));
  }
  return found;
}

void LutShelf::look_at(Lut& lut) {
  const auto now = files_.state ? files_.state(lut.file_) : std::nullopt;
  const bool is_whole = now && lut.seen_ == now;
  lut.seen_ = now;
  if (lut.is_tried_ && (!is_whole || lut.tried_ == now)) return;
  lut.is_tried_ = true;
  lut.tried_ = now;
  auto table = read(lut.file_);
  if (table)
    lut.put({.is_known = true, .table = std::make_shared<const ColorTable>(*std::move(table))});
  else
    lut.put({.is_known = true,
             .trouble = fmt::format("{}; the picture goes on without this LUT until the file is "
                                    "there, whole",
                                    table.error().message)});
  const MutexLock lock(mutex_);
  changed_.notify_all();
}

Result<ColorTable> LutShelf::read(const std::string& file) const {
  if (!files_.read) return fail("LUT {}: this program reads no files", file);
  const auto text = files_.read(file, media::CubeFile::kBytesMax);
  SUBMIX_TRY(text);
  const auto cube = media::parse_cube(*text, file);
  SUBMIX_TRY(cube);
  return ColorTable(*cube);
}

}  // namespace submix::plugin
