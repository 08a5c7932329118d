package stat

// A trial may hold hypotheses that nobody has heard of, as many as whoever measured it
// likes. In one family with the known ones some hundreds would take all of the error rate.
// So there are two families. The rate is split
// between them before anything is tested, so that the chance of any flag where nothing
// changed is still at most alpha (Bonferroni over the two, Holm within each): the unknown
// get the part that is theirs by number, but never more than a tenth.
//
// One of k known and u unknown hypotheses so has at least alpha/(k+u), as in one family
// of all, and at least nine tenths of alpha/k, however many are unknown.

// unknownMost is the largest part of the error rate that unknown hypotheses may have.
const unknownMost = 0.1

// Weight returns the part of the error rate that one of the two families gets, the known
// or the unknown hypotheses, when they have so many.
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

// Sharing returns among how many hypotheses the whole error rate would be divided if each
// got as much as one of this family: the size of the family, divided by its [Weight].
func Sharing(known, unknown int, isUnknown bool) float64 {
	own := known
	if isUnknown {
		own = unknown
	}
	return float64(max(1, own)) / Weight(known, unknown, isUnknown)
}
