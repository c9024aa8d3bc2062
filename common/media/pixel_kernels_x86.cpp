// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/pixel_kernels_x86.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <array>

// Each function is compiled for its own instruction set; all other code stays baseline x86-64. The
// functions work in blocks, and pass the rest to the next narrower function.
#define SUBMIX_SSSE3 __attribute__((target("ssse3")))
#define SUBMIX_AVX2 __attribute__((target("avx2")))
#define SUBMIX_AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))

namespace submix::media {
namespace {

constexpr char kNone = -128;  // pshufb writes 0 there
constexpr int kOpaque = -0x1000000;

// Single pixels: the rest of a block, or the pixels before an aligned address.
void pack_few(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  for (; pixels > 0; --pixels, from += 4, to += 3)
    std::copy_n(from, 3, to);
}

void unpack_few(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  for (; pixels > 0; --pixels, from += 3, to += 4) {
    std::copy_n(from, 3, to);
    to[3] = 255;
  }
}

template <typename Vector>
const Vector* vector_at(const std::uint8_t* place) {
  return reinterpret_cast<const Vector*>(place);
}
template <typename Vector>
Vector* vector_at(std::uint8_t* place) {
  return reinterpret_cast<Vector*>(place);
}

// SSSE3: 16 pixels in four vectors of RGBA, three of RGB24.

SUBMIX_SSSE3 void pack_ssse3(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  const auto drop_alpha =
      _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, kNone, kNone, kNone, kNone);
  for (; pixels >= 16; pixels -= 16, from += 64, to += 48) {
    const auto a = _mm_shuffle_epi8(_mm_loadu_si128(vector_at<__m128i>(from)), drop_alpha);
    const auto b = _mm_shuffle_epi8(_mm_loadu_si128(vector_at<__m128i>(from + 16)), drop_alpha);
    const auto c = _mm_shuffle_epi8(_mm_loadu_si128(vector_at<__m128i>(from + 32)), drop_alpha);
    const auto d = _mm_shuffle_epi8(_mm_loadu_si128(vector_at<__m128i>(from + 48)), drop_alpha);
    _mm_storeu_si128(vector_at<__m128i>(to), _mm_or_si128(a, _mm_slli_si128(b, 12)));
    _mm_storeu_si128(vector_at<__m128i>(to + 16),
                     _mm_or_si128(_mm_srli_si128(b, 4), _mm_slli_si128(c, 8)));
    _mm_storeu_si128(vector_at<__m128i>(to + 32),
                     _mm_or_si128(_mm_srli_si128(c, 8), _mm_slli_si128(d, 4)));
  }
  pack_few(from, to, pixels);
}

SUBMIX_SSSE3 void unpack_ssse3(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  const auto spread =
      _mm_setr_epi8(0, 1, 2, kNone, 3, 4, 5, kNone, 6, 7, 8, kNone, 9, 10, 11, kNone);
  const auto opaque = _mm_set1_epi32(kOpaque);
  for (; pixels >= 16; pixels -= 16, from += 48, to += 64) {
    const auto a = _mm_loadu_si128(vector_at<__m128i>(from));
    const auto b = _mm_loadu_si128(vector_at<__m128i>(from + 16));
    const auto c = _mm_loadu_si128(vector_at<__m128i>(from + 32));
    const auto second = _mm_alignr_epi8(b, a, 12);
    const auto third = _mm_alignr_epi8(c, b, 8);
    const auto fourth = _mm_srli_si128(c, 4);
    _mm_storeu_si128(vector_at<__m128i>(to), _mm_or_si128(_mm_shuffle_epi8(a, spread), opaque));
    _mm_storeu_si128(vector_at<__m128i>(to + 16),
                     _mm_or_si128(_mm_shuffle_epi8(second, spread), opaque));
    _mm_storeu_si128(vector_at<__m128i>(to + 32),
                     _mm_or_si128(_mm_shuffle_epi8(third, spread), opaque));
    _mm_storeu_si128(vector_at<__m128i>(to + 48),
                     _mm_or_si128(_mm_shuffle_epi8(fourth, spread), opaque));
  }
  unpack_few(from, to, pixels);
}

// AVX2: 8 pixels a vector.

/// 8 pixels; the upper 8 bytes are unused.
SUBMIX_AVX2 inline __m256i packed_avx2(const std::uint8_t* from) {
  const auto drop_alpha =
      _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, kNone, kNone, kNone, kNone,  //
                       0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, kNone, kNone, kNone, kNone);
  const auto close_gap = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7);
  const auto rgba = _mm256_loadu_si256(vector_at<__m256i>(from));
  return _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(rgba, drop_alpha), close_gap);
}

