package family

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/family/histories"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// ruleCases maps each rule to a subject in which it finds something, and to the name and the
// command in its action. No rule finds anything in a healthy subject.
var ruleCases = map[string]struct {
	subject     func(t *testing.T) *Subject
	on, command string
}{
	"regressed": {func(t *testing.T) *Subject { return &Subject{Compared: trial(engine(t, 1), engine(t, 1.2))} },
		"engine enhanced example.com/engine MatMul_64x64", "perftrack explain 11c0ffeec0ff 12c0ffeec0ff --bench MatMul_64x64"},
	"unresolved": {func(t *testing.T) *Subject { return withHistory(t, codecTimes) },
		"codec example.com/codec Sort", "perftrack bisect-helper auto 06c0ffeec0ff..07c0ffeec0ff --bench Sort --package example.com/codec"},
	"proved": {func(t *testing.T) *Subject {
		s := withHistory(t, []float64{100, 101})
		s.Regressions.Proved = []steps.Proved{{Target: "codec", BenchmarkID: s.Series[0].BenchmarkID, Check: bisected(compare.Regressed, false)}}
		return s
	}, "codec example.com/codec Sort", "perftrack explain 11c0ffeec0ff 12c0ffeec0ff --bench Sort"},
	"drift": {func(t *testing.T) *Subject {
		s := withHistory(t, codecTimes)
		s.Regressions.List[0].Step.Drift = 5
		return s
	}, "codec example.com/codec Sort", "perftrack run --rev 07c0ffeec0ff --against 06c0ffeec0ff --bench Sort"},
	"failed": {func(t *testing.T) *Subject {
		r := at(engine(t, 1), 1)
		r.Failures = []record.Failure{{Benchmark: "Broken", Reason: "exit status 2"}}
		return &Subject{Current: []*record.Run{r}}
	}, "engine Broken", ""},
	"limit-missed": {nil, "", ""}, // see TestMissedLimits
	"lost": {func(t *testing.T) *Subject {
		base, head := engine(t, 1), engine(t, 1)
		head.Benchmarks = head.Benchmarks[1:]
		return &Subject{Compared: trial(base, head)}
	}, "engine enhanced example.com/engine GELU_1000", ""},
	"suspect": {func(t *testing.T) *Subject {
		b, h := reporttest.Side("main", "a", engine(t, 1)), reporttest.Side("feature", "b", engine(t, 1.5))
		return &Subject{Compared: compare.Compare(b, h, compare.Options{})}
	}, "engine enhanced example.com/engine MatMul_64x64 and 2 more", "perftrack run --against aaaaaaaaaaaa --rev bbbbbbbbbbbb"},
	"inconclusive": {func(t *testing.T) *Subject {
		noisy := func(ns float64) *record.Run {
			r := runtest.Read(t, "pkg: example.com/codec\n"+runtest.Vary(12, "Noisy", 60, ns, "ns/op"))
			r.Target = "codec"
			return r
		}
		base, head := noisy(5200), noisy(5500)
		for i := range head.Benchmarks[0].Samples[0].Values { // so that the pairs vary
			head.Benchmarks[0].Samples[0].Values[i] *= []float64{1.4, 0.7, 1.2, 0.8}[i%4]
		}
		return &Subject{Compared: trial(base, head)}
	}, "codec example.com/codec Noisy", "perftrack run --against 11c0ffeec0ff --rev 12c0ffeec0ff"},
	"off-level": {func(t *testing.T) *Subject {
		return withHistory(t, []float64{100, 101, 99, 100, 101, 99, 100, 101, 99, 250})
	}, "codec example.com/codec Sort", "perftrack run codec --bench '^Sort$'"},
	"off-level-better": {func(t *testing.T) *Subject {
		return withHistory(t, []float64{100, 101, 99, 100, 101, 99, 100, 101, 99, 30})
	}, "codec example.com/codec Sort", "perftrack run codec --bench '^Sort$'"},
	"not-clean": {func(t *testing.T) *Subject {
		r := at(engine(t, 1), 1)
		r.Status = record.Partial
		return &Subject{Runs: []record.RunInfo{info(r, 1)}}
	}, "engine", "perftrack run engine"},
	"bottleneck": {func(t *testing.T) *Subject { return &Subject{Current: []*record.Run{at(profiledRun(t, 1), 1)}} },
		"Layer_1", "perftrack profile --show 01c0ffeec0ff"},
	"no-trial": {func(t *testing.T) *Subject {
		return &Subject{Depth: 2, Runs: []record.RunInfo{info(at(engine(t, 1), 1), 1)}}
	},
		"", "perftrack check --base HEAD~1"},
	"uncalibrated": {func(t *testing.T) *Subject { return &Subject{Current: []*record.Run{at(engine(t, 1), 1)}} },
		"engine", "perftrack calibrate engine"},
	"no-profile": {func(t *testing.T) *Subject { return &Subject{Current: []*record.Run{at(engine(t, 1), 1)}} },
		"", "perftrack profile"},
	"too-few": {func(t *testing.T) *Subject {
		s := withHistory(t, []float64{100, 101})
		s.Depth = 9
		return s
	},
		"", "perftrack backfill HEAD~6..HEAD"},
	"environments": {func(t *testing.T) *Subject {
		a, b := at(engine(t, 1), 1), at(suites(t), 1)
		b.Target, b.Env = "engine", b.Env.Set(record.KeyCPU, "Other")
		return &Subject{Current: []*record.Run{a, b}}
	}, "engine", ""},
}

