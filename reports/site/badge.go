package site

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
)

// BadgePath is where the badge lies in a site.
const BadgePath = "badge.svg"

// stale is after how long without a run nobody knows how things stand.
const stale = 30 * 24 * time.Hour

// The colours of a badge: white text on each has a contrast of 4.5 at least.
const (
	badgeWorse     = "#b3261e"
	badgeSteady    = "#1a7f37"
	badgeUndecided = "#9a6700"
	badgeUnknown   = "#59636e"
)

// Badge returns an SVG image for a README that says how the site's branch stands. It is green
// only if nearly all benchmarks have runs enough to tell, and lately.
func Badge(index *Index, r *Regressions) []byte {
	words, colour := standing(index, r)
	return badge("performance", words, colour)
}

// standing says in a few words how things stand.
func standing(index *Index, r *Regressions) (words, colour string) {
	regressed := map[int]bool{} // benchmarks, by a step in force or by the newest check
	for _, one := range r.List {
		if one.State == RegressionOpen {
			regressed[one.Benchmark] = true
		}
	}
	for i, b := range index.Benchmarks {
		if slices.ContainsFunc(b.Lines, func(l Row) bool { return l.Branch == "" && l.State == "checked" }) {
			regressed[i] = true
		}
	}
	open, now := len(regressed), index.Now
	off := 0 // by their newest run
	for _, b := range index.Benchmarks {
		if slices.ContainsFunc(b.Lines, func(l Row) bool { return l.Branch == "" && l.State == string(steps.Off) }) {
			off++
		}
	}
	told, all := benchmarksTold(index.Benchmarks)
	age := time.Duration(index.Meta.Generated-now.LastRun) * time.Second
	switch {
	case open > 0:
		return reports.Plural(open, "regression"), badgeWorse
	case told <= 0 || now.LastRun == 0:
		return "unknown", badgeUnknown
	case age > stale:
		return "not measured since " + time.Unix(now.LastRun, 0).UTC().Format("2006-01-02"), badgeUnknown
	case len(now.Lost) > 0:
		return "steady, " + reports.Plural(len(now.Lost), "benchmark") + " lost", badgeUndecided
	case off > 0:
		return fmt.Sprintf("newest run of %d far off", off), badgeUndecided
	case told == all:
		return "steady", badgeSteady
	case 10*(all-told) <= all:
		return fmt.Sprintf("%d of %d steady", told, all), badgeSteady
	}
	return fmt.Sprintf("%d of %d steady", told, all), badgeUnknown
}

// benchmarksTold counts the benchmarks of the site's branch, and those whose time, or whatever unit comes
// first, has runs enough for a step to be found. Scopes of profiles are none, unless there is nothing else.
func benchmarksTold(rows []BenchmarkRow) (told, all int) {
	scopes := !slices.ContainsFunc(rows, func(b BenchmarkRow) bool { return !b.Scope })
	for _, b := range rows {
		i := slices.IndexFunc(b.Lines, func(r Row) bool { return r.Branch == "" })
		if i < 0 || b.Scope != scopes {
			continue
		}
		all++
		if state := b.Lines[i].State; state != "too-few" && state != "checked" {
			told++
		}
	}
	return told, all
}

// badge draws two words, of letters, digits and signs of ours alone.
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

// textWidth is about how wide a text is in Verdana at 11 pixels, which is then made exact.
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
