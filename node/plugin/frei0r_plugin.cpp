// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/frei0r_library.hpp"

#include "common/media/pixels.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

// 1. The output is never an input: twenty plugins write wrong pictures in place.
// 2. The output is cleared first: cartoon and colorhalftone leave pixels out, and what the seat's last user
// left
//    there must not show. At 1024x768 this costs about 0.1 ms, the median plugin 3.6 ms.
// 3. Values come in clamped to 0 to 1 and never NaN (parameters.hpp): sixteen plugins crash or hang
// otherwise.
// 4. Inputs are copied for those that write into them (frei0r_repairs.cpp).
// 5. One thread for each instance, which is what the header allows.

namespace submix::plugin {
namespace {

/// Pixels aligned as frei0r wants them, for copies of inputs and for the way to and from B,G,R,A.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes) : bytes_(bytes), memory_(::operator new(bytes, kAlignment)) {
    std::memset(memory_, 0, bytes);  // no page is faulted in later
  }
  Scratch(Scratch&& other) noexcept : bytes_(other.bytes_), memory_(std::exchange(other.memory_, nullptr)) {}
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() { ::operator delete(memory_, kAlignment); }

  [[nodiscard]] std::span<std::uint8_t> rgba() { return {static_cast<std::uint8_t*>(memory_), bytes_}; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  std::size_t bytes_;
  void* memory_;
};

const std::uint32_t* words(std::span<const std::uint8_t> rgba) {
  return reinterpret_cast<const std::uint32_t*>(rgba.data());
}
std::uint32_t* words(std::span<std::uint8_t> rgba) {
  return reinterpret_cast<std::uint32_t*>(rgba.data());
}

class Frei0rPlugin final : public Plugin {
 public:
  Frei0rPlugin(const Frei0rLibrary& library, f0r_instance_t instance, const Setup& setup)
      : library_(library), instance_(instance) {
    if (is_swapped_ || (library_.repair && library_.repair->writes_inputs)) {
      const auto bytes = setup.size.pixels() * media::kBytesPerRgbaPixel;
      for (std::size_t i = 0; i <= input_count(library_.description.kind); ++i)
        scratches_.emplace_back(bytes);
    }
    if (library_.repair) fix(*library_.repair);
    const bool sets_all = library_.repair && library_.repair->sets_all;
    for (const auto& parameter : library_.description.parameters) {
      // Setting a value that is there already is not free of effect in every plugin.
      const auto& value = setup.parameters.at(parameter.name);
      if (sets_all || value != parameter.initial) set(parameter.name, value);
    }
  }
  Frei0rPlugin(const Frei0rPlugin&) = delete;
  Frei0rPlugin& operator=(const Frei0rPlugin&) = delete;
  ~Frei0rPlugin() override { library_.destruct(instance_); }

  std::optional<media::Frame> process(Work& work) override {
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    const auto target = is_swapped_ ? scratches_.back().rgba() : output->rgba();
    std::memset(target.data(), 0, target.size());
    std::array<const std::uint32_t*, 3> inputs{};
    for (std::size_t i = 0; i < work.inputs.size(); ++i)
      inputs[i] = words(input(work.inputs[i], i));
    if (library_.repair && library_.repair->runs_alone) {
      const MutexLock lock(library_.alone);
      update(work.stamp.pts, inputs, words(target));
    } else {
      update(work.stamp.pts, inputs, words(target));
    }
    if (is_swapped_) media::swap_red_and_blue(target, output->rgba());
    return std::move(*output).publish();
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    for (std::size_t i = 0; i < library_.parameters.size(); ++i) {
      if (library_.parameters[i].name != parameter) continue;
      std::visit([&](const auto& typed) { set_typed(static_cast<int>(i), typed); }, value);
      return;
    }
  }

 private:
  void fix(const Frei0rRepair& repair) {
    if (!repair.fixed_parameter.empty()) set(repair.fixed_parameter, repair.fixed_value);
  }

  std::span<const std::uint8_t> input(const media::Frame& frame, std::size_t index) {
    if (scratches_.empty()) return frame.rgba();
    const auto copy = scratches_[index].rgba();
    if (is_swapped_) {
      media::swap_red_and_blue(frame.rgba(), copy);
    } else {
      std::memcpy(copy.data(), frame.rgba().data(), copy.size());
    }
    return copy;
  }

  void update(std::chrono::nanoseconds pts, const std::array<const std::uint32_t*, 3>& inputs,
              std::uint32_t* output) {
    const double seconds = std::chrono::duration<double>(pts).count();
    if (library_.description.kind == Kind::source || library_.description.kind == Kind::filter) {
      library_.update(instance_, seconds, inputs[0], output);
    } else {
      library_.update2(instance_, seconds, inputs[0], inputs[1], inputs[2], output);
    }
  }

  void set_typed(int index, bool value) { set_typed(index, value ? 1.0 : 0.0); }
  void set_typed(int index, double value) { library_.set_value(instance_, &value, index); }
  void set_typed(int index, std::string value) {
    f0r_param_string text = value.data();
    library_.set_value(instance_, static_cast<f0r_param_t>(&text), index);
  }
  void set_typed(int index, const std::vector<double>& parts) {
    if (parts.size() == 3) {
      f0r_param_color_t color{static_cast<float>(parts[0]), static_cast<float>(parts[1]),
                              static_cast<float>(parts[2])};
      library_.set_value(instance_, &color, index);
    } else {
      f0r_param_position_t position{parts[0], parts[1]};
      library_.set_value(instance_, &position, index);
    }
  }

  const Frei0rLibrary& library_;
  f0r_instance_t instance_;
  const bool is_swapped_ = library_.color_model == F0R_COLOR_MODEL_BGRA8888;
  std::vector<Scratch> scratches_;  // one for each input, then the output, where any is needed
};

}  // namespace

Result<std::unique_ptr<Plugin>> make_frei0r_plugin(const Frei0rLibrary& library, const Setup& setup) {
  const auto& id = library.description.id;
  if (library.repair && !library.repair->refused_because.empty()) {
    return fail("plugin \"{}\" is refused: {}; take another one", id, library.repair->refused_because);
  }
  if (setup.size.width % 8 != 0 || setup.size.height % 8 != 0) {
    return fail("plugin \"{}\": size {}x{} is not a multiple of 8 both ways, which frei0r needs; take {}x{}",
                id, setup.size.width, setup.size.height, (setup.size.width + 7) / 8 * 8,
                (setup.size.height + 7) / 8 * 8);
  }
  const f0r_instance_t instance =
      library.construct(static_cast<unsigned>(setup.size.width), static_cast<unsigned>(setup.size.height));
  if (instance == nullptr) {
    return fail("plugin \"{}\" cannot be made at size {}x{}", id, setup.size.width, setup.size.height);
  }
  return std::make_unique<Frei0rPlugin>(library, instance, setup);
}

}  // namespace submix::plugin
