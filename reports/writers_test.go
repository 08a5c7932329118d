package reports

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"
)

var escapes = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func render(t *testing.T, r Report, opt TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, r, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// No name reaches the terminal as anything but visible characters, no line
// ends in spaces or starts a command, and colours change nothing else.
func TestTextIsHarmless(t *testing.T) {
	for name, r := range cases(t) {
		plain := render(t, r, TextOptions{})
		for i, line := range strings.Split(plain, "\n") {
			if strings.ContainsFunc(line, invisible) || strings.TrimRight(line, " ") != line ||
				strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
				t.Errorf("%s, line %d: %q", name, i+1, line)
			}
		}
		colored := render(t, r, TextOptions{Color: true})
		if got := escapes.ReplaceAllString(colored, ""); got != plain {
			t.Errorf("%s: with the colours taken off\n%s", name, got)
		}
	}
}

func TestTextColors(t *testing.T) {
	colored := render(t, cases(t)["trial"], TextOptions{Color: true})
	for _, want := range []string{"\x1b[31mregressed\x1b[0m", "\x1b[32mimproved\x1b[0m", "\x1b[31m1 regressed, 1 improved"} {
		if !strings.Contains(colored, want) {
			t.Errorf("no %q in\n%s", want, colored)
		}
	}
}

// A narrow terminal loses columns, and is told so, but never part of a name.
func TestTextWidth(t *testing.T) {
	r := cases(t)["trial"]
	for _, tt := range []struct {
		width int
		lost  string
	}{{200, ""}, {130, "(terminal too narrow for: adj. p)"}, {120, "(terminal too narrow for: adj. p, change)"}, {20, "(terminal too narrow for: adj. p, change)"}} {
		out := render(t, r, TextOptions{Width: tt.width})
		if got := strings.Contains(out, "too narrow"); got != (tt.lost != "") || !strings.Contains(out, tt.lost) {
			t.Errorf("width %d:\n%s", tt.width, out)
		}
		if !strings.Contains(out, "Encode/format=json-4 ") || !strings.Contains(out, "inconclusive (within 36%)") {
			t.Errorf("width %d cut a name or a verdict:\n%s", tt.width, out)
		}
		for _, line := range strings.Split(out, "\n") {
			if tt.width >= 120 && twwidth.Width(line) > tt.width {
				t.Errorf("width %d: %d columns in %q", tt.width, twwidth.Width(line), line)
			}
		}
	}
}

// The numbers of a column stand under each other, whatever the names' width.
func TestTextAlignment(t *testing.T) {
	out := render(t, cases(t)["hostile"], TextOptions{})
	at := -1
	for _, line := range strings.Split(out, "\n") {
		i := strings.Index(line, "102.5n ±")
		if i < 0 {
			continue
		}
		if w := twwidth.Width(line[:i]); at < 0 {
			at = w
		} else if w != at {
			t.Errorf("the number stands at %d in place of %d in %q", w, at, line)
		}
	}
	if at < 0 {
		t.Fatal("no rows")
	}
}

// GitHub's parser sees every cell of every table where it belongs, every name
// as code, and no link, image or HTML anywhere.
func TestMarkdownIsHarmless(t *testing.T) {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	for name, r := range cases(t) {
		var b bytes.Buffer
		if err := Markdown(&b, r); err != nil {
			t.Fatal(err)
		}
		src := b.Bytes()
		var got [][]string
		err := ast.Walk(md.Parser().Parse(gmtext.NewReader(src)), func(n ast.Node, enter bool) (ast.WalkStatus, error) {
			if !enter {
				return ast.WalkContinue, nil
			}
			switch n.Kind() {
			case ast.KindLink, ast.KindAutoLink, ast.KindImage, ast.KindRawHTML, ast.KindHTMLBlock, ast.KindCodeBlock, extast.KindStrikethrough:
				t.Errorf("%s: %s in the document", name, n.Kind())
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
			t.Errorf("%s: cells\n%q\nwant\n%q\nin\n%s", name, got, want, src)
		}
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

func expectedRows(r Report) [][]string {
	var out [][]string
	for _, t := range r.Tables {
		add := func(row []Cell, footer bool) {
			line := make([]string, len(t.Columns))
			for i := range line {
				c := Cell{}
				if i < len(row) {
					c = row[i]
				}
				line[i] = c.shown()
				if t.Columns[i].Code && !footer && (c.Text != "" || i == 0) {
					line[i] = strings.Trim(CodeSpan(c.Text), "`")
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

// Every line of a CSV has as many cells as its header, no text is a formula,
// and no number needs a locale.
func TestCSVIsHarmless(t *testing.T) {
	for name, r := range cases(t) {
		var b bytes.Buffer
		if err := CSV(&b, r); err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, rec := range records[1:] {
			for i, cell := range rec {
				number := strings.TrimLeft(cell, "-") != "" && unicode.IsDigit(rune(strings.TrimLeft(cell, "-")[0]))
				if formula(cell) && !number {
					t.Errorf("%s: %s is %q", name, records[0][i], cell)
				}
			}
		}
	}
}

// A document begins with its schema and kind, names no field twice, and has the
// names and numbers that a reader in any language expects.
func TestJSONFields(t *testing.T) {
	all := cases(t)
	maps.Copy(all, explainCases())
	for name, r := range all {
		var b bytes.Buffer
		if err := JSON(&b, r); err != nil {
			t.Fatal(err)
		}
		head := fmt.Sprintf("{\n  \"schema_version\": %d,\n  \"kind\": %q,\n", SchemaVersion, r.Kind)
		if r.Kind == "" || !strings.HasPrefix(b.String(), head) {
			t.Errorf("%s begins\n%.80s", name, b.String())
		}
		if err := checkFields(json.NewDecoder(&b), r.Kind); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var fieldName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// checkFields reads one value with all that is in it.
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

func TestScaler(t *testing.T) {
	for _, tt := range []struct {
		unit string
		x    float64
		want string
	}{
		{"sec/op", 1.718e-6, "1.718µ"},
		{"B/op", 4096, "4.000Ki"},
		{"B/s", 512e6, "488.3Mi"},
		{"tok/s", 12000, "12.00k"},
		{"GFLOPS", 12.345, "12.35"},
		{"GFLOPS", 123.45, "123.5"},
		{"GFLOPS", 1234.5, "1234"},
		{"GFLOPS", 0.0421, "0.04210"},
		{"GFLOPS", 0, "0.000"},
	} {
		if got := ScaleFor(tt.unit, tt.x).Format(tt.x); got != tt.want {
			t.Errorf("%v %s shown as %s, want %s", tt.x, tt.unit, got, tt.want)
		}
	}
}