SUBMIX_AVX2 void pack_avx2(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  // Each store writes 32 bytes, and the next store overwrites the last 8 of them: three pixels must
  // remain.
  for (; pixels >= 32 + 3; pixels -= 32, from += 128, to += 96) {
    _mm256_storeu_si256(vector_at<__m256i>(to), packed_avx2(from));
    _mm256_storeu_si256(vector_at<__m256i>(to + 24), packed_avx2(from + 32));
    _mm256_storeu_si256(vector_at<__m256i>(to + 48), packed_avx2(from + 64));
    _mm256_storeu_si256(vector_at<__m256i>(to + 72), packed_avx2(from + 96));
  }
  pack_ssse3(from, to, pixels);
}

SUBMIX_AVX2 inline __m256i unpacked_avx2(const std::uint8_t* from) {
  // The upper half is read from byte 8 on, not 12: nothing beyond the eighth pixel is read.
  const auto spread =
      _mm256_setr_epi8(0, 1, 2, kNone, 3, 4, 5, kNone, 6, 7, 8, kNone, 9, 10, 11, kNone,  //
                       4, 5, 6, kNone, 7, 8, 9, kNone, 10, 11, 12, kNone, 13, 14, 15, kNone);
  const auto lower = _mm256_castsi128_si256(_mm_loadu_si128(vector_at<__m128i>(from)));
  const auto rgb24 =
      _mm256_inserti128_si256(lower, _mm_loadu_si128(vector_at<__m128i>(from + 8)), 1);
  return _mm256_or_si256(_mm256_shuffle_epi8(rgb24, spread), _mm256_set1_epi32(kOpaque));
}

SUBMIX_AVX2 void unpack_avx2(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  for (; pixels >= 32; pixels -= 32, from += 96, to += 128) {
    _mm256_storeu_si256(vector_at<__m256i>(to), unpacked_avx2(from));
    _mm256_storeu_si256(vector_at<__m256i>(to + 32), unpacked_avx2(from + 24));
    _mm256_storeu_si256(vector_at<__m256i>(to + 64), unpacked_avx2(from + 48));
    _mm256_storeu_si256(vector_at<__m256i>(to + 96), unpacked_avx2(from + 72));
  }
  unpack_ssse3(from, to, pixels);
}

// AVX-512 with VBMI: 64 pixels, any byte to any place in a single instruction.

// for each byte of a vector: the index of its source byte
using Places = std::array<std::uint8_t, 64>;

