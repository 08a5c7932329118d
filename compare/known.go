package compare

// A trial that a stranger measured may hold benchmarks that nobody has heard of, as many
// as he likes. Each is a hypothesis: in one family with those that the project has, some
// hundreds would take all of the error rate. So there are two families. The rate is split
// between them before anything is tested, so that the chance of any flag where nothing
// changed is still at most alpha (Bonferroni over the two, Holm within each): the unknown
// get the part that is theirs by number, but never more than a tenth.
//
// One of k known and u unknown hypotheses so has at least alpha/(k+u), as in one family
// of all, and at least nine tenths of alpha/k, however many are unknown.

// unknownMost is the largest part of the error rate that unknown benchmarks may have.
const unknownMost = 0.1

// weight is the part of the error rate that a family has of those with so many
// hypotheses: of the known, or of the unknown ones.
func weight(known, unknown int, isUnknown bool) float64 {
	if known == 0 || unknown == 0 {
		return 1
	}
	of := min(float64(unknown)/float64(known+unknown), unknownMost)
	return cond(isUnknown, of, 1-of)
}

// shared returns how many hypotheses share the error rate with one of a family, if all
// have equal parts of it: what [weight] makes of the family's own number.
func shared(known, unknown int, isUnknown bool) float64 {
	return float64(max(1, cond(isUnknown, unknown, known))) / weight(known, unknown, isUnknown)
}

// unknown reports whether the base's history lacks a row's benchmark or unit, if it is
// known what it has.
func (c *Comparison) unknown(r *Row) bool {
	return c.Options.Known != nil && !c.Options.Known(r.Target, r.BenchmarkID, r.OrigUnit)
}

// holmOf is holm in two families of p, to be held against the alpha of both.
func holmOf(p []float64, unknown []bool) []float64 {
	var parts [2][]float64
	for i, u := range unknown {
		k := cond(u, 1, 0)
		parts[k] = append(parts[k], p[i])
	}
	adjusted := [2][]float64{holm(parts[0]), holm(parts[1])}
	out := make([]float64, len(p))
	for i, u := range unknown {
		k := cond(u, 1, 0)
		out[i] = min(1, adjusted[k][0]/weight(len(parts[0]), len(parts[1]), u))
		adjusted[k] = adjusted[k][1:]
	}
	return out
}
