package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"
	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
	"github.com/perftrack/perftrack/store"
)

// Run tests a database. For each test, open must return a new, empty database and arrange for it to
// be closed when the test ends. exec executes SQL statements in a database, as another program.
func Run(t *testing.T, open func(t *testing.T) *store.DB, exec func(t *testing.T, db *store.DB, statements string)) {
	for _, tt := range []struct {
		name string
		test func(*testing.T, *store.DB)
	}{
		{"Empty", testEmpty},
		{"RoundTrip", testRoundTrip},
		{"Idempotent", testIdempotent},
		{"Refused", testRefused},
		{"Limits", testLimits},
		{"Prefix", testPrefix},
		{"Filters", testFilters},
		{"Trials", testTrials},
		{"Targets", testTargets},
		{"Benchmarks", testBenchmarks},
		{"Suites", testSuites},
		{"History", testHistory},
		{"Text", testText},
		{"Acceptances", testAcceptances},
		{"Deletions", testDeletions},
		{"State", testState},
		{"Stats", testStats},
		{"Answers", testAnswers},
		{"Verified", testVerified},
		{"Cancelled", testCancelled},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, open(t)) })
	}
	t.Run("Export", func(t *testing.T) { testExport(t, open) })
	t.Run("Queue", func(t *testing.T) { testQueue(t, open(t), exec) })
}

// Plain returns a small complete run of the target engine at commit, with one benchmark that has
// the given number of rounds. Runs with different n differ.
func Plain(commit string, n, rounds int) *record.Run {
	r := &record.Run{
		Target: "engine",
		Commit: record.Commit{SHA: commit, Branch: "main"},
		Env:    record.Settings{{Key: "goos", Value: "linux"}, {Key: "gomaxprocs", Value: "2"}},
		Facts:  record.Settings{{Key: "number", Value: fmt.Sprint(n)}},
		Start:  time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC),
		Status: record.Complete,
	}
	b := record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Suite: "enhanced", Name: "GELU_1000"}}
	times := record.Samples{Unit: "ns/op"}
	for i := range rounds {
		b.Rounds = append(b.Rounds, record.Round{N: i + 1, Iters: 100, Seed: uint64(i)})
		times.Values = append(times.Values, float64(1000*n+i))
	}
	b.Samples = []record.Samples{times}
	r.Benchmarks = []record.Benchmark{b}
	return r
}

// sha returns a commit hash beginning with c.
func sha(c string) string { return c + strings.Repeat("0", 40-len(c)) }

func put(t rapid.TB, db *store.DB, runs ...*record.Run) []string {
	t.Helper()
	var ids []string
	for _, r := range runs {
		id, added, err := db.Put(context.Background(), r)
		if err != nil || !added {
			t.Fatalf("Put: added %v, %v", added, err)
		}
		ids = append(ids, id)
	}
	return ids
}

