package family

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	familyreport "github.com/perftrack/perftrack/reports/family"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// If a target was measured only at the commits of pull requests and not at their merges, the
// reports follow the merged branches.
func TestReportsFollowMergedBranches(t *testing.T) {
	a, commit := workspacetest.New(t)
	git := func(args ...string) string {
		c := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=T", "-c", "user.email=t@example.com"}, args...)...)
		c.Dir = a.Dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit("2026-01-01T00:00:00Z")
	main := git("branch", "--show-current")
	db, _, err := a.OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	put := func(target, sha string, ns float64) {
		text := ""
		for i := range 30 {
			text += fmt.Sprintf("X%d 1 %g ns/op\n", i, ns)
		}
		r := runtest.Read(t, text)
		r.Target, r.Status, r.Commit = target, record.Complete, record.Commit{SHA: sha}
		if _, _, err := db.Put(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	var sides []string
	day := func(n int) string { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC).Format(time.RFC3339) }
	for i := range 8 {
		git("checkout", "-q", "-b", fmt.Sprint("pull", i))
		sides = append(sides, commit(day(2*i+2)))
		git("checkout", "-q", main)
		git("merge", "-q", "--no-ff", "-m", "merge", fmt.Sprint("pull", i))
		put("imported", sides[i], 100*float64(1+i/4))
		put("both", sides[i], 100)
		if i >= 6 {
			put("both", git("rev-parse", "HEAD"), 100)
		}
	}
	git("checkout", "-q", "-b", "unmerged")
	put("imported", commit(day(20)), 900)
	git("checkout", "-q", main)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, branch := range []string{"", main} {
		s, err := Gather(t.Context(), a, Options{Branch: branch})
		if err != nil {
			t.Fatal(err)
		}
		points := map[string][]string{}
		for _, one := range s.Series {
			if one.Name != "X7" {
				continue
			}
			for _, l := range one.Lines {
				for _, p := range l.Runs {
					if one.Branch == "" || one.Branch == main {
						points[one.Target] = append(points[one.Target], p.Commit)
					}
				}
			}
		}
		if !slices.Equal(points["imported"], sides) {
			t.Errorf("branch %q: the history is of %q, want %q", branch, points["imported"], sides)
		}
		if len(points["both"]) != 2 {
			t.Errorf("branch %q: of a target measured on the branch itself the history is of %d commits, want 2", branch, len(points["both"]))
		}
		summary, trends := familyreport.Of(familyreport.Summary, s), familyreport.Of(familyreport.Trends, s)
		if !strings.HasPrefix(trends.Summary, "30 benchmarks with an unresolved regression") || !strings.HasPrefix(summary.Summary, trends.Summary) || s.Merged != 8 {
			t.Errorf("branch %q: %d merged, summary %q, trends %q", branch, s.Merged, summary.Summary, trends.Summary)
		}
		if s.Compared == nil || s.Elsewhere[sides[7]] {
			t.Errorf("branch %q: nothing is compared: %s", branch, s.NotCompared)
		}
	}
	if s, err := Gather(t.Context(), a, Options{Branch: "unmerged"}); err != nil || len(s.Current) == 0 {
		t.Errorf("%v", err)
	}
	if _, err := Gather(t.Context(), a, Options{Branch: "none"}); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("an unknown branch: %v", err)
	}
}
