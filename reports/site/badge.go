package site

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/site/documents"
)

// BadgePath is the path of the badge within a site.
const BadgePath = "badge.svg"

// stale is the age at which the newest run no longer represents the current state.
const stale = 30 * 24 * time.Hour

// These are the colours of a badge. White text on them has a contrast of at least 4.5.
const (
	badgeWorse     = "#b3261e"
	badgeSteady    = "#1a7f37"
	badgeUndecided = "#9a6700"
	badgeUnknown   = "#59636e"
)

// Badge returns an SVG image of the state of the site's branch for a README. It is green only if
// nearly all benchmarks have enough recent runs.
func Badge(index *documents.Index, r *documents.Regressions) []byte {
	words, colour := standing(index, r)
	return badge("performance", words, colour)
}

// standing returns the state of the branch in a few words, and the colour for that state.
func standing(index *documents.Index, r *documents.Regressions) (words, colour string) {
	regressed := map[int]bool{} // benchmarks with an open regression, or one in the newest check
	for _, one := range r.List {
		if one.State == documents.RegressionOpen {
			regressed[one.Benchmark] = true
		}
	}
	for i, b := range index.Benchmarks {
		if slices.ContainsFunc(b.Lines, func(l documents.Row) bool { return l.Branch == "" && l.State == "checked" }) {
			regressed[i] = true
		}
	}
	open, now := len(regressed), index.Now
	off := 0 // number of benchmarks whose newest run is far off
	for _, b := range index.Benchmarks {
		if slices.ContainsFunc(b.Lines, func(l documents.Row) bool { return l.Branch == "" && l.State == string(steps.Off) }) {
			off++
		}
	}
	known, all := countKnown(index.Benchmarks)
	age := time.Duration(index.Meta.Generated-now.LastRun) * time.Second
	switch {
	case open > 0:
		return reports.Plural(open, "regression"), badgeWorse
	case known <= 0 || now.LastRun == 0:
		return "unknown", badgeUnknown
	case age > stale:
		return "not measured since " + time.Unix(now.LastRun, 0).UTC().Format("2006-01-02"), badgeUnknown
	case len(now.Lost) > 0:
		return "steady, " + reports.Plural(len(now.Lost), "benchmark") + " lost", badgeUndecided
	case off > 0:
		return fmt.Sprintf("newest run of %d far off", off), badgeUndecided
	case known == all:
		return "steady", badgeSteady
	case 10*(all-known) <= all:
		return fmt.Sprintf("%d of %d steady", known, all), badgeSteady
	}
	return fmt.Sprintf("%d of %d steady", known, all), badgeUnknown
}

// countKnown counts the benchmarks on the site's branch. all is their number, and known is the
// number of those with enough runs to find a step in their first unit. Scopes of profiles count
// only if there are no other benchmarks.
func countKnown(rows []documents.BenchmarkRow) (known, all int) {
	scopes := !slices.ContainsFunc(rows, func(b documents.BenchmarkRow) bool { return !b.Scope })
	for _, b := range rows {
		i := slices.IndexFunc(b.Lines, func(r documents.Row) bool { return r.Branch == "" })
		if i < 0 || b.Scope != scopes {
			continue
		}
		all++
		if state := b.Lines[i].State; state != "too-few" && state != "checked" {
			known++
		}
	}
	return known, all
}

// badge draws a label and a state next to each other. Neither contains text from users, so neither
// is escaped.
func badge(label, words, colour string) []byte {
	const height, pad = 20, 6
	left, right := textWidth(label)+2*pad, textWidth(words)+2*pad
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" role="img" aria-label="%s: %s">`+"\n", left+right, height, label, words)
	fmt.Fprintf(&b, "<title>%s: %s</title>\n", label, words)
	fmt.Fprintf(&b, `<path fill="#333b45" d="M3 0h%dv%dH3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"/>`+"\n", left-3, height)
	fmt.Fprintf(&b, `<path fill="%s" d="M%d 0h%da3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-%dz"/>`+"\n", colour, left, right-3, right-3)
	b.WriteString(`<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">` + "\n")
	for _, t := range []struct {
		x    int
		text string
	}{{pad, label}, {left + pad, words}} {
		fmt.Fprintf(&b, `<text x="%d" y="14" textLength="%d">%s</text>`+"\n", t.x, textWidth(t.text), t.text)
	}
	b.WriteString("</g>\n</svg>\n")
	return []byte(b.String())
}

// textWidth estimates the width of a text in Verdana at 11 pixels. The attribute textLength in the
// SVG makes the text exactly this wide.
func textWidth(text string) int {
	width := 0.0
	for _, r := range text {
		switch {
		case strings.ContainsRune("ijlft,.:-r ", r):
			width += 4.4
		case strings.ContainsRune("mwMW", r):
			width += 10
		default:
			width += 6.9
		}
	}
	return int(width + 0.5)
}
