package decode

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// A Builder assembles runs from records in the benchmark format, which come from the runner, an
// import or the output of a [record.Writer]. Results with the same configuration form one run;
// configuration keys that describe a single sample are not compared.
type Builder struct {
	// Default supplies the header fields that are missing in a run: target, commit, environment,
	// status and so on.
	Default record.Run

	groups []*group
	byKey  map[string]*group
	last   above // configuration and group of the previous result
	result result
	units  map[string]record.Unit
	ended  bool              // set by a Stream that has emitted a run
	late   bool              // a unit was declared after a run was emitted
	begin  func(key string)  // set by a Stream; called before the first result with a new header
	only   map[headerID]bool // set by a Batch; results with other headers are ignored
}

// A group holds the results that share a header, grouped by benchmark and in input order.
type group struct {
	header  record.Settings
	pos     string // position of the first result
	packs   []*pack
	index   map[record.BenchmarkID]*pack
	last    *pack // pack of the previous result
	results int
	samples int
}

// add adds a result for a benchmark, whose name may still have the -N suffix.
func (g *group) add(id record.BenchmarkID, r *result) {
	p := g.index[id]
	if p == nil {
		p = &pack{id: id, pos: r.pos()}
		if g.index == nil {
			g.index, g.pos = map[record.BenchmarkID]*pack{}, p.pos
		}
		g.index[id] = p
		g.packs = append(g.packs, p)
	}
	g.addTo(p, r)
}

func (g *group) addTo(p *pack, r *result) {
	p.add(r, g.results)
	g.results++
	g.samples += len(r.values)
	if g.last != nil {
		g.last.next = p
	}
	g.last = p
}

// expected returns the pack of the benchmark in rec if it is the previous result's pack or the pack
// that followed it last time. Otherwise it returns nil.
func (g *group) expected(rec *benchfmt.Result, at *places) *pack {
	switch {
	case g == nil || g.last == nil:
	case g.last.holds(rec, at):
		return g.last
	case g.last.next.holds(rec, at):
		return g.last.next
	}
	return nil
}

// above holds the group of the previous result, and the configuration of the first of the
// consecutive results with its header. Most results have the same configuration as the previous
// one.
type above struct {
	config []benchfmt.Config // values of sample keys are out of date
	places places            // positions of the sample keys in config
	known  bool
	group  *group // nil if results with this header are ignored
}

// shared reports whether rec has the remembered slice of configuration, so nothing in it needs to
// be compared.
func (a *above) shared(rec *benchfmt.Result) bool {
	return a.known && SameConfig(a.config, rec.Config)
}

// same reports whether rec has the same configuration, apart from sample keys, with the keys in the
// same order.
func (a *above) same(rec *benchfmt.Result) bool {
	before := withoutSampleKeys(a.config)
	for now := withoutSampleKeys(rec.Config); len(now) > 0; now = withoutSampleKeys(now[1:]) {
		if len(before) == 0 || before[0].Key != now[0].Key || !bytes.Equal(before[0].Value, now[0].Value) {
			return false
		}
		before = withoutSampleKeys(before[1:])
	}
	return len(before) == 0 && a.known
}

// withoutSampleKeys returns config without the sample keys at its beginning.
func withoutSampleKeys(config []benchfmt.Config) []benchfmt.Config {
	for len(config) > 0 && isSampleKey(config[0].Key) {
		config = config[1:]
	}
	return config
}

// set keeps the configuration of rec and gives rec a copy, which its reader may overwrite.
func (a *above) set(rec *benchfmt.Result, g *group) {
	a.config, a.places, a.known, a.group = rec.Config, placesIn(rec.Config), true, g
	rec.Config = slices.Clone(rec.Config)
	for i := range rec.Config {
		rec.Config[i].Value = bytes.Clone(rec.Config[i].Value)
	}
}

// SameConfig reports whether a and b are the same slice.
func SameConfig(a, b []benchfmt.Config) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Add adds one record. It returns a *benchfmt.SyntaxError unchanged, so that the caller can decide
// whether to continue.
//
// Add may keep the slice Config of a Result, and then replaces it by a copy. A later Result with
// the kept slice must have the same configuration, except for sample keys. Package format
// guarantees this.
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

// Headers returns the number of distinct headers seen so far. There are at least as many runs as
// headers.
func (b *Builder) Headers() int { return len(b.groups) }

