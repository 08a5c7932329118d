package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/perftrack/perftrack/internal/livetest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// contents are what a reader can get out of a database: each run, the headers of
// the sound ones, each point of a history, as text.
type contents map[string]string

func readContents(db *store.DB, ids []string) (c contents, failed error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c = contents{}
	var text strings.Builder
	for _, id := range ids {
		text.Reset()
		run, err := db.Get(ctx, id)
		if err != nil {
			failed = err
			continue
		}
		if err := record.NewWriter(&text).Write(run); err != nil {
			return nil, err
		}
		c[id] = text.String()
	}
	infos, err := db.Runs(ctx, store.Filter{})
	if err == nil {
		infos, err = db.Sound(ctx, infos, nil)
	}
	if err != nil {
		failed, infos = err, nil
	}
	for _, info := range infos {
		c["header of "+info.ID] = fmt.Sprintf("%+v", info)
	}
	for _, b := range sample("", 0).Benchmarks {
		points, err := db.History(ctx, "engine", b.BenchmarkID)
		if err != nil {
			failed = err
		}
		for _, p := range points {
			c["history of "+b.Name+" in "+p.Run.ID] = fmt.Sprintf("%+v", p)
		}
	}
	for what, list := range map[string]func() (any, error){
		"benchmarks":         func() (any, error) { return db.Benchmarks(ctx, store.Filter{}) },
		"benchmarks of some": func() (any, error) { return db.Benchmarks(ctx, store.Filter{Target: "engine"}) },
		"targets":            func() (any, error) { return db.Targets(ctx) },
		"trials":             func() (any, error) { return db.Trials(ctx) },
		"suites":             func() (any, error) { return db.Suites(ctx, store.Filter{}) },
		"acceptances":        func() (any, error) { return db.AcceptanceRecords(ctx, "") },
		"deletions":          func() (any, error) { return db.Deletions(ctx) },
	} {
		if got, err := list(); err != nil {
			failed = err
		} else if len(db.Damaged()) == 0 {
			c[what] = fmt.Sprintf("%+v", got)
		}
	}
	if bad := db.Damaged(); failed == nil && len(bad) > 0 {
		failed = fmt.Errorf("%d damaged runs", len(bad))
	}
	return c, failed
}

// mutate damages the database file in one of the ways of disks and of people.
func mutate(random *rand.Rand, data []byte) ([]byte, string) {
	const page = 4096
	data = append([]byte(nil), data...)
	switch random.IntN(10) {
	case 0:
		n := random.IntN(len(data)/page) * page
		return data[:n], fmt.Sprintf("cut at page %d", n/page)
	case 1:
		p := random.IntN(len(data) / page)
		clear(data[p*page : (p+1)*page])
		return data, fmt.Sprintf("page %d zeroed", p)
	case 2:
		from, to := random.IntN(len(data)/page), random.IntN(len(data)/page)
		copy(data[to*page:(to+1)*page], data[from*page:(from+1)*page])
		return data, fmt.Sprintf("page %d written over page %d", from, to)
	case 3: // a digit that becomes another keeps everything well formed
		for range 1000 {
			i := random.IntN(len(data))
			if '1' <= data[i] && data[i] <= '8' {
				data[i]++
				return data, fmt.Sprintf("digit at %d", i)
			}
		}
	}
	n := 1 + random.IntN(64)
	for range n {
		data[random.IntN(len(data))] ^= 1 << random.IntN(8)
	}
	return data, fmt.Sprintf("%d bits", n)
}