func withHistory(t *testing.T, values []float64) *Subject {
	s := &Subject{}
	addHistory(t, s, "Sort", values)
	return s
}

// bisected returns the result of a bisection that decided the time and the allocations of a
// benchmark.
func bisected(verdict compare.Verdict, accepted bool) *steps.Checked {
	return &steps.Checked{Base: record.Commit{SHA: sha(11)}, Head: record.Commit{SHA: sha(12)}, Time: time.Date(2026, 1, 12, 0, 0, 0, 0, time.UTC), Search: true,
		Rows: []steps.CheckedRow{
			{Tidied: "B/op", Verdict: verdict, Accepted: accepted, Shift: stat.Shift{Center: 2}, Rounds: 10},
			{Tidied: "sec/op", Verdict: verdict, Accepted: accepted, Shift: stat.Shift{Center: 2.65}, Rounds: 10},
			{Tidied: "allocs/op", Verdict: compare.Unchanged, Rounds: 10},
		}}
}

// A regression proved by a bisection is mentioned first, even if the history is short. Accepted
// changes and improvements are not regressions, and a proof of a step is not counted twice.
func TestProvedIsSaidFirst(t *testing.T) {
	for name, tt := range map[string]struct {
		times    []float64
		verdict  compare.Verdict
		accepted bool
		want     string
		tone     reports.Tone
	}{
		"regressed": {[]float64{100, 101}, compare.Regressed, false, "1 benchmark proved to have regressed: Sort sec/op +265.0 % in a bisection of 12c0ffeec0ff against 11c0ffeec0ff, but the history does not show a step yet (1 of 1 lines have too few runs to tell)", reports.Bad},
		"accepted":  {[]float64{100, 101}, compare.Regressed, true, "unknown whether there is an unresolved regression: 1 line with too few runs to tell, 1 benchmark slower and accepted", reports.Warn},
		"improved":  {[]float64{100, 101}, compare.Improved, false, "unknown whether there is an unresolved regression: 1 line with too few runs to tell", reports.Warn},
		"a step":    {codecTimes, compare.Regressed, false, "1 benchmark with an unresolved regression in the history", reports.Bad},
	} {
		s := withHistory(t, tt.times)
		s.Regressions.Proved = []steps.Proved{{Target: "codec", BenchmarkID: s.Series[0].BenchmarkID, Check: bisected(tt.verdict, tt.accepted)}}
		if words, tone := newView(s).regressionWords(); words != tt.want || tone != tt.tone {
			t.Errorf("%s: %q of tone %d, want %q", name, words, tone, tt.want)
		}
	}
}

