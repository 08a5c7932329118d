package record

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// A value is written as strconv writes it, because the text decides the id of a run.
func TestAppendSample(t *testing.T) {
	values := []float64{0, 1, 0.5, 999_999, 999_999.5, 1e6, 1e6 + 1, 123_456_789, 1e20, 1e21, 5e-324, math.MaxFloat64}
	for v := 1.0; v < 1e8; v *= 1.37 {
		values = append(values, v, math.Trunc(v))
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		short := math.Trunc(rnd.Float64()*math.Pow(10, float64(rnd.IntN(12)))) / math.Pow(10, float64(rnd.IntN(6)))
		any := math.Abs(math.Float64frombits(rnd.Uint64()))
		values = append(values, short, math.Nextafter(short, 1e9), math.Abs(math.Nextafter(short, -1)), any)
	}
	for _, v := range values {
		if got, want := string(appendSample(nil, v)), strconv.FormatFloat(v, 'g', -1, 64); got != want && !math.IsInf(v, 0) && v == v {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
