package verdicts

import (
	"fmt"
	"io"
	"sync"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/evaluation/figures"
	"github.com/perftrack/perftrack/compare/evaluation/noise"
)

// Divided compares the verdicts on pull requests measured by one machine with those on the same
// samples divided among several machines.
type Divided struct {
	One, Parts Tally
	Benchmarks int // total number of benchmarks
	Less, More int // benchmarks decided only with one machine, and only with the parts
	Otherwise  int // decided one way with one machine and another way with the parts
	Green      int // pull requests with an unreported lost part; one in ten loses a part
}

// RunDivided judges n pull requests of a scenario, both as measured by one machine and as divided
// among parts machines. The result depends only on the arguments.
func RunDivided(s Scenario, parts, n int, seed uint64) *Divided {
	s = s.withDefaults()
	total := &Divided{}
	var mu sync.Mutex
	evaluation.Share(func(first, step int) {
		mine := Divided{}
		p := newPullRequest(s)
		one, divided := &Product{}, &Product{Parts: parts}
		whole, parted := make([]Outcome, p.Benchmarks), make([]Outcome, p.Benchmarks)
		for i := first; i < n; i += step {
			p.draw(seed, uint64(i), false)
			one.Judge(p, whole)
			divided.Judge(p, parted)
			mine.count(p, whole, parted)
			if i%lostEach > 0 {
				continue // losing a part is tested in one of lostEach pull requests
			}
			lost := Product{Parts: parts, Lost: 1 + i/lostEach%parts}
			if len(lost.compare(p, p.Interleaved).LostParts()) == 0 {
				mine.Green++
			}
		}
		mu.Lock()
		defer mu.Unlock()
		total.add(&mine)
	})
	return total
}

func (d *Divided) count(p *PullRequest, whole, parted []Outcome) {
	d.One.count(&p.Scenario, whole)
	d.Parts.count(&p.Scenario, parted)
	for b := range whole {
		d.Benchmarks++
		switch one, parts := whole[b].Verdict, parted[b].Verdict; {
		case one == parts:
		case parts == compare.Inconclusive:
			d.Less++
		case one == compare.Inconclusive:
			d.More++
		default:
			d.Otherwise++
		}
	}
}

func (d *Divided) add(other *Divided) {
	d.One.add(&other.One)
	d.Parts.add(&other.Parts)
	d.Benchmarks += other.Benchmarks
	d.Less += other.Less
	d.More += other.More
	d.Otherwise += other.Otherwise
	d.Green += other.Green
}

// A Division is a scenario for [RunDivided].
type Division struct {
	Name string
	Scenario
}

// Divisions returns the scenarios in the published table.
func Divisions() []Division {
	of := func(cv, effect float64) Scenario { return Scenario{Term: noise.White(cv), Effect: effect} }
	return []Division{
		{"CV 3 %, nothing changed", of(0.03, 0)},
		{"CV 10 %, nothing changed", of(0.1, 0)},
		{"CV 3 %, one benchmark +5 %", of(0.03, 0.05)},
	}
}

const (
	shards   = 4  // number of parts in the table
	lostEach = 10 // one in this many pull requests loses a part
)

// ShardTable writes the verdicts of one machine and of four machines on the same samples. It
// returns the goals proven to be missed.
func ShardTable(w io.Writer, sizes Sizes, seed uint64) (failures []string) {
	n := sizes.Each
	fmt.Fprint(w, "| of 29 benchmarks | falsely regressed %: one machine, four | falsely improved %: one, four | found %: one, four | same verdict % | decided by one only, by four only, otherwise | a lost part unsaid |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for i, s := range Divisions() {
		d := RunDivided(s.Scenario, shards, n, seed+uint64(i)<<32)
		found := "-"
		if s.Effect > 0 {
			found = figures.Share(d.One.Found, n) + ", " + figures.Share(d.Parts.Found, n)
		}
		improved := d.Parts.Wrong.Of(compare.Improved)
		fmt.Fprintf(w, "| %s | %s, %s (≤ %s) | %s, %s (≤ %s) | %s | %s | %d, %d, %d | %d |\n", s.Name,
			figures.Share(d.One.Alarms, n), figures.Share(d.Parts.Alarms, n), decimals(figures.AtMost(d.Parts.Alarms, n)),
			figures.Share(d.One.Wrong.Of(compare.Improved), n), figures.Share(improved, n), decimals(figures.AtMost(improved, n)),
			found, figures.Share(d.Benchmarks-d.Less-d.More-d.Otherwise, d.Benchmarks), d.Less, d.More, d.Otherwise, d.Green)
		if sure := figures.AtLeast(max(d.Parts.Alarms, improved), n); sure > mostAlarms {
			failures = append(failures, fmt.Sprintf("%s: at least %s of pull requests in parts with a false alarm", s.Name, figures.Bound(sure)))
		}
		if d.Green > 0 {
			failures = append(failures, fmt.Sprintf("%s: %d pull requests with an unreported lost part", s.Name, d.Green))
		}
	}
	return failures
}
