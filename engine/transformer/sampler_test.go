package transformer

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var (
	nan    = float32(math.NaN())
	inf    = float32(math.Inf(1))
	negInf = float32(math.Inf(-1))
)

func TestGreedy(t *testing.T) {
	for _, tc := range []struct {
		logits []float32
		want   int
	}{
		{[]float32{3}, 0},
		{[]float32{1, 5, 2}, 1},
		{[]float32{1, 5, 5}, 1},
		{[]float32{-7, -3, negInf}, 1},
		{[]float32{negInf, negInf, -3e38}, 2},
	} {
		for _, s := range []*Sampler{new(Sampler), NewSampler(0, 2, 1), NewSampler(1, 1, 1), NewSampler(1e-300, 0, 1)} {
			if tc.want == 1 && tc.logits[2] == 5 && s.Temperature > 0 && s.TopK == 0 {
				continue // a random draw decides the tie
			}
			if got, err := s.Sample(nil, tc.logits); got != tc.want || err != nil {
				t.Errorf("%v at temperature %v, top %d: %d and error %v, want %d",
					tc.logits, s.Temperature, s.TopK, got, err, tc.want)
			}
		}
	}
}

// The draws follow softmax(logits/temperature) over the k most likely tokens, according to
// Pearson's chi-square test with a fixed seed. The bounds are the 99.9 % points.
func TestSamplerDistribution(t *testing.T) {
	logits := []float32{0.3, -1, 2, 0.3, 1.5, negInf, -0.2, 0}
	for _, tc := range []struct {
		temperature float64
		topK        int
		allowed     []int
		bound       float64
	}{
		{1, 0, []int{0, 1, 2, 3, 4, 6, 7}, 22.46}, // 6 degrees of freedom
		{0.5, 0, []int{0, 1, 2, 3, 4, 6, 7}, 22.46},
		{3, 8, []int{0, 1, 2, 3, 4, 6, 7}, 22.46},
		{1, 100, []int{0, 1, 2, 3, 4, 6, 7}, 22.46},
		{1, 3, []int{0, 2, 4}, 13.82}, // the first of two equal logits
		{2, 4, []int{0, 2, 3, 4}, 16.27},
		{0.7, 2, []int{2, 4}, 10.83},
	} {
		expected, sum := make([]float64, len(logits)), 0.0
		for _, id := range tc.allowed {
			expected[id] = math.Exp(float64(logits[id]) / tc.temperature)
			sum += expected[id]
		}
		const draws = 20_000
		counts := make([]float64, len(logits))
		s := NewSampler(tc.temperature, tc.topK, 42)
		for range draws {
			id, err := s.Sample(nil, logits)
			if err != nil {
				t.Fatal(err)
			}
			counts[id]++
		}
		chi := 0.0
		for id, n := range counts {
			e := expected[id] / sum * draws
			if e == 0 && n > 0 {
				t.Errorf("temperature %v, top %d: token %d drawn %v times, want never", tc.temperature, tc.topK, id, n)
			}
			if e > 0 {
				chi += (n - e) * (n - e) / e
			}
		}
		if chi > tc.bound {
			t.Errorf("temperature %v, top %d: chi-square %.1f above %.2f, counts %v", tc.temperature, tc.topK, chi, tc.bound, counts)
		}
	}
}

// For any logits, the candidates are the k tokens with the largest logits.
func TestTopKProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logits := make([]float32, rapid.IntRange(1, 60).Draw(t, "vocab"))
		for i := range logits { // small integers, so that there are many ties
			logits[i] = float32(rapid.IntRange(-4, 4).Draw(t, "logit"))
		}
		k := rapid.IntRange(1, 70).Draw(t, "k")
		s := NewSampler(1, k, 1)
		if _, err := s.Sample(nil, logits); err != nil {
			t.Fatal(err)
		}
		want := make([]int, len(logits))
		for i := range want {
			want[i] = i
		}
		slices.SortStableFunc(want, func(a, b int) int { return int(logits[b] - logits[a]) })
		want = want[:min(k, len(want))]
		got := slices.Clone(s.candidates)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("candidates of %v, k %d: %v, want %v", logits, k, got, want)
		}
	})
}

func TestSamplerIsDeterministic(t *testing.T) {
	logits := make([]float32, 50)
	a, b, other := NewSampler(1, 0, 7), NewSampler(1, 0, 7), NewSampler(1, 0, 8)
	differ := 0
	for range 200 {
		x, _ := a.Sample(nil, logits)
		y, _ := b.Sample(nil, logits)
		z, _ := other.Sample(nil, logits)
		if x != y {
			t.Fatalf("two samplers of one seed drew %d and %d", x, y)
		}
		if x != z {
			differ++
		}
	}
	if differ < 150 {
		t.Errorf("another seed differed in %d of 200 draws", differ)
	}
}

func TestSamplerErrors(t *testing.T) {
	const none = "the logits hold NaN or +Inf, or nothing above -Inf"
	fine := []float32{1, 2}
	for _, tc := range []struct {
		sampler *Sampler
		logits  []float32
		want    string
	}{
		{NewSampler(-0.5, 0, 1), fine, "temperature -0.5, want a number from 0"},
		{NewSampler(math.NaN(), 0, 1), fine, "temperature NaN, want a number from 0"},
		{NewSampler(math.Inf(1), 0, 1), fine, "temperature +Inf, want a number from 0"},
		{NewSampler(1, -1, 1), fine, "top-k -1, want 0 (all) or more"},
		{NewSampler(1, 0, 1), nil, none},
		{NewSampler(0, 0, 1), nil, none},
		{NewSampler(0, 0, 1), []float32{1, nan, 2}, none},
		{NewSampler(1, 2, 1), []float32{1, 2, nan}, none},
		{NewSampler(1, 0, 1), []float32{1, inf}, none},
		{NewSampler(1, 0, 1), []float32{negInf, negInf}, none},
	} {
		_, err := tc.sampler.Sample(nil, tc.logits)
		checkError(t, err, tc.want, "sample token: ")
	}
}
