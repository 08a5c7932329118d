package reporttest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"

	"github.com/perftrack/perftrack/reports"
)

var escapes = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// text fails if invisible characters in a name reach the terminal, if a line ends in spaces or
// contains a workflow command, or if colors change the text.
func text(t *testing.T, r reports.Report) {
	t.Helper()
	plain := Write(t, r, "txt")
	for i, line := range strings.Split(plain, "\n") {
		if strings.ContainsFunc(line, invisible) || strings.TrimRight(line, " ") != line ||
			strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
			t.Errorf("line %d: %q", i+1, line)
		}
	}
	var colored bytes.Buffer
	if err := reports.Text(&colored, r, reports.TextOptions{Color: true}); err != nil {
		t.Fatal(err)
	}
	if got := escapes.ReplaceAllString(colored.String(), ""); got != plain {
		t.Errorf("with the colours taken off\n%s", got)
	}
}

func invisible(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }

// markdown fails unless a parser of GitHub's Markdown finds every cell of every table in its place
// and every name as code, and finds no link, image or HTML.
func markdown(t *testing.T, r reports.Report) {
	t.Helper()
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	src := []byte(Write(t, r, "md"))
	var got [][]string
	err := ast.Walk(md.Parser().Parse(gmtext.NewReader(src)), func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		if !enter {
			return ast.WalkContinue, nil
		}
		switch n.Kind() {
		case ast.KindLink, ast.KindAutoLink, ast.KindImage, ast.KindRawHTML, ast.KindHTMLBlock, ast.KindCodeBlock, extast.KindStrikethrough:
			t.Errorf("%s in the document", n.Kind())
		case extast.KindTableRow:
			var row []string
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				row = append(row, nodeText(c, src))
			}
			got = append(got, row)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := expectedRows(r)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("cells\n%q\nwant\n%q\nin\n%s", got, want, src)
	}
}

func nodeText(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && enter {
			if n.Parent().Kind() == ast.KindCodeSpan {
				b.Write(t.Segment.Value(src))
			} else {
				b.WriteString(unescape(string(t.Segment.Value(src))))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

var escaped = regexp.MustCompile(`\\([[:punct:]])`)

func unescape(s string) string { return escaped.ReplaceAllString(s, "$1") }

// expectedRows returns the cells of all tables as they must appear in Markdown.
func expectedRows(r reports.Report) [][]string {
	var out [][]string
	for _, t := range r.Tables {
		add := func(row []reports.Cell, footer bool) {
			line := make([]string, len(t.Columns))
			for i := range line {
				c := reports.Cell{}
				if i < len(row) {
					c = row[i]
				}
				line[i] = c.Shown()
				if t.Columns[i].Code && !footer && (c.Text != "" || i == 0) {
					line[i] = strings.Trim(reports.CodeSpan(c.Text), "`")
					if t.Columns[i].Whole {
						line[i] = strings.NewReplacer("|", "│", "`", "ˋ").Replace(c.Text)
					}
				}
				for _, n := range c.Notes {
					line[i] = strings.TrimSpace(line[i] + " " + superscript(n))
				}
			}
			out = append(out, line)
		}
		for _, row := range t.Rows {
			add(row, false)
		}
		if t.Footer != nil {
			add(t.Footer, true)
		}
	}
	return out
}

// superscript returns the number of a footnote in superscript digits.
func superscript(n int) string {
	return strings.Map(func(r rune) rune { return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0'] }, fmt.Sprint(n))
}

// spreadsheet fails unless every line of the CSV has as many cells as the header and no text would
// be interpreted as a formula.
func spreadsheet(t *testing.T, r reports.Report) {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(Write(t, r, "csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range records[1:] {
		for i, cell := range rec {
			number := strings.TrimLeft(cell, "-") != "" && unicode.IsDigit(rune(strings.TrimLeft(cell, "-")[0]))
			if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") && !number {
				t.Errorf("%s is %q", records[0][i], cell)
			}
		}
	}
}

// document fails unless the JSON begins with its schema version and kind and has well-formed field
// names, none of them twice in an object.
func document(t *testing.T, r reports.Report) {
	t.Helper()
	text := Write(t, r, "json")
	head := fmt.Sprintf("{\n  \"schema_version\": %d,\n  \"kind\": %q,\n", reports.SchemaVersion, r.Kind)
	if r.Kind == "" || !strings.HasPrefix(text, head) {
		t.Errorf("it begins\n%.80s", text)
	}
	if err := checkFields(json.NewDecoder(strings.NewReader(text)), r.Kind); err != nil {
		t.Error(err)
	}
}

var fieldName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// checkFields reads one value and everything in it. It returns an error if a field name is not well
// formed or occurs twice.
func checkFields(dec *json.Decoder, path string) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for n := 0; token == json.Delim('{') || token == json.Delim('['); n++ {
		if !dec.More() {
			_, err := dec.Token()
			return err
		}
		within := fmt.Sprintf("%s[%d]", path, n)
		if token == json.Delim('{') {
			key, err := dec.Token()
			if err != nil {
				return err
			}
			field := key.(string)
			named := fieldName.MatchString(field) || slices.ContainsFunc([]string{"environment", "facts", "machine", "verdicts", "table.rows"}, func(free string) bool {
				return strings.Contains(path, free)
			})
			if within = path + "." + field; seen[field] || !named {
				return fmt.Errorf("%s is there twice, or is no name", within)
			}
			seen[field] = true
		}
		if err := checkFields(dec, within); err != nil {
			return err
		}
	}
	return nil
}

// Harmless checks, without golden files, that hostile names do no harm in any format.
func Harmless(t *testing.T, r reports.Report) {
	t.Helper()
	text(t, r)
	markdown(t, r)
	spreadsheet(t, r)
	document(t, r)
}

var tags = strings.Fields("a body caption code dd div dl dt h1 h2 head html li main meta nav ol p pre section span style sup table tbody td tfoot th thead title tr ul")

var tagOf = regexp.MustCompile(`<[/!]?([a-zA-Z0-9]*)([^>]*)>`)

var attributes = regexp.MustCompile(`^(\s+[a-z-]+(="[^"<>]*")?)*$`)

// HarmlessHTML fails if a page has an unknown element or attribute, or a link that leads neither to
// a page in the same directory nor to a note on the page.
func HarmlessHTML(t *testing.T, page string) {
	t.Helper()
	_, body, _ := strings.Cut(page, "</style>")
	for _, m := range tagOf.FindAllStringSubmatch(body, -1) {
		if !slices.Contains(tags, m[1]) || !attributes.MatchString(m[2]) || strings.Contains(strings.ToLower(m[2]), " on") {
			t.Errorf("%s in the page", m[0])
		}
	}
	for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		if !reports.FileName(m[1]) && !regexp.MustCompile(`^#n[0-9]+$`).MatchString(m[1]) {
			t.Errorf("a link to %s", m[1])
		}
	}
	if left := tagOf.ReplaceAllString(body, ""); strings.ContainsAny(left, "<>") || strings.ContainsFunc(strings.ReplaceAll(left, "\n", ""), invisible) {
		t.Errorf("markup is left in\n%s", left)
	}
}
