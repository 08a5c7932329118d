package pages

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	comparisonreport "github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/sqlite"
)

// A shelf is a repository with four commits and a database.
type shelf struct {
	t       *testing.T
	session *workspace.Session
	db      *store.DB
	sha     map[string]string // hashes of commits a to d, by letter
	hour    int
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	session, commit := workspacetest.New(t)
	s := &shelf{t: t, session: session, sha: map[string]string{}}
	for i, name := range []string{"a", "b", "c", "d"} {
		s.sha[name] = commit(fmt.Sprintf("2026-01-0%dT00:00:00Z", i+1))
	}
	session.DB = filepath.Join(t.TempDir(), "perftrack.db")
	db, err := sqlite.Open(t.Context(), session.DB)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s.db = db
	return s
}

// put stores a run for a commit with 15 rounds. Each of the named benchmarks takes about ns
// nanoseconds.
func (s *shelf) put(commit, trial string, side record.Side, ns float64, names string, change func(*record.Run)) {
	s.t.Helper()
	text := ""
	for name := range strings.FieldsSeq(names) {
		text += runtest.Vary(15, name, 1, ns, "ns/op")
	}
	r := runtest.Read(s.t, "pkg: example.com/p\n"+text)
	r.Target, r.Commit.SHA, r.Trial, r.Side = "p", s.sha[commit], trial, side
	s.hour++
	r.Start = time.Date(2026, 2, 1, s.hour, 0, 0, 0, time.UTC)
	r.End = r.Start.Add(time.Minute)
	for _, b := range r.Benchmarks { // add a little noise, because without it the values would look like repeating counts
		for i := range b.Samples[0].Values {
			b.Samples[0].Values[i] *= 1 + 0.002*[]float64{0.9, -1.2, 0.1, -0.4, 1.1, -0.8, 0.3, -0.1, 0.6, -0.5}[(i+s.hour)%10]
		}
	}
	if trial != "" {
		pairs.SetDecision(r)
	}
	if change != nil {
		change(r)
	}
	if _, _, err := s.db.Put(s.t.Context(), r); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelf) trial(id string, ratio float64, names string, change func(*record.Run)) {
	s.put("a", id, record.Base, 100, names, change)
	s.put("b", id, record.Head, 100*ratio, names, change)
}

func (s *shelf) open(live bool) *Site {
	s.t.Helper()
	pages, err := Open(s.t.Context(), s.session, Options{Live: live})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = pages.Close() })
	return pages
}

