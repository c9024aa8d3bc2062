// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/frei0r/frei0r_memory.hpp"

#include "node/plugin/frei0r/frei0r_library.hpp"
#include "node/plugin/frei0r/frei0r_trial.hpp"

#include <algorithm>
#include <array>

namespace submix::plugin {
namespace {

constexpr Size kSize{96, 64};
constexpr std::array kPasts{1, 3, 12};  // frames seen by the first instance alone
constexpr int kCompared = 3;            // frames drawn by both

class Probe {
 public:
  explicit Probe(const Frei0rLibrary& library) : trial_(library, kSize) {}

  Result<Memory> run() {
    for (int setting = 0; setting < trial_.settings_to_try(); ++setting) {
      for (const int past : kPasts) {
        const auto is_alike = compare(setting, past);
        SUBMIX_TRY(is_alike);
        if (!*is_alike) return Memory::frames;
      }
    }
    return Memory::none;
  }

 private:
  Result<bool> compare(int setting, int past) {
    auto experienced = trial_.make(setting);
    auto fresh = trial_.make(setting);
    SUBMIX_TRY(experienced);
    SUBMIX_TRY(fresh);
    for (int frame = 0; frame < past; ++frame)
      trial_.draw(**experienced, frame, one_);
    for (int frame = past; frame < past + kCompared; ++frame) {
      trial_.draw(**experienced, frame, one_);
      trial_.draw(**fresh, frame, other_);
      if (!std::ranges::equal(one_.rgba(), other_.rgba())) return false;
    }
    return true;
  }

  Trial trial_;
  TrialPicture one_{kSize};
  TrialPicture other_{kSize};
};

}  // namespace

Result<Memory> probe_frei0r_memory(const std::filesystem::path& file) {
  const auto library = Frei0rLibrary::load(file);
  SUBMIX_TRY(library);
  return Probe(**library).run();
}

}  // namespace submix::plugin
