// Package when parses dates and ages in the values of flags.
package when

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// Examples of dates and ages, for error messages.
const (
	dateForms = `2026-02-03, 2026-02-03T02:45:11Z, 90d, 2w, yesterday or "3 days ago"`
	ageForms  = `90d, 12w, 2y or "3 months"`
)

// Day is the length of a day.
const Day = 24 * time.Hour

// longest is the longest age accepted by a flag.
const longest = 200 * 365 * Day

var agePattern = regexp.MustCompile(`^([0-9]{1,5})[ .]?(h|d|w|y|(?:hour|day|week|month|year)s?)(?:[ .]ago)?$`)

// parseAge parses an age such as 90d, "3 months" or 2.weeks.ago. Months are counted back from now.
func parseAge(s string, now time.Time) (age time.Duration, ok bool) {
	m := agePattern.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return 0, false
	}
	if m[2][0] == 'm' {
		age = now.Sub(now.AddDate(0, -n, 0))
		return age, age <= longest
	}
	unit := map[byte]time.Duration{'h': time.Hour, 'd': Day, 'w': 7 * Day, 'y': 365 * Day}[m[2][0]]
	return time.Duration(n) * unit, time.Duration(n) <= longest/unit
}

// Time parses the value s of a flag as a point in time: either a date, in UTC unless it names a
// time zone, or an age before now. It returns the zero time if s is "".
func Time(flag, s string, now time.Time) (time.Time, error) {
	switch s {
	case "":
		return time.Time{}, nil
	case "now", "today":
		return now, nil
	case "yesterday":
		return now.Add(-Day), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05 -0700", time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	if age, ok := parseAge(s, now); ok {
		return now.Add(-age), nil
	}
	return time.Time{}, fmt.Errorf("--%s %q is not a time: write it as %s", flag, s, dateForms)
}

// Span parses the value s of a flag as an age. It returns an error if the age is shorter than least
// or longer than 200 years.
func Span(flag, s string, least time.Duration, now time.Time) (time.Duration, error) {
	age, ok := parseAge(s, now)
	if d, err := time.ParseDuration(s); !ok && err == nil {
		age, ok = d, true
	}
	if !ok {
		return 0, fmt.Errorf("--%s %q is not a period: write it as %s", flag, s, ageForms)
	}
	if age < least || age > longest {
		return 0, fmt.Errorf("--%s %q is not between %s and 200 years", flag, s, map[time.Duration]string{Day: "a day", time.Minute: "a minute"}[least])
	}
	return age, nil
}
