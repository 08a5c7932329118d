package cells

import (
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports"
)

// barWidth is the length of a full bar, in characters.
const barWidth = 20

// Bar draws fraction as a horizontal bar, where 1 is a full bar. It rounds to eighths of a
// character, but any fraction above 0 is visible.
func Bar(fraction float64) reports.Cell {
	if !(fraction > 0) {
		return reports.Cell{}
	}
	eighths := max(1, int(math.Round(min(fraction, 1)*barWidth*8)))
	b := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		b += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return reports.Cell{Text: b}
}

// BarColumn returns a column for bars.
func BarColumn(title string) reports.Column { return reports.Column{Title: title, Bar: true} }

// sparkWidth is the maximum number of characters in a line drawn by spark.
const sparkWidth = 40

// Spark draws values, oldest first, as a line of characters with heights from the smallest to the
// largest value. If there are more values than characters, each character shows the median of
// several consecutive values.
func Spark(values []float64) reports.Cell {
	places := values
	if len(values) > sparkWidth {
		places = nil
		for i := range sparkWidth {
			places = append(places, stat.Median(slices.Clone(values[i*len(values)/sparkWidth:(i+1)*len(values)/sparkWidth])))
		}
	}
	if len(places) < 2 {
		return reports.Cell{}
	}
	least, most := slices.Min(places), slices.Max(places)
	var b strings.Builder
	for _, x := range places {
		level := 3
		if most > least {
			level = int(math.Round(7 * (x - least) / (most - least)))
		}
		b.WriteRune([]rune("▁▂▃▄▅▆▇█")[level])
	}
	return reports.Cell{Text: b.String()}
}
