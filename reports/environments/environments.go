// Package environments lists and labels the environments in which runs were measured.
package environments

import (
	"cmp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// An Environment is a machine with its settings and a Go version. Measurements from different
// environments are never joined into one curve.
type Environment struct {
	ID     string      `json:"id"`
	Label  string      `json:"label"` // short, and unique among the environments in a list
	Values [][2]string `json:"values"`
	Last   int64       `json:"last"` // time of the last measurement, in seconds since 1970; 0 if unknown
}

// Of returns the environments of runs, the most recently measured one first. Labels name the
// settings that differ between the environments.
func Of(runs []record.RunInfo) []Environment {
	list := []Environment{}
	var settings []record.Settings
	at := map[string]int{}
	for _, r := range runs {
		i, ok := at[r.EnvironmentID]
		if !ok {
			i = len(list)
			at[r.EnvironmentID] = i
			list = append(list, Environment{ID: r.EnvironmentID, Values: SettingPairs(r.Env)})
			settings = append(settings, r.Env)
		}
		if at, _ := r.Measured(); !at.IsZero() {
			list[i].Last = max(list[i].Last, at.Unix())
		}
	}
	differ := differing(settings)
	for i := range list {
		list[i].Label = environmentLabel(settings[i], differ)
	}
	distinctLabels(list, settings)
	slices.SortStableFunc(list, func(x, y Environment) int { return cmp.Or(cmp.Compare(y.Last, x.Last), cmp.Compare(x.ID, y.ID)) })
	return list
}

// SettingPairs returns settings as pairs of key and value: the environment keys in their fixed
// order, then all other keys.
func SettingPairs(s record.Settings) [][2]string {
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

// differing returns the keys with different values, the most informative key first.
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

// maxLabel is the maximum number of characters that one value can take in a label.
const maxLabel = 40

// environmentLabel describes an environment by its values for at most three of the keys that
// differ.
func environmentLabel(s record.Settings, differ []string) string {
	if len(s) == 0 {
		return "unknown environment"
	}
	words := labelWords(s, differ)
	if len(words) == 0 {
		words = labelWords(s, []string{record.KeyMachine, record.KeyCPU, record.KeyGOOS, record.KeyGOARCH, record.KeyGoVersion})
	}
	if len(words) == 0 {
		return "machine unknown"
	}
	return strings.Join(words, ", ")
}

// labelWords returns the known values of at most three of the keys.
func labelWords(s record.Settings, keys []string) (words []string) {
	for _, key := range keys {
		v := s.Get(key)
		if v == "" || len(words) == 3 || procsInNames(key, v) {
			continue
		}
		switch key { // a value such as "avx2" is unclear without its key
		case record.KeyCPUCount:
			v += " CPUs"
		case record.KeyCPU, record.KeyGOOS, record.KeyGOARCH, record.KeyGoVersion, record.KeyMachine:
		default:
			v = key + " " + v
		}
		words = append(words, shortValue(v))
	}
	return words
}

// procsInNames reports whether a value only states how names are read, so that it describes no machine.
func procsInNames(key, value string) bool {
	return key == record.KeyGOMAXPROCS && value == record.ProcsInNames
}

// distinctLabels makes equal labels distinct by appending up to two differing values of their
// environments and, if necessary, part of the id.
func distinctLabels(list []Environment, settings []record.Settings) {
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
				if v := settings[i].Get(key); !procsInNames(key, v) {
					words += ", " + key + " " + shortValue(cmp.Or(v, "unknown"))
				}
			}
			list[i].Label += words
			if used[words] {
				list[i].Label += " (" + list[i].ID[:min(6, len(list[i].ID))] + ")"
			}
			used[words] = true
		}
	}
}

// shortValue cuts a value that is too long for a label.
func shortValue(v string) string {
	if r := []rune(v); len(r) > maxLabel {
		return string(r[:maxLabel-1]) + "…"
	}
	return v
}
