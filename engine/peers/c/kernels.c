// What a C programmer gets from the compiler: plain loops, built with -O3 -march=native
// -ffast-math, so that they are vectorised and expf, tanhf and erff are those of libmvec.
#include <math.h>
#include <string.h>

void c_gelu_tanh(float *restrict dst, const float *restrict src, int n) {
	for (int i = 0; i < n; i++) {
		float x = src[i];
		dst[i] = 0.5f * x * (1.0f + tanhf(0.7978845608028654f * (x + 0.044715f * x * x * x)));
	}
}

void c_gelu_erf(float *restrict dst, const float *restrict src, int n) {
	for (int i = 0; i < n; i++)
		dst[i] = 0.5f * src[i] * (1.0f + erff(src[i] * 0.7071067811865476f));
}

// One row.
void c_softmax(float *restrict dst, const float *restrict src, int n) {
	float top = src[0], sum = 0.0f;
	for (int i = 1; i < n; i++)
		top = src[i] > top ? src[i] : top;
	for (int i = 0; i < n; i++) {
		dst[i] = expf(src[i] - top);
		sum += dst[i];
	}
	float scale = 1.0f / sum;
	for (int i = 0; i < n; i++)
		dst[i] *= scale;
}

// One row, with the scale and the shift.
void c_layernorm(float *restrict dst, const float *restrict src, const float *restrict gamma, const float *restrict beta, int n) {
	float sum = 0.0f, squares = 0.0f;
	for (int i = 0; i < n; i++)
		sum += src[i];
	float mean = sum / n;
	for (int i = 0; i < n; i++)
		squares += (src[i] - mean) * (src[i] - mean);
	float scale = 1.0f / sqrtf(squares / n + 1e-5f);
	for (int i = 0; i < n; i++)
		dst[i] = (src[i] - mean) * scale * gamma[i] + beta[i];
}

void c_add(float *restrict dst, const float *restrict a, const float *restrict b, int n) {
	for (int i = 0; i < n; i++)
		dst[i] = a[i] + b[i];
}

void c_mul(float *restrict dst, const float *restrict a, const float *restrict b, int n) {
	for (int i = 0; i < n; i++)
		dst[i] = a[i] * b[i];
}

void c_copy(float *restrict dst, const float *restrict src, int n) { memcpy(dst, src, 4l * n); }

// The least that reading n numbers takes: eight sums of vectors, so that none waits for another.
typedef float wide __attribute__((vector_size(64), aligned(4)));
wide read_sum; // others could read it, so that the compiler has to add up
void c_read(float *restrict dst, const float *restrict src, int n) {
	wide s[8] = {};
	for (int i = 0; i + 128 <= n; i += 128) {
		const wide *v = (const wide *)(src + i);
		s[0] += v[0], s[1] += v[1], s[2] += v[2], s[3] += v[3];
		s[4] += v[4], s[5] += v[5], s[6] += v[6], s[7] += v[7];
	}
	read_sum = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
}
