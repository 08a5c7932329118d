// Peers compares the engine's kernels with other libraries on this machine, in turns of a few
// milliseconds. The libraries are OpenBLAS and BLIS from Debian packages, gonum, plain C vectorized
// by the compiler, and checkouts of llama2.c, llm.c and ggml. Peers prints a Markdown table with
// our result, the other library's, their ratio, the goal and whether it was met. It also lists the
// missing libraries and how to get them. It is a separate module, so perftrack does not depend on
// any of them.
//
//	cd engine/peers && go run . [-only REGEXP] [-length 1s] [-llama2c DIR] [-llmc DIR] [-ggml DIR]
//
// With PERFTRACK_SIMD=avx2 or PERFTRACK_SIMD=generic, it measures the slower code paths of the
// engine. contest.go runs a contest, and matmul.go, elements.go and models.go define the contests.
// library.go calls the libraries, and the directory c contains the C code.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/perftrack/perftrack/engine/kernels"
)

func main() {
	var b bench
	only := flag.String("only", "", "measure contests matching this `regexp`: MatMul, GELU, Decode ...")
	flag.DurationVar(&b.length, "length", time.Second, "how long each line is measured")
	flag.StringVar(&b.llama2c, "llama2c", "", "`directory` of a checkout of karpathy/llama2.c")
	flag.StringVar(&b.llmc, "llmc", "", "`directory` of a checkout of karpathy/llm.c")
	ggml := flag.String("ggml", "", "`directory` of a checkout of ggml-org/ggml, which is built there with cmake")
	flag.Parse()
	if flag.NArg() > 0 {
		fail(fmt.Errorf("unexpected argument %q: choose with -only", flag.Arg(0)))
	}
	var err error
	if b.only, err = regexp.Compile(*only); err != nil {
		fail(fmt.Errorf("-only: %w", err))
	}
	if err := kernels.PathErr(); err != nil {
		fail(err)
	}
	if err := b.prepare(); err != nil {
		fail(err)
	}
	b.loadGGML(*ggml)
	b.matMuls()
	b.randomMatMuls()
	b.matMulsOnTwo()
	b.elements()
	b.models()
	b.training()
	b.workshop.close()
	b.write(os.Stdout)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "peers:", err)
	os.Exit(1)
}
