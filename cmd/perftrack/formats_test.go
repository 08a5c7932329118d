package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format"
)

// The table in docs/formats.md lists all formats. With -update, it is written.
func TestDocumentedFormats(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "formats.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), "|---|---|---|---|\n")
	_, after, ended := strings.Cut(rest, "\n## ")
	if !found || !ended {
		t.Fatalf("%s has no table before its first section", path)
	}
	escape := strings.NewReplacer("|", `\|`, "*", `\*`, "<", `\<`, "_", `\_`)
	var table strings.Builder
	for _, f := range format.Listed() {
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", f.Name, f.Yields, escape.Replace(f.Description), escape.Replace(f.Tool))
	}
	want := before + "|---|---|---|---|\n" + table.String() + "\n## " + after
	if string(text) == want {
		return
	}
	if !*update {
		t.Fatalf("the table in docs/formats.md is not that of perftrack formats: write it with go test ./cmd/perftrack -run TestDocumentedFormats -update")
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Every format has what the list shows, within the width of a page.
func TestFormatsAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range format.All() {
		if f.Name == "" || seen[f.Name] || f.Description == "" || f.Tool == "" || f.Yields == "" || f.Read == nil {
			t.Errorf("the format %q is named twice, or lacks a description, a tool, what it yields, or a reader", f.Name)
		}
		if len(f.Description) > 100 || len(f.Tool) > 100 {
			t.Errorf("the format %s is described in more than 100 bytes", f.Name)
		}
		if !f.Forced && len(f.Shape) == 0 && f.Line == nil && f.Detect == nil {
			t.Errorf("the format %s cannot be detected", f.Name)
		}
		seen[f.Name] = true
	}
}
