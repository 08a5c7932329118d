package comparison

import (
	"fmt"
	"math"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
)

// meansNamed is how many benchmarks the words on means name.
const meansNamed = 3

// UnprovenMeans says of which benchmarks less was proven of the mean than mean_within asks, and what
// proves more; "" where there are none. The names come from outside.
func UnprovenMeans(c *compare.Comparison) (words, names string) {
	rows := c.UnprovenMeans()
	if len(rows) == 0 {
		return "", ""
	}
	least, most := math.Inf(1), 0.0
	var list []string
	for i, r := range rows {
		bound := r.Bound
		if r.Mean != nil {
			bound = r.Mean.Bound
		}
		least, most = min(least, r.MeanWithin), max(most, bound)
		if i < meansNamed {
			list = append(list, r.Name)
		}
	}
	if n := len(rows) - meansNamed; n > 0 {
		list = append(list, fmt.Sprintf("%d more", n))
	}
	proven := "not at all"
	if most <= 10 {
		proven = fmt.Sprintf("within %.0f %%", math.Ceil(100*most))
	}
	words = fmt.Sprintf("the mean of %s is proven %s, and --strict asks for %.3g %% (mean_within); a new trial with a longer --benchtime has more slices a round and proves more",
		reports.Plural(len(rows), "unchanged row"), proven, 100*least)
	return words, strings.Join(list, ", ")
}