// Export returns the text of all runs in db, in the order of storage.
func Export(t rapid.TB, db *store.DB) string {
	t.Helper()
	infos, err := db.Runs(context.Background(), store.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	w := record.NewWriter(&buf)
	for _, info := range infos {
		run, err := db.Get(context.Background(), info.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(run); err != nil {
			t.Fatal(err)
		}
	}
	return buf.String()
}

// load stores the runs in a text returned by Export.
func load(t rapid.TB, db *store.DB, text string) {
	t.Helper()
	var b decode.Builder
	r := benchfmt.NewReader(strings.NewReader(text), "export")
	for r.Scan() {
		if err := b.Add(r.Result()); err != nil {
			t.Fatal(err)
		}
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	runs, err := b.Runs()
	if err != nil {
		t.Fatal(err)
	}
	put(t, db, runs...)
}

func verify(t rapid.TB, db *store.DB, runs int) {
	t.Helper()
	v, err := db.Verify(context.Background())
	if err != nil || !v.OK() || v.Runs != runs {
		t.Fatalf("Verify: %+v, %v; want %d runs", v, err, runs)
	}
}

func testEmpty(t *testing.T, db *store.DB) {
	ctx := context.Background()
	runs, err1 := db.Runs(ctx, store.Filter{Newest: true, Limit: 1})
	trials, err2 := db.Trials(ctx)
	targets, err3 := db.Targets(ctx)
	benchmarks, err4 := db.Benchmarks(ctx, store.Filter{})
	history, err5 := db.History(ctx, "engine", record.BenchmarkID{})
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		t.Error(err)
	}
	if n := len(runs) + len(trials) + len(targets) + len(benchmarks) + len(history); n != 0 {
		t.Errorf("%d things in an empty database", n)
	}
	if _, err := db.Get(ctx, "abcd"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Get: %v, want ErrNotFound", err)
	}
	if m := db.Migration(); m.From != 0 || m.To < 1 || m.Backup != "" {
		t.Errorf("migration %+v of a new database", m)
	}
	if v, err := db.SchemaVersion(ctx); err != nil || v != db.Migration().To {
		t.Errorf("schema %d, %v, want %d", v, err, db.Migration().To)
	}
	verify(t, db, 0)
}

// testRoundTrip tests that a run is read back exactly as it was stored, with the same text and the
// same fields.
func testRoundTrip(t *testing.T, db *store.DB) {
	stored := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		run := Runs().Draw(t, "run")
		id, added, err := db.Put(context.Background(), run)
		if err != nil || added == stored[id] || id != run.ID() {
			t.Fatalf("Put: %s, added %v, %v", id, added, err)
		}
		stored[id] = true
		back, err := db.Get(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		// Unlike the text, %+v shows every field and the order of the lists.
		if got, want := fmt.Sprintf("%+v", *back), fmt.Sprintf("%+v", *run); got != want {
			t.Fatalf("stored\n%s\nread\n%s", want, got)
		}
		if back.ID() != id {
			t.Fatalf("read with the id %s, stored with %s", back.ID(), id)
		}
	})
	verify(t, db, len(stored))
}

// testIdempotent tests that each distinct run is stored only once, regardless of order and
// repetition.
func testIdempotent(t *testing.T, db *store.DB) {
	stored := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		pool := rapid.SliceOfN(Runs(), 1, 3).Draw(t, "runs")
		for range rapid.IntRange(1, 8).Draw(t, "puts") {
			run := rapid.SampledFrom(pool).Draw(t, "run")
			id, added, err := db.Put(context.Background(), run)
			if err != nil || added == stored[id] {
				t.Fatalf("Put: added %v, %v; was there: %v", added, err, stored[id])
			}
			stored[id] = true
		}
	})
	infos, err := db.Runs(context.Background(), store.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for i, info := range infos {
		got[info.ID] = true
		if i > 0 && info.Seq <= infos[i-1].Seq {
			t.Errorf("run %d follows run %d", info.Seq, infos[i-1].Seq)
		}
	}
	if !maps.Equal(got, stored) || len(infos) != len(got) {
		t.Errorf("%d rows of %d runs, stored %d", len(infos), len(got), len(stored))
	}
	verify(t, db, len(stored))
}

// testRefused tests that invalid runs are refused and leave nothing behind.
func testRefused(t *testing.T, db *store.DB) {
	for _, tt := range []struct {
		name   string
		change func(*record.Run)
	}{
		{"no target", func(r *record.Run) { r.Target = "" }},
		{"no samples", func(r *record.Run) { r.Benchmarks = nil }},
		{"newline", func(r *record.Run) { r.Facts[0].Value = "1\n2" }},
		{"infinite", func(r *record.Run) { r.Benchmarks[0].Samples[0].Values[0] = math.Inf(1) }},
	} {
		r := Plain(sha("a"), 1, 2)
		tt.change(r)
		if id, added, err := db.Put(context.Background(), r); err == nil || added || id != "" {
			t.Errorf("%s: %q, %v, %v", tt.name, id, added, err)
		}
	}
	verify(t, db, 0)
}

