package format

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// profileOf reads a profile and renders its records: the configuration, followed by one line for
// each method.
func profileOf(t *testing.T, formatName, text string) string {
	t.Helper()
	var b strings.Builder
	config := ""
	err := Read(formatName, []byte(text), "f", func(rec benchfmt.Record) error {
		r, ok := rec.(*benchfmt.Result)
		if !ok {
			b.WriteString(render(rec) + "\n")
			return nil
		}
		var c strings.Builder
		for _, kv := range r.Config {
			fmt.Fprintf(&c, "%s: %s\n", kv.Key, kv.Value)
			if !kv.File {
				t.Errorf("%s is not file configuration", kv.Key)
			}
		}
		if c.String() != config {
			config = c.String()
			b.WriteString(config)
		}
		_, line := r.Pos()
		fmt.Fprintf(&b, "%d %s %d", line, r.Name, r.Iters)
		for _, v := range r.Values {
			if v.OrigUnit != "" {
				v.Value, v.Unit = v.OrigValue, v.OrigUnit
			}
			fmt.Fprintf(&b, " %v %s", v.Value, v.Unit)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		fmt.Fprintf(&b, "end: %v\n", err)
	}
	return b.String()
}

func TestProfileGolden(t *testing.T) {
	for _, tt := range []struct{ file, format string }{
		{"standard.md", "profile-report"},
		{"deep.md", "profile-report"},
		{"enhanced.md", "profile-report"},
		{"unknown.md", "profile-report"},
		{"scopes.md", "scope-table"},
		{"aligned.txt", "scope-table"},
		{"tabs.txt", "scope-table"},
	} {
		path := filepath.Join("testdata", tt.file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if f, err := Detect(text); err != nil || f.Name != tt.format {
			t.Errorf("%s is detected as %q", tt.file, f.Name)
		}
		got := profileOf(t, tt.format, string(text))
		if *update {
			if err := os.WriteFile(path+".golden", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path + ".golden")
		if err != nil || got != string(want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", tt.file, err, got, want)
		}
		// The records must be the same with a byte order mark and CRLF.
		windows := "\uFEFF" + strings.ReplaceAll(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n", "\r\n")
		if f, err := Detect([]byte(windows)); err != nil || f.Name != tt.format {
			t.Errorf("%s with CRLF is detected as %q", tt.file, f.Name)
		}
		if other := profileOf(t, tt.format, windows); other != got {
			t.Errorf("%s differs with CRLF:\n%s", tt.file, other)
		}
	}
}

func mustRead(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