// Whatever happens to the file: no panic, no hang, nothing is read that was not
// stored, and if anything is missing, Verify says so. SQLite alone would not: see the
// count of those that only the runs' hashes showed.
func TestDamage(t *testing.T) {
	random := dice(t)
	g := newGolden(t, 40)
	intact, ids := intactContents(t, g)
	var same, refused, found, byHash int
	for range scale(livetest.Few(60, 200), 2000) {
		data, what := mutate(random, g.data)
		path := filepath.Join(t.TempDir(), "perftrack.db")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		db, err := OpenReadOnly(context.Background(), path)
		if err != nil {
			refused++
			continue
		}
		got, err := readContents(db, ids)
		changed := err != nil
		for key, text := range got {
			if intact[key] != text {
				t.Errorf("%s: %s is read as\n%s\nand was\n%s", what, key, text, intact[key])
			}
		}
		if len(got) < len(intact) && err == nil {
			t.Errorf("%s: %d of %d things are read, and nothing is said of the others", what, len(got), len(intact))
		}
		changed = changed || len(got) < len(intact)
		v, verr := db.Verify(context.Background())
		switch {
		case changed && verr == nil && v.OK():
			t.Errorf("%s: a reader sees it (%v) and Verify does not", what, err)
		case !changed:
			same++
		case verr == nil && len(v.Problems) == 0:
			byHash++
			fallthrough
		default:
			found++
		}
		db.Close()
		if db, err := Open(context.Background(), path); err == nil { // for writing, no panic either
			db.Put(context.Background(), sample("after", 0))
			db.Close()
		}
		os.RemoveAll(filepath.Dir(path))
	}
	t.Logf("%d not opened, %d found by Verify (%d by the hash alone), %d without effect", refused, found, byHash, same)
	if byHash == 0 {
		t.Error("the runs' hashes found nothing by themselves")
	}
}

