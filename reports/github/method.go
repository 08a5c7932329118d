package github

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/record"
)

// maxEnvironments is the maximum number of environments described in a comment.
const maxEnvironments = 3

// method describes the measurement, including the machines and the error rate, and how to repeat
// it.
func (f *Finding) method() string {
	var b strings.Builder
	state, description := f.Status()
	b.WriteString(Sentence("status "+state+": "+description) + "\n\n")
	for _, sentence := range comparison.Legend(f.c) {
		b.WriteString(Sentence(sentence) + "\n\n")
	}
	for _, m := range f.means() {
		b.WriteString(m)
	}
	if f.family && f.root != "" {
		b.WriteString("The packages named here are below " + reports.CodeSpan(strings.TrimSuffix(f.root, "/")) + ".\n\n")
	}
	b.WriteString(f.environments())
	if f.rows() > 0 {
		b.WriteString(reports.Prose(f.rules()) + "\n\n")
	}
	fmt.Fprintf(&b, "To measure this again on your machine:\n\n```sh\n%s\n```\n\n", command(f.c.Base.Commit(), f.c.Head.Commit())+f.c.IsolateFlag())
	return b.String()
}

// environments describes the environments of the tables.
func (f *Finding) environments() string {
	var b strings.Builder
	var shown [][]reports.Fact
	for i := range f.c.Tables {
		facts := comparison.Environment(&f.c.Tables[i])
		if slices.ContainsFunc(shown, func(s []reports.Fact) bool { return slices.Equal(s, facts) }) {
			continue
		}
		if len(shown) == maxEnvironments {
			b.WriteString("Other environments are not shown.\n\n")
			break
		}
		shown = append(shown, facts)
		var parts []string
		for _, fact := range facts {
			parts = append(parts, reports.Prose(fact.Key)+" "+reports.CodeSpan(fact.Value))
		}
		if len(parts) > 0 {
			b.WriteString("Measured side by side on " + strings.Join(parts, ", ") + ".\n\n")
		}
	}
	return b.String()
}

// rules describes the threshold and the error rate of the verdicts.
func (f *Finding) rules() string {
	least, most := math.Inf(1), 0.0
	for r := range f.c.Rows() {
		least, most = min(least, r.Threshold), max(most, r.Threshold)
	}
	threshold := fmt.Sprintf("%.3g %%", 100*most)
	if least < most {
		threshold = fmt.Sprintf("%.3g %%..%.3g %%", 100*least, 100*most)
	}
	return fmt.Sprintf("Threshold %s; alpha %.3g %% across %s, with p-values corrected for multiple testing.", threshold, 100*f.c.Options.Alpha, reports.Plural(f.c.Tested, "test"))
}

// means returns the geometric means of the changes of all benchmarks, in time and in other units
// with changes. It returns nil if there are several trials, because a mean would count a benchmark
// more than once.
func (f *Finding) means() (lines []string) {
	if f.c.Trials > 1 {
		return nil
	}
	type mean struct {
		sum float64
		n   int
	}
	units := []string{"sec/op"}
	for _, r := range f.changed {
		if !slices.Contains(units, r.row.Unit) && len(units) < 8 {
			units = append(units, r.row.Unit)
		}
	}
	means := map[string]mean{}
	for r := range f.c.Rows() {
		if d := math.Log1p(r.Change()); r.HasDelta() && r.Verdict != compare.NotChecked && d-d == 0 {
			m := means[r.Unit]
			means[r.Unit] = mean{m.sum + d, m.n + 1}
		}
	}
	for _, u := range units {
		if m := means[u]; m.n > 1 {
			lines = append(lines, fmt.Sprintf("Geomean of the changes in %s over %s: %s\n\n", reports.CodeSpan(u), reports.Plural(m.n, "benchmark"),
				reports.Prose(reports.PlainChange(math.Expm1(m.sum/float64(m.n))))))
		}
	}
	return lines
}

// command returns the command to repeat the measurement. Commit hashes are the only external text
// in it.
func command(base, head string) string {
	if base == "" || head == "" {
		return "perftrack check --base REV"
	}
	return "perftrack check --base " + record.ShortHash(base) + " --head " + record.ShortHash(head)
}
