package manual

import (
	"regexp"
	"strings"
)

// A block is what stands between two empty lines of a page, as far as pages have it.
type block struct {
	kind   kind
	indent string   // of the lines after the first: below an item's text
	first  string   // the first line begins with it, such as "- "
	lines  []string // of code or of a table as they are, of words joined to one
	tight  bool     // no empty line stands before it
}

type kind int

const (
	words kind = iota
	title
	code
	table
)

var (
	item    = regexp.MustCompile(`^( *)([-*]|\d+\.) +`)
	comment = regexp.MustCompile(`(?s)<!--.*?-->\n?`)
)

// blocks reads Markdown: headings, paragraphs, items, code between fences or indented by two
// blanks or more, and tables. Lines of a paragraph or an item may be broken anywhere.
func blocks(text string) []block {
	var r reader
	for line := range strings.Lines(comment.ReplaceAllString(text, "")) {
		line = strings.TrimRight(line, " \n")
		r.read(line)
		r.before = line
	}
	return r.all
}

type reader struct {
	all    []block
	before string // the last line
	open   bool   // the last block is words, which the next line may go on with
	fenced bool
}

func (r *reader) read(line string) {
	trimmed := strings.TrimLeft(line, " ")
	m := item.FindStringSubmatch(line)
	switch {
	case strings.HasPrefix(trimmed, "```"):
		if r.fenced = !r.fenced; r.fenced {
			r.add(block{kind: code, indent: "  "})
		}
	case r.fenced:
		r.goOn(line)
	case line == "":
		r.open = false
	case strings.HasPrefix(line, "#"):
		r.add(block{kind: title, lines: []string{line}})
	case strings.HasPrefix(line, "|"):
		if !strings.HasPrefix(r.before, "|") {
			r.add(block{kind: table})
		}
		r.goOn(line)
	case m != nil:
		r.add(block{indent: strings.Repeat(" ", len(m[0])), first: m[0], lines: []string{line[len(m[0]):]}})
		r.open = true
	case r.open:
		r.all[len(r.all)-1].lines[0] += " " + trimmed
	case strings.HasPrefix(line, "  "):
		if n := len(r.all); n == 0 || r.all[n-1].kind != code || r.before == "" {
			r.add(block{kind: code})
		}
		r.goOn(line)
	default:
		r.add(block{lines: []string{line}})
		r.open = true
	}
}

func (r *reader) add(b block) {
	b.tight = r.before != ""
	r.all, r.open = append(r.all, b), false
}

// goOn adds a line to the last block.
func (r *reader) goOn(line string) {
	last := &r.all[len(r.all)-1]
	last.lines = append(last.lines, line)
}
