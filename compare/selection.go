package compare

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// selectedAll is the value of [record.KeySelection] in a trial of all benchmarks of a
// target; another one is the command line that selected some. What a narrow trial found
// says nothing of the others.
const selectedAll = "all"

// SetSelection notes on a run which benchmarks of its target were to be measured, in the
// words of the command line; "" is all.
func SetSelection(r *record.Run, selection string) {
	if selection == "" {
		selection = selectedAll
	}
	if len(selection) <= record.MaxSettingLen && !strings.ContainsAny(selection, "\r\n") {
		r.Facts = r.Facts.Set(record.KeySelection, selection)
	}
}

// SelectionIs reports whether a run was to measure what the selection says, in the same
// words. Of a run that does not say what it was to measure it is not known.
func SelectionIs(r *record.Run, selection string) bool {
	if selection == "" {
		selection = selectedAll
	}
	return r.Facts.Get(record.KeySelection) == selection
}

// SelectionCovers reports whether a run was to measure that, or all there is.
func SelectionCovers(r *record.Run, selection string) bool {
	return SelectionIs(r, "") || SelectionIs(r, selection)
}

// A Selected is which benchmarks of a target a run was to measure; the zero value is all.
type Selected struct {
	Only         []string // patterns of packages
	Suite, Bench string   // as --suite and --bench have them
}

var selectionWords = regexp.MustCompile(`^(.*?) ?(?:--suite ("(?:[^"\\]|\\.)*"))? ?(?:--bench ("(?:[^"\\]|\\.)*"))?$`)

// SelectedOf reads back what [SetSelection] noted; ok is false of a run that does not say it.
func SelectedOf(r *record.Run) (s Selected, ok bool) {
	text := r.Facts.Get(record.KeySelection)
	if text == "" || text == selectedAll {
		return s, text != ""
	}
	words := selectionWords.FindStringSubmatch(text)
	if words == nil {
		return s, false
	}
	s.Only = strings.Fields(words[1])
	for i, to := range []*string{&s.Suite, &s.Bench} {
		if quoted := words[2+i]; quoted != "" {
			value, err := strconv.Unquote(quoted)
			if err != nil {
				return Selected{}, false
			}
			*to = value
		}
	}
	return s, true
}

// noteSelection says of each target that only a part of it was checked, where no trial
// was of all of it.
func (c *Comparison) noteSelection() {
	whole, parts := map[string]bool{}, map[string]string{}
	var targets []string
	for _, p := range c.pairings {
		for _, r := range p.runs[head] {
			have := r.Facts.Get(record.KeySelection)
			if have == "" || have == selectedAll {
				whole[r.Target] = true
				continue
			}
			if parts[r.Target] == "" {
				targets = append(targets, r.Target)
			} else if strings.Contains(parts[r.Target], have) {
				continue
			} else {
				have = parts[r.Target] + ", " + have
			}
			parts[r.Target] = have
		}
	}
	for _, t := range targets {
		if !whole[t] {
			c.addCaveat(Caveat{CodeSelection, "only some of the benchmarks were selected, the others were not checked", t + ": " + parts[t]})
		}
	}
}
