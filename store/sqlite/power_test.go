package sqlite

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/livetest"
)

// straceOrSkip returns the path of strace, and skips the test if strace cannot trace here.
func straceOrSkip(t *testing.T) string {
	t.Helper()
	livetest.Skip(t)
	strace, err := exec.LookPath("strace")
	if err == nil {
		err = exec.Command(strace, "-o", os.DevNull, "true").Run()
	}
	if err != nil {
		t.Skip("strace cannot trace here: ", err)
	}
	return strace
}

// A call is a system call that changes files, or a line that the process printed.
type call struct {
	name string
	path string // of the file; for write, what was printed
	data []byte
	at   int64 // offset of data, or the size to truncate to
}

// recordCalls runs a child under strace and returns its calls.
func recordCalls(t *testing.T, strace string, c *child) (calls []call) {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace")
	under(c, strace, "-f", "-y", "-xx", "-s", "1000000", "-o", trace,
		"-e", "trace=pwrite64,write,fsync,fdatasync,ftruncate,unlink,openat")
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &c.err)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	unfinished := map[string]string{} // by thread
	for line := range strings.Lines(string(text)) {
		thread, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if begin, ok := strings.CutSuffix(rest, " <unfinished ...>"); ok {
			unfinished[thread] = begin
			continue
		}
		if _, end, ok := strings.Cut(rest, " resumed>"); ok {
			rest = unfinished[thread] + end
		}
		if c, ok := parseCall(strings.TrimSpace(rest)); ok {
			calls = append(calls, c)
		}
	}
	return calls
}

// under makes a child run under a program.
func under(c *child, program string, args ...string) {
	c.Args = append(append([]string{program}, args...), append([]string{c.Path}, c.Args[1:]...)...)
	c.Path = program
}

var (
	callForm   = regexp.MustCompile(`^(\w+)\((.*)\) += (\d+)`)
	stringForm = regexp.MustCompile(`["<]((?:\\x[0-9a-f]{2})*)[">]`)
)

func parseCall(line string) (c call, ok bool) {
	m := callForm.FindStringSubmatch(line)
	if m == nil { // it failed
		return c, false
	}
	c.name = m[1]
	var words []string
	for _, w := range stringForm.FindAllStringSubmatch(m[2], -1) {
		text, err := hex.DecodeString(strings.ReplaceAll(w[1], `\x`, ""))
		if err != nil {
			return c, false
		}
		words = append(words, string(text))
	}
	if len(words) == 0 {
		return c, false
	}
	c.path = words[0]
	last := m[2][strings.LastIndex(m[2], " ")+1:]
	switch c.name {
	case "write":
		c.path = words[1]
		return c, strings.HasPrefix(m[2], "1<")
	case "openat":
		c.path = words[1]
		return c, strings.Contains(m[2], "O_CREAT")
	case "pwrite64":
		c.data = []byte(words[1])
		c.at, _ = strconv.ParseInt(last, 10, 64)
	case "ftruncate":
		c.at, _ = strconv.ParseInt(last, 10, 64)
	}
	return c, true
}

// A disk is a folder as a power failure may leave it. What a call has changed is only safe once the
// file or the folder was synced.
type disk struct {
	files   map[string]*onDisk // as the process sees them
	safe    map[string]*onDisk // as the folder on the disk has them
	renamed []folderChange     // changes of the folder that were not synced
}

type folderChange struct {
	name string
	file *onDisk // nil if it was deleted
}

type onDisk struct {
	safe    []byte
	pending []call // not synced
}

// do changes the disk as a call does.
func (d *disk) do(folder string, c call) {
	if c.name == "fsync" && c.path == folder {
		for _, change := range d.renamed {
			change.apply(d.safe)
		}
		d.renamed = nil
		return
	}
	name := filepath.Base(c.path)
	if filepath.Dir(c.path) != folder || !strings.HasPrefix(name, "perftrack.db") || strings.HasSuffix(name, "-shm") || strings.HasSuffix(name, ".lock") {
		return
	}
	f := d.files[name]
	switch c.name {
	case "openat":
		if f == nil {
			d.files[name] = &onDisk{}
			d.renamed = append(d.renamed, folderChange{name, d.files[name]})
		}
	case "unlink":
		delete(d.files, name)
		d.renamed = append(d.renamed, folderChange{name, nil})
	case "pwrite64", "ftruncate":
		f.pending = append(f.pending, c)
	case "fsync", "fdatasync":
		f.safe = f.after(func() bool { return true })
		f.pending = nil
	}
}

