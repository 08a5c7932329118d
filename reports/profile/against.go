package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// These constants limit the tables of changes and actions.
const (
	shownChanges = 10
	shownHot     = 3
	worthDoing   = 0.05 // the smallest share of all work of a scope with a recommended action
	worthAWord   = 0.01 // the smallest share of the run for which an undecided difference is mentioned
)

// An Against is a new profile together with the stored profile to compare it with.
type Against struct {
	Base     *record.RunInfo // the run with the stored profile, or nil
	Words    string          // describes Base, or the reason why it is nil
	Compared *compare.Comparison
	Head     *record.Run
}

// An action is a suggestion. gain is the largest possible gain as a share of the total time.
type action struct {
	what, about, words, command string
	gain                        float64
}

// GainWords describes how much of the total time is saved if a part becomes twice as fast, and the
// largest possible saving by Amdahl's law. part is the part's share of the total time.
func GainWords(part float64) string {
	return fmt.Sprintf("if it were twice as fast, the whole would take %s less; at most %s", reports.Portion(part/2), reports.Portion(part))
}

// AddAgainst adds the changes since the stored profiles, and the suggested actions, to a report on
// runs.
func AddAgainst(r *reports.Report, runs []*record.Run, all []Against) {
	var actions []action
	var bases []reports.Object
	for i := range all {
		one := &all[i]
		if one.Base == nil {
			r.Remarks = append(r.Remarks, reports.Note{Text: "not compared: " + one.Words + "; create one with perftrack profile --rev REV", Detail: one.Head.Target})
			continue
		}
		bases = append(bases, reports.Object{{"target", one.Head.Target}, {"base", one.Base.ID}, {"base_commit", one.Base.Commit.SHA}})
		for _, d := range profiles.Of(one.Compared) {
			r.Tables = append(r.Tables, beside(r, one.changed(d)))
			actions = append(actions, one.slower(d)...)
		}
	}
	for _, run := range runs {
		for _, t := range tree.Of(run) {
			actions = append(actions, hottest(t)...)
		}
	}
	slices.SortStableFunc(actions, func(a, b action) int { return cmp.Compare(b.gain, a.gain) })
	if len(actions) > 0 {
		r.Tables = append(r.Tables, beside(r, actionTable(actions)))
	}
	document := r.Document
	r.Document = func() reports.Object {
		return slices.Concat(document(), reports.Object{{"compared_with", reports.Optional(bases)}, {"actions", reports.Optional(reports.Objects(&actions, actionFields))}})
	}
}

// changed lists the largest changes in a suite. Suspect changes (or, for single samples, changes
// beyond the threshold) come first, followed by notable changes that may be noise.
func (a *Against) changed(d *profiles.Diff) reports.Table {
	t := reports.Table{Heading: "What changed", Columns: []reports.Column{
		{Title: "method", Code: true}, {Title: "before", Right: true}, {Title: "now", Right: true}, {Title: "change", Right: true}, {Title: "verdict"},
	}}
	t.Words = []string{fmt.Sprintf("Suite %s, against the newest profile of %s: %s, run %s.", d.Table.Suite, a.Words, baseName(a.Base.Commit), record.ShortHash(a.Base.ID))}
	add := func(c profiles.MethodChange, verdict string) {
		if len(t.Rows) < shownChanges {
			t.Rows = append(t.Rows, []reports.Cell{{Text: c.Name}, {Text: nanos(1e9 * c.Time.Base)}, {Text: nanos(1e9 * c.Time.Head)}, {Text: reports.PlainChange(c.Change()), Value: c.Change()}, {Text: verdict}})
		}
	}
	for _, c := range d.Changes {
		word := "suspect (unpaired)"
		if d.Single {
			word = "one sample per side"
		}
		add(c, word)
	}
	open := a.open(d)
	for _, c := range open {
		add(c, "may be noise")
	}
	shown := len(d.Changes) + len(open)
	switch {
	case shown == 0:
		t.Columns, t.Words = nil, append(t.Words, fmt.Sprintf("Nothing: of %s on both sides, none is proven to differ, and no other difference reaches %s of the run.", reports.Plural(d.Both, "scope"), reports.Portion(worthAWord)))
	case shown > len(t.Rows):
		t.Caption = fmt.Sprintf("%d of %d; perftrack compare %s %s shows all", len(t.Rows), shown, record.ShortHash(a.Base.ID), record.ShortHash(a.Head.ID()))
	}
	return t
}

func baseName(c record.Commit) string {
	if day := reports.Day(c.Time); day != "" {
		return reports.CommitName(c) + ", committed " + day
	}
	return reports.CommitName(c)
}

// open returns the notable differences that may be noise, largest first.
func (a *Against) open(d *profiles.Diff) (out []profiles.MethodChange) {
	for _, c := range d.Undecided {
		if math.Abs(c.Time.Difference()) >= worthAWord*d.Outer.Head {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(x, y profiles.MethodChange) int {
		return cmp.Compare(math.Abs(y.Time.Difference()), math.Abs(x.Time.Difference()))
	})
	return out
}

// slower suggests actions for the scopes that take longer than before.
func (a *Against) slower(d *profiles.Diff) (out []action) {
	if !d.Placed {
		return nil
	}
	add := func(c profiles.MethodChange, what, words, command string) {
		if part := min(c.Time.Difference()/d.Outer.Head, 1); c.Change() > 0 && part > 0 {
			out = append(out, action{what: what, about: c.Name, gain: part, words: fmt.Sprintf(words, reports.Portion(part)), command: command})
		}
	}
	for _, c := range d.Changes {
		add(c, "find out why it became slower", "restoring its old speed would cut the total time by %s", fmt.Sprintf("perftrack compare %s %s", record.ShortHash(a.Base.ID), record.ShortHash(a.Head.ID())))
	}
	again := ""
	if sha := a.Base.Commit.SHA; sha != "" && d.Table.Suite != "" {
		again = fmt.Sprintf("perftrack profile %s --against %s --target %s", d.Table.Suite, record.ShortHash(sha), a.Head.Target)
	}
	for i, c := range a.open(d) {
		if i < shownHot {
			add(c, "measure both sides together", "up to %s, unless it is noise", again)
		}
	}
	return out
}

// hottest suggests speeding up the methods with the largest self times.
func hottest(t *tree.Tree) (out []action) {
	for _, m := range t.Methods() {
		part := m.Self / t.Base()
		if len(out) == shownHot || math.IsNaN(part) || part < worthDoing {
			break
		}
		out = append(out, action{what: "make it faster", about: m.Name, gain: part / 2, words: GainWords(part)})
	}
	return out
}

func actionTable(actions []action) reports.Table {
	t := reports.Table{Heading: "What to do, largest gain first", Columns: []reports.Column{
		{Title: "action"}, {Title: "about", Code: true}, {Title: "overall gain, by Amdahl's law"}, {Title: "command", Code: true, Whole: true},
	}}
	for _, a := range actions {
		t.Rows = append(t.Rows, []reports.Cell{{Text: a.what}, {Text: a.about}, {Text: a.words, Value: a.gain}, {Text: a.command}})
	}
	return t.WithoutEmpty(3)
}

func actionFields(a *action) reports.Object {
	return reports.Object{{"what", &a.what}, {"about", &a.about}, {"gain", &a.gain}, {"command", reports.Optional(&a.command)}}
}

// beside returns table t with the facts of the last table in the report, so that the report does
// not repeat them.
func beside(r *reports.Report, t reports.Table) reports.Table {
	if n := len(r.Tables); n > 0 {
		t.Facts = r.Tables[n-1].Facts
	}
	return t
}
