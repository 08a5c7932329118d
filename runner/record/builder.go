package record

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// A Builder assembles runs from benchmark-format records: results of the
// runner, an import, or what [Writer] wrote. Results that share all
// configuration but that of the single sample form one run.
type Builder struct {
	// Default is the header of runs whose records do not say better: target,
	// commit, environment, status and so on.
	Default Run

	groups []*group
	byKey  map[string]*group
	last   above // of the result before
	units  map[string]Unit
	begin  func(key string) // of a Stream: called before the first result of a header
}

// A group is the results of one header, in the order in which they came.
type group struct {
	header  Settings
	results []result
	samples int
}

// above is the configuration above a result but that of the single sample, and the group
// that it is of: most results have that of the result before.
type above struct {
	config []benchfmt.Config
	group  *group
}

// same reports whether rec has the same above it, in the same order.
func (a *above) same(rec *benchfmt.Result) bool {
	n := 0
	for _, c := range rec.Config {
		if isSampleKey(c.Key) {
			continue
		}
		if n == len(a.config) || a.config[n].Key != c.Key || !bytes.Equal(a.config[n].Value, c.Value) {
			return false
		}
		n++
	}
	return n == len(a.config) && a.group != nil
}

func (a *above) set(rec *benchfmt.Result, g *group) {
	a.config, a.group = a.config[:0], g
	for _, c := range rec.Config {
		if !isSampleKey(c.Key) {
			a.config = append(a.config, benchfmt.Config{Key: c.Key, Value: bytes.Clone(c.Value)})
		}
	}
}

// ours reports whether perftrack wrote the group.
func (g *group) ours() bool { return g.header.Get(KeyFormat) != "" }

// A result is one benchmark line whose name still may carry -N.
type result struct {
	id    BenchmarkID
	round Round // N and Order are -1 where the record does not tell
	pos   string
	units []string
	value []float64
}

// Add takes one record. A *benchfmt.SyntaxError is returned as the error that
// it is; the caller decides whether the rest is still wanted.
func (b *Builder) Add(rec benchfmt.Record) error {
	switch rec := rec.(type) {
	case *benchfmt.Result:
		return b.addResult(rec)
	case *benchfmt.UnitMetadata:
		b.addUnit(rec)
		return nil
	case *benchfmt.SyntaxError:
		return rec
	}
	return fmt.Errorf("unknown benchmark record %T", rec)
}

// Headers returns how many headers the results had so far: there are at least as many
// runs.
func (b *Builder) Headers() int { return len(b.groups) }

func (b *Builder) addUnit(m *benchfmt.UnitMetadata) {
	if b.units == nil {
		b.units = map[string]Unit{}
	}
	u := b.units[m.OrigUnit]
	u.Name = m.OrigUnit
	switch m.Key + "=" + m.Value {
	case "better=higher":
		u.Better = +1
	case "better=lower":
		u.Better = -1
	case "assume=exact":
		u.Exact = true
	}
	b.units[m.OrigUnit] = u
}

func (b *Builder) addResult(rec *benchfmt.Result) error {
	res, err := newResult(rec)
	if err != nil {
		return fmt.Errorf("%s: %w", position(rec), err)
	}
	g, err := b.groupOf(rec)
	if err != nil {
		return fmt.Errorf("%s: %w", position(rec), err)
	}
	if g.samples += len(res.value); g.samples > MaxTotalSamples {
		return fmt.Errorf("%s: more than %d samples", res.pos, MaxTotalSamples)
	}
	g.results = append(g.results, res)
	return nil
}

// groupOf returns the group of a result, a new one for a new header.
func (b *Builder) groupOf(rec *benchfmt.Result) (*group, error) {
	if b.last.same(rec) {
		return b.last.group, nil
	}
	header, err := headerOf(rec)
	if err != nil {
		return nil, err
	}
	key := header.text()
	g := b.byKey[key]
	if g == nil {
		if b.begin != nil {
			b.begin(key)
		}
		g = &group{header: header}
		if b.byKey == nil {
			b.byKey = map[string]*group{}
		}
		b.byKey[key] = g
		b.groups = append(b.groups, g)
	}
	b.last.set(rec, g)
	return g, nil
}

// headerOf returns the configuration that all samples of a run share.
func headerOf(rec *benchfmt.Result) (Settings, error) {
	var h Settings
	for _, c := range rec.Config {
		if isSampleKey(c.Key) {
			continue
		}
		v := strings.TrimSpace(string(c.Value))
		if v == "" {
			continue
		}
		h = append(h, Setting{c.Key, v})
		if RoleOf(c.Key) == HeaderKey {
			continue
		}
		if err := checkKey(c.Key); err != nil {
			return nil, err
		}
		if err := checkValue(c.Key, v); err != nil {
			return nil, err
		}
	}
	if err := checkUnknown(h); err != nil {
		return nil, err
	}
	h.Sort()
	return h, nil
}

