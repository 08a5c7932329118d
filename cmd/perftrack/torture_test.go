package main

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
)

// tortures returns how often a torture test kills or interrupts perftrack, and a seed. The torture
// tests do so while perftrack measures a trial of a program that leaves a daemon behind with every
// sample. A short form runs with PERFTRACK_LIVE=short.
//
//	PERFTRACK_TORTURE=full go test -run Torture -timeout 30m ./cmd/perftrack
//
// kills perftrack 100 times and interrupts it 200 times.
func tortures(t *testing.T, short, full int) (n int, seed uint64) {
	t.Helper()
	if os.Getenv("PERFTRACK_TORTURE") == "full" {
		short = full
	}
	seed = uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return short, seed
}

// A victim is a perftrack with a repository and directories of its own.
type victim struct {
	t      *testing.T
	binary string
	repo   string
	temp   string
	env    []string
	killed bool   // a journal may be waiting for recovery
	mark   string // variable in the environment of all descendants except supervisors, which are recognized by their binary
}

const victimBench = `
setsid sh -c 'sleep 300' >/dev/null 2>&1 &
sleep 0.02
echo "pkg: example/victim"
echo "BenchmarkX 1000 100 ns/op"
echo "BenchmarkY 1000 200 ns/op"
`

func newVictim(t *testing.T) *victim {
	t.Helper()
	dir := t.TempDir()
	v := &victim{t: t, binary: filepath.Join(dir, "bin", "perftrack"), repo: filepath.Join(dir, "repo"),
		temp: filepath.Join(dir, "tmp"), mark: "TMPDIR=" + filepath.Join(dir, "tmp")}
	for _, d := range []string{filepath.Dir(v.binary), v.repo, v.temp} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	copyFile(t, self, v.binary)
	for name, text := range map[string]string{
		"perftrack.toml": "[[target]]\nname = \"victim\"\nkind = \"command\"\nrun = \"sh bench.sh\"\n",
		"bench.sh":       victimBench,
	} {
		if err := os.WriteFile(filepath.Join(v.repo, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	v.env = append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "TMPDIR="+v.temp, "PERFTRACK_DB=",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=T", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=T", "GIT_COMMITTER_EMAIL=t@example.com")
	v.git("init", "-q")
	v.git("add", ".")
	v.git("commit", "-q", "-m", "one")
	v.git("commit", "-q", "-m", "two", "--allow-empty")
	return v
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

func (v *victim) git(args ...string) string {
	v.t.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Env = v.repo, v.env
	out, err := c.CombinedOutput()
	if err != nil {
		v.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (v *victim) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	c := exec.Command(v.binary, args...)
	c.Dir, c.Env = v.repo, v.env
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	return c, &out
}

func (v *victim) must(args ...string) string {
	v.t.Helper()
	c, out := v.command(args...)
	if err := c.Run(); err != nil {
		v.t.Fatalf("perftrack %v: %v\n%s", args, err, out)
	}
	return out.String()
}

// nothingLeft waits until no process of the victim, no worktree and no temporary file is left. All
// of them must be gone soon after perftrack ends.
func (v *victim) nothingLeft() {
	v.t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for {
		left := v.leftovers()
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			v.t.Fatalf("left behind: %s", strings.Join(left, "; "))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// A process is the victim or one of its descendants.
type process struct {
	pid     int
	environ []byte
	cmdline string
}

func (v *victim) processes() (all []process) {
	v.t.Helper()
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		v.t.Fatal(err)
	}
	for _, name := range environs {
		dir := filepath.Dir(name)
		text, _ := os.ReadFile(name)
		cmdline, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if !bytes.Contains(text, []byte(v.mark+"\x00")) && !bytes.HasPrefix(cmdline, []byte(v.binary+"\x00")) {
			continue // ended, or not ours
		}
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			v.t.Fatal(err)
		}
		all = append(all, process{pid, text, strings.ReplaceAll(string(cmdline), "\x00", " ")})
	}
	return all
}

func (v *victim) leftovers() (left []string) {
	for _, p := range v.processes() {
		left = append(left, "process "+p.cmdline)
	}
	files, err := os.ReadDir(v.temp)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, f := range files {
		left = append(left, "file "+f.Name())
	}
	if _, err := os.Stat(filepath.Join(v.repo, ".perftrack", "perftrack.db-journal.d")); err == nil && !v.killed {
		left = append(left, "journal")
	}
	if list := strings.Count(v.git("worktree", "list"), "\n"); list != 1 {
		left = append(left, "worktree")
	}
	return left
}

var storedRun = regexp.MustCompile(`stored run ([0-9a-f]{12}): .*\n`)

// After any number of SIGKILLs, the database is whole, every acknowledged run is stored, and
// perftrack leaves no processes or files behind.
func TestTortureKill(t *testing.T) {
	live(t)
	n, seed := tortures(t, 15, 100)
	rng := rand.New(rand.NewPCG(seed, 0))
	v := newVictim(t)
	v.killed = true
	var acknowledged []string
	for range n {
		c, out := v.command("run", "--against", "HEAD~1", "--rounds", "20")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rng.IntN(1500))*time.Millisecond, func() { _ = c.Process.Kill() })
		err := c.Wait()
		timer.Stop()
		var exit *exec.ExitError
		if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == -1) {
			t.Fatalf("perftrack run: %v\n%s", err, out)
		}
		for _, m := range storedRun.FindAllStringSubmatch(out.String(), -1) {
			acknowledged = append(acknowledged, m[1])
		}
		v.nothingLeft()
	}
	v.must("run", "--rounds", "1") // recovers the rounds of the previous run
	if got := v.must("db", "verify"); !strings.HasPrefix(got, "ok: ") {
		t.Errorf("db verify: %s", got)
	}
	runs := v.must("list", "runs", "--format", "csv")
	for _, id := range acknowledged {
		if !strings.Contains(runs, id) {
			t.Errorf("run %s was acknowledged and is not there", id)
		}
	}
	sides := map[string]int{}
	for line := range strings.Lines(runs) {
		if side := line[strings.LastIndex(line, ",")+1:]; strings.TrimSpace(side) != "" {
			if sides[side]++; sides[side] > 1 {
				t.Errorf("stored twice: %s", side)
			}
		}
	}
	t.Logf("%d kills left %d partial and %d complete runs", n, strings.Count(runs, "partial"), strings.Count(runs, "complete"))
}

// After an interruption perftrack stores its samples, exits with 130 and leaves nothing behind; an
// immediate second signal, as from timeout, changes nothing.
func TestTortureInterrupt(t *testing.T) {
	live(t)
	n, seed := tortures(t, 15, 200)
	rng := rand.New(rand.NewPCG(seed, 0))
	v := newVictim(t)
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
	for i := range n {
		c, out := v.command("run", "--against", "HEAD~1", "--rounds", "200")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(50+rng.IntN(1200)) * time.Millisecond)
		sig := signals[i%len(signals)]
		if err := c.Process.Signal(sig); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		twice := i%5 == 4
		if twice {
			_ = c.Process.Signal(sig) // the process may have ended
		}
		var exit *exec.ExitError
		if err := c.Wait(); !errors.As(err, &exit) {
			t.Fatalf("after %v: %v\n%s", sig, err, out)
		}
		// A signal arriving before main handles it ends any program.
		early := exit.Sys().(syscall.WaitStatus).Signaled()
		if code := exit.ExitCode(); code != console.ExitInterrupted && !early {
			t.Fatalf("after %v: exit code %d\n%s", sig, code, out)
		}
		// A perftrack ending that early leaves its journal to the next one.
		v.killed = early
		v.nothingLeft()
	}
	runs := v.must("list", "runs", "--format", "csv")
	if strings.Contains(runs, "complete") {
		t.Errorf("an interrupted run is called complete:\n%s", runs)
	}
	if !strings.Contains(runs, "partial") {
		t.Error("no interruption left a partial run: the signals all came too early")
	}
	v.must("db", "verify")
}

