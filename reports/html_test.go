package reports

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"
)

func page(t *testing.T, r Report, pages ...Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, r, HTMLOptions{Pages: pages}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// All text in a report appears on its page as plain text, even if it looks like markup.
func TestHTMLEscapes(t *testing.T) {
	const evil = `<script>alert(1)</script>"'&` + "\x1b[2J\u202e"
	r := Listing(evil, Table{
		Heading: evil, Caption: evil, Words: []string{evil}, Facts: []Fact{{evil, evil, evil}},
		Columns: []Column{{Title: evil, Code: true}, {Title: "plain"}, {Title: "bar", Bar: true}, {Title: "file", File: true}, {Title: "command", Code: true, Whole: true}},
		Rows:    [][]Cell{{{Text: evil}, {Text: evil, Range: evil, Notes: []int{1}, Tone: Bad}, {Text: "█"}, {Text: "javascript:alert(1)"}, {Text: evil}}},
		Footer:  []Cell{{Text: evil}},
	})
	r.Summary, r.Facts, r.Notes, r.Remarks = evil, []Fact{{evil, evil, evil}}, []Note{{evil, evil}}, []Note{{evil, evil}}
	r.Lists = []List{{Title: evil, Items: []Note{{evil, evil}}}}
	r = r.Failing(Failure{evil, evil})
	got := page(t, r, Page{Title: evil, File: "javascript:alert(1)"}, Page{Title: "here", Current: true}, Page{Title: "there", File: "summary.html"})
	_, body, _ := strings.Cut(got, "</style>")
	for _, never := range []string{"<script", "\x1b", "\u202e", `href="javascript`} {
		if strings.Contains(body, never) {
			t.Errorf("%q in\n%s", never, body)
		}
	}
	for _, always := range []string{`<a href="summary.html">there</a>`, `<a aria-current="page">here</a>`, "&lt;script&gt;", `<span class="bar">█</span>`, `<sup><a href="#n1">1</a></sup>`} {
		if !strings.Contains(body, always) {
			t.Errorf("no %s in\n%s", always, body)
		}
	}
}

// The policy of a page allows the page's own style and nothing else.
func TestHTMLPolicy(t *testing.T) {
	got := page(t, Report{Title: "x"})
	_, rest, _ := strings.Cut(got, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	if want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(got, want) {
		t.Errorf("no %s in\n%s", want, got)
	}
}

func TestFileName(t *testing.T) {
	for name, want := range map[string]bool{
		"summary.html": true, "../index.html": true, "reports/summary.html": true, "": false, "https://x/a.html": false, "a/b/c.html": false, "../../a.html": false, "A.html": false, "a.js": false, "a.html\n": false,
	} {
		if FileName(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// Commands to copy are never cut, at any length.
func TestCommandsAreNotCut(t *testing.T) {
	long := "perftrack run --bench " + strings.Repeat("x", 300)
	r := Listing("", Table{Columns: []Column{{Title: "command", Code: true, Whole: true}}, Rows: [][]Cell{{{Text: long}}}})
	var b bytes.Buffer
	if err := Markdown(&b, r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "`"+long+"`") || !strings.Contains(page(t, r), "<code>"+long+"</code>") {
		t.Errorf("it is cut in\n%s", b.String())
	}
}
