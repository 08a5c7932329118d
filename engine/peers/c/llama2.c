// A model of random weights for llama2.c, which the directory of -llama2c has as run.c.
#define TESTING
#include "run.c"

static float random_weight(unsigned long long *state) { return 0.1f * (random_f32(state) - 0.5f); }

struct peer { Transformer t; Sampler s; };

void *peer_new(int dim, int hidden, int layers, int heads, int vocab, int context) {
	struct peer *p = calloc(1, sizeof *p);
	Config c = {dim, hidden, layers, heads, heads, vocab, context};
	unsigned long long state = 1;
	long n = 2l * vocab * dim + layers * (4l * dim * dim + 3l * dim * hidden + 2 * dim) + dim + context * (dim / heads);
	float *weights = aligned_alloc(64, (4 * n + 63) / 64 * 64);
	for (long i = 0; i < n; i++)
		weights[i] = random_weight(&state);
	p->t.config = c;
	memory_map_weights(&p->t.weights, &p->t.config, weights, 0);
	malloc_run_state(&p->t.state, &p->t.config);
	build_sampler(&p->s, vocab, 0.8f, 1.0f, 1);
	return p;
}

// Tokens after a prompt: one forward pass each.
void peer_decode(void *model, int prompt, int tokens) {
	struct peer *p = model;
	for (int i = 0; i < tokens; i++)
		forward(&p->t, (7 * i + 1) % p->t.config.vocab_size, prompt + i);
}

// As generate does: the prompt token by token, then each token as it was sampled.
void peer_generate(void *model, int prompt, int tokens) {
	struct peer *p = model;
	int token = 1;
	for (int i = 0; i < prompt + tokens - 1; i++) {
		float *logits = forward(&p->t, token, i);
		token = i < prompt - 1 ? (7 * i + 1) % p->t.config.vocab_size : sample(&p->s, logits);
	}
}
