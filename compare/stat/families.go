package stat

// The author of a trial can add any number of hypotheses unknown to the history. If they were in
// one family with the known hypotheses, a few hundred of them would use up the error rate. So there
// are two families. The rate is split between them before anything is tested, so the probability of
// flagging anything when nothing changed is still at most alpha (Bonferroni over the two families,
// Holm within each). The share of the unknown family depends on its size but never exceeds a tenth.
//
// So each of k known hypotheses gets at least alpha/(k+u), as in a single family with u unknown
// ones, and at least nine tenths of alpha/k, however many are unknown.

// unknownMost is the largest fraction of the error rate for unknown hypotheses.
const unknownMost = 0.1

// Weight returns the fraction of the error rate for the unknown family, if isUnknown is set, or for
// the known family otherwise. known and unknown are the sizes of the two families.
func Weight(known, unknown int, isUnknown bool) float64 {
	if known == 0 || unknown == 0 {
		return 1
	}
	of := min(float64(unknown)/float64(known+unknown), unknownMost)
	if isUnknown {
		return of
	}
	return 1 - of
}

// Sharing returns how many hypotheses could share the whole error rate if each got the same share
// as a hypothesis in the given family. It is the size of the family divided by its [Weight].
func Sharing(known, unknown int, isUnknown bool) float64 {
	own := known
	if isUnknown {
		own = unknown
	}
	return float64(max(1, own)) / Weight(known, unknown, isUnknown)
}
