package imports

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// Runs are stored together. One that cannot be stored does not keep those before it from that.
func TestRunsWait(t *testing.T) {
	a, _ := workspacetest.New(t)
	db, _, err := a.OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	im := &fileImport{session: a, out: &Outcome{}, db: db}
	add := func(n int, target string) error {
		b := decode.Builder{Default: record.Run{Target: target}}
		r := benchfmt.NewReader(strings.NewReader(fmt.Sprintf("BenchmarkX 1 %d ns/op\n", n)), "f")
		for r.Scan() {
			if err := b.Add(r.Result()); err != nil {
				t.Fatal(err)
			}
		}
		runs, err := b.Packed()
		if err != nil || len(runs) != 1 {
			t.Fatalf("%d runs, %v", len(runs), err)
		}
		runs[0].Header.Target = target
		return im.waiting.add(t.Context(), im, fmt.Sprintf("file%d", n), runs[0])
	}
	for n := range mostWaiting {
		if len(im.out.Runs) > 0 {
			t.Fatalf("stored after %d runs", n)
		}
		if err := add(n/2, "t"); err != nil { // each run twice
			t.Fatal(err)
		}
	}
	added := 0
	for i, r := range im.out.Runs {
		if r.Added {
			added++
		}
		if want := fmt.Sprintf("file%d", i/2); r.File != want || r.Added != (i%2 == 0) {
			t.Errorf("run %d is of %s, added: %v", i, r.File, r.Added)
		}
	}
	if added != mostWaiting/2 || len(im.out.Runs) != mostWaiting {
		t.Errorf("%d of %d runs were added", added, len(im.out.Runs))
	}

	if err := errors.Join(add(100, "t"), add(101, "")); err != nil {
		t.Fatal(err)
	}
	err = im.waiting.flush(t.Context(), im)
	if want := "import file101: store run: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s...", err, want)
	}
	if last := im.out.Runs[len(im.out.Runs)-1]; last.File != "file100" || !last.Added {
		t.Errorf("the last run stored is of %s, added: %v", last.File, last.Added)
	}
	if err := im.waiting.flush(t.Context(), im); err != nil {
		t.Error(err)
	}
}
