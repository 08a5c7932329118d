// A model of random weights for llm.c, which the directory of -llmc has as train_gpt2.c.
#define TESTING
#include "train_gpt2.c"

struct peer { GPT2 model; int *inputs, *targets, batch, length, steps; };

void *peer_new(int dim, int layers, int heads, int vocab, int context, int batch) {
	struct peer *p = calloc(1, sizeof *p);
	p->model.config = (GPT2Config){context, vocab, vocab, layers, heads, dim};
	fill_in_parameter_sizes(p->model.param_sizes, p->model.config);
	for (int i = 0; i < NUM_PARAMETER_TENSORS; i++)
		p->model.num_parameters += p->model.param_sizes[i];
	p->model.params_memory = malloc_and_point_parameters(&p->model.params, p->model.param_sizes);
	unsigned state = 1;
	for (size_t i = 0; i < p->model.num_parameters; i++) {
		state = state * 1664525u + 1013904223u;
		p->model.params_memory[i] = 0.1f * ((state >> 8) / 16777216.0f - 0.5f);
	}
	p->batch = batch, p->length = context;
	p->inputs = calloc(batch * context, sizeof(int));
	p->targets = calloc(batch * context, sizeof(int));
	for (int i = 0; i < batch * context; i++) {
		p->inputs[i] = 7 * i % vocab;
		p->targets[i] = 7 * (i + 1) % vocab;
	}
	return p;
}

void peer_step(void *model, int batch, int length) {
	struct peer *p = model;
	gpt2_forward(&p->model, p->inputs, p->targets, batch, length);
	gpt2_zero_grad(&p->model);
	gpt2_backward(&p->model);
	gpt2_update(&p->model, 1e-7f, 0.9f, 0.999f, 1e-8f, 0.01f, ++p->steps);
}
