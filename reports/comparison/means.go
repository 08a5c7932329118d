package comparison

import (
	"fmt"
	"math"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
)

// meansNamed is the maximum number of benchmarks to name.
const meansNamed = 3

// UnprovenMeans describes the rows whose mean is bounded less tightly than the setting mean_within
// requires, and how to measure it more precisely. names lists the first few benchmarks, which are
// external text. Both results are "" if there are no such rows.
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
	proven := "not proven to be within any bound"
	if most <= 10 {
		proven = fmt.Sprintf("proven only to be within %.0f %%", math.Ceil(100*most))
	}
	words = fmt.Sprintf("the mean of %s is %s, but --strict requires %s (mean_within): a new trial with a longer --benchtime has more slices per round and proves more",
		reports.Plural(len(rows), "unchanged row"), proven, reports.Level(least))
	return words, strings.Join(list, ", ")
}
