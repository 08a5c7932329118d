package steps

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// present returns a benchmark measured at the given commits. A dash after a commit means the run
// measured only a part of the benchmarks.
func present(at int, name, commits string) Presence {
	p := Presence{Benchmark: at, Target: "t", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: name}}
	for _, word := range strings.Fields(commits) {
		number, part := strings.CutSuffix(word, "-")
		m := Measured{Run: word, Whole: !part}
		if _, err := fmt.Sscan(number, &m.Commit); err != nil {
			panic(err)
		}
		m.Seq = int64(m.Commit)
		p.Runs = append(p.Runs, m)
	}
	return p
}

const twelve = "0 1 2 3 4 5 6 7 8 9 10 11"

func TestGone(t *testing.T) {
	for _, tt := range []struct {
		name        string
		all         []Presence
		lost, stale []int
	}{
		{"nothing", nil, nil, nil},
		{"all there", []Presence{present(0, "A", "0 1"), present(1, "B", "0 1")}, nil, nil},
		{"lost", []Presence{present(0, "A", "0 1"), present(1, "B", "0")}, []int{1}, nil},
		{"a part tells nothing", []Presence{present(0, "A", "0 1-"), present(1, "B", "0")}, nil, nil},
		{"back in a part", []Presence{present(0, "A", "0 1 2-"), present(1, "B", "0 2-")}, nil, nil},
		{"stale by parts", []Presence{present(0, "A", strings.ReplaceAll(twelve, " ", "- ")+"-"), present(1, "B", "0-")}, nil, []int{1}},
		{"nine newer commits are not stale", []Presence{present(0, "A", "0- 1- 2- 3- 4- 5- 6- 7- 8- 9-"), present(1, "B", "0-")}, nil, nil},
		{"lost is not stale, too", []Presence{present(0, "A", twelve), present(1, "B", "0")}, []int{1}, nil},
		{"an old commit measured later", []Presence{present(0, "A", "1 0"), present(1, "B", "1")}, nil, nil},
		{"never on the branch", []Presence{present(0, "A", "0 1"), present(1, "B", "")}, nil, nil},
	} {
		lost, stale := Gone(tt.all)
		if !slices.Equal(lost, tt.lost) || !slices.Equal(stale, tt.stale) || lost == nil || stale == nil {
			t.Errorf("%s: lost %v, stale %v; want %v, %v", tt.name, lost, stale, tt.lost, tt.stale)
		}
	}
	other := present(0, "A", "0 1")
	for _, change := range []func(p *Presence){func(p *Presence) { p.Target = "u" }, func(p *Presence) { p.Suite = "s" }, func(p *Presence) { p.Kind = record.Scope }} {
		another := other
		change(&another)
		if lost, _ := Gone([]Presence{another, present(1, "B", "0")}); len(lost) > 0 {
			t.Errorf("a run of %+v says that another one's is lost", another)
		}
	}
}

func TestMeasuredAt(t *testing.T) {
	run := func(p record.Protocol) record.RunInfo {
		return record.RunInfo{ID: "r", Seq: 3, Benchmarks: 1, Run: record.Run{Status: record.Complete, Protocol: p}}
	}
	of := func(s record.Selection) record.Protocol { return record.Protocol{Selection: &s} }
	counts := []record.Count{{Package: "p", Benchmarks: 1}}
	partial, unsaid, said := run(record.Protocol{}), run(record.Protocol{}), run(of(record.Selection{}))
	partial.Status = record.Partial
	unsaid.Trial, said.Trial = "t", "t"
	for name, tt := range map[string]struct {
		run   record.RunInfo
		whole bool
	}{
		"whole": {run(record.Protocol{}), true}, "all selected": {run(of(record.Selection{})), true}, "some selected": {run(of(record.Selection{Bench: "X"})), false},
		"part": {run(record.Protocol{Part: &record.Part{N: 1, Of: 4}}), false}, "same code": {run(record.Protocol{SameCode: counts}), false}, "unreached": {run(record.Protocol{Unreached: counts}), false},
		"a trial of all": {said, true}, "a trial of nobody knows what": {unsaid, false},
		"starved": {run(record.Protocol{Starved: &record.Starved{Benchmarks: 1, Rounds: 1}}), false}, "partial": {partial, false},
	} {
		if got := MeasuredAt(tt.run, 7); got.Whole != tt.whole || got.Commit != 7 || got.Seq != 3 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
