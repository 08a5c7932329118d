package manual

import (
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Style is how a text is written.
type Style struct {
	Width int  // of a line, in columns; code and words that are longer stay whole
	Bold  bool // headings are, by escape sequences
}

// Text returns the page for reading: links become the command that shows what they lead to.
func (p Page) Text(s Style) string { return write(blocks(p.text), p.Name, s) }

// Wrap returns a text of paragraphs and of lines that are indented, which stay as they are.
func Wrap(text string, s Style) string { return write(blocks(text), "", s) }

func write(all []block, page string, s Style) string {
	var out strings.Builder
	for i, b := range all {
		if i > 0 && !b.tight {
			out.WriteByte('\n')
		}
		switch b.kind {
		case title:
			out.WriteString(headline(b.lines[0], page, s))
		case code:
			for _, line := range b.lines {
				out.WriteString(strings.TrimRight(b.indent+line, " ") + "\n")
			}
		case table:
			out.WriteString(grid(b.lines, page, s.Width))
		case words:
			text := b.lines[0]
			if page != "" {
				text = inline(text, page)
			}
			for j, line := range wrap(text, s.Width-width(b.indent)) {
				if j == 0 && b.first != "" {
					line = b.first + line
				} else {
					line = b.indent + line
				}
				out.WriteString(line + "\n")
			}
		}
	}
	return out.String()
}

// headline underlines a heading, as plain text has no other way to show one.
func headline(line, page string, s Style) string {
	text := inline(strings.TrimLeft(line, "# "), page)
	under := "-"
	if strings.HasPrefix(line, "# ") {
		under = "="
	}
	rule := strings.Repeat(under, width(text))
	if s.Bold {
		text = "\x1b[1m" + text + "\x1b[0m"
	}
	return text + "\n" + rule + "\n"
}

var (
	picture  = regexp.MustCompile(`!\[([^\]]*)\]\([^)]*\)`)
	link     = regexp.MustCompile(`\[([^\]]+)\]\(([^)\s]+)\)`)
	strong   = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	emphasis = regexp.MustCompile(`(^|[ (|])\*([^* ][^*]*)\*`)
	span     = regexp.MustCompile("`[^`]+`")
)

// inline returns words without the marks of Markdown, but for the backquotes around what is typed
// or printed. Nothing between these is a mark.
func inline(text, page string) string {
	text = picture.ReplaceAllString(text, "(picture: $1)")
	text = link.ReplaceAllStringFunc(text, func(found string) string {
		m := link.FindStringSubmatch(found)
		return linked(m[1], m[2], page)
	})
	spans := span.FindAllString(text, -1)
	text = span.ReplaceAllString(text, "``")
	text = emphasis.ReplaceAllString(strong.ReplaceAllString(text, "$1"), "$1$2")
	for _, s := range spans {
		text = strings.Replace(text, "``", s, 1)
	}
	return text
}

// plain returns words without any marks.
func plain(text string) string { return strings.ReplaceAll(inline(text, ""), "`", "") }

// linked returns the words of a link and, in parentheses, how to follow it from a page.
func linked(text, to, page string) string {
	file, section, _ := strings.Cut(to, "#")
	switch {
	case page == "":
		return text
	case strings.Contains(to, "://"):
		return text + " (" + to + ")"
	case strings.HasSuffix(file, ".md") && !strings.Contains(file, "/"):
		page = strings.TrimSuffix(file, ".md")
	case file != "":
		file = path.Join("docs", file)
		if strings.TrimSuffix(text, "/") != file {
			text += " (" + file + ")"
		}
		return text + " of perftrack's source"
	}
	command := "`" + strings.TrimSpace("perftrack help "+page+" "+section) + "`"
	if text == file || text == page {
		return command
	}
	return text + " (" + command + ")"
}

// wrap breaks words into lines, at least one.
func wrap(text string, columns int) []string {
	lines, used := []string{""}, 0
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch w := width(word); {
		case *last == "":
			*last, used = word, w
		case used+1+w > columns:
			lines, used = append(lines, word), w
		default:
			*last, used = *last+" "+word, used+1+w
		}
	}
	return lines
}

// width is that of a text in columns: pages have no wide characters.
func width(text string) int { return utf8.RuneCountInString(text) }
