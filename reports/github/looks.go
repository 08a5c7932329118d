package github

import "github.com/perftrack/perftrack/compare"

// A look is how a verdict is shown: a mark, and for whoever cannot see its colour or hears
// the page read, words.
type look struct {
	mark  string
	kinds []phrase // by kind; one alone is for all
}

// A phrase says what became of benchmarks: of one, of several, and in a cell.
type phrase struct{ one, many, cell string }

func (l look) of(k kind) phrase { return l.kinds[min(int(k), len(l.kinds)-1)] }

func same(words string) phrase { return phrase{words, words, words} }

var looks = map[compare.Verdict]look{
	compare.Regressed: {"❌", []phrase{
		same("slower"), same("slower"), {"allocates more", "allocate more", "allocs"}, {"uses more memory", "use more memory", "memory"}, same("worse"),
	}},
	accepted: {"☑️", []phrase{
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
