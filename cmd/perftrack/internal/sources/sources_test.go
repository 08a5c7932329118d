package sources

import (
	"testing"
	"testing/fstest"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

func TestPlace(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	tree := fstest.MapFS{
		"go.mod":                     file("module example.com/m\n"),
		"sort_test.go":               file("package m\n\n// BenchmarkSort(\nfunc BenchmarkSorted(b *testing.B) {}\n\nfunc BenchmarkSort (b *testing.B) {}\n"),
		"codec/codec.go":             file("package codec\n"),
		"codec/codec_test.go":        file("package codec\nfunc BenchmarkA(b *testing.B) {}\n"),
		"empty/README":               file(""),
		"tools/go.mod":               file("module example.com/m/tools\n"),
		"tools/x/x_test.go":          file("package x\nfunc BenchmarkX(b *testing.B) {}\n"),
		"node_modules/d/go.mod":      file("module example.com/d\n"),
		"node_modules/d/sub/sub.go":  file("package sub\n"),
		"other/other_test.go":        file("package other\nfunc BenchmarkA(b *testing.B) {}\n"),
		"odd/odd_test.go/inner.go":   file("package inner\n"),
		"odd/[x]_test.go":            file("package odd\nfunc BenchmarkOdd(b *testing.B) {}\n"),
		"codec/testdata/big_test.go": file("package no\nfunc BenchmarkA(b *testing.B) {}\n"),
	}
	for _, tt := range []struct {
		pkg, name string
		want      reports.Place
	}{
		{"example.com/m", "Sort/n=10", reports.Place{Path: "sort_test.go", Line: 6}},
		{"example.com/m", "Sorted", reports.Place{Path: "sort_test.go", Line: 4}},
		{"example.com/m/codec", "A", reports.Place{Path: "codec/codec_test.go", Line: 2}},
		{"example.com/m/codec", "Gone", reports.Place{Path: "codec/codec.go", Line: 1}},
		{"example.com/m/codec", "A|.*(", reports.Place{Path: "codec/codec.go", Line: 1}},
		{"example.com/m/tools/x", "X", reports.Place{Path: "tools/x/x_test.go", Line: 2}},
		{"example.com/m/empty", "A", reports.Place{Path: "go.mod", Line: 1}},
		{"example.com/m/none", "A", reports.Place{Path: "go.mod", Line: 1}},
		{"example.com/m/tools/none", "A", reports.Place{Path: "tools/go.mod", Line: 1}},
		{"example.com/m/../../etc", "A", reports.Place{Path: "go.mod", Line: 1}},
		{"example.com/mother", "A", reports.Place{Path: "go.mod", Line: 1}},
		{"example.com/m/odd", "Odd", reports.Place{Path: "odd/[x]_test.go", Line: 2}},
		{"", "Parse", reports.Place{Path: "go.mod", Line: 1}},
	} {
		if got := Open(tree).Place("t", record.BenchmarkID{Package: tt.pkg, Name: tt.name}); got != tt.want {
			t.Errorf("%s %s: %v, want %v", tt.pkg, tt.name, got, tt.want)
		}
	}
	tree["perftrack.toml"] = file("")
	if got := Open(tree).Place("t", record.BenchmarkID{Name: "Parse"}); got.Path != "perftrack.toml" {
		t.Errorf("a program's benchmark is at %v", got)
	}
	if got := Open(fstest.MapFS{}).Place("t", record.BenchmarkID{Name: "Parse"}); got != (reports.Place{}) {
		t.Errorf("of nothing: %v", got)
	}
}
