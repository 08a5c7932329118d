package slicing

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/turnstile"
)

func TestExploreChoose(t *testing.T) {
	if os.Getenv("CHOOSE") == "" {
		t.Skip()
	}
	for _, f := range strings.Fields(os.Getenv("CHOOSE")) {
		bin, name, _ := strings.Cut(f, ":")
		spec := turnstile.Spec{Name: name, Timeout: time.Minute}
		for i := range spec.Sides {
			spec.Sides[i] = turnstile.Side{Binary: "/tmp/sl/" + bin + ".test", Dir: t.TempDir(), Env: os.Environ()}
		}
		if p := os.Getenv("PROCS"); p != "" {
			spec.Flags = []string{"-test.cpu=" + p}
		}
		long := longSample(t, spec, 100*time.Millisecond)
		begin := time.Now()
		w, err := Choose(t.Context(), spec, long, 100*time.Millisecond, 0)
		el := time.Since(begin)
		begin = time.Now()
		var r Round
		if err == nil && w.Sliced() {
			r, err = w.Measure(t.Context(), spec, 0, 0)
		}
		fmt.Printf("%-18s choose %5.2fs round %5.2fs kept %d spread %.3f  %+v %v\n", name, el.Seconds(), time.Since(begin).Seconds(), r.Kept, r.Spread, w, err)
	}
}
