package imports

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

const someResults = `goos: linux
pkg: example.com/a
BenchmarkX-8 	 1000	 100 ns/op	 80 B/op
BenchmarkY-8 	 1000	 200 ns/op	 80 B/op
pkg: example.com/b
BenchmarkX-8 	 1000	 300 ns/op	 80 B/op
`

// One file is one run, even if it contains several packages or several results of a benchmark, such
// as the output of go test -count or of cat. Importing the same results again yields the same run.
func TestImportOneFileOneRun(t *testing.T) {
	a, commit := workspacetest.New(t)
	sha := commit("2026-01-01T00:00:00Z")
	write := func(name, text string) string {
		file := filepath.Join(a.Dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	report := "# Performance Profile Report\n\n**Methods Profiled:** 1\n**CPU Cores:** 4\n\n## Hot Paths\n\n" +
		"| Rank | Method | Total Time (ms) | % of Total | Calls | Avg Time (ms) | Min (ms) | Max (ms) |\n|--|--|--|--|--|--|--|--|\n| 1 | `M` | 10.000 | 100% | 2 | 5.000 | 4.000 | 6.000 |\n"
	one, twice := write("one.txt", someResults), write("twice.txt", someResults+"PASS\nok\n"+someResults)
	other, profile := write("other.txt", "pkg: example.com/a\nBenchmarkX-8 1000 110 ns/op\n"), write("profile.md", report)
	for _, tt := range []struct {
		files  []string
		rounds []int // rounds of each run
		added  bool
	}{
		{[]string{one}, []int{1}, true},
		{[]string{one}, []int{1}, false},
		{[]string{twice}, []int{2}, true},
		{[]string{profile}, []int{1}, true},
		{[]string{other, one, twice, profile}, []int{1, 1, 2, 1}, false}, // other is new, so it is added, see below
	} {
		done, err := StoreFiles(t.Context(), a, tt.files, Options{Commit: "HEAD"})
		if err != nil || len(done.Runs) != len(tt.rounds) {
			t.Fatalf("%s: %d runs, %v", tt.files, len(done.Runs), err)
		}
		for i, d := range done.Runs {
			if d.Rounds != tt.rounds[i] || d.Added != (tt.added || d.File == other) {
				t.Errorf("%s: %d rounds, added %v", d.File, d.Rounds, d.Added)
			}
			if c := d.Commit; c.SHA != sha || len(c.Tree) != 40 || !c.Time.Equal(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) || c.Branch != "" {
				t.Errorf("%s: commit %+v", d.File, c)
			}
		}
	}
}

// A commit named in a file is not mixed with facts about another commit.
func TestImportOwnCommit(t *testing.T) {
	a, commit := workspacetest.New(t)
	head := commit("2026-01-01T00:00:00Z")
	file := filepath.Join(a.Dir, "own.txt")
	own := "commit: 0123456789abcdef\npkg: example.com/a\nBenchmarkX-8 1000 110 ns/op\n"
	for _, tt := range []struct {
		text string
		want record.Commit
	}{
		{own, record.Commit{SHA: "0123456789abcdef", Branch: "main"}},
		{"commit-time: 2026-05-05T00:00:00Z\n" + own, record.Commit{SHA: "0123456789abcdef", Branch: "main", Time: time.Date(2026, 5, 5, 0, 0, 0, 0, time.UTC)}},
		{"branch: b\ncommit: " + head + "\n" + own[len("commit: 0123456789abcdef\n"):], record.Commit{SHA: head, Branch: "b", Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}},
	} {
		if err := os.WriteFile(file, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		done, err := StoreFiles(t.Context(), a, []string{file}, Options{Commit: "HEAD", Branch: "main"})
		if err != nil || len(done.Runs) != 1 {
			t.Fatal(done, err)
		}
		got := done.Runs[0].Commit
		if got.SHA == head && got.Tree == "" {
			t.Errorf("no tree: %+v", got)
		}
		got.Tree = ""
		if tt.want.SHA != head && done.Runs[0].Commit.Tree != "" || got != tt.want {
			t.Errorf("commit %+v, want %+v", done.Runs[0].Commit, tt.want)
		}
	}
}

// exported returns the text of n runs in the format of perftrack export.
func exported(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "perftrack-run: 1\ntarget: t\ncommit: %040x\nstatus: complete\n", i+1)
		for j := range 5000 {
			fmt.Fprintf(&text, "round: %d\nBenchmarkX 1000 %d ns/op\n", j+1, 100+i)
		}
	}
	return text.String()
}

// A progress counts the bytes read from a ReadSeeker.
type progress struct {
	io.ReadSeeker
	at int
}

func (p *progress) Read(b []byte) (int, error) {
	n, err := p.ReadSeeker.Read(b)
	p.at += n
	return n, err
}

// keepAtMost changes the maximum size of a file's runs in memory.
func keepAtMost(t *testing.T, size int) {
	old := maxKept
	maxKept = size
	t.Cleanup(func() { maxKept = old })
}

// Runs too large for memory are stored while the file is read again, so only one is in memory at a
// time.
func TestImportRunByRun(t *testing.T) {
	keepAtMost(t, 0)
	text := exported(6)
	f, err := format.ByName("gobench")
	if err != nil {
		t.Fatal(err)
	}
	file := &progress{ReadSeeker: strings.NewReader(text)}
	in := &input{format: f, file: file, label: "x"}
	if err := in.check(); err != nil {
		t.Fatal(err)
	}
	file.at = 0
	var at []int
	err = in.each(func(*decode.Packed) error {
		at = append(at, 6*file.at/len(text))
		return nil
	})
	if want := []int{1, 2, 3, 4, 5, 6}; err != nil || !slices.Equal(at, want) {
		t.Errorf("runs stored after %v sixths of the file, want %v; %v", at, want, err)
	}
}

// A small file is read only once.
func TestImportReadsOnce(t *testing.T) {
	text := exported(6)
	f, err := format.ByName("gobench")
	if err != nil {
		t.Fatal(err)
	}
	in := &input{format: f, file: strings.NewReader(text), label: "x"}
	if err := in.check(); err != nil {
		t.Fatal(err)
	}
	in.file = nil
	stored := 0
	if err := in.each(func(*decode.Packed) error { stored++; return nil }); err != nil || stored != 6 {
		t.Errorf("%d runs stored, want 6; %v", stored, err)
	}
	late := "commit: aaaa\nBenchmarkX 1 5 steps\ncommit: bbbb\nBenchmarkX 1 5 steps\nUnit steps better=higher\ncommit: cccc\nBenchmarkX 1 5 steps\n"
	in = &input{format: f, file: strings.NewReader(late), label: "x"}
	if err := in.check(); err != nil || in.whole != nil {
		t.Errorf("%d runs kept that lack a unit, %v", len(in.whole), err)
	}
	var better []int
	if err := in.each(func(r *decode.Packed) error { better = append(better, r.Header.Better("steps")); return nil }); err != nil || !slices.Equal(better, []int{1, 1, 1}) {
		t.Errorf("directions %v of a unit that is declared late, %v", better, err)
	}
}

// A file is imported completely or not at all, and an error is returned if another program changes
// the file in the meantime.
func TestImportAllOrNothing(t *testing.T) {
	keepAtMost(t, 0)
	good := exported(2)
	for _, tt := range []struct {
		name, text string
		then       string // content of the file when it is read a second time
		stored     int
		want       string // part of the error
	}{
		{"good", good, good, 2, ""},
		{"bad line at the end", good + "BenchmarkX 1000 -1 ns/op\n", good, 0, "x:20009: value in ns/op is negative"},
		{"bad run at the end", good + "status: odd\nBenchmarkX 1000 1 ns/op\n", good, 0, `x:20010: status: "odd" is not complete`},
		{"bad line after runs in parts", good + good + "BenchmarkX 1000 -1 ns/op\n", good, 0, "value in ns/op is negative"},
		{"a run in two parts", strings.Replace(good, "round: 100\n", "commit: aaaa\nBenchmarkX 1 5 ns/op\ncommit: "+strings.Repeat("0", 39)+"1\nround: 100\n", 1), strings.Replace(good, "round: 100\n", "commit: aaaa\nBenchmarkX 1 5 ns/op\ncommit: "+strings.Repeat("0", 39)+"1\nround: 100\n", 1), 3, ""},
		{"cut meanwhile", good, exported(1), 1, "the file changed during the import, from 2 runs to 1; import it again"},
		{"broken meanwhile", good, exported(1) + "BenchmarkX 1000 -1 ns/op\n", 0, "the file changed during the import; import it again"},
	} {
		f, err := format.ByName("gobench")
		if err != nil {
			t.Fatal(err)
		}
		in := &input{format: f, file: strings.NewReader(tt.text), label: "x"}
		stored := 0
		if err = in.check(); err == nil {
			in.file = strings.NewReader(tt.then)
			err = in.each(func(*decode.Packed) error { stored++; return nil })
		}
		if stored != tt.stored || (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %d runs stored, want %d; %v, want %q", tt.name, stored, tt.stored, err, tt.want)
		}
	}
}

// A run with many samples takes only a few bytes per sample, because 990,000 samples have to fit
// into 64 MiB together with everything else (see TestLiveImportMemory in cmd/perftrack).
func TestImportMemory(t *testing.T) {
	const benchmarks, rounds = 40, 500
	var text strings.Builder
	for i := range benchmarks {
		for j := range rounds {
			fmt.Fprintf(&text, "BenchmarkThing%d-8 \t%d\t%.1f ns/op\n", i, 100000+(i*7919+j*104729)%100000, 1000+float64((j*7919)%997)/10)
		}
	}
	a, _ := workspacetest.New(t)
	db, _, err := a.OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	f, err := format.ByName("gobench")
	if err != nil {
		t.Fatal(err)
	}
	in := &input{format: f, file: strings.NewReader(text.String()), label: "x"}
	memory := func() (m runtime.MemStats) {
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m
	}
	before := memory()
	if err := in.check(); err != nil {
		t.Fatal(err)
	}
	var held uint64
	err = in.each(func(r *decode.Packed) error {
		held = memory().HeapAlloc - before.HeapAlloc
		r.Header.Target = "t"
		_, _, err := db.PutPacked(t.Context(), r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	allocated := memory().TotalAlloc - before.TotalAlloc
	const samples = benchmarks * rounds
	if held > 20*samples || allocated > 900*samples {
		t.Errorf("%d bytes a sample are held, want at most 20; %d are allocated, want at most 900", held/samples, allocated/samples)
	}
	t.Logf("%d bytes a sample held, %d allocated", held/samples, allocated/samples)
}
