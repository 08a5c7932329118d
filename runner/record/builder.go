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
	result result
	units  map[string]Unit
	begin  func(key string) // of a Stream: called before the first result of a header
}

// A group is the results of one header, by benchmark, in the order in which they came.
type group struct {
	header  Settings
	pos     string // of the first result
	packs   []*pack
	index   map[BenchmarkID]*pack
	results int
	samples int
}

// add adds a result of a benchmark, whose name still may carry -N.
func (g *group) add(id BenchmarkID, r *result) {
	p := g.index[id]
	if p == nil {
		p = &pack{id: id, pos: r.pos()}
		if g.index == nil {
			g.index, g.pos = map[BenchmarkID]*pack{}, p.pos
		}
		g.index[id] = p
		g.packs = append(g.packs, p)
	}
	p.add(r, g.results)
	g.results++
	g.samples += len(r.values)
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

// A result is one benchmark line. A Builder has one, whose slices it uses again.
type result struct {
	id     BenchmarkID
	round  Round  // N and Order are -1 where the record does not tell
	file   string // where it stands
	line   int
	units  []string
	values []float64
	code   []byte // scratch of pack.add
}

func (r *result) pos() string { return position(r.file, r.line) }

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
	r := &b.result
	if err := r.set(rec); err != nil {
		return fmt.Errorf("%s: %w", r.pos(), err)
	}
	g, err := b.groupOf(rec)
	if err != nil {
		return fmt.Errorf("%s: %w", r.pos(), err)
	}
	if g.samples+len(r.values) > MaxTotalSamples {
		return fmt.Errorf("%s: more than %d samples", r.pos(), MaxTotalSamples)
	}
	g.add(r.id, r)
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

// set reads rec.
func (r *result) set(rec *benchfmt.Result) error {
	r.file, r.line = rec.Pos()
	r.round, r.units, r.values = Round{}, r.units[:0], r.values[:0]
	kind := Bench
	if string(config(rec, KeyProfile)) == ProfileScopes {
		kind = Scope
	}
	same := r.id.Kind == kind && r.id.Name == string(rec.Name) &&
		r.id.Package == string(config(rec, KeyPackage)) && r.id.Suite == string(config(rec, KeySuite))
	if !same { // as that of the result before, which was checked
		id := BenchmarkID{
			Kind:    kind,
			Package: strings.TrimSpace(rec.GetConfig(KeyPackage)),
			Suite:   strings.TrimSpace(rec.GetConfig(KeySuite)),
			Name:    string(rec.Name),
		}
		// The -N of GOMAXPROCS is no part of the name that is stored: the run is checked again.
		bare := id
		bare.Name = WithoutProcs(bare.Name)
		if err := bare.check(); err != nil {
			return err
		}
		r.id = id
	}
	if rec.Iters < 0 {
		return fmt.Errorf("%d iterations", rec.Iters)
	}
	r.round.Iters = rec.Iters
	var err error
	if r.round.N, err = number(rec, KeyRound, 1); err != nil {
		return err
	}
	if r.round.Order, err = number(rec, KeyOrder, 0); err != nil {
		return err
	}
	if s := rec.GetConfig(KeyLayoutSeed); s != "" {
		if r.round.Seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			return fmt.Errorf("%s: %w", KeyLayoutSeed, err)
		}
	}
	if r.round.Slices, err = number(rec, KeySlices, 0); err != nil {
		return err
	}
	r.round.Slices = max(r.round.Slices, 0)
	for _, f := range []struct {
		key  string
		into *float64
	}{{KeySpread, &r.round.Spread}, {KeyMean, &r.round.Mean}, {KeySlow, &r.round.Slow}} {
		if s := rec.GetConfig(f.key); s != "" {
			if *f.into, err = strconv.ParseFloat(s, 64); err != nil {
				return fmt.Errorf("%s: %w", f.key, err)
			}
		}
	}
	if err := r.round.checkSlices(); err != nil {
		return err
	}
	for _, v := range rec.Values {
		if err := r.addValue(v); err != nil {
			return err
		}
	}
	return nil
}

// addValue takes one value in the unit in which the producer printed it: the tidied
// one cannot be turned back.
func (r *result) addValue(v benchfmt.Value) error {
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
	r.units, r.values = append(r.units, unit), append(r.values, value)
	return nil
}

// config returns the value of a configuration line above rec.
func config(rec *benchfmt.Result, key string) []byte {
	if i, ok := rec.ConfigIndex(key); ok {
		return rec.Config[i].Value
	}
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

func position(file string, line int) string {
	if file == "" {
		return "benchmark result"
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// Runs returns the runs assembled so far, each in its one order, the first
// seen first. The Builder must not be used afterwards.
func (b *Builder) Runs() ([]*Run, error) {
	packed, err := b.Packed()
	runs := make([]*Run, len(packed))
	for i, p := range packed {
		runs[i] = p.unpack()
	}
	return runs, err
}

// Packed is [Builder.Runs] for runs of many samples.
func (b *Builder) Packed() ([]*Packed, error) {
	var runs []*Packed
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
