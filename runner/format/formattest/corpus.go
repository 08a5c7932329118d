package formattest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// CorpusFile returns a file of the corpus of real output, which lies beside the repository. It skips the
// test where there is no such file.
func CorpusFile(t *testing.T, file string) string {
	t.Helper()
	dir, err := filepath.Abs(".")
	for err == nil && filepath.Dir(dir) != dir {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "..", "shared", "corpora", "tool-output", file))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("SKIPPED: %s is not in ../shared/corpora: nothing was checked against real output", file)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Corpus compares the results of a file of the corpus, see [CorpusFile], with the lines that a person
// wrote. Values are rounded to six digits. The format has to be detected.
func Corpus(t *testing.T, name, file, want string) {
	t.Helper()
	text := CorpusFile(t, file)
	f, err := format.Detect([]byte(text))
	if err != nil || f.Name != name {
		t.Errorf("detected %q, %v; want %q", f.Name, err, name)
	}
	var got strings.Builder
	err = f.Read(strings.NewReader(text), file, func(rec benchfmt.Record) error {
		switch rec := rec.(type) {
		case *benchfmt.Result:
			fmt.Fprintf(&got, "%s %d", rec.Name, rec.Iters)
			for _, v := range rec.Values {
				if v.OrigUnit != "" {
					v.Value, v.Unit = v.OrigValue, v.OrigUnit
				}
				fmt.Fprintf(&got, " %.6g %s", v.Value, v.Unit)
			}
			got.WriteByte('\n')
		case *benchfmt.SyntaxError, *reading.LeftOut:
			fmt.Fprintf(&got, "%v\n", rec)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if got, want := tidy(got.String()), tidy(want); got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}
