package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// goLine is the go line in the go.mod file of every module in this repository except the
// launcher's, which must not raise the go line of a user's module, and the fleet's, which River
// raises.
const goLine = "\ngo 1.25.0\n"

func TestGoLines(t *testing.T) {
	list, err := exec.Command("git", "-C", "../..", "ls-files", "*go.mod").Output()
	if err != nil {
		t.Skip("no git checkout: ", err)
	}
	for _, name := range strings.Fields(string(list)) {
		if strings.Contains(name, "testdata/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		want := goLine
		if name == "fleet/go.mod" {
			want = "\ngo 1.26.0\n"
		}
		if name == "tool/go.mod" {
			want = "\ngo 1.21\n"
			if bytes.Contains(text, []byte("\nrequire")) {
				t.Errorf("%s has requirements, which go get -tool would add to a user's module", name)
			}
		}
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s: want the line %s", name, strings.TrimSpace(want))
		}
	}
}

// go.mod lists each of these packages, and perftrack imports it.
func TestRequiredModules(t *testing.T) {
	goMod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, directive := range []string{"\nreplace ", "\nexclude "} {
		if bytes.Contains(goMod, []byte(directive)) {
			t.Errorf("go.mod has a line%s: go install refuses that, and with it the launcher", directive)
		}
	}
	imported := map[string]bool{}
	for _, name := range []string{"github.com/mattn/go-sqlite3", "golang.org/x/perf", "github.com/spf13/cobra", "github.com/olekukonko/tablewriter"} {
		imported[name] = false
		if !bytes.Contains(goMod, []byte("\n\t"+name+" v")) {
			t.Errorf("go.mod does not require %s", name)
		}
	}
	eachFile(t, func(file string, imports []string) {
		if strings.HasSuffix(file, "_test.go") || !under(file, "cmd") && !under(file, "store") && !under(file, "compare") && !under(file, "reports") {
			return
		}
		for _, imp := range imports {
			for name := range imported {
				imported[name] = imported[name] || under(imp, name)
			}
		}
	})
	for _, name := range slices.Sorted(maps.Keys(imported)) {
		if !imported[name] {
			t.Errorf("no package of the product imports %s", name)
		}
	}
}
