// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/frei0r/frei0r_library.hpp"

#include "node/plugin/frei0r/frei0r_instance.hpp"
#include "node/plugin/frei0r/frei0r_known.hpp"

#include "common/show/frei0r_renames.hpp"
#include "common/show/validate.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

namespace submix::plugin {
namespace {

std::string id_of(const std::filesystem::path& file) {
  return show::common_plugin_id(std::string(show::kFrei0rPrefix) + file.stem().string());
}

std::optional<Frei0rRepair> repair_of(std::string_view id) {
  return find_frei0r_repair(id.substr(show::kFrei0rPrefix.size()));
}

std::string text_or_empty(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

// The symbols of one open library. Remembers the first missing symbol.
class Symbols {
 public:
  explicit Symbols(void* handle) : handle_(handle) {}

  template <typename Function>
  void need(Function& function, const char* name) {
    take(function, name);
    if (function == nullptr && missing_.empty()) missing_ = name;
  }
  template <typename Function>
  void take(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(handle_, name));
  }
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  void* handle_;
  std::string missing_;
};

std::optional<Kind> kind_of(int plugin_type) {
  switch (plugin_type) {
    case F0R_PLUGIN_TYPE_FILTER:
      return Kind::filter;
    case F0R_PLUGIN_TYPE_SOURCE:
      return Kind::source;
    case F0R_PLUGIN_TYPE_MIXER2:
      return Kind::mixer2;
    case F0R_PLUGIN_TYPE_MIXER3:
      return Kind::mixer3;
    default:
      return std::nullopt;
  }
}

std::optional<ParameterType> type_of(int parameter_type) {
  switch (parameter_type) {
    case F0R_PARAM_BOOL:
      return ParameterType::boolean;
    case F0R_PARAM_DOUBLE:
      return ParameterType::number;
    case F0R_PARAM_COLOR:
      return ParameterType::color;
    case F0R_PARAM_POSITION:
      return ParameterType::position;
    case F0R_PARAM_STRING:
      return ParameterType::text;
    default:
      return std::nullopt;
  }
}

// Some plugins start with uninitialised memory. Any other value becomes a number in 0 to 1.
double tamed(double value) {
  return std::isnan(value) ? 0.0 : std::clamp(value, 0.0, 1.0);
}

show::ParameterValue initial_value(const Frei0rLibrary& library, f0r_instance_t instance,
                                   int index) {
  switch (library.parameters[static_cast<std::size_t>(index)].type) {
    case F0R_PARAM_BOOL: {
      f0r_param_bool value = 0;
      library.get_value(instance, &value, index);
      return tamed(value) >= 0.5;
    }
    case F0R_PARAM_COLOR: {
      f0r_param_color_t value{};
      library.get_value(instance, &value, index);
      return std::vector<double>{tamed(value.r), tamed(value.g), tamed(value.b)};
    }
    case F0R_PARAM_POSITION: {
      f0r_param_position_t value{};
      library.get_value(instance, &value, index);
      return std::vector<double>{tamed(value.x), tamed(value.y)};
    }
    case F0R_PARAM_STRING: {
      f0r_param_string value = nullptr;
      library.get_value(instance, static_cast<f0r_param_t>(&value), index);
      return text_or_empty(value);
    }
    default: {
      f0r_param_double value = 0;
      library.get_value(instance, &value, index);
      return tamed(value);
    }
  }
}

// Only an instance knows the initial values.
void describe_parameters(Frei0rLibrary& library, decltype(&f0r_get_param_info) information_of,
                         int count) {
  constexpr unsigned kProbeSide = 64;
  const f0r_instance_t instance = library.construct(kProbeSide, kProbeSide);
  for (int i = 0; i < count; ++i) {
    f0r_param_info_t information{};
    information_of(&information, i);
    library.parameters.push_back({text_or_empty(information.name), information.type});
    const auto type = type_of(information.type);
    const auto& name = library.parameters.back().name;
    const bool is_fixed = library.repair && library.repair->fixed_parameter == name;
    if (instance == nullptr || !type || is_fixed) continue;
    library.description.parameters.push_back({.name = name,
                                              .type = *type,
                                              .explanation = text_or_empty(information.explanation),
                                              .initial = initial_value(library, instance, i)});
  }
  if (instance != nullptr) library.destruct(instance);
}

std::string find_symbols(Frei0rLibrary& library, Symbols& symbols) {
  symbols.need(library.construct, "f0r_construct");
  symbols.need(library.destruct, "f0r_destruct");
  symbols.need(library.set_value, "f0r_set_param_value");
  symbols.need(library.get_value, "f0r_get_param_value");
  symbols.take(library.update, "f0r_update");
  symbols.take(library.update2, "f0r_update2");
  return symbols.missing();
}

Result<void> describe(Frei0rLibrary& library, Symbols& symbols, const std::filesystem::path& file) {
  decltype(&f0r_init) initialise = nullptr;
  decltype(&f0r_get_plugin_info) information_of = nullptr;
  decltype(&f0r_get_param_info) parameter_information_of = nullptr;
  symbols.need(initialise, "f0r_init");
  symbols.need(information_of, "f0r_get_plugin_info");
  symbols.need(parameter_information_of, "f0r_get_param_info");
  if (const auto missing = find_symbols(library, symbols); !missing.empty()) {
    return fail("{}: is no frei0r plugin: {} is missing", file.string(), missing);
  }
  initialise();  // the result is ignored: the header does not define its meaning
  f0r_plugin_info_t information{};
  information_of(&information);
  const auto kind = kind_of(information.plugin_type);
  if (!kind || information.frei0r_version != FREI0R_MAJOR_VERSION) {
    return fail(
        "{}: frei0r version {}, plugin type {} is not known here; install a build for frei0r {}",
        file.string(), information.frei0r_version, information.plugin_type, FREI0R_MAJOR_VERSION);
  }
  const bool is_mixer = *kind == Kind::mixer2 || *kind == Kind::mixer3;
  if (is_mixer ? library.update2 == nullptr : library.update == nullptr) {
    return fail("{}: is no frei0r plugin: its update function is missing", file.string());
  }
  library.color_model = information.color_model;
  library.description.kind = *kind;
  library.description.explanation = text_or_empty(information.explanation);
  library.description.author = text_or_empty(information.author);
  library.description.own_name = text_or_empty(information.name);
  library.description.version =
      fmt::format("{}.{}", information.major_version, information.minor_version);
  describe_parameters(library, parameter_information_of, information.num_params);
  return {};
}

Result<std::unique_ptr<Frei0rLibrary>> open(const std::filesystem::path& file) {
  auto library = std::make_unique<Frei0rLibrary>();
  library->description.id = id_of(file);
  library->repair = repair_of(library->description.id);
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return fail("{}: cannot be loaded: {}", file.string(), text_or_empty(::dlerror()));
  Symbols symbols(handle);
  if (auto described = describe(*library, symbols, file); !described) {
    return tl::unexpected(std::move(described.error()));
  }
  library->description.memory = known_frei0r_memory(library->description);
  const bool is_known = library->description.memory != Memory::unknown;
  library->clears_output = !is_known || (library->repair && library->repair->wants_clear_output);
  return library;
}

}  // namespace

Result<const Frei0rLibrary*> Frei0rLibrary::load(const std::filesystem::path& file) {
  static Mutex mutex;
  static std::map<std::filesystem::path, Result<std::unique_ptr<Frei0rLibrary>>> libraries;
  const MutexLock lock(mutex);
  auto found = libraries.find(file);
  if (found == libraries.end()) found = libraries.emplace(file, open(file)).first;
  if (!found->second) return tl::unexpected(found->second.error());
  return found->second->get();
}

Result<Description> describe_frei0r(const std::filesystem::path& file) {
  return Frei0rLibrary::load(file).map(
      [](const Frei0rLibrary* library) { return library->description; });
}

Result<void> check_frei0r(const std::filesystem::path& file) {
  const auto id = id_of(file);
  if (const auto repair = repair_of(id); repair && !repair->refused_because.empty())
    return fail("plugin \"{}\" is refused: {}; take another one", id, repair->refused_because);
  return {};
}

}  // namespace submix::plugin
