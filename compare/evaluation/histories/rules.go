package histories

import (
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"

	"github.com/perftrack/perftrack/compare/evaluation/figures"
)

// Peers returns the rules of other tools, implemented from their published descriptions.
func Peers() []Rule {
	return []Rule{
		{"Otava, defaults", otava{maxP: 0.001}.find},
		{"Otava, p < 1e-5 and >= 2.5 %", otava{maxP: 1e-5, least: 0.025}.find},
		{"least squares partition, 3 ln n, >= 2.5 %", leastSquares},
		{"rustc-perf, Q3 + 3 IQR", fence},
		{"github-action-benchmark, 110 %", tenPercent},
	}
}

// tenPercent flags a value above 110 % of the previous one.
func tenPercent(history []float64) (steps []int) {
	for i := 1; i < len(history); i++ {
		if history[i] > 1.1*history[i-1] {
			steps = append(steps, i)
		}
	}
	return steps
}

// fence flags a change above the third quartile of the 30 previous changes plus three times their
// interquartile range (rust-lang/rustc-perf, site/src/comparison.rs).
func fence(history []float64) (steps []int) {
	const before = 30
	change := func(i int) float64 { return math.Abs(history[i]/history[i-1] - 1) }
	for i := before + 1; i < len(history); i++ {
		var changes []float64
		for k := i - before; k < i; k++ {
			changes = append(changes, change(k))
		}
		slices.Sort(changes)
		q1, q3 := figures.Quantile(changes, 0.25), figures.Quantile(changes, 0.75)
		if change(i) >= q3+3*(q3-q1) {
			steps = append(steps, i)
		}
	}
	return steps
}

// leastSquares finds the exact partition of the logarithms with the least squared deviations
// (Jackson et al., "An Algorithm for Optimal Partitioning of Data on an Interval", IEEE Signal
// Processing Letters 12 (2005)). It uses perftrack's penalty, minimum length and smallest step.
func leastSquares(history []float64) []int {
	n := len(history)
	sum, squares := make([]float64, n+1), make([]float64, n+1)
	var differences []float64
	for i, v := range history {
		y := math.Log(v)
		sum[i+1], squares[i+1] = sum[i]+y, squares[i]+y*y
		if i > 0 {
			differences = append(differences, math.Abs(y-math.Log(history[i-1])))
		}
	}
	slices.Sort(differences)
	noise := figures.Quantile(differences, 0.5) / (0.6745 * math.Sqrt2)
	penalty := 3 * math.Log(float64(n)) * noise * noise
	best, from := make([]float64, n+1), make([]int, n+1)
	for t := 1; t <= n; t++ {
		best[t] = math.Inf(1)
		for u := 0; u+3 <= t; u++ {
			s := sum[t] - sum[u]
			if c := best[u] + penalty + squares[t] - squares[u] - s*s/float64(t-u); c < best[t] {
				best[t], from[t] = c, u
			}
		}
	}
	starts := []int{n}
	for t := n; t > 0 && !math.IsInf(best[t], 1); t = from[t] {
		starts = append(starts, from[t])
	}
	slices.Reverse(starts)
	mean := func(a, b int) float64 { return (sum[b] - sum[a]) / float64(b-a) }
	for {
		at, least := 0, math.Log1p(0.025)
		for i := 1; i+1 < len(starts); i++ {
			if d := math.Abs(mean(starts[i], starts[i+1]) - mean(starts[i-1], starts[i])); d < least {
				at, least = i, d
			}
		}
		if at == 0 {
			break
		}
		starts = slices.Delete(starts, at, at+1)
	}
	return starts[1 : len(starts)-1]
}

// otava is Apache Otava's procedure. It divides the history into windows of 50 values. In each
// window, it takes the E-divisive candidate with the largest distance (Matteson and James, JASA 109
// (2014)), uses a t test instead of permutations, and finally merges change points (apache/otava,
// otava/analysis.py and otava/change_point_divisive).
type otava struct{ maxP, least float64 }

