package retention

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/listing"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Report describes a choice. gone is the number of deleted runs, or negative if the choice is only
// shown.
func Report(c Choice, gone int, now time.Time) reports.Report {
	l := listing.New("Prune", "target", "branch", "environment", "#runs", "oldest", "newest")
	l.Extra("environment")
	for _, g := range groups(c.Delete) {
		oldest, newest := g.infos[0], g.infos[len(g.infos)-1]
		l.Add(g.target, g.branch, g.environment, len(g.infos), day(oldest), day(newest))
	}
	r := l.Report()
	if len(c.Delete) == 0 {
		r.Tables = nil
	}
	r.Kind, r.Document, r.Records = "prune", func() reports.Object { return c.document(gone, now) }, c.records
	r.Facts = []reports.Fact{{Key: "condition", Value: c.Rule.Reason(now)}}
	for _, why := range whys(c.Kept) {
		r.Facts = append(r.Facts, reports.Fact{Key: "kept, " + string(why), Value: reports.Plural(c.Kept[why], "run")})
	}
	runs := fmt.Sprintf("%d of %s", len(c.Delete), reports.Plural(c.Of, "run"))
	switch {
	case gone >= 0:
		r.Summary = fmt.Sprintf("%d of %s deleted", gone, reports.Plural(c.Of, "run"))
	case len(c.Delete) == 0:
		r.Summary = runs + " would be deleted"
	default:
		r.Summary, r.Tone = runs+" would be deleted, here and in each clone at its next sync; --yes deletes them", reports.Warn
	}
	return r
}

// A group holds the runs of a series, oldest first.
type group struct {
	series
	infos []record.RunInfo
}

func groups(infos []record.RunInfo) (all []group) {
	index := map[series]int{}
	for _, info := range infos {
		i, ok := index[seriesOf(info)]
		if !ok {
			i, index[seriesOf(info)] = len(all), len(all)
			all = append(all, group{series: seriesOf(info)})
		}
		all[i].infos = append(all[i].infos, info)
	}
	for _, g := range all {
		slices.SortStableFunc(g.infos, func(a, b record.RunInfo) int { return measured(a).Compare(measured(b)) })
	}
	slices.SortFunc(all, func(a, b group) int {
		return cmp.Or(strings.Compare(a.target, b.target), strings.Compare(a.branch, b.branch), strings.Compare(a.environment, b.environment))
	})
	return all
}

// day returns the date of a run.
func day(info record.RunInfo) string {
	if at := measured(info); !at.IsZero() {
		return at.UTC().Format(time.DateOnly)
	}
	return "-"
}

// whys returns the reasons to keep runs, sorted.
func whys(kept map[Kept]int) (list []Kept) {
	for why := range kept {
		if why != "" {
			list = append(list, why)
		}
	}
	slices.Sort(list)
	return list
}

func (c Choice) document(gone int, now time.Time) reports.Object {
	kept := map[string]int{}
	for _, why := range whys(c.Kept) {
		kept[string(why)] = c.Kept[why]
	}
	return reports.Object{
		{"done", gone >= 0}, // false if the runs would only be deleted with --yes
		{"reason", c.Rule.Reason(now)},
		{"stored", c.Of}, // runs before
		{"runs", reports.Objects(&c.Delete, func(info *record.RunInfo) reports.Object {
			return reports.Object{{"run", info.ID}, {"target", info.Target}, {"branch", reports.Optional(info.Commit.Branch)},
				{"commit", reports.Optional(info.Commit.SHA)}, {"environment", info.EnvironmentID}, {"measured", reports.Optional(timeOf(*info))}}
		})},
		{"kept", kept}, // numbers of runs kept against the rule, by the reason
	}
}

func timeOf(info record.RunInfo) string {
	if at := measured(info); !at.IsZero() {
		return at.UTC().Format(time.RFC3339)
	}
	return ""
}

func (c Choice) records() [][]any {
	lines := [][]any{reports.ColumnNames("run target branch commit environment measured")}
	for _, info := range c.Delete {
		lines = append(lines, []any{info.ID, info.Target, info.Commit.Branch, info.Commit.SHA, info.EnvironmentID, timeOf(info)})
	}
	return lines
}
