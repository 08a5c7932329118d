package sqlite

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// otherBuild builds this test with the other driver: the one without cgo if this binary uses cgo,
// and vice versa. It returns the path of the new binary.
func otherBuild(t *testing.T) string {
	t.Helper()
	if os.Getenv("PERFTRACK_LIVE") == "" {
		t.Skip("it builds the other driver: PERFTRACK_LIVE=short go test -run TestBothDrivers ./store/sqlite")
	}
	other := "0"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "CGO_ENABLED" && s.Value == "0" {
				other = "1"
			}
		}
	}
	if _, err := exec.LookPath("cc"); err != nil && other == "1" {
		t.Skip("the other driver needs a C compiler: ", err)
	}
	path := filepath.Join(t.TempDir(), "other.test")
	build := exec.Command("go", "test", "-c", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED="+other)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// Processes with and without cgo respect each other's locks, can use the same database at once, and
// can continue after a process of the other kind was killed.
func TestBothDrivers(t *testing.T) {
	other := otherBuild(t)
	t.Run("locks", func(t *testing.T) { seeLocks(t, other) })
	t.Run("together", func(t *testing.T) { writeTogether(t, other) })
	t.Run("killed", func(t *testing.T) { killInTurns(t, other) })
}

// of makes the child run the given binary.
func of(binary string, c *child) *child {
	c.Path, c.Args[0] = binary, binary
	return c
}

func seeLocks(t *testing.T, other string) {
	for _, j := range []journal{wal, rollback} {
		path := filepath.Join(t.TempDir(), "perftrack.db")
		fill(t, path, 1)
		db := connect(path, writerParams+"&_journal_mode="+string(j), 1)
		defer db.Close()
		try := func() string {
			c := of(other, newChild("begin", path, "", 0))
			if err := c.Run(); err != nil {
				t.Fatal(err, c.err.String())
			}
			return c.out.String()
		}
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		if said := try(); said != "busy\n" {
			t.Errorf("%s: while this process writes, the other driver says %q", j, said)
		}
		tx.Rollback()
		if said := try(); said != "begun\n" {
			t.Errorf("%s: while nobody writes, the other driver says %q", j, said)
		}

		// Now the other driver holds the lock.
		holder := of(other, newChild("begin", path, "", 1))
		stdin, err := holder.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		holder.Stdout = nil
		stdout, err := holder.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := holder.Start(); err != nil {
			t.Fatal(err)
		}
		if said, err := bufio.NewReader(stdout).ReadString('\n'); said != "begun\n" {
			t.Fatal(said, err, holder.err.String())
		}
		if err := begin(path); codeOf(err) != codeBusy {
			t.Errorf("%s: while the other driver writes, this process is told %v", j, err)
		}
		stdin.Close()
		if err := holder.Wait(); err != nil {
			t.Fatal(err, holder.err.String())
		}
		if err := begin(path); err != nil {
			t.Errorf("%s: after the other driver wrote: %v", j, err)
		}
	}
}

// impatient holds the writer's connection parameters with a very short busy timeout.
var impatient = strings.Replace(writerParams, "_busy_timeout=30000", "_busy_timeout=50", 1)

func begin(path string) error {
	db := connect(path, impatient, 1)
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	return tx.Rollback()
}

// beginAndSay begins a write transaction and prints whether it succeeded. If hold is above 0, it
// then waits for the end of standard input.
func beginAndSay(path, _ string, hold int) error {
	db := connect(path, impatient, 1)
	defer db.Close()
	tx, err := db.Begin()
	switch {
	case codeOf(err) == codeBusy:
		fmt.Println("busy")
		return nil
	case err != nil:
		return err
	}
	defer tx.Rollback()
	fmt.Println("begun")
	if hold > 0 {
		_, err = io.Copy(io.Discard, os.Stdin)
	}
	return err
}

func writeTogether(t *testing.T, other string) {
	n := scale(15, 200)
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 1)
	_, stop := startReaders(t, path, 1)
	var writing []*child
	for i := range 8 {
		c := newChild("ingest", path, fmt.Sprint(i), n)
		if i%2 == 1 {
			c = of(other, c)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		writing = append(writing, c)
	}
	var acked []string
	for _, c := range writing {
		if err := c.Wait(); err != nil {
			t.Errorf("writer: %v: %s", err, c.err.String())
		}
		acked = append(acked, c.lines()...)
	}
	stop()
	if got := checkWhole(t, path, acked); got != 8*n+1 || len(acked) != 8*n {
		t.Errorf("%d runs, %d acknowledged, want %d", got, len(acked), 8*n)
	}
}

func killInTurns(t *testing.T, other string) {
	random := dice(t)
	path := filepath.Join(t.TempDir(), "perftrack.db")
	var acked []string
	for i := range scale(20, 400) {
		c := newChild("ingest", path, fmt.Sprint(i), 0)
		if i%2 == 1 {
			c = of(other, c)
		}
		// Wait until it has stored some runs before killing it, because processes may start slowly
		// here.
		c.Stdout = nil
		stdout, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(stdout)
		for range 1 + random.IntN(5) {
			if lines.Scan() {
				acked = append(acked, lines.Text())
			}
		}
		time.Sleep(time.Duration(random.IntN(3000)) * time.Microsecond)
		c.Process.Kill()
		for lines.Scan() {
			if line := lines.Text(); len(line) == 64 {
				acked = append(acked, line)
			}
		}
		c.Wait()
		if c.err.Len() > 0 {
			t.Fatal(c.err.String())
		}
		if i%5 == 4 {
			checkWhole(t, path, acked)
		}
	}
	// The other driver reads the same runs.
	c := of(other, newChild("list", path, "", 0))
	if err := c.Run(); err != nil {
		t.Fatal(err, c.err.String())
	}
	if n := checkWhole(t, path, acked); n != len(c.lines()) {
		t.Errorf("the other driver lists %d runs, this one %d", len(c.lines()), n)
	}
	t.Logf("%d runs acknowledged", len(acked))
}
