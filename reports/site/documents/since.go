package documents

import "slices"

// Since returns the benchmark without the points before the given commit. Steps and levels are
// computed from all points. Levels that end before the commit and steps that begin before it are
// left out.
func (b *Benchmark) Since(commit int) *Benchmark {
	out := &Benchmark{ID: b.ID, Lines: []Line{}}
	for i := range b.Lines {
		if l := b.Lines[i].since(commit); len(l.Commit) > 0 {
			out.Lines = append(out.Lines, l)
		}
	}
	return out
}

func (l Line) since(commit int) Line {
	cut := slices.IndexFunc(l.Commit, func(c int) bool { return c < 0 || c >= commit })
	if cut < 0 {
		cut = len(l.Commit)
	}
	if cut == 0 {
		return l
	}
	from := func(numbers []Number) []Number {
		if len(numbers) < cut { // the line does not have this column
			return numbers
		}
		return numbers[cut:]
	}
	l.Commit, l.Run, l.N = l.Commit[cut:], l.Run[cut:], l.N[cut:]
	l.Value, l.Lo, l.Hi, l.Ratio = from(l.Value), from(l.Lo), from(l.Hi), from(l.Ratio)
	if len(l.Samples) > len(l.Commit) {
		l.Samples = l.Samples[len(l.Samples)-len(l.Commit):]
	}
	l.Carried, l.Aside, l.Levelled = shifted(l.Carried, cut), shifted(l.Aside, cut), shifted(l.Levelled, cut)
	levels := []Level{}
	for _, v := range l.Levels {
		if v.End > cut {
			levels = append(levels, Level{max(0, v.First-cut), v.End - cut, v.Center})
		}
	}
	steps := []Step{}
	for _, s := range l.Steps {
		if s.Last >= cut { // both sides of the step remain
			s.Last, s.First = s.Last-cut, s.First-cut
			steps = append(steps, s)
		}
	}
	outliers := []Outlier{}
	for _, o := range l.Outliers {
		if o.Point >= cut {
			o.Point -= cut
			outliers = append(outliers, o)
		}
	}
	l.Levels, l.Steps, l.Outliers = levels, steps, outliers
	return l
}

// shifted returns the indices that are at least cut, reduced by cut.
func shifted(places []int, cut int) (out []int) {
	for _, i := range places {
		if i >= cut {
			out = append(out, i-cut)
		}
	}
	return out
}
