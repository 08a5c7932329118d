package simd

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every kernel clears the upper halves of the vector registers before it returns. On some
// processors, scalar code runs several times slower while they are in use.
func TestUpperHalves(t *testing.T) {
	files, err := filepath.Glob("*_amd64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, error %v", files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if found := unclean(string(text)); len(found) > 0 {
			t.Errorf("%s: no VZEROUPPER before a RET of %v", name, found)
		}
	}
	const bad = "TEXT ·a(SB), NOSPLIT, $0\n\tVZEROUPPER\n\tRET\n\nTEXT ·b(SB), NOSPLIT, $0\n\tVZEROUPPER\n\tRET\nmore:\n\tVMOVUPS Y0, (AX)\n\tRET\n"
	if got := strings.Join(unclean(bad), " "); got != "b" {
		t.Errorf("the test finds %q in its example, want b", got)
	}
	if got := strings.Join(unclean("TEXT ·c(SB), NOSPLIT, $0\n\tVMOVUPS Y0, (AX)\n"), " "); got != "c" {
		t.Errorf("the test finds %q in a kernel without RET, want c", got)
	}
}

var textLine = regexp.MustCompile(`^TEXT ·(\w+)`)

// unclean returns the names of the functions in an assembly file that have a RET without a
// VZEROUPPER right before it, or no RET at all.
func unclean(text string) (names []string) {
	name, last, returns := "", "", 0
	end := func() {
		if name != "" && returns == 0 {
			names = append(names, name)
		}
	}
	for line := range strings.Lines(text) {
		if m := textLine.FindStringSubmatch(line); m != nil {
			end()
			name, last, returns = m[1], "", 0
			continue
		}
		code, _, _ := strings.Cut(line, "//")
		code = strings.TrimSpace(code)
		if code == "" {
			continue
		}
		if code == "RET" {
			returns++
			if last != "VZEROUPPER" {
				names = append(names, name)
			}
		}
		last = code
	}
	end()
	return names
}
