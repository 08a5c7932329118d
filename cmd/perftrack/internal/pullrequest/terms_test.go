package pullrequest

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// If a trial's terms differ from the base's, the comment names the differences, and the trial's
// terms do not count.
func TestCommentOnOtherTerms(t *testing.T) {
	base := &config.Config{Defaults: config.Defaults{Alpha: 0.01, Threshold: 0.05}}
	loose := &config.Config{Defaults: config.Defaults{Alpha: 0.0001, Threshold: 0.9}, Rules: []config.Rule{{Bench: "*", Threshold: 0.9}}}
	for _, tt := range []struct {
		name  string
		terms comparison.Terms
		want  string
	}{
		{"the base's", comparison.NewTerms(base, 1), ""},
		{"looser", comparison.NewTerms(loose, 50), "alpha 0.01%, not 1%; alpha shared by 50 targets, not 1; threshold 90%, not 5%; other rules for single benchmarks"},
	} {
		facts := "procedure: check\njudged-by: " + record.CompactJSON(tt.terms) + "\n"
		text := strings.ReplaceAll(githubtest.Trial(1.3), "goos: linux\n", "goos: linux\n"+facts)
		f := newFake(t)
		f.Zip = githubtest.Archive(t, artifact.FileName, text)
		j := f.run(Options{})
		if j.err != nil {
			t.Fatal(j.err)
		}
		body := ""
		for _, c := range f.Ours() {
			body += c.Body
		}
		said := strings.Contains(body, "measured under different rules than those that judge it here: `"+tt.want+"`")
		if f.status() != "failure" || !strings.Contains(body, "Threshold 5 %; alpha 1 %") || said != (tt.want != "") {
			t.Errorf("%s: status %s, %s", tt.name, f.status(), body)
		}
	}
}
