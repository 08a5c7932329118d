package github

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"

	"github.com/perftrack/perftrack/runner/livetest"
)

// hostile lists names that a reader could interpret as markup or as commands. Names in the
// benchmark format contain neither spaces nor control characters.
var hostile = []string{
	"a|b", "tick`s``", "@everyone", "<img/src=x>", "[link](http://x)", "\u202egnp.exe", "![i](http://x/i.png)",
	"日本語/サイズ=1", "https://example.com/#1", "**bold**", "\\|slash", "::error::x", "##[group]x", "</details>", "<!--", "-->",
	"$x$", "\\`", "</code></td></table>", "<br>", "\n\n# x", "&#38;lt;", "``|``", "&lt;", "&#124;", "#123", "GH-1", ":smile:", strings.Repeat("long/", 40) + "end",
}

// ownHTML matches perftrack's own HTML in a comment, apart from tables.
var ownHTML = regexp.MustCompile(`^(<!-- perftrack:v1:[\w.-]* -->|<details><summary>[\w ,;:]+</summary>|</details>)\s*$`)

// ownTable matches a table in a comment. Its cells may contain only the tags listed here.
var (
	ownTable = regexp.MustCompile(`^<table>\n(<tr>(<th align="(left|right)"( width="\d+")?>[\w ,.→]+</th>)+</tr>\n)((<tr>(<td align="(left|right)"( nowrap)?>` +
		cellText + `</td>)+</tr>\n)(<tr><td colspan="\d">` + cellText + `</td></tr>\n)*)+</table>\s*$`)
	cellCode = regexp.MustCompile(`<code>(?:[^<>]|<br>)*</code>`)
	tag      = regexp.MustCompile(`<[^>]*>`)
)

const cellText = `(?:[^<>&]|&(?:amp|lt|gt|#34|#39);|<br>|</?(?:b|sub|code|details|summary)>)*`

// checkTable fails if a table has external text outside of code, or if its lines have different
// numbers of cells. It returns the number of code spans.
func checkTable(t *testing.T, text string) (spans int) {
	t.Helper()
	if !ownTable.MatchString(text) {
		t.Fatalf("HTML %q", text)
	}
	columns := strings.Count(text, "<th ")
	for l := range strings.Lines(text) {
		if strings.Count(l, "<td ") != strings.Count(l, "</td>") {
			t.Fatalf("cells of %q", l)
		}
		if n := strings.Count(l, "<td align"); n != columns && strings.Contains(l, "<td align") {
			t.Fatalf("%d cells, want %d, in %q", n, columns, l)
		}
		spans += len(cellCode.FindAllString(l, -1))
		bare := tag.ReplaceAllString(cellCode.ReplaceAllString(l, ""), " ")
		if mention.MatchString(bare) || strings.Contains(bare, "www.") {
			t.Fatalf("outside of code: %q", bare)
		}
	}
	return spans
}

// check parses a text as GitHub does. It fails if the text has anything but paragraphs, code, and
// tables whose rows all have as many cells as the heading. It returns the number of code spans.
func check(t *testing.T, src string) (spans int) {
	t.Helper()
	source := []byte(src)
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	err := ast.Walk(md.Parser().Parse(gmtext.NewReader(source)), func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		if !enter {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.HTMLBlock:
			text := string(n.Lines().Value(source))
			if strings.HasPrefix(text, "<table>") {
				spans += checkTable(t, text)
			} else if !ownHTML.MatchString(text) {
				t.Fatalf("HTML %q", text)
			}
		case *ast.Link:
			if !strings.HasPrefix(string(n.Destination), "https://git.example/o/r/") {
				t.Fatalf("link to %q", n.Destination)
			}
		case *ast.AutoLink, *ast.Image, *ast.RawHTML, *ast.CodeBlock, *extast.Strikethrough, *ast.ThematicBreak:
			t.Fatalf("%s in\n%s", n.Kind(), around(src))
		case *extast.TableRow:
			if n.ChildCount() != len(n.Parent().(*extast.Table).Alignments) {
				t.Fatalf("a row of %d cells", n.ChildCount())
			}
		case *ast.CodeSpan:
			spans++
		case *ast.Text:
			// Outside of code, there must be nothing that GitHub turns into a link.
			if text := string(n.Segment.Value(source)); n.Parent().Kind() != ast.KindCodeSpan && mention.MatchString(text) {
				t.Fatalf("mention in %q", text)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return spans
}

var mention = regexp.MustCompile(`(^|[^\\])@\w|(^|\s)#\d|https?://`)

func around(s string) string { return s[:min(len(s), 2000)] }

func TestCommentIsHarmless(t *testing.T) {
	for name, f := range cases(t) {
		t.Run(name, func(t *testing.T) {
			check(t, f.Comment())
			check(t, f.Summary())
			for _, line := range f.Annotations() {
				if strings.ContainsAny(line, "\n\r\x1b") || strings.Contains(line, "##[") || strings.Count(line, "::") < 2 {
					t.Errorf("annotation %q", line)
				}
			}
		})
	}
}

// Each of 200,000 names, made of special characters in Markdown, HTML, mentions and logs, becomes
// one code span in its cell.
func TestAdversarialNames(t *testing.T) {
	n := 200_000
	if raced || !livetest.Asked() {
		n = 20_000
	}
	parts := append(strings.Split("|,`,``,\\,\\\\,<,>,[,],(,),!,*,_,~,@,#,&,:,/,$,-,=,+,\",',%,0,a,é,\u202e,\u200b,http://,www.,mailto:,<b>,</td>,&amp;,::,##[,]]>", ","), hostile...)
	rng := rand.New(rand.NewPCG(1, 2))
	for range n / 500 {
		var lines []line
		for range 500 {
			var name strings.Builder
			for range 1 + rng.IntN(8) {
				name.WriteString(parts[rng.IntN(len(parts))])
			}
			unit := parts[rng.IntN(len(parts))]
			lines = append(lines, line{
				name: []string{name.String(), unit}, cells: []string{inline(unit + name.String())}, below: []string{"accepted: " + inline(name.String())},
			})
			if line := Command("error", name.String(), name.String()); strings.ContainsAny(line, "\n\r") || !strings.HasPrefix(line, "::error title=") {
				t.Fatalf("annotation %q", line)
			}
		}
		l := tabulate("", "a", []column{{title: "b"}}, lines)
		text := l.before + strings.Join(l.lines, "") + l.after
		if spans := check(t, text); spans < 2000 {
			t.Fatalf("%d code spans for 2000 words in\n%s", spans, text)
		}
	}
}

// The comment stays readable even if a fork reports absurd but finite numbers.
func TestAbsurdNumbers(t *testing.T) {
	c := trial(t, codec("Up", "ns/op", 100, 1e308, 1), codec("Down", "B/op", 1e307, 1, 1), codec("Wild", "ns/op", 1e290, 1.2e300, 90),
		codec("First", "allocs/op", 0, 1e308, 0), codec("Small", "ns/op", 1e-300, 1e300, 1), codec("Plain", "ns/op", 100, 150, 1))
	f := New(c, Options{})
	text := f.Comment() + strings.Join(f.Annotations(), "\n")
	if numbers := regexp.MustCompile(`.*\d{20}.*`).FindAllString(text, -1); len(numbers) > 0 {
		t.Errorf("%d lines, as %.2000s", len(numbers), numbers[0])
	}
	if !strings.Contains(text, "over 9,999x") || !strings.Contains(text, "e+29") {
		t.Errorf("neither a bound nor an exponent in\n%s", text)
	}
	check(t, f.Comment())
}
