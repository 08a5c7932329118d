package github

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/perftrack/perftrack/reports"
)

// Tables are written as HTML: of what GitHub, GitLab and Forgejo leave in a comment, only the
// attribute nowrap keeps a name or a number in one line and can be copied as it is. In such
// a block nothing is Markdown, and it ends at the first empty line, which no cell can have.

// A column of a table. A column whose cells are all empty is left out.
type column struct {
	title string
	wraps bool // of prose, which may take several lines
	right bool
}

// A line of a table: the names of what it is about, its cells, and what stands below it over
// the whole width. Cells are HTML, names from outside are not; at a line end of a cell it may
// be broken where the names need the room.
type line struct {
	first string // before the name
	name  []string
	link  string // where the first name leads, "" for nowhere
	cells []string
	below []string
}

// tabulate lays out lines as a table, and returns it as a list without a title. The titles
// are those of what stands before the name, "" if nothing does, and of the name.
func tabulate(first, name string, columns []column, lines []line) (l list) {
	if len(lines) == 0 {
		return l
	}
	var shown []int
	for i := range columns {
		if slices.ContainsFunc(lines, func(l line) bool { return l.cells[i] != "" }) {
			shown = append(shown, i)
		}
	}
	gap := " "
	chars, width := nameWidth(first, columns, shown, lines, gap)
	if longestName(lines) > chars && chars < enoughChars {
		gap = "<br>"
		chars, width = nameWidth(first, columns, shown, lines, gap)
	}
	span := len(shown) + 1
	var b strings.Builder
	b.WriteString("<table>\n<tr>")
	if first != "" {
		b.WriteString("<th align=\"left\">" + first + "</th>")
		span++
	}
	fmt.Fprintf(&b, "<th align=\"left\" width=\"%d\">%s</th>", width, name)
	for _, i := range shown {
		b.WriteString("<th" + align(columns[i]) + ">" + columns[i].title + "</th>")
	}
	l.before, l.after = b.String()+"</tr>\n", "</table>\n"
	for _, one := range lines {
		b.Reset()
		b.WriteString("<tr>")
		if first != "" {
			b.WriteString("<td align=\"left\" nowrap>" + one.first + "</td>")
		}
		b.WriteString("<td align=\"left\" nowrap>" + names(one.name, one.link, chars) + "</td>")
		for _, i := range shown {
			attributes := align(columns[i])
			if !columns[i].wraps {
				attributes += " nowrap"
			}
			b.WriteString("<td" + attributes + ">" + strings.ReplaceAll(one.cells[i], "\n", gap) + "</td>")
		}
		b.WriteString("</tr>\n")
		for _, text := range one.below {
			fmt.Fprintf(&b, "<tr><td colspan=\"%d\">%s</td></tr>\n", span, text)
		}
		l.lines = append(l.lines, b.String())
	}
	return l
}

func align(c column) string {
	if c.right {
		return " align=\"right\""
	}
	return " align=\"left\""
}

// words escapes perftrack's own words for a cell.
func words(s string) string { return html.EscapeString(s) }

// names writes a name, and in smaller lines below it what tells it from others.
func names(list []string, link string, chars int) string {
	var parts []string
	for i, name := range list {
		for _, p := range fold(reports.Printable(name), chars) {
			p = inline(p)
			switch {
			case i > 0:
				p = "<sub>" + p + "</sub>"
			case link != "":
				p = "<a href=\"" + html.EscapeString(link) + "\">" + p + "</a>"
			}
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "<br>")
}

// inline makes words from outside harmless in a cell. In code neither mentions nor links nor
// emoji work. A name of several lines is as many pieces of code, since GitHub shows no line
// end within one.
func inline(s string) string { return "<code>" + html.EscapeString(reports.Printable(s)) + "</code>" }

// What a table has room for, in pixels. A page shows its code as wide as it is only where the
// width of the column says so, and else breaks it at hyphens.
const (
	tableWidth  = 756 // of a comment in a window of 790
	cellEdge    = 27  // padding and border of a cell
	codeEdge    = 11  // padding of code, and what rounding takes
	codeChar    = 7.2 // a character of a name
	proseChar   = 7.4 // most others, on average: digits have 7.8
	fewChars    = 16  // of a name in a line, at least
	enoughChars = 32  // for most names
	manyChars   = 40  // at most
)

// nameWidth returns how many characters of a name fit into a line beside the other columns,
// and how wide the column of the names is then.
func nameWidth(first string, columns []column, shown []int, lines []line, gap string) (chars, width int) {
	others := 0.0
	add := func(wide float64) { others += proseChar*wide + cellEdge }
	if first != "" {
		wide := widest(first, false)
		for _, l := range lines {
			wide = max(wide, widest(l.first, false))
		}
		add(wide)
	}
	for _, i := range shown {
		wide := widest(columns[i].title, columns[i].wraps)
		for _, l := range lines {
			wide = max(wide, widest(strings.ReplaceAll(l.cells[i], "\n", gap), columns[i].wraps))
		}
		add(wide)
	}
	chars = min(max(int((tableWidth-others-cellEdge-codeEdge)/codeChar), fewChars), manyChars)
	longest := fewChars / 2
	for _, l := range lines {
		for _, name := range l.name {
			for _, part := range fold(reports.Printable(name), chars) {
				longest = max(longest, columnsOf(part))
			}
		}
	}
	return chars, int(codeChar*float64(longest)) + codeEdge + cellEdge
}

// longestName is the length of the longest name.
func longestName(lines []line) (chars int) {
	for _, l := range lines {
		for _, name := range l.name {
			chars = max(chars, columnsOf(reports.Printable(name)))
		}
	}
	return chars
}

var tags = regexp.MustCompile(`<[^>]*>`)

// widest is the longest line of a cell in characters, or where it wraps the longest word.
func widest(cell string, wraps bool) (wide float64) {
	for _, l := range strings.Split(cell, "<br>") {
		parts := []string{html.UnescapeString(tags.ReplaceAllString(l, ""))}
		if wraps {
			parts = strings.FieldsFunc(parts[0], func(r rune) bool { return r == ' ' })
		}
		for _, p := range parts {
			wide = max(wide, float64(columnsOf(p)))
		}
	}
	return wide
}

// fold breaks a name into lines of at most so many characters where its parts meet, never at
// a hyphen.
func fold(name string, chars int) (lines []string) {
	rest := []rune(name)
	for {
		fits := fitting(rest, chars)
		if fits == len(rest) {
			return append(lines, string(rest))
		}
		at := fits
		for i := fits - 1; i > fits/3; i-- { // between the words of a name
			if unicode.IsUpper(rest[i]) && unicode.IsLower(rest[i-1]) {
				at = i
				break
			}
		}
		for _, ends := range []string{"/", " _=,.:;|"} {
			if i := strings.LastIndexAny(string(rest[:fits]), ends); i >= 0 {
				if n := len([]rune(string(rest[:fits])[:i])) + 1; n >= fits/3 {
					at = n
					break
				}
			}
		}
		lines, rest = append(lines, strings.TrimRight(string(rest[:at]), " ")), rest[at:]
	}
}

// fitting is how many of the characters fit into a line.
func fitting(text []rune, chars int) int {
	width := 0
	for i, r := range text {
		if width += columnsOf(string(r)); width > chars {
			return max(i, 1)
		}
	}
	return len(text)
}

// columnsOf is the width of a text in characters. Those of East Asian scripts are twice as
// wide as others.
func columnsOf(text string) (width int) {
	for _, r := range text {
		width++
		if r >= 0x1100 && (r < 0x2000 || r >= 0x2e80) {
			width++
		}
	}
	return width
}
