package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
)

// A benchmark that kills its supervisor fails, but no other benchmark does.
func TestLostSupervisor(t *testing.T) {
	p := Plan{Spec: program.Spec{Target: config.Target{Name: "c", Kind: config.Command, Run: "exec sh bench.sh"}, Benchtime: "1x"}, Rounds: 2}
	for _, script := range []string{"echo BenchmarkX 10 100 ns/op\n", "kill -9 $PPID\nsleep 60\n"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "bench.sh"), []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
		p.Sides = append(p.Sides, program.Side{Dir: dir})
	}
	_, out := measure(t, p)
	if len(out.Failures) != 1 || out.Failures[0].Side != 1 || !strings.Contains(out.Failures[0].Reason, "was killed") {
		t.Errorf("failures %+v", out.Failures)
	}
	for _, side := range p.Sides[:1] {
		p.Sides = []program.Side{side, side}
	}
	if rounds, out := measure(t, p); len(rounds) != 2 || len(rounds[1].Samples) != 2 || len(out.Failures) != 0 {
		t.Errorf("what is measured after it: %d rounds, %+v", len(rounds), out.Failures)
	}
}

// If a benchmark fails for lack of a withheld variable, the reason names the variable.
func TestWithheldHint(t *testing.T) {
	t.Setenv("MY_DATA_DIR", "/data")
	t.Setenv("MY_CORPUS", "/corpus")
	for _, tt := range []struct {
		run  string
		env  []string
		want string
	}{
		{run: `echo "MY_DATA_DIR is not set" >&2; exit 1`, want: "(the output mentions MY_DATA_DIR, which perftrack withholds from benchmarks: see perftrack help trust)"},
		{run: `cat "$MY_CORPUS/x"`, want: "(the output mentions MY_CORPUS, which perftrack withholds from benchmarks: see perftrack help trust)"},
		{run: `echo "MY_DATA_DIR=$MY_DATA_DIR" >&2; exit 1`, env: []string{"MY_DATA_DIR"}, want: "MY_DATA_DIR=/data"},
		{run: "exit 1", want: "exit status 1"},
	} {
		p := Plan{Spec: program.Spec{Target: config.Target{Name: "c", Kind: config.Command, Run: tt.run, Env: tt.env}, Benchtime: "1x"}, Sides: []program.Side{{Dir: t.TempDir()}}, Rounds: 1}
		_, out := measure(t, p)
		if len(out.Failures) != 1 || !strings.HasSuffix(out.Failures[0].Reason, tt.want) {
			t.Errorf("%s: %+v, want %q", tt.run, out.Failures, tt.want)
		}
	}
}