// Each rule finds something in its case and nothing in a healthy subject.
func TestRules(t *testing.T) {
	well := withHistory(t, []float64{100, 101, 99, 100, 101, 99, 100, 101})
	well.Compared = trial(engine(t, 1), engine(t, 1))
	profile := at(profiledRun(t, 1), 1)
	for i := range profile.Benchmarks { // no scope takes a large share of the time
		if b := &profile.Benchmarks[i]; strings.Contains(b.Name, "Layer") {
			for k := range b.Samples {
				if b.Samples[k].Unit == "self-ns/op" {
					b.Samples[k].Values = []float64{0}
				}
			}
		}
	}
	well.Current = append(well.Current, profile)
	for _, r := range well.Current {
		well.Calibrations = append(well.Calibrations, Calibration{Target: r.Target, Environment: r.Env.EnvironmentID()})
	}
	one := info(well.Compared.Head.Runs[0], 50)
	one.Status = record.Complete
	well.Runs = append(well.Runs, one)
	for _, r := range rules() {
		tt, ok := ruleCases[r.name]
		if !ok {
			t.Errorf("%s has no test", r.name)
			continue
		}
		for _, a := range r.find(newView(well)) {
			t.Errorf("%s finds %+v where all is well", r.name, a)
		}
		if tt.subject == nil {
			continue
		}
		found := r.find(newView(tt.subject(t)))
		if len(found) == 0 || found[0].on != tt.on || found[0].command != tt.command {
			t.Errorf("%s finds %+v, want %q, %q", r.name, found, tt.on, tt.command)
		}
	}
	if len(ruleCases) != len(rules()) {
		t.Errorf("%d cases of %d rules", len(ruleCases), len(rules()))
	}
}

func TestMissedLimits(t *testing.T) {
	v := newView(&Subject{Compared: trial(engine(t, 1), engine(t, 1))})
	if found := missedLimits(v); len(found) != 0 {
		t.Errorf("without a limit: %+v", found)
	}
	v.Compared = limited(t)
	if found := missedLimits(v); len(found) != 1 || !strings.HasPrefix(found[0].evidence, "1 limit missed") {
		t.Errorf("of one limit: %+v", found)
	}
}

// A step shown by nested rows is one action, about the innermost row.
func TestNestedRegressionsAreOne(t *testing.T) {
	s := withHistory(t, codecTimes)
	one := s.Regressions.List[0]
	one.Kind = record.Scope
	s.Regressions.List = nil
	for _, name := range []string{"Run", "Run/Parse", "Run/Parse/Lex", "Other"} {
		one.Name = name
		s.Regressions.List = append(s.Regressions.List, one)
	}
	var got []string
	for _, a := range unresolved(newView(s)) {
		got = append(got, a.on+": "+a.evidence[strings.LastIndex(a.evidence, ",")+2:])
	}
	want := "codec example.com/codec Run/Parse/Lex (scope): now +30.0 %; it also shows in 2 enclosing rows | codec example.com/codec Other (scope): now +30.0 %"
	if strings.Join(got, " | ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " | "), want)
	}
}

// Commands do not name commits or suites missing from the repository.
func TestCommandsFitTheRepository(t *testing.T) {
	s := withHistory(t, []float64{100, 101})
	for depth, want := range map[int][2]string{0: {"", ""}, 1: {"", "perftrack run"}, 2: {"perftrack check --base HEAD~1", "perftrack backfill HEAD~1..HEAD"}, 4: {"perftrack check --base HEAD~1", "perftrack backfill HEAD~3..HEAD"}} {
		s.Depth = depth
		if got := [2]string{noTrial(newView(s))[0].command, tooFew(newView(s))[0].command}; got != want {
			t.Errorf("of %d commits: %q, want %q", depth, got, want)
		}
	}
	if got := noProfile(newView(s))[0].command; got != "perftrack profile --bench ." {
		t.Errorf("of a plain suite: %s", got)
	}
	for i := range s.Runs {
		s.Opaque = append(s.Opaque, s.Runs[i].Target)
	}
	if got := noProfile(newView(s)); len(got) != 0 {
		t.Errorf("of another program: %+v", got)
	}
	if got := newView(s).profileWords("to find out."); got != "" {
		t.Errorf("of another program:%s", got)
	}
}

// A long list of benchmarks is shortened, and the report gives the number of omitted benchmarks.
func TestActionsOfARuleAreCut(t *testing.T) {
	s := withHistory(t, codecTimes)
	one := s.Regressions.List[0]
	for _, name := range strings.Fields("B C D E F G") {
		one.Name = name
		s.Regressions.List = append(s.Regressions.List, one)
	}
	table := newView(s).actionTable("", func(r rule) bool { return r.name == "unresolved" })
	if n := len(table.Rows); n != shownActions || !strings.HasSuffix(table.Rows[n-1][3].Text, "(and 2 similar ones)") {
		t.Errorf("%s", reporttest.Cells(table))
	}
}

