package site

import (
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/reports"
)

// What the newest calibrations and trials of an environment must show for it to be trusted.
const (
	trustNewest       = 10   // calibrations and trials that count
	trustTrials       = 5    // with fewer trials, nothing is said of them
	trustRows         = 20   // nor with fewer tested rows
	trustUndecided    = 0.10 // share of undecided rows up to which a runner decides what it is asked
	distrustUndecided = 0.33 // and from which on it does not
	distrustDetects   = 3.0  // times the threshold: a check that finds only so much is none
	trustAlarms       = 0.01 // chance of as many alarms of nothing, below which they are no chance
	trustAge          = 90   // days between the newest calibration and the newest run
)

// A Trust says whether an environment can be trusted, and why. The rules are those of the
// constants above; docs/pages.md has them.
type Trust struct {
	Environment int          `json:"env"`
	State       string       `json:"state"` // yes, partly, no, unknown
	Sentence    string       `json:"sentence"`
	Reasons     []TrustWords `json:"reasons"`
	Command     string       `json:"command,omitempty"` // that would tell more
}

// A TrustWords is one rule and what it finds.
type TrustWords struct {
	State string `json:"state"` // yes, partly, no, unknown
	Text  string `json:"text"`
}

// The answers, the worst first.
const (
	trustNo      = "no"
	trustPartly  = "partly"
	trustYes     = "yes"
	trustUnknown = "unknown"
)

// trust judges an environment by what was collected of it.
func trust(env int, index *Index, m *Machine) Trust {
	out := Trust{Environment: env, State: trustUnknown}
	calibrations := newest(m.Calibrations, func(c Calibration) bool { return c.Environment == env })
	trials := newest(m.Trials, func(t TrialNoise) bool { return t.Environment == env })
	out.Reasons = []TrustWords{
		detectsRule(calibrations, index.Meta.Threshold), alarmsRule(calibrations),
		undecidedRule(trials), ageRule(calibrations, index.Environments[env].Last),
	}
	states := map[string]int{}
	for _, r := range out.Reasons {
		states[r.State]++
	}
	switch {
	case states[trustNo] > 0:
		out.State = trustNo
	case out.Reasons[0].State == trustUnknown && out.Reasons[2].State == trustUnknown:
	case states[trustPartly] > 0, out.Reasons[0].State == trustUnknown, out.Reasons[1].State == trustUnknown && out.Reasons[2].State == trustUnknown:
		out.State = trustPartly
	default:
		out.State = trustYes
	}
	out.Sentence = trustSentence(out, calibrations, trials)
	if out.State != trustYes {
		out.Command = "perftrack calibrate"
		if out.State == trustNo && out.Reasons[0].State == trustNo {
			out.Command = "perftrack doctor"
		}
	}
	return out
}

// newest returns the newest of a list in the order of time that are wanted.
func newest[T any](all []T, want func(T) bool) (out []T) {
	for _, one := range slices.Backward(all) {
		if len(out) < trustNewest && want(one) {
			out = append(out, one)
		}
	}
	return out
}

// trustSentence answers the question, with the reason that decides it.
func trustSentence(t Trust, calibrations []Calibration, trials []TrialNoise) string {
	first := func(state string) string {
		for _, r := range t.Reasons {
			if r.State == state {
				return r.Text
			}
		}
		return ""
	}
	switch t.State {
	case trustNo:
		return "No: " + first(trustNo) + "."
	case trustPartly:
		why := first(trustPartly)
		if why == "" {
			why = first(trustUnknown)
		}
		return "Only in part: " + why + "."
	case trustYes:
		sentence := "Yes: " + t.Reasons[0].Text
		if t.Reasons[2].State == trustYes {
			sentence += "; " + t.Reasons[2].Text
		}
		return sentence + "."
	}
	return fmt.Sprintf("Not known: %s and %s here, and it takes a calibration or %d trials with %d rows to tell.",
		reports.Plural(len(calibrations), "calibration"), reports.Plural(len(trials), "trial"), trustTrials, trustRows)
}

