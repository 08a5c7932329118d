package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// contents holds everything a reader gets from a database, as text: each run, the headers of the
// sound runs, and each point of a history.
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
			c["history of "+b.Name+" in "+p.Run.ID] = fmt.Sprintf("%+v %+v", *p.Run, p.Benchmark)
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

// mutate returns a copy of a database file with damage of the kind that disks and people cause, and
// a description of the damage.
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
	case 3: // another digit keeps everything well formed
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

// After any damage to the file, nothing panics, hangs or returns data that was never stored, and
// Verify reports missing data. SQLite alone does not ensure this: the test logs the number of
// faults revealed only by the runs' hashes.
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
		if db, err := Open(context.Background(), path); err == nil { // opening for writing must not panic either
			db.Put(context.Background(), sample("after", 0))
			db.Close()
		}
		os.RemoveAll(filepath.Dir(path))
	}
	t.Logf("%d not opened, %d found by Verify (%d by the hash alone), %d without effect", refused, found, byHash, same)
	if byHash == 0 && !underRace { // a dozen faults may include none of that kind
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

// Verify finds each change a reader would not notice, and names the changed run.
func TestVerify(t *testing.T) {
	ctx := context.Background()
	g := newGolden(t, 3)
	_, ids := intactContents(t, g)
	const one = "UPDATE results SET "
	const where = " WHERE run_id = 2 AND benchmark_id = 1"
	for _, tt := range []struct{ damage, want string }{
		{one + `samples = CAST(substr(samples, 1, 8) || x'0000000000001440' || substr(samples, 17) AS BLOB)` + where, "digest"},
		{one + `samples = x'0000000001000000000000000000F0BF'` + where, "digest"},
		{one + `samples = x'00'` + where, "digest"},
		{one + `rounds = rounds + 1` + where, "digest"},
		{`PRAGMA ignore_check_constraints = ON; ` + one + `rounds = -118` + where, "digest"},
		{one + `rounds = 1 << 61` + where, "digest"},
		{one + `seeds = NULL` + where, "digest"},
		{one + `orders = x'0100000000000000'` + where, "digest"},
		{one + `slices = x'0100000000000000', slice_means = x'000000000000F07F'` + where, "digest"},
		{one + `digest = digest + 1` + where, "digest"},
		{`DELETE FROM results` + where, "benchmarks are found"},
		{`DELETE FROM results WHERE run_id = 2`, "0 of"},
		{`UPDATE runs SET commit_sha = 'dddd' WHERE id = 2`, "digest"},
		{`UPDATE runs SET started = started + 1 WHERE id = 2`, "digest"},
		{`UPDATE runs SET facts = '{' WHERE id = 2`, "header of run"},
		{`UPDATE runs SET benchmarks = 5 WHERE id = 2`, "digest"},
		{`UPDATE runs SET max_rounds = 5 WHERE id = 2`, "digest"},
		{`UPDATE runs SET environment_id = 99 WHERE id = 2`, "environment is missing"},
		{`UPDATE runs SET target = 'other' WHERE id = 2`, "digest"},
		{`UPDATE runs SET uid = replace(uid, 'a', 'b') WHERE id = 2`, "digest"},
		{`UPDATE environments SET key = '0123456789ab'`, "digest"},
		{`UPDATE environments SET settings = replace(settings, 'linux', 'plan9')`, "digest"},
		{`UPDATE benchmarks SET name = 'Other' WHERE id = 1`, "digest"},
		{`UPDATE benchmarks SET units = replace(units, 'ns', 'ms') WHERE id = 1`, "digest"},
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

// A mismatched log, such as after copying the files one by one, is detected.
func TestForeignLog(t *testing.T) {
	g := newGolden(t, 40)
	_, ids := intactContents(t, g)
	other := filepath.Join(t.TempDir(), "other.db")
	fill(t, other, 100)
	db := openAt(t, other)
	if _, _, err := db.Put(context.Background(), sample("other", 1)); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(other + "-wal") // the log contains only the changed pages
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