// The documentation lists every rule with its severity.
func TestRulesAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/reports.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules() {
		if !strings.Contains(string(text), "| `"+r.name+"` | "+r.severity.String()+" | ") {
			t.Errorf("docs/reports.md does not have | `%s` | %s |", r.name, r.severity)
		}
	}
}

// limited returns a trial whose head misses a limit that its base meets.
func limited(t *testing.T) *compare.Comparison {
	l, err := limit.Parse("MatMul_64x64", "<= 0.044 ms")
	if err != nil {
		t.Fatal(err)
	}
	c := trial(engine(t, 1), engine(t, 1.2))
	return compare.Compare(c.Base, c.Head, compare.Options{Limits: limit.List{l}})
}

// TestTooFewAreThoseOfTheSearch checks that reports count all lines searched for steps and not only
// those with a row, like the web page and `perftrack history --steps`.
func TestTooFewAreThoseOfTheSearch(t *testing.T) {
	v := &view{Subject: &Subject{}}
	v.Regressions.Lines = []steps.LineLength{{Runs: 9, Needs: 6, Enough: true}, {Runs: 2, Needs: 6}, {Runs: 1, Needs: 2}}
	words, _ := v.regressionWords()
	list := tooFew(v)
	if len(list) != 1 {
		t.Fatalf("%d actions, want 1", len(list))
	}
	got := []string{words, list[0].evidence, strings.Join(v.stepTable().Words, " ")}
	want := []string{
		"no unresolved regression found (2 of 3 lines have too few runs to tell)",
		"2 of 3 lines have too few runs: some have only 1, but finding a step takes up to 6",
		"No step was found. 2 of 3 lines have too few runs to find one.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The last measurement is the most recent one, even if it measured an older commit.
func TestMeasuredLast(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 9, 0, 0, 0, time.UTC) }
	old, young := at(engine(t, 1), 1), at(engine(t, 1), 20)
	old.Start, old.End, young.Start, young.End = day(5), day(5), day(4), day(4)
	for want, s := range map[string]*Subject{
		"01c0ffeec0ff|measured on 2026-03-05":                            {Runs: []record.RunInfo{info(old, 1), info(young, 2)}},
		"20c0ffeec0ff|measured on 2026-03-04":                            {Runs: []record.RunInfo{info(young, 2)}},
		"20c0ffeec0ff|on an unknown day, for a commit from 2026-01-20, ": {Runs: []record.RunInfo{info(at(imported(t), 1), 1), info(at(imported(t), 20), 2)}},
	} {
		got := newView(s).fresh()
		if name, day, _ := strings.Cut(want, "|"); got.word != name || !strings.Contains(got.evidence, ", "+day) {
			t.Errorf("%s: %s; want %s", got.word, got.evidence, want)
		}
	}
}

// imported returns a run without a time of measurement.
func imported(t *testing.T) *record.Run {
	r := engine(t, 1)
	r.Start, r.End = time.Time{}, time.Time{}
	return r
}

// A run of selected benchmarks is not complete: it says nothing about the other benchmarks.
func TestChosenIsNotEverything(t *testing.T) {
	run := at(engine(t, 1), 1)
	run.Protocol.Selection = &record.Selection{Bench: "MatMul"}
	s := &Subject{Runs: []record.RunInfo{info(run, 1)}, Current: []*record.Run{run}, Compared: trial(engine(t, 1), engine(t, 1))}
	got := newView(s).coverage()
	if got.word != "only a selection" || got.tone != reports.Warn || !strings.HasSuffix(got.evidence, `; no run covers all benchmarks; selected were engine by --bench "MatMul"`) {
		t.Errorf("%+v", got)
	}
	s.Runs = append(s.Runs, info(at(engine(t, 1), 2), 2))
	if got := newView(s).coverage(); got.word != "yes" {
		t.Errorf("%+v although a run is of all", got)
	}
}

