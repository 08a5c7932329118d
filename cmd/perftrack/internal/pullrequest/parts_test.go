package pullrequest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/compare/pairs"
)

// partTrial returns the trial of part n of 4: two benchmarks, the first slower by factor.
func partTrial(n int, factor float64, division string) string {
	text := strings.NewReplacer(
		"goos: linux\n", fmt.Sprintf("goos: linux\nprocedure: check\nshard: %d/4: 2 of 8, %s\nalpha-share: 1\n", n, division),
		"Decode-2", fmt.Sprintf("Decode%d-2", n), "Encode-2", fmt.Sprintf("Encode%d-2", n),
	).Replace(githubtest.Trial(factor))
	return strings.ReplaceAll(text, "trial: 20260101T000000-0b6f00", fmt.Sprintf("trial: 20260101T000000-0b6f0%d", n))
}

// leave makes the run leave one artifact for each part. texts maps the numbers of the parts to
// their trials.
func (f *fakeGitHub) leave(texts map[int]string) {
	f.Zip, f.Parts = nil, map[string][]byte{}
	for n, text := range texts {
		f.Parts[fmt.Sprintf("%s-%d-of-4", artifact.Name, n)] = githubtest.Archive(f.t, artifact.FileName, text)
	}
}

// roundsTrial returns the n-th quarter of the rounds of a trial.
func roundsTrial(n int, factor float64) string {
	text := strings.NewReplacer(
		"perftrack-run: 1\n", "perftrack-run: 5\n",
		"decision: typical-and-mean\n", fmt.Sprintf("protocol: {\"procedure\":\"check\",\"decision\":\"typical-and-mean\",\"spread\":{\"machine\":\"%d/4\",\"machines\":4}}\n", n),
	).Replace(githubtest.Trial(factor))
	var kept strings.Builder
	mine := false
	for line := range strings.Lines(text) {
		var round int
		if _, err := fmt.Sscanf(line, "round: %d", &round); err == nil {
			mine = (round-1)/5 == n-1
		} else if !strings.HasPrefix(line, "order:") && !strings.HasPrefix(line, "Benchmark") {
			mine = true
		}
		if mine {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// Parts of the rounds are one trial, with all of alpha. A lost one leaves fewer rounds.
func TestCommentOnRounds(t *testing.T) {
	quarters := func(factor float64, lost ...int) map[int]string {
		texts := map[int]string{}
		for n := 1; n <= 4; n++ {
			texts[n] = roundsTrial(n, factor)
		}
		for _, n := range lost {
			delete(texts, n)
		}
		return texts
	}
	swapped := quarters(1)
	swapped[1] = swapped[2]
	for _, tt := range []struct {
		name        string
		texts       map[int]string
		state, says string
	}{
		{"equal", quarters(1), "success", "2 benchmarks unchanged; machine"},
		{"slower", quarters(1.3), "failure", "1 benchmark regressed, 1 unchanged; machine"},
		{"slower, one lost", quarters(1.3, 2), "error", "1 benchmark was not checked"}, // 15 rounds are too few
		{"under the name of another", swapped, "error", "the artifact for part 1 of 4 of the measurement contains another part"},
	} {
		f := newFake(t)
		var opt Options
		opt.Actions.EventPath = f.workflowRun()
		f.leave(tt.texts)
		if j := f.run(opt); j.err != nil {
			t.Fatal(j.err)
		}
		if said := f.Statuses[len(f.Statuses)-1]["description"]; f.status() != tt.state || !strings.HasPrefix(said, tt.says) {
			t.Errorf("%s: %s: %s", tt.name, f.status(), said)
		}
	}
}

// All parts together have one verdict, one comment and one status. A missing, failed or foreign
// part is never green.
func TestCommentOnParts(t *testing.T) {
	equal := func() map[int]string {
		texts := map[int]string{}
		for n := 1; n <= 4; n++ {
			texts[n] = partTrial(n, 1, "0a")
		}
		return texts
	}
	lost := func(texts map[int]string, n int) map[int]string { delete(texts, n); return texts }
	with := func(texts map[int]string, n int, text string) map[int]string { texts[n] = text; return texts }
	other := strings.ReplaceAll(partTrial(3, 1, "0a"), githubtest.HeadSHA, strings.Repeat("c", 40))
	for _, tt := range []struct {
		name    string
		prepare func(*fakeGitHub)
		state   string
		says    string // in the description
		comment string // in the comment, or ""
	}{
		{"all equal", func(f *fakeGitHub) { f.leave(equal()) }, "success", "8 benchmarks unchanged; machine", ""},
		{"a regression in one", func(f *fakeGitHub) { f.leave(with(equal(), 3, partTrial(3, 1.3, "0a"))) }, "failure", "1 benchmark regressed, 7 unchanged; machine", "<code>Decode3</code>"},
		{"one missing", func(f *fakeGitHub) { f.leave(lost(equal(), 3)) }, "error", "part 3 of 4 was not checked: see the measuring workflow's log", "Not all benchmarks were measured: part 3 of 4 was not checked. See the measuring job's log"},
		{"one missing beside a regression", func(f *fakeGitHub) { f.leave(lost(with(equal(), 3, partTrial(3, 1.3, "0a")), 2)) }, "failure", "1 benchmark regressed, part 2 of 4 was not checked, 5 unchanged; machine", "- not checked: part 2 of 4 of `lib`: no result was stored"},
		{"one alone", func(f *fakeGitHub) { f.leave(map[int]string{2: partTrial(2, 1, "0a")}) }, "error", "parts 1, 3 and 4 of 4 were not checked", "Not all benchmarks were measured: parts 1, 3 and 4 of 4"},
		{"one empty", func(f *fakeGitHub) { f.leave(with(equal(), 1, "\n")) }, "error", "part 1 of 4 was not checked", "Not all benchmarks were measured: part 1 of 4"},
		{"one that is no trial", func(f *fakeGitHub) { f.leave(with(equal(), 1, "hello")) }, "error", "part 1 of 4 was not checked", "Not all benchmarks were measured: part 1 of 4"},
		{"all empty", func(f *fakeGitHub) { f.leave(map[int]string{1: "", 2: ""}) }, "error", "the measuring workflow ended without a result", ""},
		{"some while the others are being measured", func(f *fakeGitHub) {
			f.leave(lost(equal(), 3))
			f.Run(measuringRun(githubtest.RunID7, "in_progress", ""))
		}, "pending", "the benchmarks are being measured", ""},
		{"all while one is measured again", func(f *fakeGitHub) {
			f.leave(equal())
			f.Run(measuringRun(githubtest.RunID7, "in_progress", ""))
		}, "success", "8 benchmarks unchanged; machine", ""},
		{"one of another division", func(f *fakeGitHub) { f.leave(with(equal(), 4, partTrial(4, 1, "0b"))) }, "error", "part 4 of 4 was not checked", "divided differently"},
		{"one under the name of another", func(f *fakeGitHub) { f.leave(with(equal(), 1, partTrial(2, 1, "0a"))) }, "error", "the artifact for part 1 of 4 of the measurement contains another part", ""},
		{"a whole one under the name of a part", func(f *fakeGitHub) { f.leave(with(equal(), 1, githubtest.Trial(1))) }, "error", "the artifact for part 1 of 4 of the measurement contains another part", ""},
		{"a part under the name of the whole", func(f *fakeGitHub) { f.Zip = githubtest.Archive(f.t, artifact.FileName, partTrial(1, 1, "0a")) }, "error", "the trial is only part of a measurement, but its artifact is not named as a part", ""},
		{"one of another head", func(f *fakeGitHub) { f.leave(with(equal(), 3, other)) }, "error", "the parts of the measurement belong to different commits", ""},
		{"parts of two divisions", func(f *fakeGitHub) {
			f.leave(equal())
			f.Parts[artifact.Name+"-1-of-2"] = f.Parts[artifact.Name+"-1-of-4"]
		}, "error", "the parts come from measurements that were divided differently", ""},
		{"names that are none of ours", func(f *fakeGitHub) {
			f.leave(equal())
			for _, name := range []string{"perftrack-trial-x", "perftrack-trial-5-of-4", "perftrack-trial-01-of-4", "perftrack-trial-1-of-4-of-4"} {
				f.Parts[name] = f.Parts[artifact.Name+"-1-of-4"]
			}
		}, "success", "8 benchmarks unchanged; machine", ""},
		{"expired", func(f *fakeGitHub) { f.leave(equal()); f.Expired = true }, "pending", "the trial has expired", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			var opt Options
			opt.Actions.EventPath = f.workflowRun()
			tt.prepare(f)
			j := f.run(opt)
			if j.err != nil {
				t.Fatal(j.err)
			}
			said := f.Statuses[len(f.Statuses)-1]["description"]
			if f.status() != tt.state || !strings.HasPrefix(said, tt.says) {
				t.Errorf("%s: %s\nwant %s: %s", f.status(), said, tt.state, tt.says)
			}
			body := ""
			for _, c := range f.Ours() {
				body += c.Body
			}
			if !strings.Contains(body, tt.comment) {
				t.Errorf("no %q in the comment:\n%s", tt.comment, body)
			}
			if strings.Contains(body, "(trial ") {
				t.Errorf("the parts are shown as several trials:\n%s", body)
			}
		})
	}
}

// The benchmarks of a lost part are not also reported as vanished.
func TestLostPartVanishesNothing(t *testing.T) {
	var names []string
	for n := 1; n <= 4; n++ {
		names = append(names, fmt.Sprintf("Decode%d", n), fmt.Sprintf("Encode%d", n))
	}
	for lost, want := range map[int]bool{0: true, 3: false} {
		f := newFake(t)
		f.trials(map[string]string{"900": strings.NewReplacer("Decode-2", "Decode1-2", "Encode-2", "Encode1-2").Replace(historyText(append(names, "Hash")...))})
		f.Run(map[string]any{
			"id": 900, "workflow_id": 4, "path": githubtest.HistoryWorkflow, "event": "push", "status": "completed", "conclusion": "success",
			"head_sha": githubtest.BaseSHA, "head_repository": map[string]any{"id": 1, "owner": map[string]string{"login": "o"}},
		})
		texts := map[int]string{}
		for n := 1; n <= 4; n++ {
			if n != lost {
				texts[n] = partTrial(n, 1, "0a")
			}
		}
		f.leave(texts)
		got := f.run(Options{Comment: Always})
		if vanished := strings.Contains(got.res.Body, "known from the base's history"); got.err != nil || vanished != want {
			t.Errorf("part %d lost: %v, vanished %v, want %v:\n%s", lost, got.err, vanished, want, got.res.Body)
		}
	}
}

// The parts of a measurement share the alpha of one trial, regardless of their own claims.
func TestPartsShareAlpha(t *testing.T) {
	for n, want := range map[int]float64{0: 1, 1: pairs.FurtherShare(1), 2: pairs.FurtherShare(2)} {
		m := &trialRun{}
		for i := 1; i <= 4; i++ {
			own, err := artifact.ParseTrial([]byte(partTrial(i, 1, "0a")), "part")
			if err != nil {
				t.Fatal(err)
			}
			b, h := comparison.SplitSides(own)
			m.base.Runs, m.head.Runs = append(m.base.Runs, b.Runs...), append(m.head.Runs, h.Runs...)
		}
		for _, r := range m.head.Runs {
			r.Protocol.AlphaShare = 0.99 // a part may claim any share
		}
		_, head := m.asFurther(n)
		sum := 0.0
		for _, r := range head.Runs {
			sum += pairs.ShareOf(r)
		}
		if math.Abs(sum-want) > 1e-12 {
			t.Errorf("as further measurement %d the parts have %v of alpha, want %v", n, sum, want)
		}
	}
}
