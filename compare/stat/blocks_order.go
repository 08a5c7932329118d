package stat

// BaseFirst says which side of a pair is measured first, in a round counted
// from 1 of a trial with this seed. It is as good as a coin flip for each pair,
// but for one thing: in each block of rounds that is tested both sides come
// first equally often, to within one, and over two blocks exactly so. The test
// takes all orders within a block for equally likely. Should the second process
// of a pair be slower, as when the first one heats the machine, free coin flips
// would give one side more of the slow places than that allows for.
func BaseFirst(seed uint64, benchmark string, round int) bool {
	const block = blockRounds
	r := scrambler(seed)
	for _, c := range []byte(benchmark) {
		r.mix(uint64(c))
	}
	at := max(round-1, 0)
	r.mix(uint64(at / (2 * block)))
	// A random half of the ten places of two blocks, so many in the first.
	first := block/2 + int(r.next()&1)
	places := [2]int{first, block - first}
	r.mix(uint64(at / block % 2))
	left := places[at/block%2]
	for i := range block {
		take := int(r.next()%uint64(block-i)) < left
		if i == at%block {
			return take
		}
		if take {
			left--
		}
	}
	return false
}