func (c folderChange) apply(names map[string]*onDisk) {
	if names[c.name] = c.file; c.file == nil {
		delete(names, c.name)
	}
}

const sector = 512

// after returns the content of a file of which each pending sector was written if lucky says so.
func (f *onDisk) after(lucky func() bool) []byte {
	content := append([]byte{}, f.safe...)
	for _, c := range f.pending {
		if c.name == "ftruncate" {
			if lucky() {
				content = append(content, make([]byte, max(0, int(c.at)-len(content)))...)[:c.at]
			}
			continue
		}
		for from := 0; from < len(c.data); {
			to := min(len(c.data), from+sector-(int(c.at)+from)%sector)
			if lucky() {
				content = append(content, make([]byte, max(0, int(c.at)+to-len(content)))...)
				copy(content[int(c.at)+from:], c.data[from:to])
			}
			from = to
		}
	}
	return content
}

// fail writes the files that a power failure now may leave to a folder.
func (d *disk) fail(t *testing.T, folder string, random *rand.Rand) {
	t.Helper()
	names := maps.Clone(d.safe)
	for _, change := range d.renamed[:random.IntN(len(d.renamed)+1)] {
		change.apply(names)
	}
	chance := []float64{0, 0.5, 0.9, 1}[random.IntN(4)]
	for name, f := range names {
		content := f.after(func() bool { return random.Float64() < chance })
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// powerFailures replays the calls of a process that stores runs, fails the power states times in
// all, and returns the faults that it finds afterwards.
func powerFailures(t *testing.T, role string, states int) (faults []error) {
	t.Helper()
	strace, random := straceOrSkip(t), dice(t)
	path := filepath.Join(t.TempDir(), "perftrack.db")
	calls := recordCalls(t, strace, newChild(role, path, "", 10))
	d := &disk{files: map[string]*onDisk{}, safe: map[string]*onDisk{}}
	var acked []string
	tried := 0
	for i, c := range calls {
		if c.name == "write" {
			acked = append(acked, strings.Fields(c.path)...)
		} else {
			d.do(filepath.Dir(path), c)
		}
		for ; tried < states*(i+1)/len(calls); tried++ {
			folder := filepath.Join(t.TempDir(), fmt.Sprint(tried))
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			d.fail(t, folder, random)
			if err := whole(filepath.Join(folder, "perftrack.db"), acked); err != nil {
				faults = append(faults, fmt.Errorf("after call %d of %d, %s: %w", i, len(calls), c.name, err))
			}
			_ = os.RemoveAll(folder)
		}
	}
	if len(acked) != 10 {
		t.Fatalf("%d runs acknowledged, want 10", len(acked))
	}
	t.Logf("%d calls, %d power failures, %d with a fault", len(calls), tried, len(faults))
	return faults
}

// whole returns an error unless the database at path has no fault and all acknowledged runs.
func whole(path string, acked []string) error {
	ctx := context.Background()
	db, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close()
	if v, err := db.Verify(ctx); err != nil || !v.OK() {
		return fmt.Errorf("%+v, %w", v, err)
	}
	for _, id := range acked {
		if _, err := db.Get(ctx, id); err != nil {
			return errors.Join(errors.New("an acknowledged run is lost"), err)
		}
	}
	return nil
}

// Whenever the power fails, the database is whole and has every acknowledged run, with each journal
// and from the moment the database is created. A disk writes sectors in any order until it is told
// to sync.
func TestPowerFailure(t *testing.T) {
	for _, role := range []string{"ingest", "ingest with rollback"} {
		t.Run(role, func(t *testing.T) {
			for _, err := range powerFailures(t, role, scale(100, 1500)) {
				t.Error(err)
			}
		})
	}
}

// Without syncs, the same failures are seen to lose runs.
func TestControlPowerFailure(t *testing.T) {
	for _, role := range []string{"ingest without syncs", "ingest with few syncs"} {
		t.Run(role, func(t *testing.T) {
			if len(powerFailures(t, role, 100)) == 0 {
				t.Error("no power failure did any harm")
			}
		})
	}
}
