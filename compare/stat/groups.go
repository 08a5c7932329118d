package stat

// The hypotheses of a trial are in four groups: of the known and of the unknown series, see
// [Weight], the typical rounds and the means of all slices. Each group has a part of the error
// rate, and Holm's correction within. The parts follow from how many hypotheses there are, which
// is settled before anything is tested, so the chance of any flag where nothing changed is
// still at most alpha (Bonferroni over the groups), however a series's two hypotheses depend on each other.
type group struct{ unknown, mean bool }

var groups = [...]group{{}, {unknown: true}, {mean: true}, {unknown: true, mean: true}}

// groupOf is the index of a group.
func groupOf(unknown, mean bool) (i int) {
	if unknown {
		i++
	}
	if mean {
		i += 2
	}
	return i
}

// meanPart is the part of the error rate that the means have, where there are any: a fifth delays
// no look at a typical change, of one benchmark or of 200.
const meanPart = 0.2

// sizes are how many hypotheses the groups have.
type sizes [len(groups)]int

// weight is the part of the error rate that a group has.
func (n sizes) weight(i int) float64 {
	of := n[:2]
	if groups[i].mean {
		of = n[2:]
	}
	w := Weight(of[0], of[1], groups[i].unknown)
	switch {
	case n[2]+n[3] == 0:
		return w
	case groups[i].mean:
		return meanPart * w
	}
	return (1 - meanPart) * w
}

// sharing is among how many hypotheses all of Alpha would be divided, if each got as much as one
// of the group and the trial has this part of it.
func (n sizes) sharing(i int, part float64) float64 {
	return float64(max(1, n[i])) / n.weight(i) / part
}

// sizes counts the hypotheses for the plan: all series that were measured but for those that are
// equal on both sides so far, and all means. A count that differs is one for good, also when it
// was believed and left, since which counts do differ is nothing that the coins decide.
func (p *pairs) sizes() (n sizes) {
	for i := range p.s.series {
		st := &p.s.series[i]
		if st.means.rounds(p.s.round) > 0 {
			n[groupOf(st.Unknown, true)]++
		}
		switch {
		case st.rounds(p.s.round) == 0:
		case st.round > 0 && st.decision.Exact && st.decision.Outcome == Same:
		case st.round == 0 && st.equal(p.s.round):
		default:
			n[groupOf(st.Unknown, false)]++
		}
	}
	return n
}

// exact counts the series that differ and were decided by values that repeat. They are
// rejected as Holm's step-down has it, or their rule erred.
func (p *pairs) exact(g group) (n int) {
	for i := range p.s.series {
		st := &p.s.series[i]
		if !g.mean && st.Unknown == g.unknown && st.round > 0 && st.decision.Exact && st.decision.Outcome != Same {
			n++
		}
	}
	return n
}

// tested counts series: one has two hypotheses where it has means.
func (p *pairs) tested() (n int) {
	size := p.sizes()
	for i, g := range groups[:2] {
		n += size[i] - p.exact(g)
	}
	return n
}