func (b *Builder) addUnit(m *benchfmt.UnitMetadata) {
	if b.units == nil {
		b.units = map[string]record.Unit{}
	}
	was := b.units[m.OrigUnit]
	u := was
	u.Name = m.OrigUnit
	switch {
	case m.Key == "better" && m.Value == "higher":
		u.Better = +1
	case m.Key == "better" && m.Value == "lower":
		u.Better = -1
	case m.Key == "assume" && m.Value == "exact":
		u.Exact = true
	case m.Key == "from":
		u.AddFrom(m.Value)
	}
	b.units[m.OrigUnit] = u
	b.late = b.late || b.ended && u != was
}

func (b *Builder) addResult(rec *benchfmt.Result) error {
	r, before := &b.result, b.last.group
	at, shared := b.last.places, b.last.shared(rec)
	if !shared {
		at = placesIn(rec.Config)
	}
	known := before.expected(rec, &at)
	if err := r.set(rec, &at, known); err != nil {
		return fmt.Errorf("%s: %w", r.pos(), err)
	}
	g := before
	if !shared {
		var err error
		if g, err = b.groupOf(rec); err != nil {
			return fmt.Errorf("%s: %w", r.pos(), err)
		}
	}
	if g == nil {
		return nil // it belongs to another batch
	}
	if g.samples+len(r.values) > record.MaxTotalSamples {
		return fmt.Errorf("%s: more than %d samples", r.pos(), record.MaxTotalSamples)
	}
	if known != nil && g == before {
		g.addTo(known, r)
	} else {
		g.add(r.id, r)
	}
	return nil
}

// groupOf returns the group that a result belongs to. It creates a group if the header is new.
func (b *Builder) groupOf(rec *benchfmt.Result) (*group, error) {
	if b.last.same(rec) {
		return b.last.group, nil
	}
	header, err := headerOf(rec)
	if err != nil {
		return nil, err
	}
	key := header.Text()
	g := b.byKey[key]
	if g == nil && !b.ignores(key) {
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
func headerOf(rec *benchfmt.Result) (record.Settings, error) {
	var h record.Settings
	for _, c := range rec.Config {
		if isSampleKey(c.Key) {
			continue
		}
		v := strings.TrimSpace(string(c.Value))
		if v == "" {
			continue
		}
		h = append(h, record.Setting{Key: c.Key, Value: v})
	}
	if err := h.CheckHeader(); err != nil {
		return nil, err
	}
	h.Sort()
	return h, nil
}

// Runs returns the runs assembled so far, in input order and each in canonical form. The Builder
// must not be used afterwards.
func (b *Builder) Runs() ([]*record.Run, error) {
	var runs []*record.Run
	for part := range b.parts {
		benchmarks := make([]record.Benchmark, 0, len(part.packs))
		p, err := b.run(part, func(b *record.Benchmark) { benchmarks = append(benchmarks, *b) })
		if err != nil {
			return nil, err
		}
		r := p.Header
		r.Benchmarks = benchmarks
		slices.SortFunc(r.Benchmarks, func(x, y record.Benchmark) int { return x.BenchmarkID.Compare(y.BenchmarkID) })
		runs = append(runs, &r)
	}
	return runs, nil
}

// Packed is like [Builder.Runs], but returns the runs in a compact form, even if they have many
// samples.
func (b *Builder) Packed() ([]*Packed, error) {
	var runs []*Packed
	for part := range b.parts {
		r, err := b.run(part, nil)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// run turns a group into a run. The group's results become benchmarks. Unless take is nil, run calls
// it with each benchmark, and the samples are not kept in the Packed.
func (b *Builder) run(g *group, take func(*record.Benchmark)) (*Packed, error) {
	r, err := record.RunOfHeader(g.header, b.Default)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.pos, err)
	}
	p := &Packed{Header: r, Ours: g.header.Ours()}
	if err := p.addSamples(g, take); err != nil {
		return nil, err
	}
	if !g.header.Ours() {
		p.addUnits(b.units)
	}
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", g.pos, err)
	}
	return p, nil
}

// parts iterates over the groups that become runs.
func (b *Builder) parts(yield func(*group) bool) {
	for _, g := range b.groups {
		for _, part := range g.splitProcs() {
			if !yield(part) {
				return
			}
		}
	}
}
