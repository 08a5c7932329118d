package family

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/reports"
	familyreport "github.com/perftrack/perftrack/reports/family"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// The newest comparison is one on this branch: a check of HEAD takes precedence over a later check
// of an older commit, and checks of other branches do not count. An unchecked HEAD is not shown as
// good.
func TestNewestChangeIsOfThisBranch(t *testing.T) {
	for name, tt := range map[string]struct {
		checked []string // heads in the order of their checks
		head    string   // the reported commit
		want    string   // part of the summary
	}{
		"a check of HEAD":       {[]string{"head", "middle", "other"}, "head", "newest comparison: no"},
		"one before HEAD":       {[]string{"middle", "other"}, "middle", "newest comparison: HEAD HASH: not checked"},
		"only another branch":   {[]string{"other"}, "", "nothing was compared"},
		"a slower work tree":    {[]string{"head", "middle", "dirty"}, "head", "newest comparison: no"},
		"only of the work tree": {[]string{"middle", "dirty"}, "head", "newest comparison: yes: 1 benchmark regressed"},
	} {
		t.Run(name, func(t *testing.T) {
			a, commit := workspacetest.New(t)
			base := commit("2026-01-01T00:00:00Z")
			git := func(args ...string) {
				c := exec.CommandContext(t.Context(), "git", args...)
				c.Dir = a.Dir
				if out, err := c.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v\n%s", args, err, out)
				}
			}
			git("checkout", "-q", "-b", "other")
			heads := map[string]string{"other": commit("2026-01-04T00:00:00Z")}
			git("checkout", "-q", "-b", "feature", base)
			heads["middle"], heads["head"] = commit("2026-01-02T00:00:00Z"), commit("2026-01-03T00:00:00Z")
			heads["dirty"] = heads["head"]
			db, _, err := a.OpenForWriting(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for hour, head := range tt.checked {
				ns := 100.0
				if head == "dirty" {
					ns = 200
				}
				for side, commit := range map[record.Side]record.Commit{record.Base: {SHA: base}, record.Head: {SHA: heads[head], Dirty: head == "dirty"}} {
					ns := ns
					if side == record.Base {
						ns = 100
					}
					r := runtest.Read(t, "pkg: m\n"+runtest.Vary(12, "Sort", 1, ns, "ns/op"))
					r.Target, r.Status, r.Commit, r.Trial, r.Side = "m", record.Complete, commit, "trial-"+head, side
					r.Protocol.Decision = "typical-and-mean"
					r.Start = time.Date(2026, 1, 5, hour, 0, 0, 0, time.UTC)
					if _, _, err := db.Put(t.Context(), r); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			s, err := Gather(t.Context(), a, Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if s.Compared != nil {
				got = s.Compared.Head.Runs[0].Commit.SHA
			}
			if got != heads[tt.head] {
				t.Errorf("described is %q, want %q", got, heads[tt.head])
			}
			r := familyreport.Of(familyreport.Summary, s)
			want := strings.ReplaceAll(tt.want, "HASH", record.ShortHash(heads["head"]))
			if !strings.Contains(strings.ToLower(r.Summary), strings.ToLower(want)) || r.Tone == reports.Good {
				t.Errorf("summary %q of tone %d, want %q", r.Summary, r.Tone, want)
			}
		})
	}
}
