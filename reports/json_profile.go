package reports

import (
	"math"

	"github.com/perftrack/perftrack/compare"
)

// A ProfileDocument has kind "profile": the call trees of runs, each as its
// median round has it.
type ProfileDocument struct {
	Head
	Profiles []ProfiledSuite `json:"profiles"`
}

// A ProfiledSuite is the call tree of one suite. Times are seconds, sizes bytes;
// all are sums over the round but for min and max, which are of one call. Of a
// report that was imported, what it does not tell is null; where it does not tell
// which scopes lie in which, all of them are at the top.
type ProfiledSuite struct {
	HeaderDocument
	Package  string         `json:"package"`
	Suite    string         `json:"suite"`
	Round    int            `json:"round"`
	Seconds  Number         `json:"seconds"`
	Busy     Number         `json:"busy_seconds"`     // the sum of all self times: more than seconds where workers ran beside
	Gap      Number         `json:"no_scope_seconds"` // of seconds that lie in no scope
	Rounds   []Number       `json:"round_seconds"`    // of all rounds, ascending
	Methods  []MethodTotals `json:"methods"`          // by falling self time, see CallFigures
	Scopes   []ProfiledCall `json:"scopes"`           // the hierarchy
	Imported bool           `json:"imported,omitempty"`
	Placed   bool           `json:"nesting_known"` // it is known which scopes lie in which
	Insights []string       `json:"insights"`
}

// MethodTotals are all calls of one name.
type MethodTotals struct {
	Name string `json:"name"`
	CallFigures
}

// A ProfiledCall is one call path.
type ProfiledCall struct {
	Path string `json:"path"`
	Name string `json:"name"`
	CallFigures
	Within []string       `json:"within,omitempty"` // paths, where it lies in several: then it is at the top, and not part of seconds above
	Scopes []ProfiledCall `json:"scopes,omitempty"`
}

// CallFigures are what was measured of calls. Bytes and objects are null where
// allocations were not counted. The own time of a scope whose workers ran beside
// it is waiting, not self.
type CallFigures struct {
	Calls          int    `json:"calls"`
	Seconds        Number `json:"seconds"`
	SelfSeconds    Number `json:"self_seconds"`
	MinSeconds     Number `json:"min_seconds"`
	MaxSeconds     Number `json:"max_seconds"`
	Bytes          Number `json:"bytes"`
	SelfBytes      Number `json:"self_bytes"`
	Objects        Number `json:"objects"`
	WaitingSeconds Number `json:"waiting_seconds"`
}

func newProfileDocument(trees []profiled) ProfileDocument {
	d := ProfileDocument{Head: Head{SchemaVersion, "profile"}, Profiles: []ProfiledSuite{}}
	for _, p := range trees {
		methods := p.tree.Methods()
		s := ProfiledSuite{
			HeaderDocument: headerDocument(p.run, p.run.ID()),
			Package:        p.tree.Package, Suite: p.tree.Suite, Round: p.tree.Round,
			Imported: p.tree.Printed, Placed: p.tree.Placed,
			Seconds: Number(p.tree.Total / 1e9), Busy: Number(p.tree.Busy / 1e9), Gap: Number(p.tree.Gap / 1e9), Scopes: profiledCalls(p.tree.Scopes),
		}
		for _, n := range p.insights(methods) {
			s.Insights = append(s.Insights, n.Text+" "+n.Detail)
		}
		for _, ns := range p.tree.Totals {
			s.Rounds = append(s.Rounds, Number(ns/1e9))
		}
		for _, m := range methods {
			s.Methods = append(s.Methods, MethodTotals{m.Name, callFigures(&m.Call)})
		}
		d.Profiles = append(d.Profiles, s)
	}
	return d
}

func profiledCalls(calls []*compare.Call) []ProfiledCall {
	var out []ProfiledCall
	for _, c := range calls {
		out = append(out, ProfiledCall{c.Path, c.Name, callFigures(c), c.Within, profiledCalls(c.Children)})
	}
	return out
}

// missing is a number that does not exist.
var missing = Number(math.NaN())

func callFigures(c *compare.Call) CallFigures {
	f := CallFigures{
		Calls: c.Calls, Seconds: Number(c.Total / 1e9), SelfSeconds: Number(c.Self / 1e9),
		MinSeconds: Number(c.Min / 1e9), MaxSeconds: Number(c.Max / 1e9),
		Bytes: Number(c.Bytes), SelfBytes: Number(c.SelfBytes), Objects: Number(c.Objects),
		WaitingSeconds: Number(c.Waiting / 1e9),
	}
	if !c.Counted {
		f.Bytes, f.SelfBytes, f.Objects = missing, missing, missing
	}
	return f
}

// profileRecords has a line for each call path.
func profileRecords(trees []profiled) [][]csvField {
	out := [][]csvField{header("target commit package suite path calls seconds self_seconds min_seconds max_seconds bytes self_bytes objects waiting_seconds")}
	for _, p := range trees {
		var walk func(calls []*compare.Call)
		walk = func(calls []*compare.Call) {
			for _, c := range calls {
				f := callFigures(c)
				out = append(out, []csvField{
					text(p.run.Target), text(p.run.Commit.SHA), text(p.tree.Package), text(p.tree.Suite), text(c.Path), integer(c.Calls),
					num(float64(f.Seconds)), num(float64(f.SelfSeconds)), num(float64(f.MinSeconds)), num(float64(f.MaxSeconds)),
					num(float64(f.Bytes)), num(float64(f.SelfBytes)), num(float64(f.Objects)), num(float64(f.WaitingSeconds)),
				})
				walk(c.Children)
			}
		}
		walk(p.tree.Scopes)
	}
	return out
}