// testLimits tests that values at a limit are stored and larger ones are refused.
func testLimits(t *testing.T, db *store.DB) {
	for _, tt := range []struct {
		name string
		grow func(r *record.Run, by int) // sets the value to its limit plus by
		want string
	}{
		{"name", func(r *record.Run, by int) { r.Benchmarks[0].Name = strings.Repeat("n", record.MaxNameLen+by) }, "512 bytes"},
		{"unit", func(r *record.Run, by int) {
			r.Benchmarks[0].Samples[0].Unit = strings.Repeat("u", record.MaxUnitLen+by)
		}, "32 bytes"},
		{"value", func(r *record.Run, by int) { r.Facts[0].Value = strings.Repeat("v", record.MaxSettingLen+by) }, "1024 bytes"},
		{"key", func(r *record.Run, by int) { r.Facts[0].Key = strings.Repeat("k", record.MaxKeyLen+by) }, "128 bytes"},
		{"settings", func(r *record.Run, by int) {
			r.Facts = nil
			for i := range record.MaxSettings + by {
				r.Facts = append(r.Facts, record.Setting{Key: fmt.Sprintf("k%d", i), Value: "v"})
			}
		}, "the limit of 64"},
		{"samples", func(r *record.Run, by int) { r.Benchmarks = Plain("", 1, record.MaxSamples+by).Benchmarks }, "the limit of 10000"},
		{"units", func(r *record.Run, by int) {
			b := &r.Benchmarks[0]
			b.Samples = nil
			for i := range record.MaxUnits + by {
				b.Samples = append(b.Samples, record.Samples{Unit: fmt.Sprint("u", i), Values: make([]float64, len(b.Rounds))})
			}
		}, "the limit of 256"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Plain(sha("a"), 1, 2)
			tt.grow(r, 0)
			id := put(t, db, r)[0]
			if back, err := db.Get(context.Background(), id); err != nil || back.ID() != id {
				t.Errorf("not read back: %v", err)
			}
			r = Plain(sha("b"), 1, 2)
			tt.grow(r, 1)
			if _, _, err := db.Put(context.Background(), r); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("one beyond the limit: %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func testPrefix(t *testing.T, db *store.DB) {
	ctx := context.Background()
	var ids []string
	for n := range 400 { // enough for two ids to share their first 4 digits
		ids = append(ids, put(t, db, Plain(sha("a"), n, 1))...)
	}
	slices.Sort(ids)
	common := func(a, b string) int {
		n := 0
		for a[n] == b[n] {
			n++
		}
		return n
	}
	ambiguous := 0
	for i, id := range ids {
		need := record.MinHashPrefix
		if i > 0 {
			need = max(need, common(id, ids[i-1])+1)
		}
		if i+1 < len(ids) {
			need = max(need, common(id, ids[i+1])+1)
		}
		if r, err := db.Get(ctx, id[:need]); err != nil || r.ID() != id {
			t.Errorf("Get(%s): %v, want the run %s", id[:need], err, id)
		}
		if need == record.MinHashPrefix {
			continue
		}
		ambiguous++
		var several *store.AmbiguousError
		if _, err := db.Get(ctx, id[:need-1]); !errors.As(err, &several) || len(several.Candidates) < 2 || !slices.Contains(several.Candidates, id) {
			t.Errorf("Get(%s): %v, want an AmbiguousError with %s", id[:need-1], err, id)
		}
	}
	if ambiguous == 0 {
		t.Error("no two of the runs begin with the same digits: take another number of them")
	}
	for _, bad := range []string{"", ids[0][:3], strings.ToUpper(ids[0]), ids[0] + "0", "ffff' OR 1=1", "____", "%", ids[0][:63] + "g"} {
		if _, err := db.Get(ctx, bad); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Get(%q): %v, want ErrNotFound", bad, err)
		}
	}
}

func testCancelled(t *testing.T, db *store.DB) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, added, err := db.Put(ctx, Plain(sha("a"), 1, 2)); !errors.Is(err, context.Canceled) || added {
		t.Errorf("Put: added %v, %v", added, err)
	}
	if _, err := db.Runs(ctx, store.Filter{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Runs: %v", err)
	}
	verify(t, db, 0)
}

// testExport tests that importing an export into an empty database and exporting it again gives the
// same bytes.
func testExport(t *testing.T, open func(t *testing.T) *store.DB) {
	for seed := range 8 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			first, second := open(t), open(t)
			for i := range seed * 3 { // for seed 0, the database is empty
				r := Runs().Example(100*seed + i)
				if _, _, err := first.Put(context.Background(), r); err != nil {
					t.Fatal(err)
				}
				// The twin has the same header, but the export must keep both runs apart.
				twin := *r
				twin.Benchmarks = Runs().Filter(Measured).Example(100*seed + i + 50).Benchmarks
				if _, _, err := first.Put(context.Background(), &twin); err != nil {
					t.Fatal(err)
				}
			}
			text := Export(t, first)
			load(t, second, text)
			if again := Export(t, second); again != text {
				t.Errorf("exported\n%s\nimported and exported again\n%s", text, again)
			}
		})
	}
}
