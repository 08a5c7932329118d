package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"time"

	"github.com/perftrack/perftrack/runner/gitrepo"
)

// The forms of dates and ages, as errors list them.
const (
	dateForms = `2026-02-03, 2026-02-03T02:45:11Z, 90d, 2w, yesterday, "3 days ago" or "last friday"`
	ageForms  = `90d, 12w, 2y, "3 months" or 2.weeks`
)

const day = 24 * time.Hour

var agePattern = regexp.MustCompile(`^([0-9]{1,5})([hdwy])$`)

// parseAge reads a number of hours, days, weeks or years; ok is false for anything else.
func parseAge(s string) (age time.Duration, ok bool) {
	m := agePattern.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	unit := map[string]time.Duration{"h": time.Hour, "d": day, "w": 7 * day, "y": 365 * day}[m[2]]
	if longest := 200 * 365 * day; err != nil || time.Duration(n) > longest/unit {
		return 0, false
	}
	return time.Duration(n) * unit, true
}

// parseWhen reads the value of a flag that is a time: an ISO date, which is in UTC, an age, or
// what git understands. "" is no time.
func parseWhen(ctx context.Context, flag, s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	if age, ok := parseAge(s); ok {
		return now().Add(-age), nil
	}
	at, ok, err := approximate(ctx, s)
	if err == nil && (!ok || noDay(s)) {
		err = fmt.Errorf("--%s %q is no time: write it as %s", flag, s, dateForms)
	}
	return at, err
}

var isoDate = regexp.MustCompile(`^\d{4}-\d{1,2}-\d{1,2}`)

// noDay reports whether s begins with a date that no calendar has, of which git makes another one.
func noDay(s string) bool {
	date := isoDate.FindString(s)
	_, err := time.Parse("2006-1-2", date)
	return date != "" && err != nil
}

// parseSpan reads the value of a flag that is an age of least or more.
func parseSpan(ctx context.Context, flag, s string, least time.Duration) (time.Duration, error) {
	age, ok := parseAge(s)
	if d, err := time.ParseDuration(s); !ok && err == nil {
		age, ok = d, true
	}
	if !ok {
		at, known, err := approximate(ctx, s)
		if err != nil {
			return 0, err
		}
		if age, ok = now().Sub(at), known; !ok {
			return 0, fmt.Errorf("--%s %q is no length of time: write it as %s", flag, s, ageForms)
		}
	}
	if age < least || age > 200*365*day {
		return 0, fmt.Errorf("--%s %q is not between %s and 200 years", flag, s, map[time.Duration]string{day: "a day", time.Minute: "a minute"}[least])
	}
	return age, nil
}

func approximate(ctx context.Context, s string) (time.Time, bool, error) {
	dir, err := os.Getwd()
	if err != nil {
		return time.Time{}, false, fmt.Errorf("find the current directory: %w", err)
	}
	return gitrepo.ApproxDate(ctx, dir, s, now())
}
