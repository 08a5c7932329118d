package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
)

// How a benchmark of a trial was measured: the values of [Way.How].
const (
	WaySlices = "slices" // both sides are a process, and take turns of a few milliseconds
	WayFresh  = "fresh"  // a fresh process a side, one after the other
)

// A Way is how the rounds of a benchmark were measured, both sides of a trial alike. It is
// decided once, before any verdict; a benchmark that cannot be sliced any more, Why says
// because of what, goes on in fresh processes.
type Way struct {
	Package string `json:"pkg,omitempty"`
	// Name is the benchmark's without the -N suffix. That of a function covers the
	// benchmarks below it, and "" all benchmarks of the run, unless they have a way
	// of their own: see [WayOf].
	Name string `json:"name,omitempty"`
	How  string `json:"how"` // WaySlices or WayFresh
	Why  string `json:"why,omitempty"`

	N         int           `json:"n,omitempty"`         // iterations of a slice, about which each round's are drawn
	Slices    int           `json:"slices,omitempty"`    // pairs of slices a round
	Length    time.Duration `json:"length,omitempty"`    // of a slice, about; of a fresh process's sample if shorter than benchtime; in ns
	Clock     string        `json:"clock,omitempty"`     // wall, or cpu: that of the process
	Estimator string        `json:"estimator,omitempty"` // what a round's values are made of, as package slicing names it
	Stopped   bool          `json:"stopped,omitempty"`   // the side that waits is stopped
	Calm      bool          `json:"calm,omitempty"`      // collections before a slice stop the world
	Pinned    bool          `json:"pinned,omitempty"`    // all slices of a round run on one CPU

	// Remembered is how many trials in a row took the way over from the one before, the last of which is
	// this one; 0 where it was chosen for this one.
	Remembered int `json:"remembered,omitempty"`

	Sliced int `json:"sliced,omitempty"` // rounds measured in slices
	Fresh  int `json:"fresh,omitempty"`  // rounds measured in fresh processes
}

// Chosen is the way before anything was measured: that of the first round.
func (w Way) Chosen() Way {
	if w.N > 0 {
		w.How, w.Why = WaySlices, ""
	}
	w.Sliced, w.Fresh = 0, 0
	return w
}

// WayOf returns the way of a benchmark, by its name as the run has it: its own, that of
// the function that it is of, at the same GOMAXPROCS if names have that, or that of the whole
// run. ok is false if none is known.
func WayOf(ways []Way, pkg, name string) (w Way, ok bool) {
	base, procs := ProcsOfName(name)
	if w, ok = wayAbove(ways, pkg, base, procs); ok && w.Name != "" {
		return w, true
	}
	return wayAbove(ways, pkg, name, 0)
}

func wayAbove(ways []Way, pkg, name string, procs int) (w Way, ok bool) {
	for {
		for _, p := range []string{pkg, ""} {
			i := slices.IndexFunc(ways, func(w Way) bool { return w.Name == WithProcs(name, procs) && w.Package == p })
			if i >= 0 {
				return ways[i], true
			}
		}
		if name == "" {
			return Way{}, false
		}
		name = name[:max(0, strings.LastIndexByte(name, '/'))]
	}
}

// maxWays is how many facts of a run, each as long as a fact may be, the ways may fill.
const maxWays = 8

// SetWays notes on a run how its benchmarks were measured, and nothing for no ways. Where there is
// no room for all of them the last are left out: whether a round was sliced, it says itself.
func SetWays(r *Run, ways []Way) {
	ways = slices.Clone(ways)
	slices.SortStableFunc(ways, func(a, b Way) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Name, b.Name))
	})
	setNumberedList(r, KeyWays, ways, maxWays)
}

// Ways returns how the benchmarks of a run were measured, sorted by package and name; nil if
// it does not say.
func Ways(r *Run) []Way {
	var ways []Way
	if json.Unmarshal([]byte(Numbered(r, KeyWays, maxWays)), &ways) != nil {
		return nil
	}
	return ways
}

// SetNumbered sets a numbered fact of a run, in as many parts as it takes, at most limit. The
// text is ASCII without two spaces side by side.
func SetNumbered(r *Run, key, text string, limit int) {
	r.Facts = slices.Clone(r.Facts)
	for i := range limit {
		n := min(len(text), MaxSettingLen)
		for n < len(text) && (text[n] == ' ' || text[n-1] == ' ') {
			n-- // spaces around a value are taken off
		}
		r.Facts = r.Facts.Set(NumberedKey(key, i+1), text[:n])
		text = text[n:]
	}
}

// setNumberedList sets a numbered fact of a run to a list, without its last ones where all have no
// room in so many parts.
func setNumberedList[T any](r *Run, key string, list []T, limit int) {
	text := ""
	for len(list) > 0 {
		if text = NumberedJSON(list); len(text) <= NumberedLen(limit) {
			break
		}
		list, text = list[:len(list)*9/10], ""
	}
	SetNumbered(r, key, text, limit)
}

// NumberedLen is how many bytes at least SetNumbered puts into so many parts.
func NumberedLen(parts int) int { return parts * (MaxSettingLen - 2) }

// Numbered returns the value of a numbered fact of a run, of at most limit parts.
func Numbered(r *Run, key string, limit int) string {
	text := ""
	for i := range limit {
		text += r.Facts.Get(NumberedKey(key, i+1))
	}
	return text
}

// NumberedJSON returns v, a plain struct or list, as JSON that [SetNumbered] takes.
func NumberedJSON(v any) string {
	var b strings.Builder
	last := ' '
	for _, r := range CompactJSON(v) {
		if r > ' ' && r < 0x7f || r == ' ' && last != ' ' {
			b.WriteRune(r)
			last = r
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
		last = 0
	}
	return b.String()
}
