package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// SameCode is benchmarks of a package that were not measured, because base and
// head are the same machine code with the same files beside it: nothing of
// them can have changed.
type SameCode struct {
	Target, Package string
	Benchmarks      int
}

// Unreached is benchmarks of a package that were not measured, because nothing that they may
// call, or look at, differs: whatever changed of the package, it is not theirs.
type Unreached struct {
	Target, Package string
	Benchmarks      int
}

// Rewritten is a benchmark that is not the same on both sides, and could be built with the test
// files of neither on both, so that its times are those of two different things and prove nothing. Name "*" are
// all of a package, and Package "*" all there are: more than could be noted one by one.
type Rewritten struct{ Target, Package, Name string }

// Shared is a benchmark that was edited, or that only head has, and that was measured with the
// test files of one side on both: what differs of its times is the code's doing.
type Shared struct {
	Target, Package, Name string
	Of                    record.Side // the side that the files are of
	New                   bool        // only head has it
}

// SetShared notes on a run which of its benchmarks were measured with the test files of one side.
func SetShared(r *record.Run, shared []Shared) {
	var all []record.SharedTests
	for _, s := range shared {
		i := slices.IndexFunc(all, func(t record.SharedTests) bool { return t.Package == s.Package && t.Of == s.Of })
		if i < 0 {
			i = len(all)
			all = append(all, record.SharedTests{Package: s.Package, Of: s.Of})
		}
		if s.New {
			all[i].New = append(all[i].New, s.Name)
		} else {
			all[i].Edited = append(all[i].Edited, s.Name)
		}
	}
	record.SetSharedTests(r, all)
}

// sharedOf reads back what SetShared noted.
func sharedOf(target string, r *record.Run) (all []Shared) {
	for _, t := range record.SharedTestsOf(r) {
		for _, name := range t.Edited {
			all = append(all, Shared{target, t.Package, name, t.Of, false})
		}
		for _, name := range t.New {
			all = append(all, Shared{target, t.Package, name, t.Of, true})
		}
	}
	return all
}

// noteTests says of each row that was measured with the test files of one side on both.
func (c *Comparison) noteTests() {
	for r := range c.Rows() {
		i := slices.IndexFunc(c.Shared, func(s Shared) bool {
			return s.Target == r.Target && s.Package == r.Package && s.Name == functionOf(r)
		})
		if i < 0 || !r.Compared() {
			continue
		}
		text := "the benchmark was edited: both sides were measured with the test files of "
		if c.Shared[i].New {
			text = "the benchmark is new: base was measured, too, with the test files of "
		}
		r.Notes = append(r.Notes, Caveat{Code: CodeTests, Text: text + string(c.Shared[i].Of)})
	}
}

// functionOf is the name of the function that a row's benchmark is of.
func functionOf(r *Row) string {
	function, _, _ := strings.Cut(r.Name, "/")
	return record.WithoutProcs(function) // no function of Go has a - in its name
}

// Lacking is benchmarks of a package that only the other side has.
type Lacking struct {
	Package    string
	Benchmarks int
}

// SameCoverage reports whether two runs note the same of what was not measured, and of which
// part they are, divided in which way.
func SameCoverage(a, b *record.Run) bool {
	for _, key := range []string{record.KeySameCode, record.KeyUnreached, record.KeyRewritten, record.KeyLacks, record.KeyShard} {
		if a.Facts.Get(key) != b.Facts.Get(key) {
			return false
		}
	}
	return slices.Equal(sharedOf("", a), sharedOf("", b))
}

// SetRewritten notes on a run what was rewritten, by package where there is no room for names.
func SetRewritten(r *record.Run, rewritten []Rewritten) {
	var names, whole []string
	for _, w := range rewritten {
		names = append(names, w.Package+"="+w.Name)
		if all := w.Package + "=*"; !slices.Contains(whole, all) {
			whole = append(whole, all)
		}
	}
	for _, fallback := range [][]string{whole, {"*=*"}} {
		if len(strings.Join(names, " ")) > record.MaxSettingLen {
			names = fallback
		}
	}
	setWords(r, record.KeyRewritten, names)
}

// SetCoverage notes on a run what was left out of its trial, and what its side lacks, as far as a fact
// has room.
func SetCoverage(r *record.Run, same []SameCode, lacks []Lacking) {
	var packages, absent []string
	for _, s := range same {
		packages = append(packages, fmt.Sprintf("%s=%d", s.Package, s.Benchmarks))
	}
	for _, l := range lacks {
		absent = append(absent, fmt.Sprintf("%s=%d", l.Package, l.Benchmarks))
	}
	setWords(r, record.KeySameCode, packages)
	setWords(r, record.KeyLacks, absent)
}

// setWords sets a fact to the first of the words that have room in it, if there are any.
func setWords(r *record.Run, key string, words []string) {
	value := ""
	for _, word := range words {
		if len(value)+1+len(word) > record.MaxSettingLen {
			break
		}
		value = strings.TrimSpace(value + " " + word)
	}
	if value != "" {
		r.Facts = r.Facts.Set(key, value)
	}
}

