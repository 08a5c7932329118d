package sqlite

// The tests in torture_test.go, concurrency_test.go, migrate_test.go, damage_test.go,
// backup_torture_test.go and idempotence_test.go subject a database to real-world failures:
// processes that are killed, that all start at once or that all migrate the database, and disks
// that change bits. The tests start further processes of this test binary.
//
// By default, each test does little work. Before a release, run them with PERFTRACK_TORTURE=full:
//
//	PERFTRACK_TORTURE=full go test -timeout 3h ./store/sqlite
//
// Each test prints the seed of its random choices; PERFTRACK_TORTURE_SEED=N repeats them. A test
// with Control in its name turns off a safeguard and must then see a failure; otherwise the test of
// the safeguard would not prove anything.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/perftrack/perftrack/migrations"
	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/storetest"
)

// scale returns full if PERFTRACK_TORTURE is full. Otherwise it returns short, reduced to about a
// fifth under the race detector, because processes are slow then.
func scale(short, full int) int {
	switch {
	case os.Getenv("PERFTRACK_TORTURE") == "full":
		return full
	case underRace:
		return max(short/5, min(short, 2))
	}
	return short
}

// dice returns a random source and logs its seed, so the choices can be repeated. By default the
// seed is the same each time; with PERFTRACK_TORTURE=full it is random.
func dice(t testing.TB) *rand.Rand {
	seed := uint64(1)
	if os.Getenv("PERFTRACK_TORTURE") == "full" {
		seed = rand.Uint64()
	}
	if s := os.Getenv("PERFTRACK_TORTURE_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal("PERFTRACK_TORTURE_SEED: ", err)
		}
	}
	t.Log("PERFTRACK_TORTURE_SEED=", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// A role is the task of a process of this test binary. If it returns an error, the process prints
// it to stderr and exits with status 1.
type role func(path, label string, n int) error

var roles = map[string]role{
	"ingest":         ingest(defaults, false),
	"ingest early":   ingest(defaults, true),
	"ingest late":    ingest(deferred, false),
	"start unlocked": ingest(unlocked, false),

	"ingest with rollback":  ingest(withRollback, false),
	"ingest without syncs":  ingest(synchronous("OFF"), false),
	"ingest with few syncs": ingest(synchronous("NORMAL"), false),

	"read":            readUntilClosed,
	"migrate":         migrateToNext,
	"list":            listRuns,
	"begin":           beginAndSay,
	"backup":          backupTo,
	"backup in place": backupInPlace,
	"shuffle":         shuffle,
}

const childRole = "PERFTRACK_TORTURE_CHILD"

func TestMain(m *testing.M) {
	// Under the race detector, every process would otherwise end a second late.
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	run := roles[os.Getenv(childRole)]
	if run == nil {
		os.Exit(m.Run())
	}
	n, err := strconv.Atoi(os.Args[3])
	if err == nil {
		err = run(os.Args[1], os.Args[2], n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A child is another process of this test binary, with its output.
type child struct {
	*exec.Cmd
	out, err bytes.Buffer
}

func start(t testing.TB, role, path, label string, n int) *child {
	t.Helper()
	return startWith(t, nil, role, path, label, n)
}

func startWith(t testing.TB, stdin *os.File, role, path, label string, n int) *child {
	t.Helper()
	c := newChild(role, path, label, n)
	if stdin != nil {
		c.Stdin = stdin
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

func newChild(role, path, label string, n int) *child {
	c := &child{Cmd: exec.Command(os.Args[0], path, label, strconv.Itoa(n))}
	c.Env = append(os.Environ(), childRole+"="+role)
	c.Stdout, c.Stderr = &c.out, &c.err
	return c
}

// lines returns the complete lines printed by the child, which must have ended.
func (c *child) lines() []string {
	text := c.out.String()
	return strings.Fields(text[:strings.LastIndex(text, "\n")+1])
}

// deferred returns options for opening a database with the driver's default way to begin a
// transaction, and without a queue.
func deferred() options {
	o := unlocked()
	o.writerParams = strings.Replace(o.writerParams, "_txlock=immediate", "_txlock=deferred", 1)
	return o
}

// unlocked returns options for opening a database without the file lock.
func unlocked() options {
	o := defaults()
	o.noFileLock = true
	return o
}

// withRollback returns options for a database that uses no WAL.
func withRollback() options {
	o := defaults()
	o.journal = func(string) (journal, error) { return rollback, nil }
	return o
}

// synchronous returns a function that returns options with another setting of that name.
func synchronous(setting string) func() options {
	return func() options {
		o := defaults()
		o.writerParams = strings.Replace(o.writerParams, "_synchronous=FULL", "_synchronous="+setting, 1)
		return o
	}
}

// upgraded returns options with one more migration than the current schema.
func upgraded() options {
	o := defaults()
	files := fstest.MapFS{upgradeFile: {Data: []byte(`-- +goose Up
		PRAGMA user_version = ` + strconv.Itoa(today+1) + `;
		ALTER TABLE runs ADD COLUMN note TEXT NOT NULL DEFAULT '';
		UPDATE runs SET note = uid;
		CREATE TABLE copied (benchmark_id INTEGER, run_id INTEGER, samples BLOB) STRICT;
		INSERT INTO copied SELECT benchmark_id, run_id, samples FROM results;
		INSERT INTO copied SELECT benchmark_id, run_id, samples FROM results;
		UPDATE results SET samples = samples;
	`)}}
	addMigrations(files, today)
	o.migrations.Files = files
	return o
}

// today is the schema version of this perftrack, and upgradeFile is the name of the next migration.
var (
	today       = latest()
	upgradeFile = fmt.Sprintf("%05d_test.sql", today+1)
)

func latest() int {
	n, err := migrations.SQLite().Latest()
	if err != nil {
		panic(err)
	}
	return n
}

// addMigrations adds the released migrations up to the given schema.
func addMigrations(files fstest.MapFS, schema int) {
	from := migrations.SQLite().Files
	names, err := fs.Glob(from, "*.sql")
	if err != nil {
		panic(err)
	}
	for _, name := range names[:schema] {
		text, err := fs.ReadFile(from, name)
		if err != nil {
			panic(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
}

// sample returns a run unique to label and number.
func sample(label string, n int) *record.Run {
	r := storetest.Plain(strings.Repeat("c", 40), n, 15)
	r.Facts = r.Facts.Set("label", label)
	for i := range 3 {
		b := r.Benchmarks[0]
		b.Name = fmt.Sprint("Extra_", i)
		b.Samples = append(b.Samples[:1:1], record.Samples{Unit: "allocs/op", Values: make([]float64, 15)})
		r.Benchmarks = append(r.Benchmarks, b)
	}
	return r
}

// ingest returns a role that stores n runs, or never stops if n is 0. It prints the id of each run
// as soon as the run is stored or, if lie is set, even before.
func ingest(with func() options, lie bool) role {
	return func(path, label string, n int) error {
		ctx := context.Background()
		db, err := openWith(ctx, path, with())
		if err != nil {
			return err
		}
		defer db.Close()
		for i := 0; i < n || n == 0; i++ {
			r := sample(label, i)
			if lie {
				fmt.Println(r.ID())
			}
			id, _, err := db.Put(ctx, r)
			if err != nil {
				return err
			}
			if !lie {
				fmt.Println(id)
			}
		}
		return nil
	}
}

// readUntilClosed reads the database again and again until stdin is closed, and prints the number
// of reads.
func readUntilClosed(path, _ string, _ int) error {
	done := make(chan struct{})
	go func() {
		io.Copy(io.Discard, bufio.NewReader(os.Stdin))
		close(done)
	}()
	ctx := context.Background()
	id := sample("", 0).Benchmarks[0].BenchmarkID
	for rounds := 0; ; rounds++ {
		select {
		case <-done:
			fmt.Println(rounds)
			return nil
		default:
		}
		db, err := OpenReadOnly(ctx, path)
		if errors.Is(err, store.ErrNoDatabase) {
			continue // the database has not been created yet
		}
		if err != nil {
			return err
		}
		err = storetest.ReadNewest(ctx, db)
		if err == nil && rounds%100 == 0 { // it takes long with thousands of runs
			_, err = db.History(ctx, "engine", id)
		}
		db.Close()
		if err != nil {
			return err
		}
	}
}

func listRuns(path, _ string, _ int) error {
	db, err := OpenReadOnly(context.Background(), path)
	if err != nil {
		return err
	}
	infos, err := db.Runs(context.Background(), store.Filter{})
	for _, info := range infos {
		fmt.Println(info.ID)
	}
	return errors.Join(err, db.Close())
}

func migrateToNext(path, _ string, _ int) error {
	db, err := openWith(context.Background(), path, upgraded())
	if err != nil {
		return err
	}
	fmt.Println(db.Migration().From)
	return db.Close()
}

// checkWhole fails the test unless Verify finds no faults and the database has all runs in acked,
// the printed ids. It returns the number of runs.
func checkWhole(t *testing.T, path string, acked []string) int {
	t.Helper()
	ctx := context.Background()
	db, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if v, err := db.Verify(ctx); err != nil || !v.OK() {
		t.Fatalf("%+v, %v", v, err)
	}
	missing, n := missing(t, db, acked)
	if len(missing) > 0 {
		t.Fatalf("%d of %d acknowledged runs are lost: %v", len(missing), len(acked), missing)
	}
	return n
}

func missing(t *testing.T, db *store.DB, acked []string) (missing []string, n int) {
	t.Helper()
	infos, err := db.Runs(context.Background(), store.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string]bool{}
	for _, info := range infos {
		stored[info.ID] = true
	}
	for _, id := range acked {
		if !stored[id] {
			missing = append(missing, id)
		}
	}
	return missing, len(infos)
}

// killWindow returns the time after the start of a process in which to kill it. The window is long
// enough for the process to store some runs, however slowly processes start here.
func killWindow(t *testing.T) time.Duration {
	t.Helper()
	began := time.Now()
	if c := start(t, "ingest", filepath.Join(t.TempDir(), "first.db"), "", 1); c.Wait() != nil {
		t.Fatal(c.err.String())
	}
	return max(60*time.Millisecond, 3*time.Since(began))
}

// Whenever a process is killed, the database has the complete run for every id that was printed.
func TestKill(t *testing.T) {
	livetest.Skip(t)
	random := dice(t)
	dir, window := t.TempDir(), killWindow(t)
	total, acked := 0, 0
	for left := scale(100, 10_000); left > 0; {
		path := filepath.Join(dir, fmt.Sprint(left), "perftrack.db")
		var ids []string
		for range min(20, left) {
			left--
			c := start(t, "ingest", path, fmt.Sprint(left), 0)
			time.Sleep(time.Millisecond + time.Duration(random.Int64N(int64(window))))
			c.Process.Kill()
			c.Wait()
			if c.err.Len() > 0 {
				t.Fatal(c.err.String())
			}
			ids = append(ids, c.lines()...)
		}
		total += checkWhole(t, path, ids)
		acked += len(ids)
		os.RemoveAll(filepath.Dir(path))
	}
	t.Logf("%d runs acknowledged, %d stored", acked, total)
	if acked == 0 {
		t.Error("no process lived to store a run")
	}
}

func TestControlKill(t *testing.T) {
	livetest.Skip(t)
	random, window := dice(t), killWindow(t)
	path := filepath.Join(t.TempDir(), "perftrack.db")
	for i := range 300 {
		c := start(t, "ingest early", path, fmt.Sprint(i), 0)
		time.Sleep(time.Millisecond + time.Duration(random.Int64N(int64(window))))
		c.Process.Kill()
		c.Wait()
		db, err := Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		lost, _ := missing(t, db, c.lines())
		db.Close()
		if len(lost) > 0 {
			t.Logf("seen after %d kills", i+1)
			return
		}
	}
	t.Error("ids printed too early were never seen to be lost")
}

// A cancelled Put stores either the whole run or nothing, and reports which.
func TestCancelledPut(t *testing.T) {
	random := dice(t)
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	db, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var stored []string
	refused := 0
	for i := range 500 {
		r := sample("cancelled", i)
		ctx, cancel := context.WithCancel(ctx)
		timer := time.AfterFunc(time.Duration(random.IntN(1500))*time.Microsecond, cancel)
		if i%10 == 0 {
			cancel()
		}
		id, added, err := db.Put(ctx, r)
		timer.Stop()
		cancel()
		switch {
		case err == nil && added:
			stored = append(stored, id)
		case err != nil && !added:
			refused++
			if lost, _ := missing(t, db, []string{r.ID()}); i%10 == 0 && len(lost) != 1 {
				t.Fatalf("Put says %v and the run is there", err)
			}
		default:
			t.Fatalf("added %v, %v", added, err)
		}
	}
	if refused == 0 || len(stored) == 0 {
		t.Errorf("%d stored, %d refused: nothing was cancelled in between", len(stored), refused)
	}
	db.Close()
	if n := checkWhole(t, path, stored); n != len(stored) {
		t.Errorf("%d runs in the database, %d acknowledged", n, len(stored))
	}
}

// A statement after a cancelled one runs outside the transaction, so statements in write
// transactions are never cancelled: mattn/go-sqlite3#769.
func TestControlCancelledPut(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 1)
	db := connect(path, writerParams, 1)
	defer db.Close()
	for range 100 {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		short, cancel := context.WithTimeout(ctx, 2*time.Millisecond)
		_, err = tx.ExecContext(short, `WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 1000000)
			INSERT INTO trials (name) SELECT 'cancelled ' || x FROM c`)
		cancel()
		tx.ExecContext(ctx, `INSERT INTO trials (name) VALUES ('next')`)
		tx.Rollback()
		if err == nil {
			continue
		}
		var n int
		if err := db.QueryRow(`SELECT count(*) FROM trials WHERE name = 'next'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n == 1 {
			return
		}
	}
	t.Error("a statement after a cancelled one was never seen to survive Rollback: the rule may go")
}
