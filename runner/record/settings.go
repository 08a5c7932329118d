package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// A Setting is one fact of an environment, as a benchmark-format
// configuration line has it: the key starts lower case and has no space.
type Setting struct{ Key, Value string }

// Settings are facts. Those of a run are sorted by key, those of a measurement stand as
// they were found. An absent fact has no entry.
type Settings []Setting

// environmentVersion is the version of EnvironmentKeys; it is part of the key,
// so that adding a fact later cannot merge or split old environments silently.
const environmentVersion = 1

// Get returns the value of key, or "".
func (s Settings) Get(key string) string {
	for _, f := range s {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// Set returns s with key set to value; an empty value deletes it.
func (s Settings) Set(key, value string) Settings {
	i := slices.IndexFunc(s, func(f Setting) bool { return f.Key == key })
	switch {
	case i < 0 && value == "":
		return s
	case i < 0:
		s = append(s, Setting{key, value})
		s.Sort()
		return s
	case value == "":
		return slices.Delete(s, i, i+1)
	}
	s[i].Value = value
	return s
}

// Sort sorts the settings by key.
func (s Settings) Sort() {
	slices.SortFunc(s, func(a, b Setting) int { return strings.Compare(a.Key, b.Key) })
}

// normalize returns s sorted, blanks around values taken off and keys without
// a value left out.
func (s Settings) normalize() Settings {
	s = slices.Clone(s)
	for i := range s {
		s[i].Value = strings.TrimSpace(s[i].Value)
	}
	s = slices.DeleteFunc(s, func(f Setting) bool { return f.Value == "" })
	s.Sort()
	return s
}

// EnvironmentID returns the identity of an environment: 12 hex digits of a
// SHA-256 over the version and all settings.
func (s Settings) EnvironmentID() string {
	s = slices.Clone(s)
	s.Sort()
	h := sha256.New()
	fmt.Fprintf(h, "environment %d\n%s", environmentVersion, s.text())
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// text returns the settings as configuration lines.
func (s Settings) text() string {
	var b strings.Builder
	for _, f := range s {
		b.WriteString(f.Key + ": " + f.Value + "\n")
	}
	return b.String()
}

// Differences returns the keys on which two environments differ, in the order
// of EnvironmentKeys.
func (s Settings) Differences(other Settings) []string {
	var keys []string
	for _, k := range EnvironmentKeys {
		if s.Get(k) != other.Get(k) {
			keys = append(keys, k)
		}
	}
	return keys
}