// detectsRule: a check must find what it is to gate.
func detectsRule(calibrations []Calibration, threshold float64) TrustWords {
	if len(calibrations) == 0 {
		return TrustWords{trustUnknown, "it was never calibrated, so that nobody knows how small a change it shows"}
	}
	c := calibrations[0]
	if d := float64(c.Detects); !math.IsNaN(d) {
		text := fmt.Sprintf("half of the benchmarks show a change of %s or less within %d rounds, at a threshold of %s", reports.Portion(d), machineRounds, reports.Portion(threshold))
		switch {
		case d > distrustDetects*threshold:
			return TrustWords{trustNo, "a change must be " + reports.Portion(d) + " for half of the benchmarks to show it, at a threshold of " + reports.Portion(threshold)}
		case d > threshold:
			return TrustWords{trustPartly, text}
		}
		return TrustWords{trustYes, text}
	}
	return TrustWords{trustNo, fmt.Sprintf("half of the benchmarks show no change of any size within %d rounds", machineRounds)}
}

// alarmsRule: what did not change must not seem to, more often than chance has it. Rows of one
// calibration share its moments, so that this counts them as more than they are: it errs towards
// distrust.
func alarmsRule(calibrations []Calibration) TrustWords {
	rows, flagged := 0, 0
	for _, c := range calibrations {
		rows, flagged = rows+len(c.Rows), flagged+c.Flagged
	}
	if rows < trustRows {
		return TrustWords{trustUnknown, fmt.Sprintf("its newest calibrations have %s: too few to say whether differences are seen where none are", reports.Plural(rows, "row"))}
	}
	text := fmt.Sprintf("of %d rows measured against themselves %d seem to differ, %.0f would by chance", rows, flagged, 0.05*float64(rows))
	if upperTail(flagged, rows, 0.05) < trustAlarms {
		return TrustWords{trustPartly, text}
	}
	return TrustWords{trustYes, text}
}

// undecidedRule: it must come to decisions.
func undecidedRule(trials []TrialNoise) TrustWords {
	rows, open := 0, 0
	for _, t := range trials {
		rows, open = rows+t.Rows, open+t.Inconclusive
	}
	if len(trials) < trustTrials || rows < trustRows {
		return TrustWords{trustUnknown, fmt.Sprintf("%s with %s: too few to say how much stays undecided", reports.Plural(len(trials), "trial"), reports.Plural(rows, "tested row"))}
	}
	share := float64(open) / float64(rows)
	text := fmt.Sprintf("%s of %d rows stayed undecided in the newest %s", reports.Portion(share), rows, reports.Plural(len(trials), "trial"))
	switch {
	case share > distrustUndecided:
		return TrustWords{trustNo, text}
	case share > trustUndecided:
		return TrustWords{trustPartly, text}
	}
	return TrustWords{trustYes, text}
}

// ageRule: what was known of a machine long ago may hold no more.
func ageRule(calibrations []Calibration, last int64) TrustWords {
	if len(calibrations) == 0 {
		return TrustWords{trustUnknown, "no calibration"}
	}
	days := max(0, last-calibrations[0].Time) / (24 * 60 * 60)
	text := fmt.Sprintf("calibrated %s before its newest run", reports.Plural(int(days), "day"))
	if days == 0 {
		text = "calibrated on the day of its newest run"
	}
	if days > trustAge {
		return TrustWords{trustPartly, text}
	}
	return TrustWords{trustYes, text}
}

// upperTail is the chance of k or more of n where each has the chance p.
func upperTail(k, n int, p float64) float64 {
	term := math.Pow(1-p, float64(n)) // of none
	below := 0.0
	for i := range k {
		below += term
		term *= float64(n-i) / float64(i+1) * p / (1 - p)
	}
	return max(0, 1-below)
}
