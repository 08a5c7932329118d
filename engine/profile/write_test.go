package profile

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%swant\n%s", file, got, want)
	}
}

// example returns a fixed tree with every kind of row.
func example() *Tree {
	prof, c := timing()
	p := prof.Stack()
	for i := range 3 {
		run := p.Scope("Inference")
		c.tick(time.Duration(1000 + i))
		for range 7 {
			token := p.Scope("Generate Token/1")
			c.tick(12_345_678 + time.Duration(i*i)) // the average has no finite decimal expansion
			p.Scope("Layer-8").End()
			token.End()
		}
		w := p.Fork()
		batch := w.Scope("Batch")
		c.tick(999)
		batch.End()
		w.Close()
		run.End()
	}
	tree := prof.Tree()
	tree.Counted = true
	tree.Caveats = append(tree.Caveats, "bytes are of the whole process")
	token := tree.Scopes[0].Children[0]
	token.AllocCalls, token.Bytes, token.Objects, token.SelfBytes, token.SelfObjects = 3, 1000, 12, 1000, 12
	return tree
}

func TestWriteBenchmarks(t *testing.T) {
	tree := example()
	var b bytes.Buffer
	if err := tree.WriteBenchmarks(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "benchmarks.txt", b.Bytes())
	b.WriteString("BenchmarkAfter 1 1 ns/op\n")

	rows := tree.Rows()
	r := benchfmt.NewReader(&b, "profile")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Error(rec)
		case *benchfmt.Result:
			if len(rows) == 0 {
				if got := rec.GetConfig("profile"); got != "" {
					t.Errorf("profile: %s holds after the profile", got)
				}
				continue
			}
			checkRow(t, rec, rows[0])
			rows = rows[1:]
		}
	}
	if err := r.Err(); err != nil || len(rows) > 0 {
		t.Errorf("%d rows missing, error %v", len(rows), err)
	}
	for _, unit := range []string{"self-ns/op", "min-ns/op", "max-ns/op"} {
		if got := r.Units().GetBetter(unit); got != -1 {
			t.Errorf("GetBetter(%s) = %d, want -1: lower", unit, got)
		}
	}
}

// checkRow compares a row as read from the output with the measured one.
func checkRow(t *testing.T, rec *benchfmt.Result, row Row) {
	t.Helper()
	base, parts := rec.Name.Parts()
	name := string(base)
	for _, part := range parts {
		if part[0] != '/' {
			t.Errorf("%s: %q is read as GOMAXPROCS", rec.Name, part)
		}
		name += string(part)
	}
	if name != row.Path || int64(rec.Iters) != row.Calls || rec.GetConfig("profile") != "scopes" {
		t.Errorf("%s, %d calls, profile: %s, want %s, %d, scopes", name, rec.Iters, rec.GetConfig("profile"), row.Path, row.Calls)
	}
	want := map[string]int64{"ns/op": int64(row.Total), "self-ns/op": int64(row.Self), "min-ns/op": int64(row.Min), "max-ns/op": int64(row.Max)}
	calls := map[string]int64{"ns/op": row.Calls, "self-ns/op": row.Calls}
	if row.AllocCalls > 0 {
		want["B/op"], want["allocs/op"] = row.Bytes, row.Objects
		calls["B/op"], calls["allocs/op"] = row.AllocCalls, row.AllocCalls
	}
	if len(rec.Values) != len(want) {
		t.Errorf("%s: values %v, want %d", name, rec.Values, len(want))
	}
	for _, v := range rec.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" {
			value, unit = v.OrigValue, v.OrigUnit
		}
		sum, ok := want[unit]
		if got := math.Round(value * float64(max(calls[unit], 1))); !ok || got != float64(sum) {
			t.Errorf("%s: %v %s, which makes %v, want %d", name, value, unit, got, sum)
		}
	}
}

func TestWriteBenchmarksOfAllocations(t *testing.T) {
	tree := &Tree{Counted: true, Scopes: []*Node{{Name: "A", Path: "A", Stats: Stats{Calls: 4, AllocCalls: 4, Bytes: 10, Objects: 4}}}}
	var b bytes.Buffer
	if err := tree.WriteBenchmarks(&b); err != nil {
		t.Fatal(err)
	}
	if want := "profile: scopes\nBenchmarkA 4 2.5 B/op 1 allocs/op\nprofile:\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
	b.Reset()
	if err := (&Tree{}).WriteBenchmarks(&b); err != nil || b.Len() > 0 {
		t.Errorf("an empty tree writes %q, error %v", &b, err)
	}
}

func TestWriteTop(t *testing.T) {
	var b bytes.Buffer
	for _, n := range []int{10, 2, 0, -1} {
		if err := example().WriteTop(&b, n); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "top.txt", b.Bytes())
}

type broken struct{}

var errBroken = errors.New("broken pipe")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrors(t *testing.T) {
	if err := example().WriteBenchmarks(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("WriteBenchmarks: error %v, want %v", err, errBroken)
	}
	if err := example().WriteTop(broken{}, 1); !errors.Is(err, errBroken) {
		t.Errorf("WriteTop: error %v, want %v", err, errBroken)
	}
}

func TestCleanName(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"Forward", "Forward"},
		{"transformer.Model.Forward", "transformer.Model.Forward"},
		{"layer=3", "layer=3"},
		{"Schicht größer", "Schicht_größer"},
		{"a/b\tc\nd\u00a0e\x00f\xff", "a_b_c_d_e_f_"},
		{"Layer-8", "Layer_8"},
		{"x-8-16", "x-8_16"},
		{"-1", "_1"},
		{"Layer-", "Layer-"},
		{"Layer8", "Layer8"},
		{"8", "8"},
		{"", "_"},
	} {
		if got := cleanName(tt.name); got != tt.want {
			t.Errorf("cleanName(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Different names that look the same in the output share one path. Otherwise, a reader would take
// them for several measurements of one benchmark.
func TestNamesThatBecomeEqual(t *testing.T) {
	prof, c := timing()
	p := prof.Stack()
	for _, name := range []string{"Load file", "Load_file", "Load/file"} {
		scope := p.Scope(name)
		c.tick(2)
		scope.End()
	}
	checkOutline(t, prof, "Load_file 3 6/6/2/2\n")
}
