// A product of two n x n matrices as ggml computes it on one thread: of the second one's rows.
#include <stdlib.h>
#include "ggml.h"
#include "ggml-cpu.h"

struct peer { struct ggml_cgraph *graph; struct ggml_cplan plan; };

void *peer_new(int n, int b, int c, int d, int e, int f) {
	struct peer *p = calloc(1, sizeof *p);
	struct ggml_init_params size = {3ul * 4 * n * n + (16 << 20), NULL, false};
	struct ggml_context *ctx = ggml_init(size);
	struct ggml_tensor *x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, n), *y = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, n);
	for (long i = 0; i < (long)n * n; i++) {
		((float *)x->data)[i] = (float)rand() / RAND_MAX - 0.5f;
		((float *)y->data)[i] = (float)rand() / RAND_MAX - 0.5f;
	}
	p->graph = ggml_new_graph(ctx);
	ggml_build_forward_expand(p->graph, ggml_mul_mat(ctx, x, y));
	p->plan = ggml_graph_plan(p->graph, 1, NULL);
	p->plan.work_data = malloc(p->plan.work_size + 64);
	return p;
}

void peer_product(void *model, int b, int c) {
	struct peer *p = model;
	ggml_graph_compute(p->graph, &p->plan);
}