// SetUnreached notes on a run what was left out of its trial because it reaches no changed code, as
// far as a fact has room.
func SetUnreached(r *record.Run, unreached []Unreached) {
	var packages []string
	for _, u := range unreached {
		packages = append(packages, fmt.Sprintf("%s=%d", u.Package, u.Benchmarks))
	}
	setWords(r, record.KeyUnreached, packages)
}

// unreached reads back what SetUnreached noted. What a later check of the trial measured all
// the same, since it was asked for all, is not left out.
func (c *Comparison) unreached(target string, runs []*record.Run) {
	var found []Unreached
	for _, run := range runs {
		noted := run.Facts.Get(record.KeyUnreached)
		if noted == "" && len(run.Benchmarks) > 0 && run.Status != record.Partial && SelectionIs(run, "") {
			found = nil
		}
		for item := range strings.FieldsSeq(noted) {
			pkg, n, _ := cutLast(item, "=")
			count, _ := strconv.Atoi(n) // 0 for what nobody wrote
			u := Unreached{target, pkg, min(max(count, 0), record.MaxBenchmarks)}
			i := slices.IndexFunc(found, func(o Unreached) bool { return o.Package == pkg })
			if i < 0 {
				found = append(found, u)
			} else {
				found[i].Benchmarks = max(found[i].Benchmarks, u.Benchmarks)
			}
		}
	}
	c.Unreached = append(c.Unreached, found...)
}

// coverage reads back what runs note of how benchmarks were edited, and those of checks of what was
// left out.
func (c *Comparison) coverage(p *Pairing) {
	if !p.checked() && !p.Trial {
		return
	}
	for _, run := range p.runs[head] {
		c.Rewritten = added(c.Rewritten, c.believed(run))
		c.Shared = added(c.Shared, sharedOf(p.Target, run))
	}
	if !p.checked() {
		return
	}
	c.unreached(p.Target, p.runs[head])
	for _, run := range p.runs[head] {
		for item := range strings.FieldsSeq(run.Facts.Get(record.KeySameCode)) {
			pkg, n, _ := cutLast(item, "=")
			count, _ := strconv.Atoi(n) // 0 for what nobody wrote
			same := SameCode{p.Target, pkg, min(max(count, 0), record.MaxBenchmarks)}
			if !slices.Contains(c.Same, same) {
				c.Same = append(c.Same, same)
			}
		}
	}
}

// RewrittenOf returns which benchmarks a run calls not comparable.
func RewrittenOf(r *record.Run) (all []Rewritten) {
	for item := range strings.FieldsSeq(r.Facts.Get(record.KeyRewritten)) {
		pkg, name, _ := cutLast(item, "=")
		all = append(all, Rewritten{r.Target, pkg, name})
	}
	return all
}

// believed returns of these those that the options know to be edited.
func (c *Comparison) believed(r *record.Run) (all []Rewritten) {
	for _, w := range RewrittenOf(r) {
		of := []Rewritten{w}
		if w.Package == "*" && c.Options.Edited != nil {
			of = nil
			for _, b := range r.Benchmarks {
				of = append(of, Rewritten{w.Target, b.Package, w.Name})
			}
		}
		for _, w := range of {
			if c.Options.Edited == nil || c.Options.Edited(w.Target, w.Package) {
				all = append(all, w)
			}
		}
	}
	return all
}

// cutLast cuts at the last separator.
func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// rewritten reports whether the row's benchmark function was.
func (c *Comparison) rewritten(r *Row) bool {
	function := functionOf(r)
	return slices.ContainsFunc(c.Rewritten, func(w Rewritten) bool {
		return w.Target == r.Target && (w.Package == r.Package || w.Package == "*") && (w.Name == function || w.Name == "*")
	})
}

// Covers reports whether anything is known of a target: samples of it, failures, that
// it needed none because its code is the same, or that there was no time for it.
func (c *Comparison) Covers(target string) bool {
	return slices.ContainsFunc(slices.Concat(c.Base.Runs, c.Head.Runs), func(r *record.Run) bool {
		return r.Target == target && len(r.Benchmarks)+len(r.Failures) > 0
	}) || slices.ContainsFunc(c.Same, func(s SameCode) bool { return s.Target == target }) ||
		slices.ContainsFunc(c.Unreached, func(u Unreached) bool { return u.Target == target }) ||
		slices.ContainsFunc(c.Starved, func(s Starved) bool { return s.Target == target })
}

// LostCoverage reports whether a benchmark of base is missing, one failed on either side or was not come
// to, one was rewritten, one was not tried, or a part of them has no result.
func (c *Comparison) LostCoverage() bool {
	return len(c.Missing)+len(c.Cut)+len(c.Failures)+len(c.Rewritten)+len(c.Untried)+len(c.LostParts()) > 0
}
