package comparison

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// Terms are the error rate, the thresholds, the limits and the known noise by which a checked trial is
// judged. They are decided when it is measured and stored with it, so that check, compare and
// comment give the same verdicts, whatever is configured or calibrated since.
type Terms struct {
	Alpha      float64      `json:"alpha"`
	Families   int          `json:"families"` // targets that share alpha
	Threshold  float64      `json:"threshold"`
	MeanWithin float64      `json:"mean_within,omitempty"` // see [config.Defaults]
	Rules      []termsRule  `json:"rules,omitempty"`
	Limits     []termsLimit `json:"limits,omitempty"`
	Floors     []termsFloor `json:"floors,omitempty"` // of the run's own target, the largest first
}

type termsRule struct {
	Bench      string  `json:"bench"`
	Threshold  float64 `json:"threshold,omitempty"`
	MeanWithin float64 `json:"mean_within,omitempty"`
}

type termsLimit struct {
	Bench string `json:"bench"`
	Limit string `json:"limit"`
}

type termsFloor struct {
	Package string  `json:"package,omitempty"`
	Suite   string  `json:"suite,omitempty"`
	Name    string  `json:"name"`
	Unit    string  `json:"unit"`
	Noise   float64 `json:"noise"` // 0 where only the ranks are capped
	Capped  bool    `json:"capped,omitempty"`
}

// maxTerms is how many facts of a run, each as long as a fact may be, the terms may fill.
const maxTerms = 16

// NewTerms returns the terms of a configuration.
func NewTerms(rules *config.Config, families int) Terms {
	t := Terms{Alpha: rules.Defaults.Alpha, Families: families, Threshold: rules.Defaults.Threshold, MeanWithin: rules.Defaults.MeanWithin}
	for _, r := range rules.Rules {
		if r.Threshold > 0 || r.MeanWithin > 0 {
			t.Rules = append(t.Rules, termsRule{r.Bench, r.Threshold, r.MeanWithin})
		}
	}
	for _, l := range rules.Limits() {
		t.Limits = append(t.Limits, termsLimit{l.Bench, l.Text})
	}
	return t
}

// Options returns the options of a comparison by these terms, but for the known noise.
func (t Terms) Options() compare.Options {
	c := config.Config{Defaults: config.Defaults{Alpha: t.Alpha, Threshold: t.Threshold, MeanWithin: t.MeanWithin}}
	for _, r := range t.Rules {
		c.Rules = append(c.Rules, config.Rule{Bench: r.Bench, Threshold: r.Threshold, MeanWithin: r.MeanWithin})
	}
	limits, _ := t.limits()
	return compare.Options{Alpha: t.Alpha, Threshold: c.Threshold, MeanWithin: c.MeanWithin, Families: t.Families, Limits: limits}
}

// limits returns the limits; ok is false where one makes no sense.
func (t Terms) limits() (all limit.List, ok bool) {
	ok = true
	for _, l := range t.Limits {
		one, err := limit.Parse(l.Bench, l.Limit)
		if err != nil {
			ok = false
			continue
		}
		all = append(all, one)
	}
	return all, ok
}

// WithNoise returns the terms with as much of the known noise as there is room for: a
// benchmark whose noise is left out is judged as one that nothing is known of, more
// strictly. ok is false where there is no room for the rules alone.
func (t Terms) WithNoise(known map[SeriesKey]Noise) (_ Terms, ok bool) {
	t.Floors = nil
	for key, noise := range known {
		if noise.Floor = rounded(noise.Floor); (noise.Floor > 0 || noise.Capped) && key.Kind == record.Bench {
			t.Floors = append(t.Floors, termsFloor{key.Package, key.Suite, key.Name, key.Unit, noise.Floor, noise.Capped})
		}
	}
	slices.SortFunc(t.Floors, func(a, b termsFloor) int {
		if a.Capped != b.Capped { // few, and they gain most
			if a.Capped {
				return -1
			}
			return +1
		}
		if a.Noise != b.Noise {
			return int(math.Copysign(1, b.Noise-a.Noise))
		}
		return strings.Compare(a.Package+"\x00"+a.Suite+"\x00"+a.Name+"\x00"+a.Unit, b.Package+"\x00"+b.Suite+"\x00"+b.Name+"\x00"+b.Unit)
	})
	for len(record.NumberedJSON(t)) > record.NumberedLen(maxTerms) {
		if len(t.Floors) == 0 {
			return t, false
		}
		t.Floors = t.Floors[:len(t.Floors)/2]
	}
	return t, true
}

// rounded is a noise floor to four digits, as it is stored.
func rounded(noise float64) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(noise, 'g', 4, 64), 64)
	return v
}

