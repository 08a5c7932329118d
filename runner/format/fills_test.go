package format

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file not named by the user counts as a report only if most of it is in the format.
func TestFills(t *testing.T) {
	const row = "BenchmarkSort-8 \t 1000\t 100 ns/op\n"
	const table = "| Method | Calls | Total (ms) |\n|---|---|---|\n| `Main` | 1 | 2.5 |\n"
	for _, tt := range []struct {
		name, text string
		want       string // the detected format, after "quotes " if the text only quotes it; or ""
	}{
		{"results alone", row, "gobench"},
		{"go test's output", "goos: linux\npkg: example.com/a\n" + row + "PASS\nok  \texample.com/a\t1.2s\n", "gobench"},
		{"with a log", "goos: linux\npkg: a\nBenchmarkSort\n    a_test.go:9: one\n    a_test.go:9: two\n" + row, "gobench"},
		{"events", `{"Action":"output","Package":"a","Output":"BenchmarkSort-8 1000 100 ns/op\n"}` + "\n", "gobench"},
		{"a broken result", "goos: linux\nBenchmarkSort-8 1000 NaN ns/op\n", "gobench"},
		{"under a byte order mark", "\uFEFF" + row, "gobench"},
		{"a README", "# Sort\n\nIt sorts.\nIt is fast:\n\n```\n" + row + "```\n\nSee the docs.\nBenchmarks are run weekly.\n", "quotes gobench"},
		{"a test", "package a\n\nconst text = `\n" + row + "`\n\nfunc TestA(t *testing.T) {\n\tf()\n}\n", "quotes gobench"},
		{"a configuration file", "pkg: example.com/a\nname: b\n", "quotes gobench"},
		{"a page about benchmarks", "Benchmarks 2024 3 times\nBenchmark results follow\nBenchmark more\n", "quotes gobench"},

		{"a scope table", "# Scopes\n\n" + table, "scope-table"},
		{"a plain one", "scope  calls  total_ms\nRun  3  0.0075\nRun/Step  9  0.004\n", "scope-table"},
		{"with a bad row", "# Scopes\n\n" + table + "| `B` | x | 1.0 |\n", "scope-table"},
		{"in a long text", "This page tells\nhow scopes are read,\nline by line,\nand why\nthat is so\n\n" + table, "quotes scope-table"},
		{"other columns", "| Method | Calls | Total (ms) | Owner |\n|---|---|---|---|\n| `Main` | 1 | 2.5 | me |\n", "quotes scope-table"},
		{"in a program", "const header = `\nName Calls Total (ms)\nMain 1 2.5\n`\n\nfunc f() {\n\tg()\n}\n", "quotes scope-table"},

		{"a profile report", "# Profile Report\n\n**Generated:** now\n\n" + table, "profile-report"},
		{"quoted", "How to read it:\n\n# Profile Report\n\n" + table, "quotes profile-report"},

		{"a markdown table", "| Function | Purpose |\n|---|---|\n| Main | starts |\n", ""},
		{"a table of calls without times", "| Name | Count |\n|---|---|\n| a | 3 |\n", ""},
		{"CSV", "name,calls,total (ms)\nMain,1,2.5\n", ""},
		{"JSON", "{\"name\": \"Main\", \"calls\": 1, \"total_ms\": 2.5}\n", ""},
		{"nothing", "", ""},
	} {
		got := ""
		if f, err := Detect([]byte(tt.text)); err == nil {
			if got = f.Name; !f.IsReport([]byte(tt.text)) {
				got = "quotes " + got
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// All files in the tests of the readers count as reports, and so do the files in the corpora.
func TestFillsReports(t *testing.T) {
	names, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"smallmind/*.md", "benchfmt/*.*"} {
		files, err := filepath.Glob(filepath.Join(corpora, folder))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 0 {
			t.Logf("no %s in ../shared/corpora: not looked at", folder)
		}
		names = append(names, files...)
	}
	n := 0
	for _, name := range names {
		if strings.HasSuffix(name, ".golden") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			continue // a folder
		}
		head := text[:min(len(text), HeadSize)]
		f, err := Detect(head)
		if n++; err != nil || !f.IsReport(head) {
			t.Errorf("%s is %q, which it does not fill", name, f.Name)
		}
	}
	if n == 0 {
		t.Error("no report was looked at")
	}
}
