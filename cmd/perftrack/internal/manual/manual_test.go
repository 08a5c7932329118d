package manual

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every page in docs is in the binary and has a title that fits in a list of pages.
func TestPages(t *testing.T) {
	files, err := filepath.Glob("../../../../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var want []string
	for _, file := range files {
		want = append(want, strings.TrimSuffix(filepath.Base(file), ".md"))
	}
	var got []string
	for _, p := range Pages() {
		got = append(got, p.Name)
		if n := width(p.Title); n == 0 || n > 64 {
			t.Errorf("the title of %s has %d columns: %q", p.Name, n, p.Title)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("pages %v, want %v", got, want)
	}
}

// All pages fit in 80 columns, except for longer words and code. They contain no confusing Markdown
// syntax, and no word is lost.
func TestPagesFit(t *testing.T) {
	for _, p := range Pages() {
		text := p.Text(Style{Width: 80})
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			words := len(strings.Fields(line))
			if !strings.HasPrefix(line, "  ") && width(line) > 80 && words > 1 {
				t.Errorf("%s: a line of %d columns: %s", p.Name, width(line), line)
			}
			if m := leftOver.FindString(span.ReplaceAllString(line, "")); m != "" && !strings.HasPrefix(line, "  ") {
				t.Errorf("%s: %q is left: %s", p.Name, m, line)
			}
		}
		shown := counted(text)
		for word, n := range counted(notShown.ReplaceAllString(string(p.source), "")) {
			if shown[word] < n {
				t.Errorf("%s: %q is there %d times, want %d", p.Name, word, shown[word], n)
			}
		}
	}
}

// counted returns how often each word of at least three letters occurs in text.
func counted(text string) map[string]int {
	n := map[string]int{}
	for _, word := range aWord.FindAllString(text, -1) {
		n[word]++
	}
	return n
}

var (
	aWord    = regexp.MustCompile(`\pL{3,}`)
	notShown = regexp.MustCompile("\\]\\([^)\\s]*|(?m)^ *```.*$") // targets of links and languages of code blocks
)

var span = regexp.MustCompile("`[^`]+`")

var leftOver = regexp.MustCompile(`\]\(|\*\*|\.md#|^\||<!--`)

// Every link on a page leads to an existing page and section.
func TestLinksLead(t *testing.T) {
	links := 0
	for _, p := range Pages() {
		text := strings.Join(strings.Fields(p.Text(Style{Width: 1 << 20})), " ")
		for _, m := range regexp.MustCompile("`perftrack help ([a-z]+)(?: ([a-z0-9-]+))?`").FindAllStringSubmatch(text, -1) {
			links++
			to, ok := Find(m[1])
			if _, section := to.Section(m[2]); !ok || m[2] != "" && !section {
				t.Errorf("%s leads to %s, which is not there", p.Name, m[0])
			}
		}
	}
	if links < 20 {
		t.Errorf("only %d links found", links)
	}
}

func TestSection(t *testing.T) {
	p := parse("x", []byte("# X\n\na\n\n## One, of `two`\n\nb\n\n```\n## no heading\n```\n\n### Below\n\nc\n\n## Three\n\nd\n"))
	if got, want := p.Sections(), []string{"one-of-two", "below", "three"}; !slices.Equal(got, want) {
		t.Errorf("sections %q, want %q", got, want)
	}
	for name, want := range map[string]string{
		"one-of-two": "One, of `two`\n-------------\n\nb\n\n  ## no heading\n\nBelow\n-----\n\nc\n",
		"below":      "Below\n-----\n\nc\n",
		"three":      "Three\n-----\n\nd\n",
	} {
		s, ok := p.Section(name)
		if got := s.Text(Style{Width: 80}); !ok || got != want {
			t.Errorf("section %s is %v %q, want %q", name, ok, got, want)
		}
	}
	if _, ok := p.Section("nothing"); ok {
		t.Error("there is a section of no name")
	}
}

func TestText(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"paragraph", "One two three\nfour five six seven.\n\nEight.", "One two three four\nfive six seven.\n\nEight.\n"},
		{"long word", "a abcdefghijklmnopqrstuvwxyz b", "a\nabcdefghijklmnopqrstuvwxyz\nb\n"},
		{"items", "- one two three four\n  five six\n- two\n\n10. ten ten ten ten ten", "- one two three four\n  five six\n- two\n\n10. ten ten ten ten\n    ten\n"},
		{"marks", "a **b c** and *d e* at 2 * 3 * 4 `**x** *y*`", "a b c and d e at 2 *\n3 * 4 `**x** *y*`\n"},
		{"code", "a\n\n    one  two  three  four  five\n\n    b\n\n```sh\ncd  x\n\n# y\n```\n", "a\n\n  one  two  three  four  five\n\n  b\n\n  cd  x\n\n  # y\n"},
		{"links", "[a\nb](c.md#d-e), [c.md](c.md), [f](#g), [h](https://x.test/y), [i](../j/k.go), ![m](pictures/n.png), [j/](../j)",
			"a b (`perftrack help\nc d-e`),\n`perftrack help c`,\nf (`perftrack help p\ng`), h\n(https://x.test/y),\ni (j/k.go) in\nperftrack's source,\n(picture: m), j/ in\nperftrack's source\n"},
		{"table", "| a | b c |\n|---|---|\n| `x\\|y` | 1 |\n| [z](q.md) | one two three |\n", "a            b c\n-----------  -------\n`x|y`        1\n\nz            one two\n(`perftrack  three\nhelp q`)\n"},
		{"wide table", "| a | long-long-long | b |\n|---|---|---|\n| x | 1 | long-long-long |\n| y | | 2 |\n", "a: x\n  long-long-long:\n    1\n  b:\n    long-long-long\n\na: y\n  long-long-long:\n  b: 2\n"},
		{"ragged table", "| a | b |\n|---|---|\n| x |\n| y | 1 | 2 |\n", "a  b\n-  -\nx\ny  1\n"},
		{"table of nothing", "|\n", "|\n"},
		{"open fence", "```\nx", "  x\n"},
		{"nothing", "", ""},
	} {
		if got := parse("p", []byte(tt.text)).Text(Style{Width: 20}); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// Wrap does not interpret Markdown, because a command's help is plain text.
func TestWrap(t *testing.T) {
	text := "Take *.go or [NAME](x),\nlike **that** one.\n\n  perftrack run    keeps   this\n"
	want := "Take *.go or\n[NAME](x), like\n**that** one.\n\n  perftrack run    keeps   this\n"
	if got := Wrap(text, Style{Width: 18}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBold(t *testing.T) {
	if got, want := parse("p", []byte("# A b")).Text(Style{Width: 80, Bold: true}), "\x1b[1mA b\x1b[0m\n===\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