const otavaWindow = 50

func (o otava) find(history []float64) []int {
	var points []int
	for start := 0; start < len(history); {
		end := min(start+otavaWindow, len(history))
		last := 0
		for _, at := range o.divide(history[start:end]) {
			if at += start; !slices.Contains(points, at) {
				points = append(points, at)
			}
			last = max(last, at)
		}
		start = max(last, start+otavaWindow/2)
	}
	slices.Sort(points)
	return o.merge(history, points)
}

// divide finds weak change points, for which p may be ten times as large as maxP.
func (o otava) divide(x []float64) []int {
	n := len(x)
	// d[i][j] is the sum of the distances between the values at indexes below i and those below j.
	d := make([][]float64, n+1)
	d[0] = make([]float64, n+1)
	for i := range n {
		d[i+1] = make([]float64, n+1)
		row := 0.0
		for j := range n {
			row += math.Abs(x[i] - x[j])
			d[i+1][j+1] = d[i][j+1] + row
		}
	}
	sum := func(a, b, c, e int) float64 { return d[b][e] - d[a][e] - d[b][c] + d[a][c] }
	var points []int
	for {
		at, best := 0, math.Inf(-1)
		bounds := append(append([]int{0}, points...), n)
		for i := 1; i < len(bounds); i++ {
			s, e := bounds[i-1], bounds[i]
			for tau := s + 1; tau < e; tau++ {
				for kappa := tau + 1; kappa <= e; kappa++ {
					l, m := float64(tau-s), float64(kappa-tau)
					if l < 2 || m < 2 {
						continue
					}
					q := 2*sum(s, tau, tau, kappa)/(l+m) - m*sum(s, tau, s, tau)/((l+m)*(l-1)) - l*sum(tau, kappa, tau, kappa)/((l+m)*(m-1))
					if q > best {
						at, best = tau, q
					}
				}
			}
		}
		if at == 0 {
			return points
		}
		k, _ := slices.BinarySearch(bounds, at)
		if studentP(x[bounds[k-1]:at], x[at:bounds[k]]) >= min(0.05, 10*o.maxP) {
			return points
		}
		points = slices.Insert(points, k-1, at)
	}
}

func (o otava) merge(x []float64, points []int) []int {
	for len(points) > 0 {
		bounds := append(append([]int{0}, points...), len(x))
		worst, p := 0, -1.0
		weakest, size := 0, math.Inf(1)
		for i := range points {
			a, b := x[bounds[i]:points[i]], x[points[i]:bounds[i+2]]
			if v := studentP(a, b); v > p {
				worst, p = i, v
			}
			if v := math.Abs(figures.Average(b)/figures.Average(a) - 1); v < size {
				weakest, size = i, v
			}
		}
		switch {
		case p >= o.maxP:
			points = slices.Delete(points, worst, worst+1)
		case size <= o.least:
			points = slices.Delete(points, weakest, weakest+1)
		default:
			return points
		}
	}
	return points
}

// studentP returns the p value of the two-sided t test with pooled variance. As in Otava, the
// variances are divided by n.
func studentP(a, b []float64) float64 {
	n, m := float64(len(a)), float64(len(b))
	if n+m <= 2 {
		return 1
	}
	variance := func(v []float64) float64 {
		mean, sum := figures.Average(v), 0.0
		for _, x := range v {
			sum += (x - mean) * (x - mean)
		}
		return sum / float64(len(v))
	}
	pooled := ((n-1)*variance(a) + (m-1)*variance(b)) / (n + m - 2)
	difference := math.Abs(figures.Average(a) - figures.Average(b))
	if pooled == 0 {
		if difference == 0 {
			return 1
		}
		return 0
	}
	return 2 * stats.TDist{V: n + m - 2}.CDF(-difference/math.Sqrt(pooled*(1/n+1/m)))
}
