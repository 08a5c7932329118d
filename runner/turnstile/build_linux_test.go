package turnstile

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/internal/benchtest"
	"github.com/perftrack/perftrack/runner/proc"
)

// tokenEnv marks all processes of one test. ownerEnv makes the test binary run ownPair, which a
// test then kills.
const (
	tokenEnv = "TURNSTILE_TEST_TOKEN"
	ownerEnv = "TURNSTILE_TEST_OWNER"
)

func TestMain(m *testing.M) {
	// Under the race detector, every process would otherwise take another second to exit.
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	proc.Supervise()
	if binary := os.Getenv(ownerEnv); binary != "" {
		ownPair(binary)
	}
	code := m.Run()
	proc.Dismiss()
	built.Remove()
	os.Exit(code)
}

var built = benchtest.Binary{Source: filepath.Join("testdata", "bench.go.txt")}

// A trial holds a spec, which a test may change, and the token that marks its processes.
type trial struct {
	Spec
	token string
}

// newTrial returns a trial of a benchmark in the test binary. Both sides are alike except for
// $SIDE. The test fails if any process of the trial is left at its end.
func newTrial(t *testing.T, name string, env ...string) *trial {
	t.Helper()
	tr := &trial{
		Spec:  Spec{Name: name, N: 50, Slices: 4, Timeout: patience},
		token: fmt.Sprintf("%s-%d-%d", strings.ReplaceAll(t.Name(), "/", "-"), os.Getpid(), time.Now().UnixNano()),
	}
	for i := range tr.Sides {
		tr.Sides[i] = Program{Binary: built.Path(t), Dir: t.TempDir(),
			Env: append(append(os.Environ(), tokenEnv+"="+tr.token, "SIDE="+strings.Repeat("x", i+1)), env...)}
	}
	t.Cleanup(func() {
		for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
			alive := marked(tr.token)
			if len(alive) == 0 {
				return
			}
			if time.Now().After(deadline) {
				t.Errorf("processes %v are left", alive)
				return
			}
		}
	})
	return tr
}

// open opens the pair and closes it at the end of the test.
func (tr *trial) open(t *testing.T) *Pair {
	t.Helper()
	p, err := Open(t.Context(), tr.Spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// marked returns the ids of the living processes with the token in their environment or as their
// name.
func marked(token string) (pids []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		// Both files of a zombie are empty. A supervisor has the name of its owner but not its
		// environment.
		env, _ := os.ReadFile(f)
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
		if bytes.Contains(env, []byte(tokenEnv+"="+token+"\x00")) || bytes.HasPrefix(line, []byte(token+"\x00")) {
			pids = append(pids, filepath.Base(filepath.Dir(f)))
		}
	}
	return pids
}

// patience is the time limit for expected events. A passing test never takes so long, even on a
// busy machine.
const patience = 2 * time.Minute

// await waits until the benchmark has reached the given point, where it creates a file in dir.
func await(dir, point string) error {
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, point)); err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s was not reached", point)
		}
	}
}

// ownPair is a program that opens a pair, runs a slice, prints its error, and waits to be killed.
func ownPair(binary string) {
	spec := Spec{Name: "Children", N: 10, Slices: 4}
	for i := range spec.Sides {
		spec.Sides[i] = Program{Binary: binary, Env: os.Environ()}
	}
	p, err := Open(context.Background(), spec)
	if err == nil {
		_, err = p.Slice(0)
	}
	fmt.Println(err)
	time.Sleep(time.Hour)
}
