package train

import "math/rand/v2"

// Clusters returns rows samples for an MLP to learn: features (rows x in) and labels. The same seed
// gives the same samples. Each of the out classes is a normally distributed cloud with standard
// deviation 1 around a center also drawn from a normal distribution. The rows cycle through the
// classes. With a few dozen features the clouds hardly overlap.
func Clusters(seed uint64, rows, in, out int) (features []float32, labels []int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	centres := make([]float32, out*in)
	for i := range centres {
		centres[i] = float32(rng.NormFloat64())
	}
	features, labels = make([]float32, rows*in), make([]int, rows)
	for r := range rows {
		labels[r] = r % out
		centre := centres[labels[r]*in:][:in]
		for i, c := range centre {
			features[r*in+i] = c + float32(rng.NormFloat64())
		}
	}
	return features, labels
}
