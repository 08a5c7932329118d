package reading

import "strings"

// Join returns the name of a benchmark inside others, such as a test case and its sections.
func Join(names ...string) string {
	var parts []string
	for _, name := range names {
		if name = strings.TrimSpace(name); name != "" {
			parts = append(parts, name)
		}
	}
	return strings.Join(parts, "/")
}

// Param returns the part of a name that states a parameter: /key=value.
func Param(key, value string) string { return "/" + key + "=" + value }
