package stat

// A group is one of four groups of hypotheses in a trial: the typical rounds and the means of all
// slices, for known and for unknown series (see [Weight]). Each group gets a fraction of the error
// rate, and Holm's correction applies within it. The fractions follow from the numbers of
// hypotheses, which are fixed before anything is tested. So the probability of flagging anything
// when nothing changed is still at most alpha (Bonferroni over the groups), however the two
// hypotheses of a series depend on each other.
type group struct{ unknown, mean bool }

var groups = [...]group{{}, {unknown: true}, {mean: true}, {unknown: true, mean: true}}

// groupOf returns the index of a group in groups.
func groupOf(unknown, mean bool) (i int) {
	if unknown {
		i++
	}
	if mean {
		i += 2
	}
	return i
}

// meanPart is the fraction of the error rate for means, if there are any. It is small enough not to
// delay any look that could flag a typical round, whether there is one benchmark or 200.
const meanPart = 0.2

// sizes contains the number of hypotheses in each group.
type sizes [len(groups)]int

// weight returns the i-th group's fraction of the error rate.
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

// sharing returns how many hypotheses could share all of Alpha if each got the same share as a
// hypothesis in group i. part is the fraction of Alpha available to the trial.
func (n sizes) sharing(i int, part float64) float64 {
	return float64(max(1, n[i])) / n.weight(i) / part
}

// sizes counts the hypotheses sharing the error rate: all measured series, except those equal on
// both sides so far, and all means. A count that differs between the sides remains a hypothesis
// even after it has been decided and is no longer measured, because the coins do not influence
// which counts differ.
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

// exact counts the series in a group decided as different because their values repeat. Holm's
// procedure treats them as already rejected. This is wrong only if the rule for repeating values
// erred.
func (p *pairs) exact(g group) (n int) {
	for i := range p.s.series {
		st := &p.s.series[i]
		if !g.mean && st.Unknown == g.unknown && st.round > 0 && st.decision.Exact && st.decision.Outcome != Same {
			n++
		}
	}
	return n
}

// tested counts the tested series. A series with means counts once, although it has two hypotheses.
func (p *pairs) tested() (n int) {
	size := p.sizes()
	for i, g := range groups[:2] {
		n += size[i] - p.exact(g)
	}
	return n
}
