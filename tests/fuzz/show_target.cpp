// SPDX-License-Identifier: GPL-3.0-or-later
// A show's text, treated as every reader of a show treats it: parse, expand, compare, write, read
// again.
#include "common/show/diff.hpp"
#include "common/show/macros.hpp"
#include "common/show/parse.hpp"
#include "common/show/plugin_form.hpp"
#include "common/show/problem_limits.hpp"
#include "common/show/validate.hpp"
#include "tests/fuzz/target.hpp"

#include <cstdlib>
#include <string_view>

namespace submix::fuzz {

std::vector<std::string> seeds() {
  return {};
}

namespace {

// A failed check is a bug, like a crash.
void must(bool is_true) {
  if (!is_true) std::abort();
}

void use(const show::Show& show) {
  must(show::validate(show).empty());
  const auto expanded = show::expand(show);
  must(expanded.submixes.size() == show.submixes.size());
  for (const auto& submix : expanded.submixes)
    must(submix.slots.size() <= show::kSlotsMax);
  must(show::diff(show, show).rebuilt.empty());
  for (std::size_t i = 0; i < show.submixes.size(); ++i) {
    static_cast<void>(show::check_plugins(show, i, {}));
    for (const auto& slot : show.submixes[i].slots)
      static_cast<void>(show::slot_behind(show, {show.submixes[i].name, slot.name}));
  }
  const auto again = show::parse(show::to_toml(show), "written");
  must(again.has_value());
  must(*again == show);
}

}  // namespace
}  // namespace submix::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto show = submix::show::parse(text, "fuzzed");
  if (show) {
    submix::fuzz::use(*show);
  } else {
    submix::fuzz::must(!show.error().empty() &&
                       show.error().size() <= submix::show::kProblemsMax + 1);
    submix::show::locate(show.error(), text, "fuzzed");
  }
  return 0;
}
