package config

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Thresholds and alpha must be below these limits. If each end of an interval could be wrong with a
// probability of one half, the interval would be empty.
const (
	thresholdLimit = 10
	alphaLimit     = 0.5
)

// ParseThreshold parses a threshold as it is written in the file: "5%" or 0.05.
func ParseThreshold(text string) (float64, error) {
	return parseFraction("threshold", text, thresholdLimit)
}

// ParseAlpha parses an alpha as it is written in the file: "1%" or 0.01.
func ParseAlpha(text string) (float64, error) { return parseFraction("alpha", text, alphaLimit) }

// float matches the finite floating-point numbers of TOML.
var float = regexp.MustCompile(`^[+-]?(0|[1-9][0-9]*)(\.[0-9]+([eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)$`)

// parseFraction parses a fraction like "5%" or 0.05 between 0 and limit, both excluded. It rejects
// a whole number without a percent sign, because a user who writes 5 does not mean 500 %.
func parseFraction(key, text string, limit float64) (f float64, err error) {
	if number, isPercent := strings.CutSuffix(text, "%"); isPercent {
		// Shift the exponent in the text, because 3/100 computed in floating point might differ
		// from 0.03.
		f, err = strconv.ParseFloat(strings.TrimSpace(number)+"e-2", 64)
	} else if f, err = strconv.ParseFloat(text, 64); !float.MatchString(text) {
		err = strconv.ErrSyntax
	}
	switch {
	case err != nil || math.IsNaN(f):
		return 0, fmt.Errorf(`%s: write it as "5%%" or as 0.05`, key)
	case f <= 0 || f >= limit:
		return 0, fmt.Errorf("%s must be above 0%% and below %g%%", key, limit*100)
	}
	return f, nil
}

// fraction parses the value of key and stores it in to, if the table has the key.
func (t table) fraction(key string, value literal, limit float64, to *float64) {
	if !t.has(key) {
		return
	}
	f, err := parseFraction(key, value.text, limit)
	if err != nil {
		t.note(key, "%v", err)
		return
	}
	*to = f
}
