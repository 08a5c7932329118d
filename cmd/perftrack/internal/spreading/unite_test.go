package spreading

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

const (
	baseSHA = "1111111111111111111111111111111111111111"
	headSHA = "2222222222222222222222222222222222222222"
)

// part returns the runs of both sides with the given rounds, on a machine with a processor.
func part(t testing.TB, cpu string, rounds ...int) []*record.Run {
	text := ""
	for side, sha := range []string{baseSHA, headSHA} {
		text += fmt.Sprintf("perftrack-run: 5\ntarget: demo\ncommit: %s\ntrial: t1\nside: %s\nstatus: complete\ncpu: %s\n", sha, []string{"base", "head"}[side], cpu)
		text += `protocol: {"procedure":"check","decision":"typical-and-mean","methods":[{"name":"Sort","how":"fresh","fresh":` + fmt.Sprint(len(rounds)) + "}]}\n"
		for _, n := range rounds {
			text += fmt.Sprintf("round: %d\norder: %d\nBenchmarkSort 10 %d ns/op %d B/op\n", n, side, 100*n+side, n)
		}
	}
	return runtest.Parse(t, text)
}

var want = record.Run{Trial: "t1", Target: "demo", Protocol: record.Protocol{Decision: "typical-and-mean"}}

// In whatever order the parts come, their rounds are one run a side, equal to that of one machine.
func TestUnite(t *testing.T) {
	whole := part(t, "A", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	rapid.Check(t, func(rt *rapid.T) {
		var stretches []Stretch
		for first := 1; first <= 12; {
			last := min(12, first+rapid.IntRange(0, 3).Draw(rt, "rounds"))
			stretches = append(stretches, Stretch{first, last})
			first = last + 1
		}
		var r Rounds
		for _, s := range rapid.Permutation(stretches).Draw(rt, "order") {
			var rounds []int
			for n := s.First; n <= s.Last; n++ {
				rounds = append(rounds, n)
			}
			if err := r.Add(part(t, "A", rounds...), want, s.First, s.Last, [2]string{baseSHA, headSHA}); err != nil {
				rt.Fatal(err)
			}
		}
		got := r.Runs()
		if len(got) != 2 || got[0].ID() != whole[0].ID() || got[1].ID() != whole[1].ID() {
			rt.Fatalf("%d runs; the base has %d rounds", len(got), got[0].Rounds())
		}
		cut := UpTo(got, 5)
		if cut[1].LastRound() != 5 || cut[1].Rounds() != 5 || got[1].Rounds() != 12 {
			rt.Fatalf("up to round 5: %d rounds, last %d; before: %d", cut[1].Rounds(), cut[1].LastRound(), got[1].Rounds())
		}
	})
}

// Machines with different processors keep runs of their own.
func TestUniteModels(t *testing.T) {
	var r Rounds
	for n, cpu := range []string{"A", "B", "A"} {
		if err := r.Add(part(t, cpu, n+1), want, n+1, n+1, [2]string{baseSHA, headSHA}); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, run := range r.Runs() {
		got = append(got, fmt.Sprintf("%s %s %d", run.Side, run.Env.Get(record.KeyCPU), run.Rounds()))
	}
	if all := strings.Join(got, ", "); all != "base A 2, base B 1, head A 2, head B 1" {
		t.Error(all)
	}
}

// A part may have nothing but what was asked for.
func TestUniteRefuses(t *testing.T) {
	for name, change := range map[string]func(*record.Run){
		"it has a run of another trial":                    func(r *record.Run) { r.Trial = "t2" },
		"it has a run of another trial or target":          func(r *record.Run) { r.Target = "other" },
		"its head side is not commit 2222222":              func(r *record.Run) { r.Commit.SHA = baseSHA },
		"its worker measures for another decision":         func(r *record.Run) { r.Protocol.Decision = "signs" },
		"Sort has a sample of round 9, which is not among": func(r *record.Run) { r.Benchmarks[0].Rounds[0].N = 9 },
		"of another trial or target":                       func(r *record.Run) { r.Side = record.NoSide },
	} {
		var r Rounds
		if err := r.Add(part(t, "A", 1), want, 1, 1, [2]string{baseSHA, headSHA}); err != nil {
			t.Fatal(err)
		}
		bad := part(t, "A", 2, 3)
		change(bad[1])
		err := r.Add(bad, want, 1, 4, [2]string{baseSHA, headSHA})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if n := r.Runs()[0].Rounds(); n != 1 {
			t.Errorf("%s: %d rounds were added", name, n-1)
		}
	}
}

// A round that comes twice counts once, with both sides of the first.
func TestUniteTwice(t *testing.T) {
	var r Rounds
	for _, rounds := range [][]int{{1, 2}, {2, 3}} {
		more := part(t, "A", rounds...)
		if rounds[0] == 2 {
			more[0].Benchmarks[0].Samples[1].Values[0] = 9999
		}
		if err := r.Add(more, want, 1, 3, [2]string{baseSHA, headSHA}); err != nil {
			t.Fatal(err)
		}
	}
	whole := part(t, "A", 1, 2, 3)
	whole[0].Protocol.Methods[0].Fresh, whole[1].Protocol.Methods[0].Fresh = 4, 4 // rounds measured
	if got := r.Runs(); len(got) != 2 || got[0].ID() != whole[0].ID() || got[1].ID() != whole[1].ID() {
		t.Errorf("%d runs: %+v", len(got), got[0].Benchmarks)
	}
}
