// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/frei0r/frei0r_instance.hpp"

#include "common/media/pixels.hpp"
#include "node/plugin/frei0r/frei0r_library.hpp"
#include "node/plugin/wet.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

// 1. The output is never an input: twenty plugins write wrong pictures in place.
// 2. The output is cleared first for plugins that leave pixels out and for unknown plugins. Nothing
//    of the seat's last user may show. Clearing every output cost a tenth of a chain of cheap
//    plugins, and more in processes of their own: the clearing fetches the picture from another
//    core or from memory and can do nothing else meanwhile.
// 3. Values come in clamped to 0 to 1 and never NaN (parameters.hpp): sixteen plugins crash or
//    hang otherwise.
// 4. Inputs are copied for plugins that write into them (frei0r_repairs.cpp).
// 5. frei0r wants sizes that are multiples of 8. Other pictures are drawn with more columns and
//    rows, which are cut off again. They repeat the picture's last column and row, so that filters
//    that mix neighbours draw no dark edge.
// 6. The parameter `wet` is mixed in here: in a plugin's own process, and with no frame of its own.
// 7. Each instance has one thread, as the header allows. Only one thread at a time makes, sets or
//    ends instances of a library: libraries written in C++ with frei0r.hpp share a list of their
//    parameters. Each new instance writes the list, and each setting reads it.

namespace submix::plugin {
namespace {

/// Pixels aligned as frei0r requires, for copies of inputs and for conversion to and from B,G,R,A.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes) : bytes_(bytes), memory_(::operator new(bytes, kAlignment)) {
    std::memset(memory_, 0, bytes);  // faults in all pages now
  }
  Scratch(Scratch&& other) noexcept
      : bytes_(other.bytes_), memory_(std::exchange(other.memory_, nullptr)) {}
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() { ::operator delete(memory_, kAlignment); }

  [[nodiscard]] std::span<std::uint8_t> rgba() {
    return {static_cast<std::uint8_t*>(memory_), bytes_};
  }

 private:
  static constexpr std::align_val_t kAlignment{64};
  std::size_t bytes_;
  void* memory_;
};

constexpr int kBlock = 8;

Size in_blocks(Size size) {
  const auto whole = [](int length) { return (length + kBlock - 1) / kBlock * kBlock; };
  return {whole(size.width), whole(size.height)};
}

std::size_t row_bytes(Size size) {
  return static_cast<std::size_t>(size.width) * media::kBytesPerRgbaPixel;
}

/// Fills the columns and rows outside `size` of a picture of `drawn` pixels.
void repeat_edges(std::span<std::uint8_t> rgba, Size size, Size drawn) {
  const auto own = row_bytes(size);
  const auto whole = row_bytes(drawn);
  const auto height = static_cast<std::size_t>(size.height);
  for (std::size_t y = 0; y < height; ++y) {
    const auto row = rgba.subspan(y * whole, whole);
    for (auto x = own; x < whole; ++x)
      row[x] = row[x - media::kBytesPerRgbaPixel];
  }
  const auto last = rgba.subspan((height - 1) * whole, whole);
  for (auto y = height; y < static_cast<std::size_t>(drawn.height); ++y)
    std::ranges::copy(last, rgba.subspan(y * whole).begin());
}

const std::uint32_t* words(std::span<const std::uint8_t> rgba) {
  return reinterpret_cast<const std::uint32_t*>(rgba.data());
}
std::uint32_t* words(std::span<std::uint8_t> rgba) {
  return reinterpret_cast<std::uint32_t*>(rgba.data());
}

}  // namespace

