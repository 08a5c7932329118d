package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/perftrack/perftrack/store"
)

const someResults = `goos: linux
pkg: example.com/a
BenchmarkX-8 	 1000	 100 ns/op	 80 B/op
BenchmarkY-8 	 1000	 200 ns/op	 80 B/op
pkg: example.com/b
BenchmarkX-8 	 1000	 300 ns/op	 80 B/op
`

// One file is one run, of several packages, too; as is one that go test -count or
// cat made of several. The same results again are the same run.
func TestImportOneFileOneRun(t *testing.T) {
	a, commit := newApp(t)
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
		rounds []int // of each run
		added  bool
	}{
		{[]string{one}, []int{1}, true},
		{[]string{one}, []int{1}, false},
		{[]string{twice}, []int{2}, true},
		{[]string{profile}, []int{1}, true},
		{[]string{other, one, twice, profile}, []int{1, 1, 2, 1}, false}, // other is new, see below
	} {
		done, err := a.Import(t.Context(), tt.files, ImportOptions{Commit: "HEAD"})
		if err != nil || len(done) != len(tt.rounds) {
			t.Fatalf("%s: %d runs, %v", tt.files, len(done), err)
		}
		for i, d := range done {
			if d.Rounds() != tt.rounds[i] || d.Added != (tt.added || d.File == other) {
				t.Errorf("%s: %d rounds, added %v", d.File, d.Rounds(), d.Added)
			}
			if c := d.Commit; c.SHA != sha || len(c.Tree) != 40 || !c.Time.Equal(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) || c.Branch != "" {
				t.Errorf("%s: commit %+v", d.File, c)
			}
		}
	}
}

// What a file says of its own commit is not mixed with what is known of another.
func TestImportOwnCommit(t *testing.T) {
	a, commit := newApp(t)
	head := commit("2026-01-01T00:00:00Z")
	file := filepath.Join(a.Dir, "own.txt")
	own := "commit: 0123456789abcdef\npkg: example.com/a\nBenchmarkX-8 1000 110 ns/op\n"
	for _, tt := range []struct {
		text string
		want store.Commit
	}{
		{own, store.Commit{SHA: "0123456789abcdef", Branch: "main"}},
		{"commit-time: 2026-05-05T00:00:00Z\n" + own, store.Commit{SHA: "0123456789abcdef", Branch: "main", Time: time.Date(2026, 5, 5, 0, 0, 0, 0, time.UTC)}},
		{"branch: b\ncommit: " + head + "\n" + own[len("commit: 0123456789abcdef\n"):], store.Commit{SHA: head, Branch: "b", Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}},
	} {
		if err := os.WriteFile(file, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		done, err := a.Import(t.Context(), []string{file}, ImportOptions{Commit: "HEAD", Branch: "main"})
		if err != nil || len(done) != 1 {
			t.Fatal(done, err)
		}
		got := done[0].Commit
		if got.SHA == head && got.Tree == "" {
			t.Errorf("no tree: %+v", got)
		}
		got.Tree = ""
		if tt.want.SHA != head && done[0].Commit.Tree != "" || got != tt.want {
			t.Errorf("commit %+v, want %+v", done[0].Commit, tt.want)
		}
	}
}
