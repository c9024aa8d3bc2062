// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <aubio/aubio.h>

#include <memory>
#include <new>

/// Internal to this folder: aubio's objects, owned.
namespace submix::io {

struct AubioDeleter {
  void operator()(fvec_t* samples) const { del_fvec(samples); }
  void operator()(cvec_t* spectrum) const { del_cvec(spectrum); }
  void operator()(aubio_pvoc_t* vocoder) const { del_aubio_pvoc(vocoder); }
  void operator()(aubio_onset_t* onset) const { del_aubio_onset(onset); }
  void operator()(aubio_tempo_t* tempo) const { del_aubio_tempo(tempo); }
};
template <typename Object>
using AubioPointer = std::unique_ptr<Object, AubioDeleter>;

/// Takes a new object. Throws std::bad_alloc for null.
template <typename Object>
AubioPointer<Object> owned(Object* object) {
  if (object == nullptr) throw std::bad_alloc();
  return AubioPointer<Object>(object);
}

}  // namespace submix::io
