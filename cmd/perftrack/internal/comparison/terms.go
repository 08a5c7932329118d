package comparison

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// Terms are the terms for judging a check.
type Terms record.Terms

// NewTerms returns the terms set in a configuration.
func NewTerms(rules *config.Config, families int) Terms {
	t := Terms{Alpha: rules.Defaults.Alpha, Families: families, Threshold: rules.Defaults.Threshold, MeanWithin: rules.Defaults.MeanWithin}
	for _, r := range rules.Rules {
		if r.Threshold > 0 || r.MeanWithin > 0 || r.Better != 0 {
			t.Rules = append(t.Rules, record.TermsRule{Bench: r.Bench, Threshold: r.Threshold, MeanWithin: r.MeanWithin, Unit: r.Unit, Better: r.Better})
		}
	}
	for _, l := range rules.Limits() {
		t.Limits = append(t.Limits, record.TermsLimit{Bench: l.Bench, Limit: l.Text})
	}
	return t
}

// Options returns the options for a comparison by these terms, without the known noise.
func (t Terms) Options() compare.Options {
	c := config.Config{Defaults: config.Defaults{Alpha: t.Alpha, Threshold: t.Threshold, MeanWithin: t.MeanWithin}}
	for _, r := range t.Rules {
		c.Rules = append(c.Rules, config.Rule{Bench: r.Bench, Threshold: r.Threshold, MeanWithin: r.MeanWithin, Unit: r.Unit, Better: r.Better})
	}
	limits, _ := t.limits()
	return compare.Options{Alpha: t.Alpha, Threshold: c.Threshold, MeanWithin: c.MeanWithin, Better: c.Better, Families: t.Families, Limits: limits}
}

// limits returns the parsed limits. ok is false if one of them cannot be parsed.
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

// WithNoise returns the terms with the known noise of their target.
func (t Terms) WithNoise(known map[SeriesKey]Noise) Terms {
	t.Floors = nil
	for key, noise := range known {
		if noise.Floor = rounded(noise.Floor); (noise.Floor > 0 || noise.Capped) && key.Kind == record.Bench {
			t.Floors = append(t.Floors, record.TermsFloor{Package: key.Package, Suite: key.Suite, Name: key.Name, Unit: key.Unit, Noise: noise.Floor, Capped: noise.Capped})
		}
	}
	slices.SortFunc(t.Floors, func(a, b record.TermsFloor) int {
		if a.Capped != b.Capped { // floors with capped ranks are few and matter most
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
	return t
}

// rounded returns a noise floor rounded to four digits, as it is stored.
func rounded(noise float64) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(noise, 'g', 4, 64), 64)
	return v
}

// NoiseByKey returns the known noise of the terms' target.
func (t Terms) NoiseByKey() map[SeriesKey]Noise {
	known := map[SeriesKey]Noise{}
	for _, f := range t.Floors {
		known[SeriesKey{record.BenchmarkID{Kind: record.Bench, Package: f.Package, Suite: f.Suite, Name: f.Name}, f.Unit}] = Noise{f.Noise, f.Capped}
	}
	return known
}

// Record stores the terms in the protocol of a run.
func (t Terms) Record(r *record.Run) { r.Protocol.Terms = (*record.Terms)(&t) }

// ReadTerms returns the terms of a run. ok is false without terms or if a limit cannot be parsed.
func ReadTerms(r *record.Run) (t Terms, ok bool) {
	if r.Protocol.Terms == nil {
		return Terms{}, false
	}
	t = Terms(*r.Protocol.Terms)
	_, ok = t.limits()
	return t, ok
}

// StoredOptions returns the options stored with the runs of a check. ok is false unless all runs
// belong to the same check.
func StoredOptions(sides ...compare.Side) (opt compare.Options, ok bool) {
	noise := &Noises{Known: map[string]map[SeriesKey]Noise{}}
	trial := ""
	for _, s := range sides {
		for _, r := range s.Runs {
			if r.Trial == "" || r.Protocol.Procedure != pairs.ProcedureCheck || trial != "" && r.Trial != trial {
				return opt, false
			}
			trial = r.Trial
			t, has := ReadTerms(r)
			if !has {
				continue // the target failed before, or the run is from an older perftrack
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

// DescribeOtherTerms lists how the terms of the runs differ from rules. It returns "" if they do
// not differ.
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
		if slices.ContainsFunc(t.Floors, func(f record.TermsFloor) bool { return f.Noise > 0 }) {
			add("noise floors known only to the measuring machine")
		}
		if slices.ContainsFunc(t.Floors, func(f record.TermsFloor) bool { return f.Capped }) {
			add("ranks capped because of calibrations known only to that machine")
		}
	}
	return strings.Join(other, "; ")
}

// SameEnvironment reports whether a run was measured in the environment env. Keys set by the
// benchmark program are ignored, because they are unknown before it runs. For the same reason a
// program that turned out to know no GOMAXPROCS matches any.
func SameEnvironment(env record.Settings, run record.Settings) bool {
	whole := run.WholeNames() && env.Get(record.KeyGoVersion) == ""
	return !slices.ContainsFunc(env.Differences(run), func(key string) bool {
		return !record.FromProgram(key) && !(whole && key == record.KeyGOMAXPROCS)
	})
}
