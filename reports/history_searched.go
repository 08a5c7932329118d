package reports

import (
	"fmt"
	"slices"
)

// Searched is what a list of regressions was made from: series, each a
// benchmark's unit in one environment. Only of those with enough runs for a step
// is it known that there is none.
type Searched struct {
	Series int
	Older  int       // regressions in force that are left out for their age
	Hidden int       // runs left out because they may not stand in a history
	Trial  [2]string // base and head of the newest trial, "" without one

	short []shortSeries // by what they need
}

// A shortSeries is the series that need as many runs for a step, and lack them.
type shortSeries struct{ series, least, most, needs int }

// Add counts a series of so many runs.
func (s *Searched) Add(runs, needs int, enough bool) {
	if s.Series++; enough {
		return
	}
	i := slices.IndexFunc(s.short, func(g shortSeries) bool { return g.needs == needs })
	if i < 0 {
		i = len(s.short)
		s.short = append(s.short, shortSeries{0, runs, runs, needs})
	}
	g := &s.short[i]
	g.series, g.least, g.most = g.series+1, min(g.least, runs), max(g.most, runs)
}

func (s *Searched) tooFew() (n int) {
	for _, g := range s.short {
		n += g.series
	}
	return n
}

// summary is the first answer, of a list of n regressions.
func (s *Searched) summary(n int) (string, Tone) {
	short := s.tooFew()
	enough := s.Series - short
	several := func(n int) string {
		if n == 1 {
			return "1 series"
		}
		return fmt.Sprintf("%d series", n)
	}
	others := ""
	if short > 0 {
		others = fmt.Sprintf("; %s with too few runs to tell", several(short))
	}
	switch {
	case n > 0:
		return plural(n, "regression") + " in force" + others, Bad
	case s.Series == 0:
		return "no run to search: nothing is known of regressions in force", Warn
	case enough == 0:
		return "not known whether a regression is in force: too few runs to tell in " + several(short), Warn
	case s.Older > 0:
		return fmt.Sprintf("no regression in force since then in %s, %d from before", several(enough), s.Older) + others, Warn
	case short > 0:
		return "no regression in force in " + several(enough) + others, Warn
	}
	return "no regression in force in " + several(enough), Good
}

// remarks say what it takes to know more.
func (s *Searched) remarks() (notes []Note) {
	if s.Older > 0 {
		notes = append(notes, Note{Text: plural(s.Older, "regression") + " from before --since " + are(s.Older) + " in force: leave it out to list all"})
	}
	for _, g := range s.short {
		have := plural(g.most, "run")
		if g.least < g.most {
			have = fmt.Sprintf("%d to %d runs", g.least, g.most)
		}
		text := fmt.Sprintf("%d series with %s: a step takes %d, %d before it and %d after it, of different commits", g.series, have, g.needs, g.needs/2, g.needs/2)
		notes = append(notes, Note{Text: text})
	}
	if len(s.short) > 0 && s.Trial[1] != "" {
		notes = append(notes, Note{"what a trial proved is no step of a history yet; see the newest with",
			fmt.Sprintf("perftrack compare %s %s", shortSHA(s.Trial[0]), shortSHA(s.Trial[1]))})
	}
	if s.Hidden > 0 {
		notes = append(notes, Note{Text: plural(s.Hidden, "run") + " left out: partial, failed or of uncommitted changes"})
	}
	return notes
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