func intactContents(t *testing.T, g golden) (contents, []string) {
	t.Helper()
	db, err := OpenReadOnly(context.Background(), g.copy(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	infos, err := db.Runs(context.Background(), store.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, info := range infos {
		ids = append(ids, info.ID)
	}
	c, err := readContents(db, ids)
	if err != nil {
		t.Fatal(err)
	}
	return c, ids
}

// Each change that a reader would take for the truth is found, and the run
// named that has it.
func TestVerify(t *testing.T) {
	ctx := context.Background()
	g := newGolden(t, 3)
	_, ids := intactContents(t, g)
	for _, tt := range []struct{ damage, want string }{
		{`UPDATE packed_samples SET samples = replace(samples, '1000', '1001') WHERE run_id = 2`, "has the hash"},
		{`UPDATE packed_samples SET samples = '[1]' WHERE run_id = 2`, "15 rounds and 1 values"},
		{`UPDATE packed_samples SET samples = replace(samples, '1000', '1e999') WHERE run_id = 2`, "1e999"},
		{`UPDATE packed_samples SET samples = replace(samples, '1000', '-1') WHERE run_id = 2`, "not a finite number"},
		{`UPDATE packed_samples SET samples = '[' WHERE run_id = 2`, "not a list"},
		{`DELETE FROM packed_samples WHERE run_id = 2 AND series_id = 1`, "has the hash"},
		{`DELETE FROM rounds WHERE run_id = 2 AND benchmark_id = 1`, "samples without rounds"},
		{`DELETE FROM rounds WHERE run_id = 2; DELETE FROM packed_samples WHERE run_id = 2`, "has the hash"},
		{`UPDATE rounds SET seeds = replace(seeds, '"3"', '"4"') WHERE run_id = 2`, "has the hash"},
		{`UPDATE rounds SET orders = '[0]' WHERE run_id = 2`, "1 orders"},
		{`UPDATE runs SET commit_sha = 'dddd' WHERE id = 2`, "has the hash"},
		{`UPDATE runs SET started = started + 1 WHERE id = 2`, "has the hash"},
		{`UPDATE runs SET facts = '{' WHERE id = 2`, "header of run"},
		{`UPDATE runs SET benchmarks = 5 WHERE id = 2`, "not 5"},
		{`UPDATE runs SET max_rounds = 5 WHERE id = 2`, "15 rounds"},
		{`UPDATE runs SET environment_id = 99 WHERE id = 2`, "environment or trial is missing"},
		{`UPDATE runs SET target = 'other' WHERE id = 2`, "of target"},
		{`UPDATE runs SET uid = replace(uid, 'a', 'b') WHERE id = 2`, "has the hash"},
		{`UPDATE environments SET key = '0123456789ab'`, "stored as 0123456789ab"},
		{`UPDATE environments SET settings = replace(settings, 'linux', 'plan9')`, "has the hash"},
		{`UPDATE benchmarks SET name = 'Other' WHERE id = 1`, "has the hash"},
		{`UPDATE series SET unit = 'ms/op' WHERE id = 1`, "has the hash"},
	} {
		path := g.copy(t)
		db := connect(path, "_ignore_check_constraints=1&_foreign_keys=off", 1)
		if _, err := db.Exec(tt.damage); err != nil {
			t.Fatal(tt.damage, ": ", err)
		}
		db.Close()
		hurt := openAt(t, path)
		isSecond := func(b store.BadRun) bool { return b.Seq == 2 }
		if _, err := readContents(hurt, ids); err == nil || !slices.ContainsFunc(hurt.Damaged(), isSecond) {
			t.Errorf("%s: reading says %v of %+v", tt.damage, err, hurt.Damaged())
		}
		v, err := hurt.Verify(ctx)
		found := false
		for _, bad := range v.Bad {
			if bad.Seq == 2 {
				found = strings.Contains(bad.Err.Error(), tt.want) && (bad.ID == ids[1] || strings.Contains(tt.damage, "SET uid"))
			}
		}
		if err != nil || !found || v.Runs != 3 {
			t.Errorf("%s:\n%+v, %v; want %q of run 2", tt.damage, v, err, tt.want)
		}
	}
}

// A log that belongs to another state of the database, as after copying the
// files one by one, does not go unnoticed.
func TestForeignLog(t *testing.T) {
	g := newGolden(t, 40)
	_, ids := intactContents(t, g)
	other := filepath.Join(t.TempDir(), "other.db")
	fill(t, other, 100)
	db := openAt(t, other)
	if _, _, err := db.Put(context.Background(), sample("other", 1)); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(other + "-wal") // the pages that changed, not all
	if err != nil || len(log) == 0 {
		t.Fatalf("%d bytes, %v", len(log), err)
	}
	path := g.copy(t)
	if err := os.WriteFile(path+"-wal", log, 0o644); err != nil {
		t.Fatal(err)
	}
	swapped, err := OpenReadOnly(context.Background(), path)
	if err != nil {
		return // refused
	}
	defer swapped.Close()
	_, err = readContents(swapped, ids)
	if v, verr := swapped.Verify(context.Background()); err == nil || verr == nil && v.OK() {
		t.Errorf("reading says %v, Verify %+v, %v", err, v, verr)
	}
}

// Many runs are read side by side: each is looked at and told of, the damaged ones are left out,
// and the others are in the order in which they were asked for.
func TestSoundOfMany(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "x.db")
	db := openAt(t, path)
	const runs = 100
	for i := range runs {
		if _, _, err := db.Put(ctx, sample("", i)); err != nil {
			t.Fatal(err)
		}
	}
	raw := connect(path, "_ignore_check_constraints=1&_foreign_keys=off", 1)
	if _, err := raw.ExecContext(ctx, `UPDATE runs SET benchmarks = 5 WHERE id IN (7, 50)`); err != nil {
		t.Fatal(err)
	}
	raw.Close()
	hurt := openAt(t, path)
	all, err := hurt.Runs(ctx, store.Filter{Newest: true})
	if err != nil || len(all) != runs {
		t.Fatal(len(all), err)
	}
	var did atomic.Int64
	sound, err := hurt.Sound(ctx, all, func() { did.Add(1) })
	if err != nil || did.Load() != runs || len(hurt.Damaged()) != 2 {
		t.Errorf("%d runs told of, %+v, %v", did.Load(), hurt.Damaged(), err)
	}
	want := slices.DeleteFunc(all, func(r record.RunInfo) bool { return r.Seq == 7 || r.Seq == 50 })
	if !slices.EqualFunc(sound, want, func(a, b record.RunInfo) bool { return a.ID == b.ID }) {
		t.Errorf("%d sound runs of %d, or another order", len(sound), len(want))
	}
	ended, stop := context.WithCancel(ctx)
	stop()
	if _, err := openAt(t, path).Sound(ended, all, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
