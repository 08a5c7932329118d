package runner

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// A process adds samples only to the benchmark it runs, and only with the requested number of
// iterations. Other results are left out, and the reason is recorded.
func TestUnaskedResults(t *testing.T) {
	many := func(of func(i int) string) (lines string) {
		for i := range 300 {
			lines += of(i)
		}
		return lines
	}
	const own = "BenchmarkZzz-2 \t     100\t     341.0 ns/op\n"
	for _, tt := range []struct {
		name, bench, benchtime, printed string
		twice                           bool
		want, why                       string
	}{
		{name: "its own", printed: own + "PASS\n", want: "Zzz-2"},
		{name: "its own on one processor", printed: "BenchmarkZzz \t 100\t 3 ns/op\nPASS\n", want: "Zzz"},
		{name: "those below it", printed: "BenchmarkZzz/n=1-2 \t 100\t 3 ns/op\nBenchmarkZzz/n=1#01-2 \t 100\t 3 ns/op\nBenchmarkZzz/a_b-4-2 \t 100\t 3 ns/op\nPASS\n", want: "Zzz/n=1-2 Zzz/n=1#01-2 Zzz/a_b-4-2"},
		{name: "words before the end", printed: own + "closing the poolPASS\n", want: "Zzz-2"},
		{name: "another of its package", printed: "BenchmarkAaa-2 \t1000000\t300.0 ns/op\n" + own + "PASS\n", want: "Zzz-2", why: "printed a result for Aaa-2, which was not requested"},
		{name: "one that begins alike", printed: own + "BenchmarkZzzz-2 \t 100\t 3 ns/op\nPASS\n", want: "Zzz-2", why: "printed a result for Zzzz-2"},
		{name: "a parent of it", bench: "Zzz/large", printed: own + "BenchmarkZzz/large-2 \t 100\t 3 ns/op\nPASS\n", want: "Zzz/large-2", why: "printed a result for Zzz-2"},
		{name: "a sibling that ends like a number of processors", bench: "Zzz/a", printed: "BenchmarkZzz/a-x-2 \t 100\t 3 ns/op\nPASS\n", why: "printed a result for Zzz/a-x-2"},
		{name: "a child go test of 300 benchmarks", printed: many(func(i int) string { return fmt.Sprintf("BenchmarkGhost%d-2 \t 100\t 7 ns/op\n", i) }) + "PASS\n" + own + "PASS\n", want: "Zzz-2", why: "printed a result for Ghost0-2"},
		{name: "itself in a child", printed: "BenchmarkZzz-2 \t 7\t 0.001 ns/op\nPASS\n" + own + "PASS\n", why: "printed 2 results for Zzz-2, but package testing made only one"},
		{name: "in two packages of one folder", twice: true, printed: own + own + "PASS\n", want: "Zzz-2 Zzz-2"},
		{name: "the end after a made up result", printed: own, why: "exited before package testing had finished"},
		{name: "b.N set", printed: "BenchmarkZzz-2 \t1099511627776\t 0.0022 ns/op\nPASS\n", why: "printed 1099511627776 iterations for Zzz-2, more than package testing ever runs"},
		{name: "the count asked for", benchtime: "50x", printed: "BenchmarkZzz-2 \t 50\t 3 ns/op\nPASS\n", want: "Zzz-2"},
		{name: "another count", benchtime: "50x", printed: "BenchmarkZzz-2 \t 51\t 3 ns/op\nPASS\n", why: "printed 51 iterations for Zzz-2 instead of 50"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			slot := program.Slot{Package: "example.com/p", Bench: "Zzz"}
			if tt.bench != "" {
				slot.Bench = tt.bench
			}
			g := declared{&program.Gotest{}, tt.twice}
			m := &measurement{Plan: Plan{Spec: program.Spec{Target: config.Target{Kind: config.GoTest}, Benchtime: "100ms"}}, programs: []program.Program{g}, facts: make([]record.Settings, 1)}
			m.out.Environments = make([]record.Settings, 1)
			if tt.benchtime != "" {
				m.Benchtime = tt.benchtime
			}
			out := &output{m: m, slot: slot}
			text, wrong := g.Clean(slot, []byte("goos: linux\npkg: example.com/p\n"+tt.printed))
			if out.wrong = wrong; wrong != "" {
				t.Fatal(wrong)
			}
			if err := format.Read("gobench", text, "p", out.add); err != nil {
				t.Fatal(err)
			}
			out.distrust(text)
			var names []string
			for _, res := range out.results {
				names = append(names, string(res.Name))
			}
			if got := strings.Join(names, " "); got != tt.want {
				t.Errorf("kept %q, want %q", got, tt.want)
			}
			if why := out.failure(proc.Result{Stdout: text}); !strings.HasPrefix(why, tt.why) || (why == "") != (tt.why == "") {
				t.Errorf("says %q, want %q", why, tt.why)
			}
		})
	}
}

// declared is a program that reports all of its benchmarks as declared twice, or none.
type declared struct {
	*program.Gotest
	twice bool
}

func (d declared) DeclaredTwice(program.Slot) bool { return d.twice }
