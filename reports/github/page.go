package github

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
)

// A page is a text of limited size.
type page struct {
	b    strings.Builder
	left int // bytes left, without those reserved for the following lists
}

// A list consists of lines below a heading. A page leaves out the last lines if they do not fit.
type list struct {
	title    string // title of the fold; "" if the list is not folded
	before   string
	lines    []string
	after    string
	always   string            // text to show after the list in any case; the caller reserves room for it
	verdicts []compare.Verdict // the verdict of each line, or nil if lines are to be counted without verdicts
	what     string            // noun for the lines, such as "unchanged rows"
	spare    bool              // may use only the room left by all other lists
}

// more is the number of bytes reserved for the line returned by [list.leftOut].
const more = 200

// lists writes the lists, which are sorted by importance. Each list leaves enough room for the
// notes about lines left out of the lists after it.
func (p *page) lists(all ...list) {
	for _, l := range all {
		if len(l.lines) > 0 {
			p.left -= more
		}
	}
	texts := make([]string, len(all))
	for _, spare := range []bool{false, true} {
		for i, l := range all {
			if len(l.lines) > 0 && l.spare == spare {
				p.left += more
				texts[i] = p.list(l)
			}
		}
	}
	for i, l := range all {
		p.b.WriteString(texts[i] + l.always)
	}
}

func (p *page) list(l list) string {
	if l.title == "" {
		return p.rows(l, l.before, "")
	}
	return p.rows(l, "<details><summary>"+l.title+"</summary>\n\n"+l.before, "\n</details>\n")
}

// rows returns as many lines of a list as fit, between open and shut, and the number of lines left
// out.
func (p *page) rows(l list, open, shut string) string {
	room := p.left - len(open) - len(l.after) - len(shut) - more
	n, size := 0, 0
	for n < len(l.lines) && size+len(l.lines[n]) <= room {
		size += len(l.lines[n])
		n++
	}
	var b strings.Builder
	if n > 0 {
		b.WriteString(open + strings.Join(l.lines[:n], "") + l.after)
	}
	if n > 0 && n < len(l.lines) {
		b.WriteString("\n") // ends the HTML table
	}
	if n < len(l.lines) {
		b.WriteString(l.leftOut(n) + "\n")
	}
	if n > 0 {
		b.WriteString(shut)
	}
	b.WriteString("\n")
	p.left -= b.Len()
	return b.String()
}

// leftOut describes the number of lines left out if only the first n are shown.
func (l list) leftOut(n int) string {
	const why = "omitted to keep this short"
	left := len(l.lines) - n
	switch {
	case n == 0 && l.title != "":
		return l.title + " (" + why + ")"
	case n == 0:
		return fmt.Sprintf("%d %s %s", left, l.what, why) + l.counts(n)
	}
	return fmt.Sprintf("%d more %s %s", left, l.what, why) + l.counts(n)
}

// counts formats the number of lines with each verdict, beginning with line from, worst verdict
// first. It returns "" if the lines have no verdicts.
func (l list) counts(from int) string {
	if len(l.verdicts) == 0 {
		return ""
	}
	count := map[compare.Verdict]int{}
	for _, v := range l.verdicts[from:] {
		count[v]++
	}
	var parts []string
	for _, v := range slices.SortedFunc(maps.Keys(count), func(a, b compare.Verdict) int { return digest.Severity(a) - digest.Severity(b) }) {
		parts = append(parts, fmt.Sprintf("%d %s", count[v], v))
	}
	return ": " + strings.Join(parts, ", ")
}
