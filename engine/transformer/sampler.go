package transformer

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/profile"
)

// Sampler chooses tokens from logits. The zero Sampler chooses the most likely token. A Sampler
// allocates only in the first Sample. It is not safe for concurrent use.
type Sampler struct {
	// Temperature divides the logits. Below 1 it makes likely tokens even likelier. At 0 the most
	// likely token is chosen without drawing a random number.
	Temperature float64
	// TopK restricts the choice to the k most likely tokens; 0 means no restriction. Among equal
	// logits, lower token ids are preferred.
	TopK int

	rng        rand.PCG
	candidates []int     // token ids
	weights    []float32 // weights of the candidates
}

// NewSampler returns a sampler whose draws depend only on the seed.
func NewSampler(temperature float64, topK int, seed uint64) *Sampler {
	s := &Sampler{Temperature: temperature, TopK: topK}
	s.Seed(seed)
	return s
}

// Seed restarts the sequence of draws, as if the sampler had just been created with this seed.
func (s *Sampler) Seed(seed uint64) { s.rng.Seed(seed, 0) }

var errNoDistribution = errors.New("sample token: the logits hold NaN or +Inf, or nothing above -Inf")

// Sample returns a token id, an index into logits. It returns an error if Temperature is negative
// or not a finite number, if TopK is negative, or if the logits do not define a distribution
// because they are empty, because they contain NaN or +Inf, or because all are -Inf. Its scopes are
// TopK, ApplyTemperature, Softmax and MultinomialSample.
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

// argmax returns the index of the largest logit, or the first such index if several are equal.
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

// choose sets the candidates to all tokens, or to those with the TopK largest logits in descending
// order.
func (s *Sampler) choose(p *profile.Stack, logits []float32) {
	defer p.Scope("TopK").End()
	s.candidates = s.candidates[:0]
	if s.TopK == 0 || s.TopK >= len(logits) {
		for id := range logits {
			s.candidates = append(s.candidates, id)
		}
		return
	}
	// Insert into the short sorted list of candidates. Most tokens rank below the last candidate
	// and cost only one comparison.
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

// temper sets the weights to the candidates' logits after applying the temperature.
func (s *Sampler) temper(p *profile.Stack, logits []float32, top float32) {
	defer p.Scope("ApplyTemperature").End()
	s.weights = ApplyTemperature(s.weights[:0], logits, s.candidates, top, s.Temperature)
}

// normalize turns the weights into probabilities.
func (s *Sampler) normalize(p *profile.Stack) {
	defer p.Scope("Softmax").End()
	kernels.Softmax(s.weights, s.weights, 1, len(s.weights))
}

// draw returns a random index into the weights.
func (s *Sampler) draw(p *profile.Stack) int {
	defer p.Scope("MultinomialSample").End()
	return Multinomial(&s.rng, s.weights)
}

// ApplyTemperature appends to weights, for each candidate (an index into logits), the difference
// between its logit and top, divided by the temperature. Subtracting first prevents overflow at low
// temperatures.
func ApplyTemperature(weights, logits []float32, candidates []int, top float32, temperature float64) []float32 {
	for _, id := range candidates {
		weights = append(weights, float32((float64(logits[id])-float64(top))/temperature))
	}
	return weights
}

// Multinomial draws an index into the weights with a probability proportional to the weight. No
// weight may be negative and at least one must be positive. An index with weight zero is never
// drawn.
func Multinomial(rng *rand.PCG, weights []float32) int {
	total := 0.0
	for _, w := range weights {
		total += float64(w)
	}
	at := float64(rng.Uint64()>>11) * 0x1p-53 * total // in [0, total)
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
