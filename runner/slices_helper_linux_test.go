package runner

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// slicesPlan returns a plan that measures two modules in slices as short as possible, without
// relinking.
func slicesPlan(base, head string) Plan {
	p := gotestPlan(base, head)
	p.Benchtime, p.Slices, p.Target.Layout = "2ms", true, config.LayoutDefault
	p.Target.Env = []string{"SLICES_MARK", "SLICES_HANG", "SLICES_PORT"}
	return p
}

// sliced returns methods for [Plan.Chosen]. Tests of later steps use them, because the choice of a
// method would vary on a busy machine.
func sliced(names ...string) map[program.Slot]slicing.Method {
	chosen := map[program.Slot]slicing.Method{}
	for _, name := range names {
		chosen[program.Slot{Package: "example.com/m", Bench: name}] = slicing.Method{N: 2000, Slices: 20, Length: time.Millisecond}
	}
	return chosen
}

// sliceModule writes a module with one package, m. Its code is the fixture followed by more. It
// skips the test unless live tests are requested, because tests that use the module build and
// measure it.
func sliceModule(t *testing.T, more string) string {
	t.Helper()
	livetest.Skip(t)
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.26\n")
	text, err := os.ReadFile(filepath.Join("testdata", "slices.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "m_test.go", string(text)+more)
	return dir
}

// found returns, for each benchmark, how it was measured in each round: s in slices, f by fresh
// processes, and . not at all. Capital letters mean that only one side has it.
func found(rounds []Round, n int) map[string]string {
	signs := map[string][]byte{}
	for _, r := range rounds {
		for _, s := range r.Samples {
			name := record.WithoutProcs(string(s.Result.Name))
			if signs[name] == nil {
				signs[name] = []byte(strings.Repeat(".", n))
			}
			sign := &signs[name][r.N-1]
			lower := byte('f')
			if s.Result.GetConfig(record.KeySlices) != "" {
				lower = 's'
			}
			switch *sign {
			case '.':
				*sign = lower - 'a' + 'A'
			case lower - 'a' + 'A':
				*sign = lower
			default:
				*sign = '?'
			}
		}
	}
	out := map[string]string{}
	for name, s := range signs {
		out[name] = string(s)
	}
	return out
}

func methodsByName(out Outcome) map[string]record.Method {
	methods := map[string]record.Method{}
	for _, w := range out.Methods {
		methods[w.Name] = w
	}
	return methods
}

func sameSigns(t *testing.T, got, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if got[name] != want[name] {
			t.Errorf("%s was measured %q, want %q", name, got[name], want[name])
		}
	}
	for name := range want {
		if got[name] == "" {
			t.Errorf("%s was not measured", name)
		}
	}
}
