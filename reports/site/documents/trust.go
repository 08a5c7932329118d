package documents

import (
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/reports"
)

// These are the limits for deciding whether an environment can be trusted.
const (
	trustNewest       = 10   // number of newest calibrations and trials considered
	trustTrials       = 5    // number of trials needed
	trustRows         = 20   // number of tested rows needed
	trustUndecided    = 0.10 // largest share of undecided rows in a trusted environment
	distrustUndecided = 0.33 // share of undecided rows above which an environment is not trusted
	distrustDetects   = 3.0  // multiple of the threshold; a check that finds only larger changes is useless
	trustAlarms       = 0.01 // probability below which the number of false alarms counts as a fault
	trustAge          = 90   // maximum number of days between the newest calibration and the newest run
)

// A Trust is the answer to whether an environment can be trusted, with its reasons. The rules use
// the constants above and are described in docs/views.md.
type Trust struct {
	Environment int          `json:"env"`
	State       string       `json:"state"` // yes, partly, no or unknown
	Sentence    string       `json:"sentence"`
	Reasons     []TrustWords `json:"reasons"`
	Command     string       `json:"command,omitempty"` // suggested next command
}

// A TrustWords is the result of one rule, in words.
type TrustWords struct {
	State string `json:"state"` // yes, partly, no or unknown
	Text  string `json:"text"`
}

// These are the states of a [Trust].
const (
	trustNo      = "no"
	trustPartly  = "partly"
	trustYes     = "yes"
	trustUnknown = "unknown"
)

// trust judges an environment by its calibrations and trials.
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

// newest returns at most trustNewest items accepted by want, newest first. all must be sorted by
// time.
func newest[T any](all []T, want func(T) bool) (out []T) {
	for _, one := range slices.Backward(all) {
		if len(out) < trustNewest && want(one) {
			out = append(out, one)
		}
	}
	return out
}

// trustSentence returns a sentence with the answer and the reason for it.
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
	return fmt.Sprintf("Unknown: there are %s and %s here, but it takes a calibration, or %d trials with %d rows.",
		reports.Plural(len(calibrations), "calibration"), reports.Plural(len(trials), "trial"), trustTrials, trustRows)
}

// detectsRule requires that checks can find changes as small as the threshold.
func detectsRule(calibrations []Calibration, threshold float64) TrustWords {
	if len(calibrations) == 0 {
		return TrustWords{trustUnknown, "it was never calibrated, so the smallest change that it can show is unknown"}
	}
	c := calibrations[0]
	if d := float64(c.Detects); !math.IsNaN(d) {
		text := fmt.Sprintf("within %d rounds, half of the benchmarks can show a change of %s or less; the threshold is %s", machineRounds, reports.Portion(d), reports.Portion(threshold))
		switch {
		case d > distrustDetects*threshold:
			return TrustWords{trustNo, "half of the benchmarks can show only changes of " + reports.Portion(d) + " or more, but the threshold is " + reports.Portion(threshold)}
		case d > threshold:
			return TrustWords{trustPartly, text}
		}
		return TrustWords{trustYes, text}
	}
	return TrustWords{trustNo, fmt.Sprintf("half of the benchmarks cannot show a change of any size within %d rounds", machineRounds)}
}

// alarmsRule requires that there are no more false alarms than chance explains. It treats the rows
// of a calibration as independent. They depend on each other, so the rule distrusts too often
// rather than too rarely.
func alarmsRule(calibrations []Calibration) TrustWords {
	rows, flagged := 0, 0
	for _, c := range calibrations {
		rows, flagged = rows+len(c.Rows), flagged+c.Flagged
	}
	if rows < trustRows {
		return TrustWords{trustUnknown, fmt.Sprintf("its newest calibrations have only %s, too few to count false alarms", reports.Plural(rows, "row"))}
	}
	text := fmt.Sprintf("of %d rows measured against themselves, %d seem to differ; chance alone would give %.0f", rows, flagged, 0.05*float64(rows))
	if upperTail(flagged, rows, 0.05) < trustAlarms {
		return TrustWords{trustPartly, text}
	}
	return TrustWords{trustYes, text}
}

// undecidedRule requires that most rows are decided.
func undecidedRule(trials []TrialNoise) TrustWords {
	rows, open := 0, 0
	for _, t := range trials {
		rows, open = rows+t.Rows, open+t.Inconclusive
	}
	if len(trials) < trustTrials || rows < trustRows {
		return TrustWords{trustUnknown, fmt.Sprintf("%s with %s are too few to say how many stay undecided", reports.Plural(len(trials), "trial"), reports.Plural(rows, "tested row"))}
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

// ageRule requires a recent calibration.
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

// upperTail returns the probability of k or more successes in n trials, each with success
// probability p.
func upperTail(k, n int, p float64) float64 {
	term := math.Pow(1-p, float64(n)) // term for 0 successes
	below := 0.0
	for i := range k {
		below += term
		term *= float64(n-i) / float64(i+1) * p / (1 - p)
	}
	return max(0, 1-below)
}
