package pullrequest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// A trial's claim of edited benchmarks counts only if the commits edit test files. Otherwise the
// benchmarks are judged as measured, and the comment says so.
func TestCommentOnClaimedEdits(t *testing.T) {
	var many []string
	for i := range 300 {
		many = append(many, fmt.Sprintf("lib/%d_test.go", i))
	}
	const (
		unfounded = "The trial says that benchmarks were edited, but the commits do not change their test files, so the benchmarks were judged as measured."
		changed   = "1 benchmark not comparable: the benchmark changed"
	)
	for _, tt := range []struct {
		name, claim  string
		files        []string
		strict       bool
		state, words string
	}{
		{"nothing is claimed", "", []string{"lib/lib_test.go"}, false, "failure", "1 benchmark slower"},
		{"all is, and nothing was edited", "*=*", []string{"lib/lib.go"}, false, "failure", unfounded},
		{"one is, and nothing was edited", "example.com/lib=Decode", []string{"README.md"}, false, "failure", unfounded},
		{"another package was edited", "example.com/lib=Decode", []string{"other/lib_test.go", "lib/sub/sub_test.go"}, false, "failure", unfounded},
		{"a part of its name was", "example.com/lib=Decode", []string{"ib/ib_test.go"}, false, "failure", unfounded},
		{"more files than are listed", "example.com/lib=Decode", many, false, "failure", unfounded},
		{"it was edited", "example.com/lib=Decode", []string{"lib/lib_test.go"}, false, "success", changed},
		{"it was edited, in the root", "example.com/lib=Decode", []string{"lib_test.go"}, false, "success", changed},
		{"it was edited, and the gate is strict", "example.com/lib=Decode", []string{"lib/lib_test.go"}, true, "failure", changed},
		{"it was edited, and all is claimed", "*=*", []string{"lib/lib_test.go"}, false, "success", "2 benchmarks not comparable: the benchmarks changed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.ReplaceAll(githubtest.Trial(2), "goos: linux\n", "goos: linux\nprocedure: check\n")
			if tt.claim != "" {
				base, head, _ := strings.Cut(text, "side: head\n")
				text = base + "side: head\nrewritten: " + tt.claim + "\n" + head
			}
			f := newFake(t)
			f.Files, f.Zip = tt.files, githubtest.Archive(t, artifact.FileName, text)
			j := f.run(Options{Comment: OnChange, Strict: tt.strict})
			if j.err != nil {
				t.Fatal(j.err)
			}
			var body string
			for _, c := range f.Ours() {
				body += c.Body
			}
			if f.status() != tt.state || !strings.Contains(body, tt.words) || strings.Contains(body, unfounded) != (tt.words == unfounded) {
				t.Errorf("status %s, want %s with %q: %s\n%s", f.status(), tt.state, tt.words, j.res.Description, body)
			}
		})
	}
}
