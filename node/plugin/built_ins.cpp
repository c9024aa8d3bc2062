// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/built_ins.hpp"

#include "node/plugin/catalog.hpp"
#include "node/plugin/lut_shelf.hpp"

#include <memory>
#include <utility>

namespace submix::plugin {

void add_built_ins(Catalog& catalog, MediaFiles files) {
  catalog.add(pattern_description(), make_pattern);
  catalog.add(mix_description(), make_mix);
  catalog.add(transform_description(), make_transform);
  const auto shelf = std::make_shared<LutShelf>(std::move(files));
  catalog.add(colour_description(),
              [shelf](const Setup& setup) { return make_colour(setup, shelf); });
  catalog.add(keyer_description(), make_keyer);
  catalog.add(scope_description(), make_scope);
  catalog.add(stamp_description(), make_stamp);
  catalog.add(checker_description(), make_checker);
  catalog.add(null_description(), make_null);
  catalog.add(stand_in_source_description(), make_stand_in_source);
  catalog.add(stand_in_filter_description(), make_stand_in_filter);
}

}  // namespace submix::plugin
