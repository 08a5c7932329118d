package postgres

// The tests in torture_test.go, concurrency_test.go and failover_test.go subject a database to
// real-world failures: processes and servers that are killed, connections that are lost, and many
// processes that start or write at once. The tests start further processes of this test binary.
//
// By default, each test does little work. Before a release, run them with PERFTRACK_TORTURE=full:
//
//	PERFTRACK_TORTURE=full go test -timeout 3h ./store/postgres
//
// A test with Control in its name turns off a safeguard and must then see a failure; otherwise the
// test of the safeguard would not prove anything.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/postgres/pgtest"
	"github.com/perftrack/perftrack/store/storetest"
)

// repository is the name of the repository in most tests.
const repository = "example.org/m"

// scale returns full if PERFTRACK_TORTURE is full, and otherwise short.
func scale(short, full int) int {
	if os.Getenv("PERFTRACK_TORTURE") == "full" {
		return full
	}
	return short
}

// dice returns a random source, the same each time by default.
func dice(t testing.TB) *rand.Rand {
	seed := uint64(1)
	if os.Getenv("PERFTRACK_TORTURE") == "full" {
		seed = rand.Uint64()
	}
	t.Log("seed", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// A role is the task of a process of this test binary. If it returns an error, the process prints
// it to stderr and exits with status 1.
type role func(a Address, label string, n int) error

var roles = map[string]role{
	"ingest":          ingest(defaults, false),
	"ingest early":    ingest(defaults, true),
	"ingest unlocked": ingest(unlocked, false),
	"ingest once":     ingest(once, false),
	"read":            readUntilClosed,
}

const childRole = "PERFTRACK_TORTURE_CHILD"

func TestMain(m *testing.M) {
	// Under the race detector, every process would otherwise end a second late.
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	run := roles[os.Getenv(childRole)]
	if run == nil {
		pgtest.Main(m)
	}
	n, err := strconv.Atoi(os.Args[3])
	var a Address
	if err == nil {
		a, err = ParseURL(os.Args[1])
	}
	if err == nil {
		err = run(a, os.Args[2], n)
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

func newChild(role, url, label string, n int) *child {
	c := &child{Cmd: exec.Command(os.Args[0], url, label, strconv.Itoa(n))}
	c.Env = append(os.Environ(), childRole+"="+role)
	c.Stdout, c.Stderr = &c.out, &c.err
	return c
}

func start(t testing.TB, role, url, label string, n int) *child {
	t.Helper()
	c := newChild(role, url, label, n)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// lines returns the complete lines printed by the child, which must have ended.
func (c *child) lines() []string {
	text := c.out.String()
	return strings.Fields(text[:strings.LastIndex(text, "\n")+1])
}

// unlocked returns options for writers that do not take turns.
func unlocked() options {
	o := defaults()
	o.unlocked = true
	return o
}

// once returns options without retries.
func once() options {
	o := defaults()
	o.again = func(context.Context, error, int) bool { return false }
	return o
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
	return func(a Address, label string, n int) error {
		ctx := context.Background()
		db, err := openWith(ctx, a, repository, with())
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
func readUntilClosed(a Address, _ string, _ int) error {
	done := make(chan struct{})
	go func() {
		io.Copy(io.Discard, os.Stdin)
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
		db, err := OpenReadOnly(ctx, a, repository)
		if errors.Is(err, store.ErrNoDatabase) {
			continue // the tables have not been created yet
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

// checkWhole fails the test unless Verify finds no faults and the database has each run in acked
// (the printed ids) exactly once. It returns the number of runs.
func checkWhole(t *testing.T, a Address, acked []string) int {
	t.Helper()
	db := openAt(t, a, repository)
	defer db.Close()
	if v, err := db.Verify(context.Background()); err != nil || !v.OK() {
		t.Fatalf("%+v, %v", v, err)
	}
	missing, n := missing(t, db, acked)
	if len(missing) > 0 {
		t.Fatalf("%d of %d acknowledged runs are lost: %v", len(missing), len(acked), missing)
	}
	return n
}

// missing returns the missing runs and the number of stored ones. It fails the test if a run is
// stored twice.
func missing(t *testing.T, db *store.DB, acked []string) (missing []string, n int) {
	t.Helper()
	infos, err := db.Runs(context.Background(), store.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string]bool{}
	for _, info := range infos {
		if stored[info.ID] {
			t.Fatalf("run %s is stored twice", info.ID)
		}
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
func killWindow(t *testing.T, url string) time.Duration {
	t.Helper()
	began := time.Now()
	if c := start(t, "ingest", url, "first", 1); c.Wait() != nil {
		t.Fatal(c.err.String())
	}
	return max(60*time.Millisecond, 2*time.Since(began))
}

// Whenever a process is killed, the database has the complete run for every id that was printed.
func TestKill(t *testing.T) {
	livetest.Skip(t)
	random := dice(t)
	url := pgtest.NewDatabase(t)
	a := address(t, url)
	window := killWindow(t, url)
	var acked []string
	kills := scale(100, 1000)
	for i := range kills {
		c := start(t, "ingest", url, fmt.Sprint(i), 0)
		time.Sleep(time.Millisecond + time.Duration(random.Int64N(int64(window))))
		c.Process.Kill()
		c.Wait()
		if c.err.Len() > 0 {
			t.Fatal(c.err.String())
		}
		acked = append(acked, c.lines()...)
		if i%100 == 99 {
			checkWhole(t, a, acked)
		}
	}
	n := checkWhole(t, a, acked)
	t.Logf("%d kills: %d runs acknowledged, %d stored", kills, len(acked), n)
	if len(acked) == 0 {
		t.Error("no process lived to store a run")
	}
}

func TestControlKill(t *testing.T) {
	livetest.Skip(t)
	random := dice(t)
	url := pgtest.NewDatabase(t)
	window := killWindow(t, url)
	db := openAt(t, address(t, url), repository)
	for i := range 300 {
		c := start(t, "ingest early", url, fmt.Sprint(i), 0)
		time.Sleep(time.Millisecond + time.Duration(random.Int64N(int64(window))))
		c.Process.Kill()
		c.Wait()
		time.Sleep(20 * time.Millisecond) // the server may still be completing the transaction
		if lost, _ := missing(t, db, c.lines()); len(lost) > 0 {
			t.Logf("seen after %d kills", i+1)
			return
		}
	}
	t.Error("ids printed too early were never seen to be lost")
}

// If the server is killed and restarted, writers go on, and the database has every acknowledged run
// once.
func TestServerKill(t *testing.T) {
	livetest.Skip(t)
	random := dice(t)
	s := pgtest.Start(t)
	s.Exec(t, "postgres", "CREATE DATABASE perf")
	s.Exec(t, "postgres", "ALTER DATABASE perf SET synchronous_commit = off") // which would lose runs if writers let it
	url := s.URL("perf")
	openAt(t, address(t, url), repository).Close()
	n := scale(150, 2000)
	var writing []*child
	for i := range 4 {
		writing = append(writing, start(t, "ingest", url, fmt.Sprint(i), n))
	}
	crashes := 0
	for range scale(3, 30) {
		time.Sleep(300*time.Millisecond + time.Duration(random.IntN(500))*time.Millisecond)
		s.Crash(t)
		crashes++
	}
	var acked []string
	for _, c := range writing {
		if err := c.Wait(); err != nil {
			t.Errorf("writer: %v: %s", err, c.err.String())
		}
		acked = append(acked, c.lines()...)
	}
	if got := checkWhole(t, address(t, url), acked); got != 4*n || len(acked) != 4*n {
		t.Errorf("%d runs, %d acknowledged, want %d", got, len(acked), 4*n)
	}
	t.Logf("%d crashes, %d runs", crashes, len(acked))
}

// Without retries, writers fail when the server is killed.
func TestControlServerKill(t *testing.T) {
	livetest.Skip(t)
	s := pgtest.Start(t, "-c", "fsync=off")
	s.Exec(t, "postgres", "CREATE DATABASE perf")
	openAt(t, address(t, s.URL("perf")), repository).Close()
	c := start(t, "ingest once", s.URL("perf"), "", 0)
	time.Sleep(time.Second)
	s.Crash(t, "-c", "fsync=off")
	if err := c.Wait(); err == nil || c.err.Len() == 0 {
		t.Error("the writer did not fail: the test above would not see it")
	}
}

// A cancelled Put stores either the whole run or nothing, and reports which.
func TestCancelledPut(t *testing.T) {
	random := dice(t)
	ctx := context.Background()
	a := newAddress(t)
	db := openAt(t, a, repository)
	var stored []string
	refused := 0
	for i := range livetest.Few(100, 500) {
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
			if lost, _ := missing(t, db, []string{r.ID()}); len(lost) != 1 {
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
	if n := checkWhole(t, a, stored); n != len(stored) {
		t.Errorf("%d runs in the database, %d acknowledged", n, len(stored))
	}
}
