// The 512-bit operations that the reference engine uses, each as two of AVX2, for
// CPUs without AVX-512: both engines then run on the same instructions. The byte
// products are exact, as VPDPBUSD's are: bytes are widened to 16 bits for VPMADDWD.
#pragma once
#include <immintrin.h>

typedef struct { __m256 a, b; } f512;
typedef struct { __m256i a, b; } i512;
#define FN static inline __attribute__((always_inline))
#define TWO(name, op) FN f512 name(f512 x, f512 y) { return (f512){op(x.a, y.a), op(x.b, y.b)}; }
#define THREE(name, op) FN f512 name(f512 x, f512 y, f512 z) { return (f512){op(x.a, y.a, z.a), op(x.b, y.b, z.b)}; }

TWO(f_mul, _mm256_mul_ps)
TWO(f_add, _mm256_add_ps)
TWO(f_sub, _mm256_sub_ps)
TWO(f_div, _mm256_div_ps)
TWO(f_max, _mm256_max_ps)
THREE(f_fmadd, _mm256_fmadd_ps)
THREE(f_fnmadd, _mm256_fnmadd_ps)
FN f512 f_load(const void *p) { return (f512){_mm256_loadu_ps(p), _mm256_loadu_ps((const float *)p + 8)}; }
FN void f_store(float *p, f512 x) { _mm256_storeu_ps(p, x.a); _mm256_storeu_ps(p + 8, x.b); }
FN f512 f_set1(float v) { __m256 x = _mm256_set1_ps(v); return (f512){x, x}; }
FN f512 f_zero(void) { return f_set1(0); }
FN f512 f_round(f512 x) { return (f512){_mm256_round_ps(x.a, 0), _mm256_round_ps(x.b, 0)}; }
FN __m256 half_scalef(__m256 p, __m256 n) {
  __m256i e = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
  return _mm256_mul_ps(p, _mm256_castsi256_ps(e));
}
TWO(f_scalef, half_scalef)
FN __m256 half_abs(__m256 x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.f), x); }
FN f512 f_abs(f512 x) { return (f512){half_abs(x.a), half_abs(x.b)}; }
FN float f_sum(f512 x) {
  __m256 s = _mm256_add_ps(x.a, x.b);
  __m128 t = _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1));
  t = _mm_hadd_ps(t, t);
  return _mm_cvtss_f32(_mm_hadd_ps(t, t));
}
FN f512 f_less(f512 x, f512 y) { return (f512){_mm256_cmp_ps(x.a, y.a, _CMP_LT_OQ), _mm256_cmp_ps(x.b, y.b, _CMP_LT_OQ)}; }
FN f512 f_mask_sub(f512 otherwise, f512 mask, f512 x, f512 y) {
  f512 d = f_sub(x, y);
  return (f512){_mm256_blendv_ps(otherwise.a, d.a, mask.a), _mm256_blendv_ps(otherwise.b, d.b, mask.b)};
}
FN i512 i_load(const void *p) { return (i512){_mm256_loadu_si256(p), _mm256_loadu_si256((const __m256i *)p + 1)}; }
FN i512 i_set1(int v) { __m256i x = _mm256_set1_epi32(v); return (i512){x, x}; }
FN i512 i_zero(void) { return i_set1(0); }
FN i512 i_sub(i512 x, i512 y) { return (i512){_mm256_sub_epi32(x.a, y.a), _mm256_sub_epi32(x.b, y.b)}; }
FN f512 i_float(i512 x) { return (f512){_mm256_cvtepi32_ps(x.a), _mm256_cvtepi32_ps(x.b)}; }
FN __m256i half_dot(__m256i c, __m256i x, __m256i w) {
  __m256i even = _mm256_madd_epi16(_mm256_and_si256(x, _mm256_set1_epi16(255)), _mm256_srai_epi16(_mm256_slli_epi16(w, 8), 8));
  __m256i odd = _mm256_madd_epi16(_mm256_srli_epi16(x, 8), _mm256_srai_epi16(w, 8));
  return _mm256_add_epi32(c, _mm256_add_epi32(even, odd));
}
FN i512 i_dot(i512 c, i512 x, i512 w) { return (i512){half_dot(c.a, x.a, w.a), half_dot(c.b, x.b, w.b)}; }

#define __m512 f512
#define __m512i i512
#define __mmask16 f512
#define _mm512_mul_ps f_mul
#define _mm512_add_ps f_add
#define _mm512_sub_ps f_sub
#define _mm512_div_ps f_div
#define _mm512_max_ps f_max
#define _mm512_fmadd_ps f_fmadd
#define _mm512_fnmadd_ps f_fnmadd
#define _mm512_loadu_ps f_load
#define _mm512_load_ps f_load
#define _mm512_storeu_ps f_store
#define _mm512_set1_ps f_set1
#define _mm512_setzero_ps f_zero
#undef _mm512_roundscale_ps
#define _mm512_roundscale_ps(x, to) f_round(x)
#define _mm512_scalef_ps f_scalef
#define _mm512_abs_ps f_abs
#define _mm512_reduce_add_ps f_sum
#undef _mm512_cmp_ps_mask
#define _mm512_cmp_ps_mask(x, y, how) f_less(x, y)
#define _mm512_mask_sub_ps f_mask_sub
#define _mm512_loadu_si512 i_load
#define _mm512_load_si512 i_load
#define _mm512_set1_epi32 i_set1
#define _mm512_setzero_si512 i_zero
#define _mm512_sub_epi32 i_sub
#define _mm512_cvtepi32_ps i_float
#define _mm512_dpbusd_epi32 i_dot
