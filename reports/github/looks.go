package github

import (
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
)

// A look holds the mark and the words for a verdict. Color-blind people and screen readers depend
// on the words.
type look struct {
	mark  string
	kinds []phrase // indexed by kind; a single phrase applies to all kinds
}

// A phrase holds the words for a verdict: on one benchmark, on several benchmarks, and in a cell.
type phrase struct{ one, many, cell string }

func (l look) of(k kind) phrase { return l.kinds[min(int(k), len(l.kinds)-1)] }

func same(words string) phrase { return phrase{words, words, words} }

var looks = map[compare.Verdict]look{
	compare.Regressed: {"❌", []phrase{
		same("slower"), same("slower"), {"allocates more", "allocate more", "allocs"}, {"uses more memory", "use more memory", "memory"}, same("worse"),
	}},
	digest.Accepted: {"☑️", []phrase{
		{"slower as accepted", "slower as accepted", "accepted"}, {"slower as accepted", "slower as accepted", "accepted"},
		{"allocates more as accepted", "allocate more as accepted", "accepted"},
		{"uses more memory as accepted", "use more memory as accepted", "accepted"}, {"worse as accepted", "worse as accepted", "accepted"},
	}},
	compare.Improved: {"⚡", []phrase{
		same("faster"), same("faster"), {"allocates less", "allocate less", "allocs"}, {"uses less memory", "use less memory", "memory"}, same("better"),
	}},
	compare.Changed:       {"⚠️", []phrase{same("changed")}},
	compare.Suspect:       {"⚠️", []phrase{same("suspect")}},
	compare.NotComparable: {"⚠️", []phrase{same("not comparable")}},
	compare.NotChecked:    {"⚠️", []phrase{same("not checked")}},
	compare.Unchanged:     {"✅", []phrase{same("unchanged")}},
	compare.Inconclusive:  {"❔", []phrase{same("undecided")}},
}

func lookOf(v compare.Verdict) look { return looks[v] }
