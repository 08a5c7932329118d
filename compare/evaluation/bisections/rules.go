package bisections

import (
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/evaluation/verdicts"
	"github.com/perftrack/perftrack/compare/search"
)

// A Found is the result of bisecting a Line.
type Found struct {
	Commit  int  // 0 if no commit is named
	Refused bool // the ends could not be distinguished, so there was no search
	Skipped bool // a step was undecided and more than one commit is left

	Ends int // number of pairs measured for the two ends
}

// A Bisector searches lines for their culprits.
type Bisector struct {
	Name string
	Find func(l *Line) Found
}

// Bisectors returns perftrack's two ways of bisecting and the rules of other tools.
func Bisectors() []Bisector {
	return []Bisector{Auto, GitRun, GitBayesect, GitBenchstat}
}

// Auto is `perftrack bisect-helper auto`.
var Auto = Bisector{"perftrack bisect-helper auto", func(l *Line) (f Found) {
	ends, ok := verify(l, 0, l.Commits)
	f.Ends = l.Pairs
	if !ok {
		f.Refused = true
		return f
	}
	s := search.New(l.Commits, nil)
	for _, r := range ends {
		s.Add(search.Pair{Base: 0, Head: l.Commits, LogRatio: r})
	}
	for {
		commit, ok := s.Next(search.Certainty)
		if !ok {
			break
		}
		if !l.build(commit) {
			s.Skip(commit)
			continue
		}
		for range search.Batch {
			s.Add(search.Pair{Base: 0, Head: commit, LogRatio: l.ratio(0, commit)})
		}
	}
	f.Commit = s.Posterior().Candidates[0].Last
	return f
}}

// verify is the first step of both Auto and GitRun. It measures the two ends and reports whether
// head is proven to be slower.
func verify(l *Line, base, head int) (ratios []float64, ok bool) {
	c := search.NewContrast("sec/op", -1, 0.05)
	for open := true; open; {
		open = c.Add(l.pair(base, head))
	}
	return c.LogRatios(), c.Decision().Verdict == compare.Regressed
}

// GitRun is `git bisect run perftrack bisect-helper`.
var GitRun = Bisector{"git bisect run perftrack bisect-helper", func(l *Line) (f Found) {
	ends, ok := verify(l, 0, l.Commits)
	f.Ends = l.Pairs
	if !ok {
		f.Refused = true
		return f
	}
	var good, bad []float64
	return gitBisect(l, f, func(commit int) answer {
		step := search.NewStep(l.Commits, ends, good, bad)
		var ratios []float64
		for range search.MaxPairs {
			r := l.ratio(0, commit)
			ratios = append(ratios, r)
			step.Add(r)
			if isBad, ok := step.Decided(); ok && isBad {
				bad = append(bad, ratios...)
				return isSlow
			} else if ok {
				good = append(good, ratios...)
				return isFast
			}
		}
		return isUnknown
	})
}}

// An answer is the result of testing a commit, as reported to git bisect.
type answer int

const (
	isFast answer = iota
	isSlow
	isUnknown
)

// gitBisect bisects a line as git does, always testing the unskipped commit nearest to the middle.
func gitBisect(l *Line, f Found, step func(commit int) answer) Found {
	good, bad := 0, l.Commits
	skipped := map[int]bool{}
	for {
		commit := nearest(good, bad, skipped)
		if commit == 0 {
			break
		}
		a := isUnknown
		if l.build(commit) {
			a = step(commit)
		}
		switch a {
		case isFast:
			good = commit
		case isSlow:
			bad = commit
		case isUnknown:
			skipped[commit] = true
		}
	}
	f.Commit, f.Skipped = bad, bad-good > 1
	return f
}

// nearest returns the commit between good and bad nearest to the middle and not in skipped, or 0.
func nearest(good, bad int, skipped map[int]bool) int {
	middle := (good + bad) / 2
	for d := 0; d < bad-good; d++ {
		for _, c := range [2]int{middle - d, middle + d} {
			if c > good && c < bad && !skipped[c] {
				return c
			}
		}
	}
	return 0
}

// endSamples is the number of samples per side in a step with benchstat.
const endSamples = 10

// GitBenchstat is `git bisect run` as recommended by benchstat's documentation: it takes ten
// interleaved samples of each side, and calls a commit bad if it is slower at p < 0.05.
var GitBenchstat = Bisector{"git bisect run, benchstat p < 0.05, n = 10", func(l *Line) Found {
	t := &verdicts.Benchstat{}
	base, head := make([]float64, endSamples), make([]float64, endSamples)
	return gitBisect(l, Found{}, func(commit int) answer {
		for i := range base {
			base[i], head[i] = l.pair(0, commit)
		}
		if t.Slower(base, head, 0) {
			return isSlow
		}
		return isFast
	})
}}
