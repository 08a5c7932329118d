package format_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// back reads runs from text, as imports, journals and comments do, and writes them again.
func back(t rapid.TB, text []byte) []byte {
	t.Helper()
	var b decode.Builder
	if err := format.Read("gobench", text, "export", b.Add); err != nil {
		t.Fatal(err)
	}
	runs, err := b.Runs()
	if err != nil {
		t.Fatal(err)
	}
	return written(t, runs)
}

func written(t rapid.TB, runs []*record.Run) []byte {
	t.Helper()
	var text bytes.Buffer
	w := record.NewWriter(&text)
	for _, r := range runs {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	return text.Bytes()
}

// Any valid trial can be read back from its own export, regardless of the number of benchmarks.
func TestLargestTrialsAreReadBack(t *testing.T) {
	same := func(t rapid.TB, n, rounds int) {
		text := written(t, runtest.LargeTrial(n, rounds, strings.Repeat("a", 64), strings.Repeat("b", 64)))
		if !bytes.Equal(back(t, text), text) {
			t.Errorf("a trial of %d benchmarks, %d bytes, is another one when it is read", n, len(text))
		}
	}
	for _, n := range []int{300, 2000} {
		same(t, n, 1)
	}
	drawn := rapid.Custom(func(t *rapid.T) [2]int {
		return [2]int{rapid.IntRange(1, 72).Draw(t, "benchmarks"), rapid.IntRange(1, 2).Draw(t, "rounds")}
	})
	for seed := range 12 {
		one := drawn.Example(seed)
		same(t, one[0], one[1])
	}
}

// A result may have all of perftrack's configuration keys and also the maximum number of other
// keys.
func TestKeysOfOthers(t *testing.T) {
	var known strings.Builder
	for _, k := range record.Keys {
		if k.Role == record.FactKey {
			fmt.Fprintf(&known, "%s: v\n", k.Name)
		}
	}
	for n, want := range map[int]string{record.MaxSettings: "", record.MaxSettings + 1: "65 unknown configuration keys exceed the limit of 64"} {
		text := known.String()
		for i := range n {
			text += fmt.Sprintf("k%d: v\n", i)
		}
		var b decode.Builder
		err := format.Read("gobench", []byte(text+"BenchmarkA 1 1 ns/op\n"), "f", func(rec benchfmt.Record) error { return b.Add(rec) })
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d keys: %v", n, err)
		}
	}
}
