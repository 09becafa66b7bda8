// Runs the reference engine on what the test wrote: weights in the order of
// set_layer, then texts of summed embeddings. Prints for each text the fastest of
// the passes in nanoseconds and its vector.
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <time.h>

void set_layer(int i, const int8_t *q0, const float *s0, const float *b0, const float *f0, const int8_t *q1, const float *s1, const float *b1, const float *f1,
               const int8_t *q2, const float *s2, const float *b2, const float *f2, const int8_t *q3, const float *s3, const float *b3, const float *f3,
               float *alw, float *alb, float *olw, float *olb);
void set_eln(float *w, float *b);
void forward(const float *x0, const int *seg, int ns, float *out);

static void *take(FILE *f, size_t n) {
  void *p = aligned_alloc(64, (n + 63) & ~(size_t)63);
  if (!p || fread(p, 1, n, f) != n) { fprintf(stderr, "short input\n"); exit(1); }
  return p;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(int argc, char **argv) {
  FILE *f = argc == 3 ? fopen(argv[1], "rb") : NULL;
  if (!f) return 2;
  int passes = atoi(argv[2]);
  const int shape[4][2] = {{1152, 384}, {384, 384}, {1536, 384}, {384, 1536}};
  for (int l = 0; l < 12; l++) {
    int8_t *q[4];
    float *s[4], *b[4], *n[4];
    for (int m = 0; m < 4; m++) {
      q[m] = take(f, (size_t)shape[m][0] * shape[m][1]);
      s[m] = take(f, 4 * shape[m][0]);
      b[m] = take(f, 4 * shape[m][0]);
    }
    for (int k = 0; k < 4; k++) n[k] = take(f, 4 * 384);
    set_layer(l, q[0], s[0], b[0], 0, q[1], s[1], b[1], 0, q[2], s[2], b[2], 0, q[3], s[3], b[3], 0, n[0], n[1], n[2], n[3]);
  }
  float *w = take(f, 4 * 384), *b = take(f, 4 * 384);
  set_eln(w, b);
  int seg[2] = {0, 0};
  while (fread(&seg[1], 4, 1, f) == 1) {
    float *x = take(f, (size_t)seg[1] * 384 * 4), out[384];
    double best = 1e18;
    for (int i = 0; i < passes; i++) {
      double t = now();
      forward(x, seg, 1, out);
      t = now() - t;
      if (t < best) best = t;
    }
    printf("%.0f", best);
    for (int i = 0; i < 384; i++) printf(" %.9g", out[i]);
    printf("\n");
  }
  return 0;
}