// NoiseByKey returns the known noise of the terms' own target.
func (t Terms) NoiseByKey() map[SeriesKey]Noise {
	known := map[SeriesKey]Noise{}
	for _, f := range t.Floors {
		known[SeriesKey{record.BenchmarkID{Kind: record.Bench, Package: f.Package, Suite: f.Suite, Name: f.Name}, f.Unit}] = Noise{f.Noise, f.Capped}
	}
	return known
}

// Record stores the terms among the facts of a run.
func (t Terms) Record(r *record.Run) {
	record.SetNumbered(r, record.KeyJudgedBy, record.NumberedJSON(t), maxTerms)
}

// ReadTerms returns the terms that are stored with a run. ok is false where there are none
// that make sense.
func ReadTerms(r *record.Run) (t Terms, ok bool) {
	text := record.Numbered(r, record.KeyJudgedBy, maxTerms)
	if text == "" || json.Unmarshal([]byte(text), &t) != nil {
		return Terms{}, false
	}
	_, sound := t.limits()
	fraction := func(x float64) bool { return x > 0 && x < 1 }
	ok = sound && fraction(t.Alpha) && t.Families > 0 && t.Threshold > 0 && t.MeanWithin >= 0 &&
		!slices.ContainsFunc(t.Rules, func(r termsRule) bool {
			return !(min(r.Threshold, r.MeanWithin) >= 0 && max(r.Threshold, r.MeanWithin) > 0)
		}) &&
		!slices.ContainsFunc(t.Floors, func(f termsFloor) bool { return !(f.Noise > 0 || f.Noise == 0 && f.Capped) })
	return t, ok
}

// StoredOptions returns the options by which the runs of one checked trial are judged: those
// that are stored with it. ok is false if the runs are not of one checked trial.
func StoredOptions(sides ...compare.Side) (opt compare.Options, ok bool) {
	noise := &Noises{Known: map[string]map[SeriesKey]Noise{}}
	trial := ""
	for _, s := range sides {
		for _, r := range s.Runs {
			if r.Trial == "" || r.Facts.Get(record.KeyProcedure) != compare.ProcedureCheck || trial != "" && r.Trial != trial {
				return opt, false
			}
			trial = r.Trial
			t, has := ReadTerms(r)
			if !has {
				continue // a target that failed before, or measured by an older perftrack
			}
			if opt.Threshold == nil {
				opt = t.Options()
			}
			opt.Families = max(opt.Families, t.Families)
			noise.Adopt(r, t)
		}
	}
	opt.Noise, opt.Capped = noise.Floor, noise.Capped
	return opt, opt.Threshold != nil
}

// DescribeOtherTerms says how the terms by which a trial was measured differ from the rules by
// which it is judged here, "" if they do not.
func DescribeOtherTerms(rules *config.Config, runs []*record.Run) string {
	var other []string
	add := func(text string) {
		if !slices.Contains(other, text) {
			other = append(other, text)
		}
	}
	for _, r := range runs {
		t, ok := ReadTerms(r)
		if !ok {
			continue
		}
		want := NewTerms(rules, max(1, len(rules.Targets)))
		if t.Alpha != want.Alpha {
			add(fmt.Sprintf("alpha %.3g%%, not %.3g%%", 100*t.Alpha, 100*want.Alpha))
		}
		if t.Families > want.Families {
			add(fmt.Sprintf("alpha shared by %d targets, not %d", t.Families, want.Families))
		}
		if t.Threshold != want.Threshold {
			add(fmt.Sprintf("threshold %.3g%%, not %.3g%%", 100*t.Threshold, 100*want.Threshold))
		}
		if t.MeanWithin != want.MeanWithin {
			add(fmt.Sprintf("means within %.3g%%, not %.3g%%", 100*t.MeanWithin, 100*want.MeanWithin))
		}
		if !slices.Equal(t.Rules, want.Rules) {
			add("other rules for single benchmarks")
		}
		if !slices.Equal(t.Limits, want.Limits) {
			add("other limits")
		}
		if slices.ContainsFunc(t.Floors, func(f termsFloor) bool { return f.Noise > 0 }) {
			add("noise floors that only the measuring machine knows")
		}
		if slices.ContainsFunc(t.Floors, func(f termsFloor) bool { return f.Capped }) {
			add("ranks capped by what only that machine knows")
		}
	}
	return strings.Join(other, "; ")
}

// SameEnvironment reports whether a run was measured in the environment. Keys that the
// benchmark program sets are left out: they are not known before it runs.
func SameEnvironment(env record.Settings, run record.Settings) bool {
	return !slices.ContainsFunc(env.Differences(run), func(key string) bool { return !record.FromProgram(key) })
}