class Frei0rInstance::Parts {
 public:
  Parts(const Frei0rLibrary& library, f0r_instance_t instance, const Setup& setup)
      : library_(library), instance_(instance), size_(setup.size) {
    if (is_drawn_apart() || (library_.repair && library_.repair->writes_inputs)) {
      const auto bytes = drawn_.pixels() * media::kBytesPerRgbaPixel;
      for (std::size_t i = 0; i <= inputs(); ++i)
        scratches_.emplace_back(bytes);
    }
    if (library_.repair) fix(*library_.repair);
    const bool sets_all = library_.repair && library_.repair->sets_all;
    for (const auto& parameter : library_.description.parameters) {
      // Setting a value again has an effect in some plugins. The description may come from another
      // file of the same name.
      const auto stated = setup.parameters.find(parameter.name);
      const auto& value = stated == setup.parameters.end() ? parameter.initial : stated->second;
      if (sets_all || value != parameter.initial) set(parameter.name, value);
    }
    const auto wet = setup.parameters.find(kWet);
    if (has_wet_ && wet != setup.parameters.end()) wet_.set(wet->second);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    const MutexLock lock(library_.alone);
    library_.destruct(instance_);
  }

  [[nodiscard]] std::size_t inputs() const {
    return plugin::input_count(library_.description.kind).least;
  }

  void draw(std::chrono::nanoseconds pts, const Inputs& inputs, std::span<std::uint8_t> output) {
    const auto target = target_for(output);
    const bool is_seen = !wet_.is_none() || library_.description.memory != Memory::none;
    if (is_seen && library_.clears_output) std::memset(target.data(), 0, target.size());
    if (is_seen) update(pts, inputs, output);
    wet_.blend(inputs[0], output);
  }

  void draw_over(std::chrono::nanoseconds pts, const Inputs& inputs,
                 std::span<std::uint8_t> output) {
    if (is_drawn_apart()) convert(output, target_for(output));
    update(pts, inputs, output);
  }

  void set(std::string_view parameter, const show::ParameterValue& value) {
    if (has_wet_ && parameter == kWet) return wet_.set(value);
    for (std::size_t i = 0; i < library_.parameters.size(); ++i) {
      if (library_.parameters[i].name != parameter) continue;
      const MutexLock lock(library_.alone);
      return std::visit([&](const auto& typed) { set_typed(static_cast<int>(i), typed); }, value);
    }
  }

 private:
  /// Draws alone where instances share drawing state.
  template <typename Function>
  void draw_by(Function function) {
    if (!library_.repair || !library_.repair->runs_alone) return function();
    const MutexLock lock(library_.alone);
    function();
  }

  void fix(const Frei0rRepair& repair) {
    if (!repair.fixed_parameter.empty()) set(repair.fixed_parameter, repair.fixed_value);
  }

  /// True: the plugin draws into a scratch, as its output has another form than the picture.
  [[nodiscard]] bool is_drawn_apart() const { return is_swapped_ || drawn_ != size_; }

  void copy_pixels(std::span<const std::uint8_t> from, std::span<std::uint8_t> to) const {
    if (is_swapped_) {
      media::swap_red_and_blue(from, to);
    } else {
      std::memcpy(to.data(), from.data(), to.size());
    }
  }

  /// Into the plugin's size and order of colours.
  void convert(std::span<const std::uint8_t> picture, std::span<std::uint8_t> drawn) const {
    if (drawn_ == size_) return copy_pixels(picture, drawn);
    for (std::size_t y = 0; y < static_cast<std::size_t>(size_.height); ++y)
      copy_pixels(row(picture, y, size_), row(drawn, y, drawn_));
    repeat_edges(drawn, size_, drawn_);
  }

  void convert_back(std::span<const std::uint8_t> drawn, std::span<std::uint8_t> picture) const {
    if (drawn_ == size_) return copy_pixels(drawn, picture);
    for (std::size_t y = 0; y < static_cast<std::size_t>(size_.height); ++y)
      copy_pixels(row(drawn, y, drawn_), row(picture, y, size_));
  }

  /// The part of a row that lies within the picture. `rgba` has rows of `whole`.
  template <typename Byte>
  [[nodiscard]] std::span<Byte> row(std::span<Byte> rgba, std::size_t y, Size whole) const {
    return rgba.subspan(y * row_bytes(whole), row_bytes(size_));
  }

  std::span<std::uint8_t> target_for(std::span<std::uint8_t> output) {
    return is_drawn_apart() ? scratches_.back().rgba() : output;
  }

