package manual

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/perftrack/perftrack/reports"
)

// A Style describes how to lay out a text.
type Style struct {
	Width int  // columns in a line; longer words and code are not broken
	Bold  bool // make headings bold with escape sequences
}

// Text returns the page formatted for a terminal. Links to pages are replaced by the command to
// show their target.
func (p Page) Text(s Style) string {
	var out strings.Builder
	for i, n := range p.blocks {
		block := p.block(n, s)
		if i > 0 && block != "" {
			out.WriteByte('\n')
		}
		out.WriteString(block)
	}
	return out.String()
}

// Wrap fills paragraphs to the style's width. It leaves indented lines unchanged.
func Wrap(text string, s Style) string {
	var out, words strings.Builder
	flush := func() {
		if words.Len() > 0 {
			out.WriteString(strings.Join(reports.Wrap(words.String(), s.Width), "\n") + "\n")
			words.Reset()
		}
	}
	for line := range strings.Lines(text) {
		switch {
		case line == "\n", strings.HasPrefix(line, " "):
			flush()
			out.WriteString(line)
		default:
			words.WriteString(line)
		}
	}
	flush()
	return out.String()
}

// block returns the lines of a block.
func (p Page) block(n ast.Node, s Style) string {
	switch n := n.(type) {
	case *ast.Heading:
		return p.heading(n, s)
	case *ast.Paragraph, *ast.TextBlock:
		return strings.Join(reports.Wrap(p.inline(n), s.Width), "\n") + "\n"
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return indent(string(n.Lines().Value(p.source)), "  ", "  ")
	case *ast.List:
		return p.list(n, s)
	case *ast.Blockquote:
		return indent(p.children(n, Style{Width: s.Width - 2}), "  ", "  ")
	case *extast.Table:
		return p.table(n, s.Width)
	}
	return "" // a comment, for example, is not shown
}

// children returns the lines of the blocks below n.
func (p Page) children(n ast.Node, s Style) string {
	var out strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c != n.FirstChild() && c.HasBlankPreviousLines() {
			out.WriteByte('\n')
		}
		out.WriteString(p.block(c, s))
	}
	return out.String()
}

func (p Page) list(l *ast.List, s Style) string {
	var out strings.Builder
	for i, item := 0, l.FirstChild(); item != nil; i, item = i+1, item.NextSibling() {
		mark := "- "
		if l.IsOrdered() {
			mark = fmt.Sprintf("%d. ", l.Start+i)
		}
		if i > 0 && item.HasBlankPreviousLines() {
			out.WriteByte('\n')
		}
		more := strings.Repeat(" ", len(mark))
		out.WriteString(indent(p.children(item, Style{Width: s.Width - len(mark)}), mark, more))
	}
	return out.String()
}

// heading returns a heading with a rule below it.
func (p Page) heading(h *ast.Heading, s Style) string {
	text, under := p.inline(h), "-"
	if h.Level == 1 {
		under = "="
	}
	rule := strings.Repeat(under, width(text))
	if s.Bold {
		text = "\x1b[1m" + text + "\x1b[0m"
	}
	return text + "\n" + rule + "\n"
}

// inline returns a node's text. Code keeps its backquotes.
func (p Page) inline(n ast.Node) string {
	var out strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			out.Write(c.Segment.Value(p.source))
			if c.SoftLineBreak() || c.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.CodeSpan:
			out.WriteString("`" + p.inline(c) + "`")
		case *ast.Image:
			out.WriteString("(picture: " + p.inline(c) + ")")
		case *ast.Link:
			out.WriteString(p.linked(p.inline(c), string(c.Destination)))
		case *ast.AutoLink:
			out.Write(c.URL(p.source))
		default:
			out.WriteString(p.inline(c))
		}
	}
	return out.String()
}

// linked returns the text of a link together with a way to follow it.
func (p Page) linked(text, to string) string {
	file, section, _ := strings.Cut(to, "#")
	page := p.Name
	switch {
	case strings.Contains(to, "://"):
		return text + " (" + to + ")"
	case strings.HasSuffix(file, ".md") && !strings.Contains(file, "/"):
		page = strings.TrimSuffix(file, ".md")
	case file != "":
		file = path.Join("docs", file)
		if strings.TrimSuffix(text, "/") != file {
			text += " (" + file + ")"
		}
		return text + " in perftrack's source"
	}
	command := "`" + strings.TrimSpace("perftrack help "+page+" "+section) + "`"
	if text == file || text == page {
		return command
	}
	return text + " (" + command + ")"
}

// indent puts first before the first line and more before the other lines.
func indent(text, first, more string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			out.WriteString(first)
		}
		out.WriteString(line)
		first = more
	}
	return out.String()
}

// width returns the number of columns of a text. It assumes that pages contain no wide characters.
func width(text string) int { return utf8.RuneCountInString(text) }