func (s *shelf) rows(pages *Site) []documents.ComparisonRow {
	s.t.Helper()
	rows, err := pages.comparisons(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return rows
}

// A static site has the newest pair of neighbouring commits, even if there are many newer trials.
func TestFitting(t *testing.T) {
	var c comparisons
	for n := range 60 {
		one := paired{key: fmt.Sprint(n), benchmarks: 1000}
		if n < 50 {
			one.Trials = []string{"t"}
		}
		c.list = append(c.list, one)
	}
	list := c.fitting()
	if len(list) != 21 || list[20].key != "50" || list[19].key != "19" {
		t.Errorf("%d comparisons of 60, the last is %s; want 20 trials and the pair 50", len(list), list[len(list)-1].key)
	}
	if c.list = c.list[:5]; len(c.fitting()) != 5 {
		t.Errorf("%d comparisons of 5", len(c.fitting()))
	}
}

func TestComparisons(t *testing.T) {
	s := newShelf(t)
	s.trial("20260201T000000-000001", 1.3, "X Y", nil)
	s.trial("calibration", 1, "X", func(r *record.Run) { r.Protocol.Procedure = pairs.ProcedureCalibrate })
	s.trial(workspace.BisectTrialPrefix+"1", 1.3, "X", nil)
	s.put("c", "", record.NoSide, 100, "X Y", nil)
	pages := s.open(false)
	rows := s.rows(pages)
	if len(rows) != 2 {
		t.Fatalf("%+v, want a trial and neighbours", rows)
	}
	unpaired, trial := rows[0], rows[1]
	if want := record.ShortHash(s.sha["b"]) + ".." + record.ShortHash(s.sha["c"]); unpaired.Key != want || unpaired.Trial || len(unpaired.Trials) != 0 {
		t.Errorf("neighbours are %+v, want the key %s", unpaired, want)
	}
	if trial.Key != "20260201t000000-000001" || !trial.Trial || trial.Counts["regressed"] != 2 || pages.commits[trial.Base].SHA != s.sha["a"] || pages.commits[trial.Head].SHA != s.sha["b"] {
		t.Errorf("the trial is %+v", trial)
	}
	for _, key := range []string{trial.Key, "20260201T000000-000001"} {
		d, err := pages.Comparison(t.Context(), key)
		if err != nil || d.Key != trial.Key || !d.Trial || len(d.Rows) != 2 || len(d.Base.Runs) != 1 || pages.runs[d.Base.Runs[0]].Side != record.Base {
			t.Errorf("%s is %+v, %v", key, d, err)
		}
	}
	for _, key := range []string{"calibration", workspace.BisectTrialPrefix + "1", "", "..", s.sha["a"] + ".." + s.sha["c"]} {
		if d, err := pages.Comparison(t.Context(), key); !errors.Is(err, documents.ErrUnknown) {
			t.Errorf("a folder has %q: %+v, %v", key, d, err)
		}
	}
}

// The page and `perftrack compare` show the same results for a trial, and for several trials of two
// commits.
func TestComparisonIsThatOfCompare(t *testing.T) {
	s := newShelf(t)
	s.trial("one", 1.3, "X Y", nil)
	says := func(pages *Site, words ...string) (page, terminal string) {
		d, err := pages.Comparison(t.Context(), s.rows(pages)[0].Key)
		if err != nil {
			t.Fatal(err)
		}
		c, err := comparison.Compare(t.Context(), s.session, words)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(d.Summary, d.Caveats, len(d.Rows), d.Base.Label), fmt.Sprint(comparisonreport.Counted(c), caveats(c), rowsOf(c), c.Base.Label)
	}
	if page, terminal := says(s.open(false), "one"); page != terminal {
		t.Errorf("the page says %s, compare %s", page, terminal)
	}
	s.trial("two", 1, "X", nil)
	pages := s.open(false)
	rows := s.rows(pages)
	if len(rows) != 1 || !slices.Equal(rows[0].Trials, []string{"one", "two"}) || !strings.Contains(rows[0].Key, "..") {
		t.Fatalf("two trials of two commits are %+v", rows)
	}
	if page, terminal := says(pages, s.sha["a"], s.sha["b"]); page != terminal {
		t.Errorf("the page says %s, compare %s", page, terminal)
	}
}

func caveats(c *compare.Comparison) (all []string) {
	for _, caveat := range c.Caveats {
		all = append(all, caveat.String())
	}
	return all
}

func rowsOf(c *compare.Comparison) (n int) {
	for range c.Rows() {
		n++
	}
	return n
}

// A continued trial is one trial, and the parts of a check are one measurement.
func TestContinuedAndDivided(t *testing.T) {
	s := newShelf(t)
	later := func(r *record.Run) {
		for i := range r.Benchmarks {
			for k := range r.Benchmarks[i].Rounds {
				r.Benchmarks[i].Rounds[k].N += 15
			}
		}
	}
	s.trial("t", 1.3, "X", nil)
	s.trial("t", 1.3, "X", later)
	d, err := s.open(false).Comparison(t.Context(), "t")
	if err != nil || len(d.Rows) != 1 || len(d.Rows[0].Samples[0]) != 30 || len(d.Base.Runs) != 2 || d.Several {
		t.Errorf("continued: %+v, %v", d, err)
	}

	s = newShelf(t)
	for n, name := range []string{"X", "Y"} {
		s.trial(fmt.Sprintf("part%d", n+1), 1.3, name, func(r *record.Run) {
			r.Protocol.Procedure = pairs.ProcedureCheck
			r.Protocol.Part = &record.Part{N: n + 1, Of: 2, Own: 1, All: 2, Division: "d"}
		})
	}
	rows := s.rows(s.open(false))
	if len(rows) != 1 {
		t.Fatalf("two parts are %+v", rows)
	}
	for _, key := range []string{rows[0].Key, "part1", "part2"} {
		d, err := s.open(false).Comparison(t.Context(), key)
		if err != nil || d.Several || len(d.Rows) != 2 || d.Rows[0].Of != "" || len(d.LeftOut) != 0 {
			t.Errorf("%s: %+v, %v", key, d, err)
		}
	}
}

// A live site compares any two commits, and reads no other file for any request.
func TestLiveComparisons(t *testing.T) {
	s := newShelf(t)
	s.trial("t", 1.3, "X", nil)
	s.put("c", "", record.NoSide, 100, "X", nil)
	bench := filepath.Join(s.session.Dir, "bench.txt")
	if err := os.WriteFile(bench, []byte("BenchmarkX 1 5 ns/op\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s.trial("bench.txt", 1, "X", nil)
	t.Chdir(s.session.Dir)
	pages := s.open(true)
	for _, key := range []string{record.ShortHash(s.sha["a"]) + "..HEAD~1", s.sha["a"] + ".." + s.sha["c"], "HEAD~1.." + s.sha["a"]} {
		d, err := pages.Comparison(t.Context(), key)
		if err != nil || d.Trial || len(d.Rows) != 1 {
			t.Errorf("%s: %+v, %v", key, d, err)
		}
	}
	if d, err := pages.Comparison(t.Context(), s.sha["a"]+".."+s.sha["b"]); err != nil || !d.Trial || len(d.Trials) != 2 {
		t.Errorf("two commits with trials: %+v, %v", d, err)
	}
	if d, err := pages.Comparison(t.Context(), "bench.txt"); err != nil || len(d.Trials) != 2 {
		t.Errorf("a trial that is called like a file: %+v, %v", d, err)
	}
	for _, key := range []string{"bench.txt..bench.txt", bench + ".." + bench, "--help..HEAD", "HEAD..-", "HEAD..", "HEAD~9..HEAD~1", "HEAD~1..HEAD", "nothing..HEAD", "../../etc/passwd..HEAD", "HEAD...HEAD", "a..b..c"} {
		if d, err := pages.Comparison(t.Context(), key); !errors.Is(err, documents.ErrUnknown) {
			t.Errorf("%q: %+v, %v", key, d, err)
		}
	}
}

// A comparison with damaged runs is not in the list, and does not prevent the page from being
// built.
func TestComparisonsOfDamagedRuns(t *testing.T) {
	s := newShelf(t)
	s.trial("whole", 1.3, "X", nil)
	s.put("b", "broken", record.Base, 100, "X", nil)
	s.put("c", "broken", record.Head, 100, "X", nil)
	pages := s.open(false)
	infos, err := s.db.Runs(context.Background(), store.Filter{Trial: "broken"})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	s.session.Notice = func(text string) { told = append(told, text) }
	// Delete a run as if it had been pruned in the meantime.
	if _, err := s.db.Delete(t.Context(), record.Deletion{Runs: []string{infos[0].ID}, Reason: "test", Time: time.Now()}); err != nil {
		t.Fatal(err)
	}
	rows := s.rows(pages)
	if len(rows) != 1 || rows[0].Trials[0] != "whole" || len(told) != 1 || !strings.Contains(told[0], "broken") {
		t.Errorf("%+v, told %q", rows, told)
	}
}

// The page and the badge show the check of the newest commit on the branch, even if an older commit
// was checked later. They count its benchmarks, and regressions proved by it make the badge red.
func TestNewestCheckOfThePage(t *testing.T) {
	s := newShelf(t)
	s.put("a", "newest", record.Base, 100, "X Y Z", nil)
	s.put("c", "newest", record.Head, 130, "X Y", nil)
	s.trial("later", 1, "X Y", nil)
	pages := s.open(false)
	index, err := pages.Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := index.Now; n.Trial != "newest" || n.Head != s.sha["c"] || n.Regressed != 2 || n.Decided != 0 || n.Undecided != 0 || n.LeftOut != 1 {
		t.Errorf("%+v", n)
	}
	list, err := pages.Regressions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if badge := string(site.Badge(index, list)); !strings.Contains(badge, "<title>performance: 2 regressions</title>") {
		t.Errorf("badge %s", badge)
	}
}

// A regression proved only by a bisection is also red on the page, unless the benchmark was
// measured at a later commit.
func TestSearchOfThePage(t *testing.T) {
	s := newShelf(t)
	s.put("a", "", record.NoSide, 100, "X Y", nil)
	s.put("a", workspace.BisectTrialPrefix+"1", record.Base, 100, "X Y", nil)
	s.put("c", workspace.BisectTrialPrefix+"1", record.Head, 130, "X Y", nil)
	s.put("b", workspace.BisectTrialPrefix+"2", record.Base, 100, "X", nil)
	s.put("c", workspace.BisectTrialPrefix+"2", record.Head, 130, "X", nil)
	s.put("d", "", record.NoSide, 100, "Y", nil)
	pages := s.open(false)
	index, err := pages.Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, b := range index.Benchmarks {
		got[b.Name] = b.Lines[0].State
		if b.Name == "X" && (b.Lines[0].ChangeAt < 0 || pages.commits[b.Lines[0].ChangeAt].SHA != s.sha["c"]) {
			t.Errorf("X is marked at %d", b.Lines[0].ChangeAt)
		}
	}
	if got["X"] != "checked" || got["Y"] != "too-few" {
		t.Errorf("%v", got)
	}
}

// If a bisection has found the commit behind a regression proved by a check, the row names the
// commit.
func TestFoundOnThePage(t *testing.T) {
	s := newShelf(t)
	s.put("a", "check", record.Base, 100, "X", nil)
	s.put("d", "check", record.Head, 130, "X", nil)
	s.put("b", workspace.BisectTrialPrefix+"1", record.Base, 100, "X", nil)
	s.put("c", workspace.BisectTrialPrefix+"1", record.Head, 130, "X", nil)
	pages := s.open(false)
	index, err := pages.Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if l := index.Benchmarks[0].Lines[0]; l.State != "checked" || l.ChangeAt < 0 || pages.commits[l.ChangeAt].SHA != s.sha["c"] {
		t.Errorf("%+v", l)
	}
}