  std::span<const std::uint8_t> input(std::span<const std::uint8_t> picture, std::size_t index) {
    if (scratches_.empty()) return picture;
    const auto copy = scratches_[index].rgba();
    convert(picture, copy);
    return copy;
  }

  void update(std::chrono::nanoseconds pts, const Inputs& inputs, std::span<std::uint8_t> output) {
    const auto target = target_for(output);
    std::array<const std::uint32_t*, kInstanceInputsMax> pictures{};
    for (std::size_t i = 0; i < this->inputs(); ++i)
      pictures[i] = words(input(inputs[i], i));
    draw_by([&] { update(pts, pictures, words(target)); });
    if (is_drawn_apart()) convert_back(target, output);
  }

  void update(std::chrono::nanoseconds pts,
              const std::array<const std::uint32_t*, kInstanceInputsMax>& inputs,
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
  const Size size_;
  const Size drawn_ = in_blocks(size_);  // the plugin's own
  const bool is_swapped_ = library_.color_model == F0R_COLOR_MODEL_BGRA8888;
  const bool has_wet_ = wants_wet(library_.description);
  WetShare wet_;
  std::vector<Scratch> scratches_;  // one for each input, then the output; empty if not needed
};

Result<std::unique_ptr<Frei0rInstance>> Frei0rInstance::make(const std::filesystem::path& file,
                                                             const Setup& setup) {
  SUBMIX_TRY(check_frei0r(file));
  const auto library = Frei0rLibrary::load(file);
  SUBMIX_TRY(library);
  return make(**library, setup);
}

namespace {

f0r_instance_t construct(const Frei0rLibrary& library, Size size) {
  const MutexLock lock(library.alone);
  const auto [width, height] = in_blocks(size);
  return library.construct(static_cast<unsigned>(width), static_cast<unsigned>(height));
}

}  // namespace

Result<std::unique_ptr<Frei0rInstance>> Frei0rInstance::make(const Frei0rLibrary& library,
                                                             const Setup& setup) {
  const auto instance = construct(library, setup.size);
  if (instance == nullptr) {
    return fail("plugin \"{}\" cannot be made at size {}x{}", library.description.id,
                setup.size.width, setup.size.height);
  }
  return std::unique_ptr<Frei0rInstance>(
      new Frei0rInstance(std::make_unique<Parts>(library, instance, setup)));
}

Frei0rInstance::Frei0rInstance(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Frei0rInstance::~Frei0rInstance() = default;

std::size_t Frei0rInstance::input_count() const {
  return parts_->inputs();
}

void Frei0rInstance::draw(std::chrono::nanoseconds pts, const Inputs& inputs,
                          std::span<std::uint8_t> output) {
  parts_->draw(pts, inputs, output);
}

void Frei0rInstance::draw_over(std::chrono::nanoseconds pts, const Inputs& inputs,
                               std::span<std::uint8_t> output) {
  parts_->draw_over(pts, inputs, output);
}

void Frei0rInstance::set(std::string_view parameter, const show::ParameterValue& value) {
  parts_->set(parameter, value);
}

namespace {

class Frei0rPlugin final : public Plugin {
 public:
  explicit Frei0rPlugin(std::unique_ptr<Frei0rInstance> instance)
      : instance_(std::move(instance)) {}

  std::optional<media::Frame> process(Work& work) override {
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    Frei0rInstance::Inputs inputs{};
    for (std::size_t i = 0; i < work.inputs.size(); ++i)
      inputs[i] = work.inputs[i].rgba();
    instance_->draw(work.stamp.pts, inputs, output->rgba());
    return std::move(*output).publish();
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    instance_->set(parameter, value);
  }

 private:
  std::unique_ptr<Frei0rInstance> instance_;
};

}  // namespace

Result<std::unique_ptr<Plugin>> make_frei0r_plugin(const Frei0rLibrary& library,
                                                   const Setup& setup) {
  auto instance = Frei0rInstance::make(library, setup);
  SUBMIX_TRY(instance);
  return std::make_unique<Frei0rPlugin>(std::move(*instance));
}

}  // namespace submix::plugin