// A journal survives a power cut only if its folder has also been written to disk.
func TestJournalFolderIsSynced(t *testing.T) {
	live(t)
	strace, err := exec.LookPath("strace")
	if err == nil {
		err = exec.Command(strace, "-o", os.DevNull, "true").Run()
	}
	if err != nil {
		t.Skip("strace cannot trace here: ", err)
	}
	v := newVictim(t)
	trace := filepath.Join(filepath.Dir(v.binary), "trace")
	c := exec.Command(strace, "-f", "-y", "-e", "trace=fsync", "-o", trace, v.binary, "run", "--rounds", "1")
	c.Dir, c.Env = v.repo, v.env
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	folder := regexp.MustCompile(`(?s)/\.perftrack>.*db-journal\.d/\S+\.bench>.*db-journal\.d>`)
	if !folder.Match(text) {
		t.Errorf("not synced one after the other: the folder of the journals' folder, the journal, its folder\n%s", text)
	}
}

// The next perftrack stores the samples of a killed one.
func TestKilledRunIsRecovered(t *testing.T) {
	v := newVictim(t)
	c, out := v.command("run", "--against", "HEAD~1", "--rounds", "500")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(2 * time.Minute)
	for {
		journals, err := filepath.Glob(filepath.Join(v.repo, ".perftrack", "*", "*.bench"))
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("no journal: %v\n%s", err, out)
		}
		if len(journals) == 1 {
			text, err := os.ReadFile(journals[0])
			if err == nil && bytes.Count(text, []byte("# round written")) > 4 {
				break
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	v.killed = true
	_ = c.Wait()
	v.nothingLeft()
	if runs := v.must("list", "runs", "--format", "csv"); strings.Count(runs, "partial") != 2 {
		t.Errorf("want a partial run of each side, got\n%s", runs)
	}
	if runs := v.must("list", "runs", "--format", "csv"); strings.Count(runs, "partial") != 2 {
		t.Errorf("recovered twice:\n%s", runs)
	}
	v.must("db", "verify")
}
