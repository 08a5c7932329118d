package histories

import (
	"strconv"
	"sync"

	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/steps"
)

// A Rule finds the values in a history at which a new level begins. Find returns their indexes,
// starting at 0.
type Rule struct {
	Name string
	Find func(history []float64) []int
}

// OurSteps finds steps with the shipped code, appending runs one by one.
var OurSteps = Rule{"perftrack", func(history []float64) []int { return changes(history, false) }}

// OurDrifts uses the same code but returns its drifts instead of its steps: for each drift, the
// index of its end.
var OurDrifts = Rule{"perftrack, drifts", func(history []float64) []int { return changes(history, true) }}

func changes(history []float64, drifts bool) (at []int) {
	line := steps.NewLine(steps.Options{Unit: "sec/op", Better: -1})
	for i, v := range history {
		line.Append(steps.Point{Run: strconv.Itoa(i), Value: v})
	}
	for _, s := range line.Course().Steps {
		if i, err := strconv.Atoi(s.First.Run); err == nil && drifts == (s.Drift > 0) {
			at = append(at, i)
		}
	}
	return at
}

// A Tally counts the findings of a rule.
type Tally struct {
	Rule      string
	Histories int
	Commits   int
	False     int // number of wrong steps
	WithFalse int // histories with at least one wrong step
	Found     int // histories whose step was found to within two commits
}

// near is the largest distance, in commits, at which a step still counts as found.
const near = 2

func (t *Tally) count(s *Scenario, steps []int) {
	t.Histories++
	t.Commits += s.Before + s.After
	found, wrong := false, 0
	for _, at := range steps {
		if s.Effect != 0 && at >= s.Before-near && at <= s.Before+near {
			found = true
		} else {
			wrong++
		}
	}
	t.False += wrong
	if wrong > 0 {
		t.WithFalse++
	}
	if found {
		t.Found++
	}
}

// FalsePer100 returns the number of false steps per 100 commits.
func (t *Tally) FalsePer100() float64 { return 100 * float64(t.False) / float64(t.Commits) }

// Run lets all rules judge n histories of a scenario. The result does not depend on the number of
// processors.
func Run(s Scenario, n int, seed uint64, rules ...Rule) []Tally {
	total := make([]Tally, len(rules))
	var mu sync.Mutex
	evaluation.Share(func(first, step int) {
		mine := make([]Tally, len(rules))
		var history []float64
		for i := first; i < n; i += step {
			history = s.draw(seed, uint64(i), history)
			for k, rule := range rules {
				mine[k].count(&s, rule.Find(history))
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for k := range total {
			total[k].add(&mine[k])
		}
	})
	for k, rule := range rules {
		total[k].Rule = rule.Name
	}
	return total
}

func (t *Tally) add(u *Tally) {
	t.Histories += u.Histories
	t.Commits += u.Commits
	t.False += u.False
	t.WithFalse += u.WithFalse
	t.Found += u.Found
}
