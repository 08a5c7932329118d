package verdicts

import (
	"fmt"
	"io"

	"github.com/perftrack/perftrack/compare/evaluation/figures"
)

var peerEffects = []float64{0, 0.02, 0.05, 0.1}

func peerTable(w io.Writer, n int, seed uint64) {
	rules := append(Peers(), Ours)
	cvs := []float64{0.01, 0.03, 0.1}
	fmt.Fprint(w, "| rule | CV 1 %: false alarms | +2 / 5 / 10 % found | CV 3 %: false alarms | +2 / 5 / 10 % found | CV 10 %: false alarms | +2 / 5 / 10 % found |\n|---|---|---|---|---|---|---|\n")
	cells := make([]string, len(rules))
	for i, cv := range cvs {
		found := make([]string, len(rules))
		for k, effect := range peerEffects {
			s := Scenario{CV: []float64{cv}, Drift: 0.25, Effect: effect}
			for j, t := range Run(s, n, seed+uint64(10*i+k)<<32, rules...) {
				switch {
				case effect == 0:
					cells[j] += fmt.Sprintf(" %s %% (≤ %s) |", figures.Share(t.Alarms, n), figures.Bound(figures.AtMost(t.Alarms, n)))
				case found[j] == "":
					found[j] = figures.Share(t.Found, n)
				default:
					found[j] += " / " + figures.Share(t.Found, n)
				}
			}
		}
		for j := range cells {
			cells[j] += " " + found[j] + " |"
		}
	}
	for j, r := range rules {
		fmt.Fprintf(w, "| %s |%s\n", r.Name, cells[j])
	}
}

// A placebo is a way of linking two sides with the same code.
type placebo struct {
	name   string
	layout Layouts
	cv     float64
	noise  float64
}

func layoutTable(w io.Writer, n int, seed uint64) {
	// The standard deviation of the difference between two builds is √2 times that of one build.
	placebos := []placebo{
		{"0.5 % a build, fixed", Fixed, 0.005, 0},
		{"0.5 %, fixed, history known", Fixed, 0.005, 0.005 * 1.4142},
		{"2 % a build, fixed", Fixed, 0.02, 0},
		{"2 %, fixed, history known", Fixed, 0.02, 0.02 * 1.4142},
		{"2 % a build, rotated", Rotated, 0.02, 0},
	}
	var rules []Named
	for _, r := range Peers() {
		switch r.Name {
		case "benchstat p < .05, in blocks, n=10", "benchstat p < .05, interleaved, n=10", "CockroachDB, 3 batches of n=10 all p < .05":
			rules = append(rules, r)
		}
	}
	rules = append(rules, Ours)
	fmt.Fprint(w, "| rule |")
	line := "|---|"
	for _, p := range placebos {
		fmt.Fprintf(w, " %s: false alarms | +5 %% found |", p.name)
		line += "---|---|"
	}
	fmt.Fprint(w, "\n"+line+"\n")
	cells := make([]string, len(rules))
	for i, p := range placebos {
		for k, effect := range []float64{0, 0.05} {
			s := Scenario{CV: []float64{0.03}, Drift: 0.25, Effect: effect, Layout: p.layout, LayoutCV: p.cv, Noise: p.noise}
			for j, t := range Run(s, n, seed+uint64(10*i+k)<<32, rules...) {
				if effect == 0 {
					cells[j] += fmt.Sprintf(" %s %% (≤ %s) |", figures.Share(t.Alarms, n), figures.Bound(figures.AtMost(t.Alarms, n)))
				} else {
					cells[j] += fmt.Sprintf(" %s %% |", figures.Share(t.Found, n))
				}
			}
		}
	}
	for j, r := range rules {
		fmt.Fprintf(w, "| %s |%s\n", r.Name, cells[j])
	}
}

// An Ingredient is a part of the procedure, together with scenarios without a change that show why
// the part is needed.
type Ingredient struct {
	Name    string
	With    Scenario
	Without Scenario
	Off     Named // the procedure without this part
}

// Ingredients returns the parts of the procedure that can be switched off.
func Ingredients() []Ingredient {
	quiet := Scenario{CV: []float64{0.03}, Drift: 0.25}
	noisy := Scenario{CV: []float64{0.1}, Drift: 0.25}
	rotated := Scenario{CV: []float64{0.03}, Drift: 0.25, Layout: Rotated, LayoutCV: 0.02}
	fixed := rotated
	fixed.Layout = Fixed
	builds := Scenario{CV: []float64{0.01}, Drift: 0.25, Layout: Fixed, LayoutCV: 0.0025}
	return []Ingredient{
		{"both sides interleaved", quiet, quiet, Named{"base first, then head", func() Rule { return &Procedure{Unpaired: true} }}},
		{"Holm's correction", noisy, noisy, Named{"each benchmark alone", func() Rule { return &Procedure{Alone: true} }}},
		{"effect floor; builds differ by 0.25 %", builds, builds, Named{"any size, against 0", func() Rule { return &Procedure{NoFloor: true} }}},
		{"layouts rotated; they differ by 2 %", rotated, fixed, Named{"one layout a side", Ours.New}},
	}
}

func ingredientTable(w io.Writer, n int, seed uint64) {
	fmt.Fprint(w, "| ingredient | false alarms with it | without it | without it is |\n|---|---|---|---|\n")
	for i, in := range Ingredients() {
		with := Run(in.With, n, seed+uint64(i)<<32, Ours)[0]
		without := Run(in.Without, n, seed+uint64(i)<<32, in.Off)[0]
		fmt.Fprintf(w, "| %s | %s (≤ %s) | %s (≥ %s) | %s |\n", in.Name,
			figures.Percent(with.Alarms, n), figures.Bound(figures.AtMost(with.Alarms, n)), figures.Percent(without.Alarms, n), figures.Bound(figures.AtLeast(without.Alarms, n)), in.Off.Name)
	}
}