// If profiles of both sides were kept, the action does not suggest profiling again. It names the
// function that changed most, and its command shows the profiles.
func TestWhatIsExplainedIsNotAskedFor(t *testing.T) {
	pair := func(base, head float64) tree.Pair { return tree.Pair{Base: base, Head: head} }
	s := &Subject{Compared: trial(engine(t, 1), engine(t, 1.2))}
	id := s.Compared.Tables[0].Rows[0].BenchmarkID
	s.Kept = []Kept{{Target: "engine", Package: id.Package, Name: "MatMul_64x64", Base: sha(11), Head: sha(12), Files: [2]string{"a.pb.gz", "b.pb.gz"}, Time: &tree.Sampled{
		Total: pair(1, 2), Functions: []tree.FunctionCost{{Function: "little", Self: pair(0.1, 0.14)}, {Function: "less", Self: pair(0.3, 0.2)}, {Function: "more", Self: pair(0.1, 1)}},
	}}}
	v := newView(s)
	found := regressed(v)
	if len(found) == 0 || found[0].command != "go tool pprof -top -diff_base a.pb.gz b.pb.gz" || !strings.HasSuffix(found[0].evidence, "; both sides have been profiled, mostly in more") {
		t.Errorf("%+v", found)
	}
	for _, a := range found[1:] {
		if !strings.HasPrefix(a.command, "perftrack explain ") {
			t.Errorf("%+v, whose profiles are not kept", a)
		}
	}
	s.Opaque = []string{"engine"}
	for _, a := range regressed(newView(s)) {
		if strings.Contains(a.command, "perftrack explain ") {
			t.Errorf("%+v, whose functions cannot be profiled", a)
		}
	}
	s.Opaque = nil
	var names []string
	for _, row := range v.keptTable().Rows {
		names = append(names, row[1].Text)
	}
	if !slices.Equal(names, []string{"more", "less"}) {
		t.Errorf("functions %v", names)
	}
	s.Kept[0].Head = sha(13) // another commit
	if found := regressed(newView(s)); found[0].command != "perftrack explain 11c0ffeec0ff 12c0ffeec0ff --bench MatMul_64x64" {
		t.Errorf("%+v", found[0])
	}
}

// If a bisection has found the commit, the action does not suggest another search. If profiles were
// kept, it does not suggest explaining either.
func TestWhatIsFoundIsNotSearchedFor(t *testing.T) {
	found := steps.Found{Commit: sha(15), Before: sha(14)}
	inHistory := withHistory(t, codecTimes)
	inHistory.Regressions.List[0].Step.Found = found
	proven := withHistory(t, []float64{100, 101})
	check := bisected(compare.Regressed, false)
	check.Search, check.Found = false, found
	id := proven.Series[0].BenchmarkID
	proven.Regressions.Proved = []steps.Proved{{Target: "codec", BenchmarkID: id, Check: check}}
	compared := &Subject{Compared: trial(engine(t, 1), engine(t, 1.2))}
	row := compared.Compared.Tables[0].Rows[0]
	check = bisected(compare.Regressed, false)
	check.Found = found
	compared.Regressions.Proved = []steps.Proved{{Target: row.Target, BenchmarkID: row.BenchmarkID, Check: check}}
	for name, s := range map[string]*Subject{"unresolved": inHistory, "proved": proven, "regressed": compared} {
		table := newView(s).actionTable("", func(r rule) bool { return r.name == name })
		got := table.Rows[0]
		if got[1].Text != "fix it or accept it: its commit is known" || !strings.HasSuffix(got[3].Text, "; a bisection found that 15c0ffeec0ff caused it") || !strings.HasPrefix(got[4].Text, "perftrack explain 14c0ffeec0ff 15c0ffeec0ff --bench ") {
			t.Errorf("%s: %s", name, reporttest.Cells(table))
		}
	}
	inHistory.Kept = []Kept{{Target: "codec", Package: id.Package, Name: id.Name, Base: sha(14), Head: sha(15), Files: [2]string{"a.pb.gz", "b.pb.gz"}, Time: &tree.Sampled{}}}
	if got := unresolved(newView(inHistory))[0].command; got != "go tool pprof -top -diff_base a.pb.gz b.pb.gz" {
		t.Errorf("what is kept is asked for: %s", got)
	}
}

// If profiles of both sides of a step were kept, the action suggests a search among the step's
// commits and not an explanation.
func TestExplainedStep(t *testing.T) {
	s := withHistory(t, codecTimes)
	r := s.Regressions.List[0]
	s.Kept = []Kept{{Target: r.Target, Package: r.Package, Name: r.Name, Base: r.Step.Last.Commit, Head: r.Step.First.Commit, Files: [2]string{"a.pb.gz", "b.pb.gz"}, Time: &tree.Sampled{}}}
	for commits, want := range map[int]string{1: "go tool pprof -top -diff_base a.pb.gz b.pb.gz", 5: "perftrack bisect-helper auto 06c0ffeec0ff..07c0ffeec0ff --bench Sort --package example.com/codec"} {
		s.Commits = map[[2]string]int{{r.Step.Last.Commit, r.Step.First.Commit}: commits}
		if got := unresolved(newView(s))[0]; got.command != want || !strings.HasSuffix(got.evidence, "; both sides have been profiled") {
			t.Errorf("of %d commits: %+v", commits, got)
		}
	}
}

