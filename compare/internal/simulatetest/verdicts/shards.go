package verdicts

import (
	"fmt"
	"io"
	"sync"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/internal/simulatetest"
	"github.com/perftrack/perftrack/compare/internal/simulatetest/figures"
	"github.com/perftrack/perftrack/compare/internal/simulatetest/noise"
)

// Divided is what is said of pull requests that one machine measured, and of the same samples
// where several machines measured a part each.
type Divided struct {
	One, Parts Tally
	Benchmarks int // in all
	Less, More int // of these, decided by one machine only, and by the parts only
	Otherwise  int // decided one way by one machine, and another way by the parts
	Green      int // pull requests of which a part is lost, as of every tenth, and nothing says so
}

// RunDivided judges n pull requests of a scenario both ways. The result depends on nothing but
// its arguments.
func RunDivided(s Scenario, parts, n int, seed uint64) *Divided {
	s = s.withDefaults()
	total := &Divided{}
	var mu sync.Mutex
	simulatetest.Share(func(first, step int) {
		mine := Divided{}
		p := newPullRequest(s)
		one, divided := &Product{}, &Product{Parts: parts}
		whole, apart := make([]Outcome, p.Benchmarks), make([]Outcome, p.Benchmarks)
		for i := first; i < n; i += step {
			p.draw(seed, uint64(i), false)
			one.Judge(p, whole)
			divided.Judge(p, apart)
			mine.count(p, whole, apart)
			if i%lostEach > 0 {
				continue // it is the same for all
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

func (d *Divided) count(p *PullRequest, whole, apart []Outcome) {
	d.One.count(&p.Scenario, whole)
	d.Parts.count(&p.Scenario, apart)
	for b := range whole {
		d.Benchmarks++
		switch one, parts := whole[b].Verdict, apart[b].Verdict; {
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

// A Division is a scenario that is measured both ways.
type Division struct {
	Name string
	Scenario
}

// Divisions are those of the published table.
func Divisions() []Division {
	of := func(cv, effect float64) Scenario { return Scenario{Term: noise.White(cv), Effect: effect} }
	return []Division{
		{"CV 3 %, nothing changed", of(0.03, 0)},
		{"CV 10 %, nothing changed", of(0.1, 0)},
		{"CV 3 %, one benchmark +5 %", of(0.03, 0.05)},
	}
}

const (
	shards   = 4  // parts of the table
	lostEach = 10 // pull requests, of which one loses a part
)

// ShardTable writes what is said of the same samples by one machine and by four, and returns
// what is certainly not as promised.
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
			failures = append(failures, fmt.Sprintf("%s: %d pull requests of which nobody knows that a part is lost", s.Name, d.Green))
		}
	}
	return failures
}
