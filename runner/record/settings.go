package record

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Setting is one configuration line of the benchmark format. Its key starts with a lower-case
// letter and contains no space.
type Setting struct{ Key, Value string }

// Settings is a list of settings. The settings of a run are sorted by key, while those of a
// measurement keep their original order. Keys that are not set have no entry.
type Settings []Setting

// environmentVersion is the version of EnvironmentKeys. It is part of an environment's id, so
// adding a key cannot silently merge or split existing environments.
const environmentVersion = 1

// JSON returns the settings as a JSON object with sorted keys.
func (s Settings) JSON() string {
	object := make(map[string]string, len(s))
	for _, f := range s {
		object[f.Key] = f.Value
	}
	return CompactJSON(object)
}

// ParseSettings is the inverse of [Settings.JSON]. The settings are sorted by key.
func ParseSettings(text string) (s Settings, err error) {
	var object map[string]string
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		return nil, err
	}
	for key, value := range object {
		s = append(s, Setting{Key: key, Value: value})
	}
	s.Sort()
	return s, nil
}

// Get returns the value of key, or "" if it is not set.
func (s Settings) Get(key string) string {
	for _, f := range s {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// Set returns s with key set to value. An empty value deletes the key.
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

// normalize returns a sorted copy of s, without spaces around values and without empty values.
func (s Settings) normalize() Settings {
	s = slices.Clone(s)
	for i := range s {
		s[i].Value = strings.TrimSpace(s[i].Value)
	}
	s = slices.DeleteFunc(s, func(f Setting) bool { return f.Value == "" })
	s.Sort()
	return s
}

// EnvironmentID returns the identity of an environment: 12 hex digits of the SHA-256 of the version
// and all settings.
func (s Settings) EnvironmentID() string {
	s = slices.Clone(s)
	s.Sort()
	h := sha256.New()
	fmt.Fprintf(h, "environment %d\n%s", environmentVersion, s.Text())
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// Text returns the settings as configuration lines.
func (s Settings) Text() string {
	var b strings.Builder
	for _, f := range s {
		b.WriteString(f.Key + ": " + f.Value + "\n")
	}
	return b.String()
}

// Differences returns the keys whose values differ between two environments, in the order of
// EnvironmentKeys.
func (s Settings) Differences(other Settings) []string {
	var keys []string
	for _, k := range EnvironmentKeys {
		if s.Get(k) != other.Get(k) {
			keys = append(keys, k)
		}
	}
	return keys
}