// A benchmark with an accepted regression is slower nonetheless.
func TestAcceptedIsSlower(t *testing.T) {
	s := withHistory(t, []float64{100, 101})
	s.Regressions.Proved = []steps.Proved{{Target: "codec", BenchmarkID: s.Series[0].BenchmarkID, Check: bisected(compare.Regressed, true)}}
	if got := newView(s).history(); got.word != "yes, and accepted: 1 benchmark" {
		t.Errorf("%+v", got)
	}
}

// A benchmark regressed in several units is counted once.
func TestBenchmarksAreCounted(t *testing.T) {
	s := withHistory(t, codecTimes)
	for _, unit := range []string{"B/op", "allocs/op"} {
		one := s.Regressions.List[0]
		one.Unit, one.Tidied = unit, unit
		s.Regressions.List = append(s.Regressions.List, one)
	}
	if got := newView(s).history(); got.word != "yes: 1 benchmark" || got.evidence != "1 benchmark with an unresolved regression in the history, 3 counting all units" {
		t.Errorf("%+v", got)
	}
}

// If only a part of the benchmarks was measured at the newest commit, the report says how many. If
// a check of all benchmarks left some of them out, these do not count as missing.
func TestPartOfTheWholeSuite(t *testing.T) {
	whole, part := at(engine(t, 1), 1), at(engine(t, 1), 2)
	whole.Protocol.Selection = &record.Selection{}
	part.Protocol.Selection = &record.Selection{Bench: "MatMul"}
	part.Benchmarks = part.Benchmarks[:1]
	s := &Subject{Runs: []record.RunInfo{info(whole, 1), info(part, 2)}, Current: []*record.Run{part, whole}, Compared: trial(engine(t, 1), engine(t, 1))}
	want := fmt.Sprintf("02c0ffeec0ff has 1 of the %d benchmarks in the last complete run of engine, at 01c0ffeec0ff", len(whole.Benchmarks))
	if got := newView(s).coverage(); got.word != "no" || got.tone != reports.Warn || got.evidence != want {
		t.Errorf("%+v, want %s", got, want)
	}
	part.Protocol.Selection = &record.Selection{} // a check that left out the unreached benchmarks
	part.Protocol.Unreached = []record.Count{{Package: "example.com/engine"}}
	s.Runs[1] = info(part, 2)
	if got := newView(s).coverage(); got.word != "yes" {
		t.Errorf("%+v", got)
	}
}

// The last measurement belongs to the branch, even if another branch was measured later.
func TestMeasuredLastOfThisBranch(t *testing.T) {
	here, other := at(engine(t, 1), 1), at(engine(t, 1), 2)
	s := &Subject{Runs: []record.RunInfo{info(here, 1), info(other, 2)}, Elsewhere: map[string]bool{other.Commit.SHA: true}}
	if got := newView(s).fresh(); got.word != "01c0ffeec0ff" {
		t.Errorf("%+v", got)
	}
	s.Runs = s.Runs[1:]
	if got := newView(s).fresh(); got.word != "02c0ffeec0ff" || !strings.HasPrefix(got.evidence, "on another branch; ") || got.tone != reports.Warn {
		t.Errorf("%+v", got)
	}
}

// Runs of the same commit differ only by noise, so the change is reported once for each commit, by
// the medians.
func TestChangeFromTheCommitBefore(t *testing.T) {
	c := histories.History{}
	for i, p := range []struct {
		commit string
		value  float64
	}{{"a", 100}, {"a", 140}, {"a", 110}, {"b", 210}, {"b", 230}, {"", 100}, {"", 200}} {
		c.Runs = append(c.Runs, steps.Point{Run: fmt.Sprint(i), Commit: p.commit, Value: p.value})
	}
	c.Tidied = "sec/op"
	var got []string
	for _, row := range runTable(c).Rows {
		got = append(got, row[4].Text)
	}
	if want := []string{"+100.0 %", "-54.5 %", "+100.0 %", "", "", "", ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