func newResult(rec *benchfmt.Result) (result, error) {
	r := result{pos: position(rec)}
	r.id = BenchmarkID{
		Kind:    Bench,
		Package: strings.TrimSpace(rec.GetConfig(KeyPackage)),
		Suite:   strings.TrimSpace(rec.GetConfig(KeySuite)),
		Name:    string(rec.Name),
	}
	if rec.GetConfig(KeyProfile) == ProfileScopes {
		r.id.Kind = Scope
	}
	// The -N of GOMAXPROCS is no part of the name that is stored: the run is checked again.
	bare := r.id
	bare.Name = WithoutProcs(bare.Name)
	if err := bare.check(); err != nil {
		return r, err
	}
	if rec.Iters < 0 {
		return r, fmt.Errorf("%d iterations", rec.Iters)
	}
	r.round.Iters = rec.Iters
	var err error
	if r.round.N, err = number(rec, KeyRound, 1); err != nil {
		return r, err
	}
	if r.round.Order, err = number(rec, KeyOrder, 0); err != nil {
		return r, err
	}
	if s := rec.GetConfig(KeyLayoutSeed); s != "" {
		if r.round.Seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			return r, fmt.Errorf("%s: %w", KeyLayoutSeed, err)
		}
	}
	if r.round.Slices, err = number(rec, KeySlices, 0); err != nil {
		return r, err
	}
	r.round.Slices = max(r.round.Slices, 0)
	if s := rec.GetConfig(KeySpread); s != "" {
		if r.round.Spread, err = strconv.ParseFloat(s, 64); err != nil {
			return r, fmt.Errorf("%s: %w", KeySpread, err)
		}
	}
	if err := r.round.checkSlices(); err != nil {
		return r, err
	}
	for _, v := range rec.Values {
		if err := r.add(v); err != nil {
			return r, err
		}
	}
	return r, nil
}

// add takes one value in the unit in which the producer printed it: the tidied
// one cannot be turned back.
func (r *result) add(v benchfmt.Value) error {
	value, unit := v.Value, v.Unit
	if v.OrigUnit != "" {
		value, unit = v.OrigValue, v.OrigUnit
	}
	switch err := checkUnit(unit); {
	case err != nil:
		return fmt.Errorf("%s: %w", r.id.Name, err)
	case math.IsNaN(value) || math.IsInf(value, 0) || value < 0:
		return fmt.Errorf("%s is %v %s: not a finite number of 0 or more", r.id.Name, value, unit)
	case slices.Contains(r.units, unit):
		return fmt.Errorf("%s has %s twice", r.id.Name, unit)
	case len(r.units) >= MaxUnits:
		return fmt.Errorf("%s has more than %d units", r.id.Name, MaxUnits)
	}
	r.units, r.value = append(r.units, unit), append(r.value, value)
	return nil
}

// number returns the configuration value of key, -1 where there is none.
func number(rec *benchfmt.Result, key string, least int) (int, error) {
	s := rec.GetConfig(key)
	if s == "" {
		return -1, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < least {
		return 0, fmt.Errorf("%s is %q: not a number of %d or more", key, s, least)
	}
	return n, nil
}

func position(rec benchfmt.Record) string {
	file, line := rec.Pos()
	if file == "" {
		return "benchmark result"
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// Runs returns the runs assembled so far, each in its one order, the first
// seen first. The Builder must not be used afterwards.
func (b *Builder) Runs() ([]*Run, error) {
	var runs []*Run
	for _, g := range b.groups {
		for _, part := range g.splitProcs() {
			r, err := b.run(part)
			if err != nil {
				return nil, err
			}
			runs = append(runs, r)
		}
	}
	return runs, nil
}

// add appends one sample; a unit that appears or is missing leaves NaN in the
// rounds without it.
func (b *Benchmark) add(res result) {
	n := len(b.Rounds)
	b.Rounds = append(b.Rounds, res.round)
	for i := range b.Samples {
		b.Samples[i].Values = append(b.Samples[i].Values, math.NaN())
	}
	for k, unit := range res.units {
		i := slices.IndexFunc(b.Samples, func(s Samples) bool { return s.Unit == unit })
		if i < 0 {
			values := make([]float64, n+1)
			for j := range values {
				values[j] = math.NaN()
			}
			b.Samples = append(b.Samples, Samples{Unit: unit, Values: values})
			i = len(b.Samples) - 1
		}
		b.Samples[i].Values[n] = res.value[k]
	}
}
