package transformer

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/profile"
)

// Sampler chooses tokens from logits. The zero Sampler takes the most likely
// token. After the first Sample it allocates nothing; it is not safe for
// concurrent use.
type Sampler struct {
	// Temperature divides the logits: below 1 the likely tokens become likelier.
	// 0 takes the most likely token and draws nothing.
	Temperature float64
	// TopK restricts the choice to the k most likely tokens; 0 to none. Among
	// equal logits the lower token ids come first.
	TopK int

	rng        rand.PCG
	candidates []int     // token ids
	weights    []float32 // of the candidates
}

// NewSampler returns a sampler whose draws depend on the seed alone.
func NewSampler(temperature float64, topK int, seed uint64) *Sampler {
	s := &Sampler{Temperature: temperature, TopK: topK}
	s.Seed(seed)
	return s
}

// Seed starts the draws over, as NewSampler with that seed does.
func (s *Sampler) Seed(seed uint64) { s.rng.Seed(seed, 0) }

var errNoDistribution = errors.New("sample token: the logits hold NaN or +Inf, or nothing above -Inf")

// Sample returns a token id, an index into logits. It is an error if Temperature
// is negative or not a number, if TopK is negative, or if the logits are no
// distribution: empty, NaN or +Inf among them, or all -Inf. Its scopes are TopK,
// ApplyTemperature, Softmax and MultinomialSample.
func (s *Sampler) Sample(p *profile.Stack, logits []float32) (int, error) {
	if !(s.Temperature >= 0) || math.IsInf(s.Temperature, 1) {
		return 0, fmt.Errorf("sample token: temperature %v, want a number from 0", s.Temperature)
	}
	if s.TopK < 0 {
		return 0, fmt.Errorf("sample token: top-k %d, want 0 (all) or more", s.TopK)
	}
	best, err := argmax(logits)
	if err != nil || s.Temperature == 0 {
		return best, err
	}
	s.choose(p, logits)
	s.temper(p, logits, logits[best])
	s.normalize(p)
	return s.candidates[s.draw(p)], nil
}

// argmax returns the first of the largest logits.
func argmax(logits []float32) (int, error) {
	best, top := -1, math.Inf(-1)
	for i, v := range logits {
		if math.IsNaN(float64(v)) {
			return 0, errNoDistribution
		}
		if float64(v) > top {
			best, top = i, float64(v)
		}
	}
	if best < 0 || math.IsInf(top, 1) {
		return 0, errNoDistribution
	}
	return best, nil
}

// choose sets the candidates: all tokens, or the TopK of the largest logits in
// descending order.
func (s *Sampler) choose(p *profile.Stack, logits []float32) {
	defer p.Scope("TopK").End()
	s.candidates = s.candidates[:0]
	if s.TopK == 0 || s.TopK >= len(logits) {
		for id := range logits {
			s.candidates = append(s.candidates, id)
		}
		return
	}
	// Insertion into the sorted few: most tokens are below the last of them and
	// cost one comparison.
	for id, v := range logits {
		if len(s.candidates) == s.TopK {
			if v <= logits[s.candidates[s.TopK-1]] {
				continue
			}
			s.candidates = s.candidates[:s.TopK-1]
		}
		s.candidates = append(s.candidates, id)
		for i := len(s.candidates) - 1; i > 0 && v > logits[s.candidates[i-1]]; i-- {
			s.candidates[i], s.candidates[i-1] = s.candidates[i-1], s.candidates[i]
		}
	}
}

// temper sets the weights to the candidates' tempered logits.
func (s *Sampler) temper(p *profile.Stack, logits []float32, top float32) {
	defer p.Scope("ApplyTemperature").End()
	s.weights = ApplyTemperature(s.weights[:0], logits, s.candidates, top, s.Temperature)
}

// normalize turns the weights into probabilities.
func (s *Sampler) normalize(p *profile.Stack) {
	defer p.Scope("Softmax").End()
	kernels.Softmax(s.weights, s.weights, 1, len(s.weights))
}

// draw returns an index into the weights.
func (s *Sampler) draw(p *profile.Stack) int {
	defer p.Scope("MultinomialSample").End()
	return Multinomial(&s.rng, s.weights)
}

// ApplyTemperature appends to weights, for each of the candidates (indexes into
// logits), its logit below top, divided by the temperature. Subtracting first
// keeps a small temperature from overflowing.
func ApplyTemperature(weights, logits []float32, candidates []int, top float32, temperature float64) []float32 {
	for _, id := range candidates {
		weights = append(weights, float32((float64(logits[id])-float64(top))/temperature))
	}
	return weights
}

// Multinomial draws an index into the weights with a probability in proportion
// to them. The weights are not negative and one of them is positive; one of zero
// is never drawn.
func Multinomial(rng *rand.PCG, weights []float32) int {
	total := 0.0
	for _, w := range weights {
		total += float64(w)
	}
	at := float64(rng.Uint64()>>11) * 0x1p-53 * total // [0, total)
	last, sum := 0, 0.0
	for i, w := range weights {
		if w == 0 {
			continue
		}
		last = i
		if sum += float64(w); at < sum {
			break
		}
	}
	return last
}
