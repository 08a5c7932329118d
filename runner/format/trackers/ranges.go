package trackers

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/format/reading"
)

const rangeNumber = `([0-9][0-9,]*\.?[0-9]*(?:[eE][-+]?[0-9]+)?)`

// The ranges whose meaning is clear.
var (
	rangeAround  = regexp.MustCompile(`^(?:±|\+-|\+/-)\s*` + rangeNumber + `$`)
	rangePercent = regexp.MustCompile(`^(?:±|\+-|\+/-)?\s*` + rangeNumber + `\s*%$`)
	rangeBoth    = regexp.MustCompile(`^(?:±|\+-|\+/-)?\s*` + rangeNumber + `\s*\((?:±|\+-|\+/-)?\s*` + rangeNumber + `\s*%\)$`)
	rangeSD      = regexp.MustCompile(`(?i)^(?:stddev|std|sd|standard deviation)\s*[:=]\s*` + rangeNumber + `$`)
	rangeBetween = regexp.MustCompile(`^\[?\s*` + rangeNumber + `\s*(?:,\s|-|–|\.\.|…|to\s)\s*` + rangeNumber + `\s*\]?$`)
)

// spreadOf returns the spread of a value v by the text that a program wrote as its range. Unless the
// meaning is clear, the spread is unknown.
func spreadOf(text string, v float64, u reading.Unit) reading.Spread {
	s := reading.NoSpread()
	around := func(by float64) { s.Low, s.High = max(0, u.Value(v-by).V), u.Value(v+by).V }
	text = strings.TrimSpace(text)
	var m []float64
	switch {
	case strings.HasSuffix(text, "%)"):
		if m = figures(rangeBoth, text); m != nil && math.Abs(m[0]-v*m[1]/100) <= 0.1*m[0] {
			around(m[0])
		}
	case strings.HasSuffix(text, "%"):
		if m = figures(rangePercent, text); m != nil {
			around(math.Abs(v) * m[0] / 100)
		}
	case strings.HasPrefix(text, "±"), strings.HasPrefix(text, "+"):
		if m = figures(rangeAround, text); m != nil {
			around(m[0])
		}
	default:
		if m = figures(rangeSD, text); m != nil {
			s.SD = u.Value(m[0]).V
		} else if m = figures(rangeBetween, text); m != nil && m[0] <= v && v <= m[1] {
			s.Low, s.High = u.Value(m[0]).V, u.Value(m[1]).V
		}
	}
	return s
}

// figures returns the numbers in text, or nil if it does not match.
func figures(re *regexp.Regexp, text string) (all []float64) {
	m := re.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	for _, word := range m[1:] {
		f, err := strconv.ParseFloat(strings.ReplaceAll(word, ",", ""), 64)
		if err != nil {
			return nil
		}
		all = append(all, f)
	}
	return all
}
