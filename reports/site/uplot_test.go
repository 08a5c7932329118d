package site

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

//go:embed static/uplot
var uplot embed.FS

// The vendored files of uPlot have the checksums and the version given in their README.md.
func TestUPlot(t *testing.T) {
	note, err := uplot.ReadFile("static/uplot/README.md")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`^# uPlot (\S+)\n`).FindSubmatch(note)
	if version == nil {
		t.Fatal("the note names no version")
	}
	sums := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| .* \\| `([0-9a-f]{64})` \\|$").FindAllStringSubmatch(string(note), -1) {
		sums[m[1]] = m[2]
	}
	files, err := uplot.ReadDir("static/uplot")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name() == "README.md" {
			continue
		}
		text, err := uplot.ReadFile("static/uplot/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != sums[f.Name()] {
			t.Errorf("%s has the sum %s, noted is %q", f.Name(), got, sums[f.Name()])
		}
		if f.Name() == "uPlot.iife.min.js" && !strings.Contains(string(text), "(v"+string(version[1])+")") {
			t.Errorf("%s is not of version %s", f.Name(), version[1])
		}
		delete(sums, f.Name())
	}
	for name := range sums {
		t.Errorf("%s is noted and not there", name)
	}
}
