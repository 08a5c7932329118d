package family

import (
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/reports"
)

// barWidth is the length of a whole bar, in characters.
const barWidth = 20

// bar draws a fraction in eighths of a character. What is there, however little, is seen.
func bar(fraction float64) reports.Cell {
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

// barColumn is a column of bars.
func barColumn(title string) reports.Column { return reports.Column{Title: title, Bar: true} }

// sparkWidth is how many places a line of values has at most.
const sparkWidth = 40

// spark draws values as a line of characters, the oldest first, from the least to the most. Of more
// values than places each place is the median of some.
func spark(values []float64) reports.Cell {
	places := values
	if len(values) > sparkWidth {
		places = nil
		for i := range sparkWidth {
			places = append(places, median(values[i*len(values)/sparkWidth:(i+1)*len(values)/sparkWidth]))
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

func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(values))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}