/// For vector `index` of RGB24: its source bytes in the vectors `index` and `index + 1` of RGBA.
constexpr Places pack_places(int index) {
  Places places{};
  for (int i = 0; i < 64; ++i) {
    const int byte = 64 * index + i;
    places[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(byte / 3 * 4 + byte % 3 - 64 * index);
  }
  return places;
}

/// For vector `index` of RGBA: its source bytes in the vectors `index - 1` and `index` of RGB24.
/// Alpha takes any byte.
constexpr Places unpack_places(int index) {
  Places places{};
  const int first = index == 0 ? 0 : 64 * (index - 1);
  for (int i = 0; i < 64; ++i) {
    const int channel = i % 4 == 3 ? 0 : i % 4;
    places[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(48 * index + i / 4 * 3 + channel - first);
  }
  return places;
}

alignas(64) constexpr std::array<Places, 3> kPackPlaces{pack_places(0), pack_places(1),
                                                        pack_places(2)};
alignas(64) constexpr std::array<Places, 4> kUnpackPlaces{unpack_places(0), unpack_places(1),
                                                          unpack_places(2), unpack_places(3)};

// GCC 12 reports the form without a mask as a use of an uninitialised value (GCC bug 105593).
constexpr __mmask64 kAllBytes = ~__mmask64{0};

SUBMIX_AVX512 inline __m512i places_of(const Places& places) {
  return _mm512_load_si512(places.data());
}

SUBMIX_AVX512 void pack_avx512(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  for (; pixels >= 64; pixels -= 64, from += 256, to += 192) {
    const auto a = _mm512_loadu_si512(from);
    const auto b = _mm512_loadu_si512(from + 64);
    const auto c = _mm512_loadu_si512(from + 128);
    const auto d = _mm512_loadu_si512(from + 192);
    _mm512_storeu_si512(to, _mm512_permutex2var_epi8(a, places_of(kPackPlaces[0]), b));
    _mm512_storeu_si512(to + 64, _mm512_permutex2var_epi8(b, places_of(kPackPlaces[1]), c));
    _mm512_storeu_si512(to + 128, _mm512_permutex2var_epi8(c, places_of(kPackPlaces[2]), d));
  }
  pack_avx2(from, to, pixels);
}

SUBMIX_AVX512 void unpack_avx512(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  const auto opaque = _mm512_set1_epi32(kOpaque);
  for (; pixels >= 64; pixels -= 64, from += 192, to += 256) {
    const auto a = _mm512_loadu_si512(from);
    const auto b = _mm512_loadu_si512(from + 64);
    const auto c = _mm512_loadu_si512(from + 128);
    const auto first = _mm512_maskz_permutexvar_epi8(kAllBytes, places_of(kUnpackPlaces[0]), a);
    const auto second = _mm512_permutex2var_epi8(a, places_of(kUnpackPlaces[1]), b);
    const auto third = _mm512_permutex2var_epi8(b, places_of(kUnpackPlaces[2]), c);
    const auto fourth = _mm512_maskz_permutexvar_epi8(kAllBytes, places_of(kUnpackPlaces[3]), c);
    _mm512_storeu_si512(to, _mm512_or_si512(first, opaque));
    _mm512_storeu_si512(to + 64, _mm512_or_si512(second, opaque));
    _mm512_storeu_si512(to + 128, _mm512_or_si512(third, opaque));
    _mm512_storeu_si512(to + 192, _mm512_or_si512(fourth, opaque));
  }
  unpack_avx2(from, to, pixels);
}

// Streaming: the same past the cache, from the first aligned address on. Main memory is the limit:
// 64 bytes at a time were no faster than 32.

constexpr std::size_t kStreamAlignment = 32;

/// Pixels before `to` is aligned. An RGB24 pixel may begin at any byte.
std::size_t rgb24_pixels_before_aligned(const std::uint8_t* to) {
  const auto place = reinterpret_cast<std::uintptr_t>(to);
  std::size_t pixels = 0;
  while ((place + 3 * pixels) % kStreamAlignment != 0)
    ++pixels;
  return pixels;
}

/// The same for RGBA, where `to` is a multiple of four.
std::size_t rgba_pixels_before_aligned(const std::uint8_t* to) {
  const auto misaligned = reinterpret_cast<std::uintptr_t>(to) % kStreamAlignment;
  return (kStreamAlignment - misaligned) % kStreamAlignment / 4;
}

bool is_whole_word(const std::uint8_t* place) {
  return reinterpret_cast<std::uintptr_t>(place) % 4 == 0;
}

SUBMIX_AVX2 void stream_pack_avx2(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  const auto head = std::min(pixels, rgb24_pixels_before_aligned(to));
  pack_few(from, to, head);
  from += 4 * head;
  to += 3 * head;
  pixels -= head;
  for (; pixels >= 32; pixels -= 32, from += 128, to += 96) {
    const auto a = packed_avx2(from);
    const auto b = packed_avx2(from + 32);
    const auto c = packed_avx2(from + 64);
    const auto d = packed_avx2(from + 96);
    // Words of a: 0 to 5; of b: 6 to 11; and so on: eight in a row for each store.
    const auto b_low = _mm256_permutevar8x32_epi32(b, _mm256_setr_epi32(2, 3, 4, 5, 6, 7, 0, 1));
    const auto c_middle = _mm256_permute4x64_epi64(c, _MM_SHUFFLE(1, 0, 3, 2));
    const auto d_high = _mm256_permutevar8x32_epi32(d, _mm256_setr_epi32(6, 7, 0, 1, 2, 3, 4, 5));
    _mm256_stream_si256(vector_at<__m256i>(to), _mm256_blend_epi32(a, b_low, 0xC0));
    _mm256_stream_si256(vector_at<__m256i>(to + 32), _mm256_blend_epi32(b_low, c_middle, 0xF0));
    _mm256_stream_si256(vector_at<__m256i>(to + 64), _mm256_blend_epi32(c_middle, d_high, 0xFC));
  }
  _mm_sfence();  // before another thread is told of these pixels
  pack_avx2(from, to, pixels);
}

SUBMIX_AVX2 void stream_unpack_avx2(const std::uint8_t* from, std::uint8_t* to,
                                    std::size_t pixels) {
  if (!is_whole_word(to)) return unpack_avx2(from, to, pixels);
  const auto head = std::min(pixels, rgba_pixels_before_aligned(to));
  unpack_few(from, to, head);
  from += 3 * head;
  to += 4 * head;
  pixels -= head;
  for (; pixels >= 32; pixels -= 32, from += 96, to += 128) {
    _mm256_stream_si256(vector_at<__m256i>(to), unpacked_avx2(from));
    _mm256_stream_si256(vector_at<__m256i>(to + 32), unpacked_avx2(from + 24));
    _mm256_stream_si256(vector_at<__m256i>(to + 64), unpacked_avx2(from + 48));
    _mm256_stream_si256(vector_at<__m256i>(to + 96), unpacked_avx2(from + 72));
  }
  _mm_sfence();
  unpack_avx2(from, to, pixels);
}

bool has_avx512() {
  return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi");
}

}  // namespace

std::vector<PixelKernel> x86_pack_kernels() {
  std::vector<PixelKernel> kernels;
  if (__builtin_cpu_supports("ssse3")) kernels.push_back({"ssse3", Stores::cached, pack_ssse3});
  if (__builtin_cpu_supports("avx2")) {
    kernels.push_back({"avx2", Stores::cached, pack_avx2});
    kernels.push_back({"avx2 streaming", Stores::streaming, stream_pack_avx2});
  }
  if (has_avx512()) {
    kernels.push_back({"avx512", Stores::cached, pack_avx512});
  }
  return kernels;
}

std::vector<PixelKernel> x86_unpack_kernels() {
  std::vector<PixelKernel> kernels;
  if (__builtin_cpu_supports("ssse3")) kernels.push_back({"ssse3", Stores::cached, unpack_ssse3});
  if (__builtin_cpu_supports("avx2")) {
    kernels.push_back({"avx2", Stores::cached, unpack_avx2});
    kernels.push_back({"avx2 streaming", Stores::streaming, stream_unpack_avx2});
  }
  if (has_avx512()) {
    kernels.push_back({"avx512", Stores::cached, unpack_avx512});
  }
  return kernels;
}

}  // namespace submix::media

#else

namespace submix::media {

std::vector<PixelKernel> x86_pack_kernels() {
  return {};
}
std::vector<PixelKernel> x86_unpack_kernels() {
  return {};
}

}  // namespace submix::media

#endif
