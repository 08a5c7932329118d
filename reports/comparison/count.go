package comparison

import "github.com/perftrack/perftrack/compare"

// A Count is what became of the benchmarks of a comparison, each counted once as the worst of its units.
// Those that only show the change of another one are left out.
type Count struct {
	Benchmarks int
	Regressed  int // that nobody accepted
	Accepted   int // regressed, and accepted
	Suspect    int
	Undecided  int // neither of these, and open in a unit, be it that another one is decided
	Decided    int // the others
}

// CountBenchmarks counts the benchmarks of a comparison that have a verdict.
func CountBenchmarks(c *compare.Comparison) (n Count) {
	for _, f := range fatesOf(c) {
		switch worst := fates[f.worst]; {
		case worst == nested:
			continue
		case f.regressed:
			n.Regressed++
		case worst == compare.Regressed:
			n.Accepted++
		case worst == compare.Suspect:
			n.Suspect++
		case len(f.open) > 0:
			n.Undecided++
		default:
			n.Decided++
		}
		n.Benchmarks++
	}
	return n
}

// Sentence sums a comparison up in a line that counts benchmarks, as a terminal shows it.
func Sentence(c *compare.Comparison) string {
	text, _ := census(c)
	return text
}
