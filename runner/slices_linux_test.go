package runner

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// ofBusyMachine matches reasons against slices caused by other programs rather than the benchmark.
var ofBusyMachine = regexp.MustCompile(strings.Join(busyReasons, "|"))

var busyReasons = []string{
	"less than half of the time in short turns is timed", "longer than a whole slice may take", "an operation takes longer in short turns than in long ones",
	"its turns take too long", "on a busy machine ", "other work in its process", "its process works even", "it does something too rarely",
}

// busyReasons must use the wording of package slicing, because they would match nothing otherwise.
func TestBusyReasonsAreGiven(t *testing.T) {
	var source strings.Builder
	files, err := filepath.Glob("slicing/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(text)
	}
	for _, reason := range busyReasons {
		if !strings.Contains(source.String(), reason) {
			t.Errorf("slicing never says %q", reason)
		}
	}
}

// Each benchmark is measured in slices if possible. Fresh processes measure the others, and the
// reason is recorded with the method. No benchmark is lost.
func TestMeasureSlices(t *testing.T) {
	base := sliceModule(t, "")
	head := sliceModule(t, "\nfunc init() { more = append(more, \"new\") }\n")
	p := slicesPlan(base, head)
	t.Setenv("SLICES_PORT", freePort(t))
	p.BaseFirst = func(_ program.Slot, round int) bool { return round == 1 }
	rounds, out := measure(t, p)
	got := found(rounds, 2)
	for name := range got { // their names differ between processes
		if strings.HasPrefix(name, "Random/") {
			delete(got, name)
		}
	}
	want := map[string]string{
		"Loop": "ss", "Count": "ss", "Parallel": "ss", "Log": "ss",
		"Table/n=1": "ss", "Table/a/b_c": "ss", "Table/x|y[z": "ss", "Table/twice": "ss", "Table/twice#01": "ss", "Table/new": "FF",
		"Half/ok": "ss", "Skips/ok": "ss",
		"Prints": "ff", "Port": "ff", "Slow": "ff",
	}
	methods, busy := methodsByName(out), 0
	for name, w := range methods {
		if want[name] == "ss" && w.How == record.MethodFresh && ofBusyMachine.MatchString(w.Why) {
			t.Logf("%s: %s", name, w.Why)
			want[name] = "ff"
			busy++
		}
	}
	if busy > 8 {
		t.Errorf("%d benchmarks are not sliced", busy)
	}
	sameSigns(t, got, want)
	for name, why := range map[string]string{
		"Prints": "it printed \"hello\"", "Port": "address already in use", "Slow": "s", "Random": "different names on the two sides",
	} {
		if w := methods[name]; w.How != record.MethodFresh || !strings.Contains(w.Why, why) || w.Fresh != 2 {
			t.Errorf("%s has the method %+v, want the reason %q", name, w, why)
		}
	}
	if w := methods["Table/a/b_c"]; want["Table/a/b_c"] == "ss" && (w.How != record.MethodSlices || w.Package != "example.com/m" || w.Sliced != 2 || w.N < 1 || w.Slices < 1 || w.Length <= 0 || w.Estimator == "") {
		t.Errorf("a sliced benchmark has the method %+v", w)
	}
	failures := map[string]int{}
	for _, f := range out.Failures {
		failures[f.Slot.Bench+": "+f.Reason]++
	}
	if len(failures) != 2 || failures["Skipped: "+Skipped] != 2 || len(out.Failures) != 4 {
		t.Errorf("failures are %v", failures)
	}
	random, seen := 0, map[string]bool{}
	for _, r := range rounds {
		for i, s := range r.Samples {
			if got, want := s.Result.GetConfig(record.KeyOrder), fmt.Sprint(i); got != want {
				t.Errorf("sample %d of round %d has the order %s", i, r.N, got)
			}
			if strings.HasPrefix(string(s.Result.Name), "Random/") {
				random++
			}
			name := fmt.Sprint(r.N, string(s.Result.Name))
			if want := r.N - 1; !seen[name] && s.Result.GetConfig(record.KeySlices) != "" && s.Side != want {
				t.Errorf("in round %d side %d of %s was first", r.N, s.Side, s.Result.Name)
			}
			seen[name] = true
			if s.Result.GetConfig(record.KeyPackage) != "example.com/m" {
				t.Errorf("%s is of package %q", s.Result.Name, s.Result.GetConfig(record.KeyPackage))
			}
		}
	}
	if random != 4 {
		t.Errorf("%d results of benchmarks with random names, want one a side and round", random)
	}
	if out.InProcesses <= 0 || out.Rounds != 2 {
		t.Errorf("%v in processes, %d rounds", out.InProcesses, out.Rounds)
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
