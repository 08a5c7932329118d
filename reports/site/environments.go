package site

import (
	"cmp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// Environments returns those of runs, the one measured last first. The label of each has what
// tells it from the others, or of a single one what it is.
func Environments(runs []record.RunInfo) []Environment {
	list := []Environment{}
	var settings []record.Settings
	at := map[string]int{}
	for _, r := range runs {
		i, ok := at[r.EnvironmentID]
		if !ok {
			i = len(list)
			at[r.EnvironmentID] = i
			list = append(list, Environment{ID: r.EnvironmentID, Values: values(r.Env)})
			settings = append(settings, r.Env)
		}
		list[i].Last = max(list[i].Last, measured(&r.Run))
	}
	differ := differing(settings)
	for i := range list {
		list[i].Label = label(settings[i], differ)
	}
	distinct(list, settings)
	slices.SortStableFunc(list, func(x, y Environment) int { return cmp.Or(cmp.Compare(y.Last, x.Last), cmp.Compare(x.ID, y.ID)) })
	return list
}

// measured is when a run was measured, as far as that is known, 0 of one that tells nothing.
func measured(r *record.Run) int64 {
	if at, _ := r.Measured(); !at.IsZero() {
		return at.Unix()
	}
	return 0
}

// values are settings in the order of environment keys, the others behind.
func values(s record.Settings) [][2]string {
	out := [][2]string{}
	for _, key := range record.EnvironmentKeys {
		if v := s.Get(key); v != "" {
			out = append(out, [2]string{key, v})
		}
	}
	for _, one := range s {
		if !slices.Contains(record.EnvironmentKeys, one.Key) {
			out = append(out, [2]string{one.Key, one.Value})
		}
	}
	return out
}

// differing are the keys that not all settings have alike, in the order in which they say most.
func differing(all []record.Settings) (keys []string) {
	most := append([]string{record.KeyMachine, record.KeyCPU, record.KeyGoVersion}, record.EnvironmentKeys...)
	for _, key := range most {
		for _, s := range all {
			if s.Get(key) != all[0].Get(key) && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// maxLabel is how many characters of a value a label has at most.
const maxLabel = 40

// label names an environment by its values of the keys that differ, at most three of them.
func label(s record.Settings, differ []string) string {
	if len(s) == 0 {
		return "unknown environment"
	}
	if len(differ) == 0 {
		differ = []string{record.KeyMachine, record.KeyCPU, record.KeyGOOS, record.KeyGOARCH, record.KeyGoVersion}
	}
	var words []string
	for _, key := range differ {
		v := s.Get(key)
		if v == "" || len(words) == 3 {
			continue
		}
		switch key { // values that say nothing alone
		case record.KeyCPUCount:
			v += " CPUs"
		case record.KeyCPU, record.KeyGOOS, record.KeyGOARCH, record.KeyGoVersion, record.KeyMachine:
		default:
			v = key + " " + v
		}
		words = append(words, shortWord(v))
	}
	if len(words) == 0 {
		return "less known environment"
	}
	return strings.Join(words, ", ")
}

// distinct adds to labels that several environments have what these differ on, or else their ids.
func distinct(list []Environment, settings []record.Settings) {
	groups := map[string][]int{}
	for i, e := range list {
		groups[e.Label] = append(groups[e.Label], i)
	}
	for _, group := range groups {
		if len(group) < 2 {
			continue
		}
		var of []record.Settings
		for _, i := range group {
			of = append(of, settings[i])
		}
		differ, used := differing(of), map[string]bool{}
		for _, i := range group {
			words := ""
			for _, key := range differ[:min(2, len(differ))] {
				words += ", " + key + " " + shortWord(cmp.Or(settings[i].Get(key), "unknown"))
			}
			list[i].Label += words
			if used[words] {
				list[i].Label += " (" + list[i].ID[:min(6, len(list[i].ID))] + ")"
			}
			used[words] = true
		}
	}
}

// shortWord is a value that is cut where it is too long for a label.
func shortWord(v string) string {
	if r := []rune(v); len(r) > maxLabel {
		return string(r[:maxLabel-1]) + "…"
	}
	return v
}
