package github

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/compare"
)

// A page is text of limited size.
type page struct {
	b    strings.Builder
	left int // of the size, without what is reserved for the lists to come
}

// A list is lines below a heading. Some of them may have to be left out.
type list struct {
	title    string // of the fold; "" is always open
	before   string
	lines    []string
	after    string
	always   string            // the list is this text, for which there is room
	verdicts []compare.Verdict // of the lines, where they differ
	what     string            // "unchanged rows": what a line is, for how many are left out
	spare    bool              // it gets the room that all others leave, wherever it stands
}

// more is the room for the line that says what was left out of a list, see
// [list.leftOut].
const more = 200

// lists writes the lists, the most important first. Each leaves room for the others to
// say that they were left out: a reader has to know of what is not shown.
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

// rows returns the lines for which there is room between the two texts and says how many
// are left out. If there is no room for any it says only that.
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
		b.WriteString("\n") // ends the table
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

// leftOut says what is missing from the list if only its first n lines are shown.
func (l list) leftOut(n int) string {
	const why = "left out to keep this short"
	left := len(l.lines) - n
	switch {
	case n == 0 && l.title != "":
		return l.title + " (" + why + ")"
	case n == 0:
		return fmt.Sprintf("%d %s %s", left, l.what, why) + l.counts(n)
	}
	return fmt.Sprintf("%d more %s %s", left, l.what, why) + l.counts(n)
}

// counts are the numbers of lines by verdict from a line on, the worst verdict first.
func (l list) counts(from int) string {
	if len(l.verdicts) == 0 {
		return ""
	}
	count := map[compare.Verdict]int{}
	for _, v := range l.verdicts[from:] {
		count[v]++
	}
	var parts []string
	for _, v := range worst {
		if count[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[v], v))
		}
	}
	return ": " + strings.Join(parts, ", ")
}
