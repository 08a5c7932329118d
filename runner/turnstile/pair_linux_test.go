package turnstile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/proc"
)

func TestOrder(t *testing.T) {
	for first, want := range []string{"0110011001", "1001100110"} {
		got := ""
		for side := range Order(first, 10) {
			got += strconv.Itoa(side)
		}
		if got != want {
			t.Errorf("first %d: %s, want %s", first, got, want)
		}
	}
}

// Benchmarks of all kinds can be sliced. They report all their units, and their programs end
// normally.
func TestSlices(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		env  string
		unit string // a unit it must report
	}{
		{"Plain", "", "sec/op"},
		{"Plain", "TESTMAIN=prints", "sec/op"},
		{"Loop", "", "sec/op"},
		{"Parallel", "", "allocs/op"},
		{"Metrics", "", "B/s"},
		{"Logs", "", "sec/op"},
		{"LogsMuch", "", "sec/op"},
		{"Long", "", "metric-of-a-rather-long-name-399/op"},
		{"Group/one", "", "sec/op"},
		{"Group/one#01", "", "sec/op"},
		{"Group/two/x=1.5|(a_b)[c]", "", "sec/op"},
		{"Restless", "", "sec/op"},
		{"Children", "", "sec/op"},
		{"PortBriefly", "ADDRESS=127.0.0.1:" + strconv.Itoa(freePort(t)), "sec/op"},
		{"PrintsOnce", "", "sec/op"},
	}
	for _, tt := range tests {
		t.Run(tt.name+tt.env, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, tt.name, tt.env)
			p := tr.open(t)
			for side := range Order(1, 2*tr.Slices) {
				s, err := p.Slice(side)
				if err != nil {
					t.Fatalf("side %d: %v", side, err)
				}
				name, _ := s.Result.Name.Parts()
				if got := string(s.Result.Name.Full()); string(name) == "" || !strings.HasPrefix(got, tt.name) || s.Result.Iters != tr.N {
					t.Fatalf("result of %s with %d iterations", got, s.Result.Iters)
				}
				if _, ok := s.Result.Value(tt.unit); !ok {
					t.Errorf("no %s in %v", tt.unit, s.Result.Values)
				}
				if pkg := s.Result.GetConfig("pkg"); pkg != "bench" {
					t.Errorf("package %q", pkg)
				}
				sec, _ := s.Result.Value("sec/op")
				if s.CPU <= 0 || s.Waited < 0 || s.Wall <= 0 || s.Wall/1e9/sec < 0.999 || s.Wall/1e9/sec > 1.001 {
					t.Errorf("%v ns/op of %v s, %v of CPU, waited %v", s.Wall, sec, s.CPU, s.Waited)
				}
			}
			if _, err := p.Slice(0); err == nil {
				t.Error("there are more slices than were asked for")
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Each slice returns the result of the requested side.
func TestSidesAreApart(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, "Metrics")
	p := tr.open(t)
	for side := range Order(0, 2*tr.Slices) {
		s, err := p.Slice(side)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := s.Result.Value("side"); got != float64(side+1) {
			t.Errorf("side %d gives the values of side %v", side, got-1)
		}
	}
}

// The benchmarks log their runs. The log shows that they take turns, each turn is a whole count,
// and each count has the requested number of iterations.
func TestTurns(t *testing.T) {
	t.Parallel()
	diary := filepath.Join(t.TempDir(), "diary")
	tr := newTrial(t, "Diary", "DIARY="+diary)
	tr.Slices = 6
	p := tr.open(t)
	var want []string
	count := func(side int) {
		for _, n := range []int{1, tr.N} {
			for _, what := range []string{"begin", "end"} {
				want = append(want, fmt.Sprintf("%s %s %d", strings.Repeat("x", side+1), what, n))
			}
		}
	}
	count(0)
	count(1)
	for side := range Order(1, 2*tr.Slices) {
		count(side)
		if _, err := p.Slice(side); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(diary)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Split(strings.TrimSpace(string(text)), "\n"); !slices.Equal(got, want) {
			t.Fatalf("after a slice of side %d: %q, want %q", side, got, want)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// A side does nothing while the other one runs, even if one of its goroutines never rests. The
// goroutine's counter does not grow, and the CPU clock of the side does not advance, except for the
// time the kernel needs to suspend a stopped thread.
func TestParkedSideIsStill(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, "Restless")
	tr.N = 20_000 // enough for the goroutine of either side to make progress
	var counted [2]func() uint64
	for i := range tr.Sides {
		ticks := filepath.Join(tr.Sides[i].Dir, "ticks")
		if err := os.WriteFile(ticks, make([]byte, 8), 0o600); err != nil {
			t.Fatal(err)
		}
		tr.Sides[i].Env = append(tr.Sides[i].Env, "TICKS="+ticks)
		counted[i] = func() uint64 {
			text, err := os.ReadFile(ticks)
			if err != nil || len(text) != 8 {
				t.Fatalf("%d bytes, %v", len(text), err)
			}
			return binary.NativeEndian.Uint64(text)
		}
	}
	p := tr.open(t)
	var used, stray time.Duration
	for side := range Order(0, 2*tr.Slices) {
		own, others := counted[side](), counted[1-side]()
		s, err := p.Slice(side)
		if err != nil {
			t.Fatal(err)
		}
		if counted[side]() == own {
			t.Errorf("in a slice of side %d its goroutine did not run", side)
		}
		if now := counted[1-side](); now != others {
			t.Errorf("in a slice of side %d the other one counted %d more", side, now-others)
		}
		used, stray = used+s.CPU, stray+s.Stray
	}
	t.Logf("%v of CPU in slices, %v between them", used, stray)
	if stray > used/100 {
		t.Errorf("%v of CPU was used between slices that used %v", stray, used)
	}
}

// Most sides do nothing while they are parked, even without being stopped. If a side works in the
// background, its CPU time is reported.
func TestUnstopped(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Plain", "Logs", "Restless"} {
		tr := newTrial(t, name)
		tr.Unstopped, tr.N = true, 20_000
		p := tr.open(t)
		var stray time.Duration
		for side := range Order(1, 2*tr.Slices) {
			for deadline := time.Now().Add(patience); name == "Restless"; time.Sleep(time.Millisecond) {
				now, err := p.sides[side].process.time()
				if err != nil || time.Now().After(deadline) {
					t.Fatalf("a goroutine that never rests stands, or is gone: %v", err)
				}
				if now > p.sides[side].clock+time.Millisecond {
					break
				}
			}
			s, err := p.Slice(side)
			if err != nil {
				t.Fatal(err)
			}
			stray += s.Stray
			if name == "Restless" && s.Stray < time.Millisecond {
				t.Errorf("a goroutine that never rests used %v", s.Stray)
			}
		}
		t.Logf("%s: %v of CPU between slices", name, stray)
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Benchmarks that cannot be sliced are refused, with the reason and the side that showed it.
func TestRefused(t *testing.T) {
	t.Parallel()
	address := "ADDRESS=127.0.0.1:" + strconv.Itoa(freePort(t))
	tests := []struct {
		name   string
		env    string
		flags  string
		side   int
		failed bool
		why    string // beginning of the reason
	}{
		{name: "Prints", why: `it printed "working" to standard output during the measurement`},
		{name: "Misbehaves", env: "HOW=prints", why: `it printed "at last" to standard output during the measurement`},
		{name: "Misbehaves", env: "HOW=prints a lot", why: `it printed "at last at last`},
		{name: "Misbehaves", env: "HOW=fails", failed: true, why: "it failed: bench_test.go:"},
		{name: "Misbehaves", env: "HOW=panics", failed: true, why: "its process ended: exit status 2: panic: out of luck"},
		{name: "Misbehaves", env: "HOW=skips", why: "it ran none of its 50 iterations: was it skipped?"},
		{name: "Misbehaves", env: "HOW=exits", failed: true, why: "its process ended or closed its standard output"},
		{name: "Fails", failed: true, why: "it failed: bench_test.go:"},
		{name: "Panics", failed: true, why: "its process ended: exit status 2: panic: at once"},
		{name: "Skips", why: "its process printed no result: the benchmark does not exist or was skipped"},
		{name: "Missing", why: "its process printed no result: the benchmark does not exist or was skipped"},
		{name: "Group", why: "it has sub-benchmarks, such as BenchmarkGroup/one"},
		{name: "Group/two", why: "it has sub-benchmarks, such as BenchmarkGroup/two/x=1.5"},
		{name: "Plain", env: "TESTMAIN=verbose", why: "its program prints benchmark names in unexpected places"},
		{name: "Plain", env: "TESTMAIN=silent", why: "its process printed no result"},
		{name: "Plain", env: "TESTMAIN=cpus", why: "it runs at several GOMAXPROCS values in one process, such as BenchmarkPlain-2"},
		{name: "Plain", env: "TESTMAIN=fails", failed: true, why: "its process ended: exit status 3: cannot tidy up"},
		{name: "Plain", flags: "-test.cpu=1,2", why: "several GOMAXPROCS values in one process: -test.cpu=1,2"},
		{name: "Plain", flags: "-test.cpu 1,2", why: "several GOMAXPROCS values in one process: -test.cpu 1,2"},
		{name: "Plain", flags: "-no-such-flag", failed: true, why: "its process ended: exit status 2"},
		{name: "Port", env: address, side: 1, failed: true, why: "it failed: bench_test.go:"},
	}
	for _, tt := range tests {
		t.Run(tt.name+tt.env+tt.flags, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, tt.name, tt.env)
			tr.Flags = strings.Fields(tt.flags)
			err := run(t, tr.Spec)
			var e *SliceError
			ok := errors.As(err, &e)
			if !ok || e.Side != tt.side || e.Failed != tt.failed || !strings.HasPrefix(e.Why, tt.why) {
				t.Fatalf("%#v, want side %d, failed %v, %s", err, tt.side, tt.failed, tt.why)
			}
			if want := "cannot be sliced: " + e.Why; err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

// A benchmark that sets b.N results in a CountError rather than a SliceError, because it cannot be
// measured in fresh processes either.
func TestMiscounted(t *testing.T) {
	t.Parallel()
	err := run(t, newTrial(t, "Misbehaves", "HOW=counts").Spec)
	var e *CountError
	if !errors.As(err, &e) || *e != (CountError{Side: 0, Printed: 1 << 40, Asked: 50}) || errors.As(err, new(*SliceError)) {
		t.Errorf("%#v", err)
	}
}

// run opens a pair, takes all slices and closes the pair. It returns the first error.
func run(t *testing.T, spec Spec) error {
	p, err := Open(t.Context(), spec)
	if err != nil {
		return err
	}
	defer func() {
		if again := p.Close(); err != nil && again != nil {
			t.Errorf("close: %v", again)
		}
	}()
	for side := range Order(0, 2*spec.Slices) {
		if _, err = p.Slice(side); err != nil {
			if _, again := p.Slice(1 - side); !errors.Is(again, err) {
				t.Errorf("after %v: %v", err, again)
			}
			return err
		}
	}
	return p.Close()
}

func TestOpenChecksTheSpec(t *testing.T) {
	for _, flag := range []string{"-test.v", "--test.v=true", "-test.count=3", "-test.bench=.", "-test.run", "-test.benchtime=1s"} {
		if _, err := Open(t.Context(), Spec{Name: "A", N: 1, Slices: 1, Flags: []string{flag}}); err == nil || !strings.HasSuffix(err.Error(), "perftrack itself sets the flag "+flag) {
			t.Errorf("%s: %v", flag, err)
		}
	}
	for _, s := range []Spec{{N: 1, Slices: 1}, {Name: "A", Slices: 1}, {Name: "A", N: 1}} {
		if _, err := Open(t.Context(), s); err == nil {
			t.Errorf("%+v is opened", s)
		}
	}
	if err := Supported(); err != nil {
		t.Error(err)
	}
}

// If a binary does not exist, the error is not a SliceError.
func TestOpenDoesNotStart(t *testing.T) {
	t.Parallel()
	for side := range 2 {
		tr := newTrial(t, "Plain")
		tr.Sides[side].Binary = "/no/such/binary"
		p, err := Open(t.Context(), tr.Spec)
		if err == nil || p != nil || !strings.Contains(err.Error(), "no such file") {
			t.Errorf("side %d: %v", side, err)
		}
		var e *SliceError
		if errors.As(err, &e) {
			t.Errorf("side %d: %v is a SliceError", side, err)
		}
	}
}

// Both sides run on the CPUs in the spec.
func TestPinned(t *testing.T) {
	t.Parallel()
	usable, err := proc.UsableCPUs()
	if err != nil {
		t.Skip(err)
	}
	last := usable[len(usable)-1]
	tr := newTrial(t, "Plain")
	tr.CPUs = []int{last}
	p := tr.open(t)
	for i, s := range p.sides {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.pid))
		if err != nil || !bytes.Contains(status, fmt.Appendf(nil, "\nCpus_allowed_list:\t%d\n", last)) {
			t.Errorf("side %d is not on CPU %d only: %v", i, last, err)
		}
	}
}

// If a program is killed, its processes die with it, whether they are stopped or not.
func TestNothingOutlivesItsOwner(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, "")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	owner := exec.Command(self)
	owner.Args[0] = tr.token
	owner.Env = append(os.Environ(), tokenEnv+"="+tr.token, ownerEnv+"="+built.Path(t))
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 100)
	n, _ := out.Read(text)
	if string(text[:n]) != "<nil>\n" {
		t.Errorf("the owner says %q", text[:n])
	}
	// The owner, and for each side a supervisor and two processes.
	if alive := marked(tr.token); len(alive) < 7 {
		t.Errorf("processes %v, want 7", alive)
	}
	_ = owner.Process.Kill()
	_ = owner.Wait()
}

// On one CPU, a goroutine that always runs makes the others wait, and the kernel counts how long.
func TestWaited(t *testing.T) {
	if _, err := os.Stat("/proc/self/schedstat"); err != nil {
		t.Skip(err)
	}
	t.Parallel()
	tr := newTrial(t, "Restless", "TICKS="+filepath.Join(t.TempDir(), "none"))
	tr.N, tr.Flags = 100_000, []string{"-test.cpu=2"}
	cpus, err := proc.UsableCPUs()
	if err != nil {
		t.Fatal(err)
	}
	tr.CPUs = cpus[:1]
	p := tr.open(t)
	for side := range Order(0, 2*tr.Slices) {
		if s, err := p.Slice(side); err != nil {
			t.Fatal(err)
		} else if s.Waited <= 0 {
			t.Errorf("side %d waited %v for a CPU that it shares with itself", side, s.Waited)
		}
	}
}
