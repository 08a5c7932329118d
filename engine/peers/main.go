// Peers measures the engine's kernels beside those of others, on this machine, in turns of a few
// milliseconds: OpenBLAS and BLIS as Debian packages have them, gonum, plain C that the compiler
// vectorises, and llama2.c, llm.c and ggml from checkouts of theirs. It is a module of its own, so that
// perftrack depends on none of it, and prints a table in Markdown: our figure, the other one,
// their ratio, the goal and whether it was met. What is not at hand is named, with how to get it.
//
//	cd engine/peers && go run . [-only REGEXP] [-length 1s] [-llama2c DIR] [-llmc DIR] [-ggml DIR]
//
// PERFTRACK_SIMD=avx2 and generic measure the lower paths of the engine. contest.go says how the turns
// are taken; matmul.go, elements.go and models.go have what is measured; library.go calls
// the libraries, and c has the code in C.
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
	only := flag.String("only", "", "measure what matches this `regexp`: MatMul, GELU, Decode ...")
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
