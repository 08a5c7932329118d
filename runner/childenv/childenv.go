// Package childenv selects the environment variables for perftrack's child processes. Only
// variables on a list are passed on.
//
// Measured code may be untrusted, and an environment variable may contain a token. Benchmarks,
// build commands and test binaries that list their benchmarks therefore get the environment of
// [Measured]: settings for programs and runtimes, and the variables named in perftrack.toml. The go
// command and git do not run code from the repository but fetch its dependencies. They get the
// environment of [Tools], with additional variables to identify the user to servers. [Seal] hides
// the environment of perftrack's own process from other processes.
//
// The package does not depend on the rest of the runner. Begin with the lists in names.go.
package childenv

import (
	"os"
	"slices"
	"strings"
)

// Measured returns the environment for a program that runs the repository's code: the caller's
// variables that are listed for measured code or named in extra.
func Measured(extra []string) []string { return of(os.Environ(), extra, false) }

// Tools returns the environment for the go command and git.
func Tools() []string { return of(os.Environ(), nil, true) }

// Withheld returns the sorted names of the caller's non-empty variables hidden from measured
// programs.
func Withheld(extra []string) (names []string) {
	for _, kv := range os.Environ() {
		if name, value, _ := strings.Cut(kv, "="); name != "" && value != "" && !measured(kv) && !slices.Contains(extra, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// of returns the variables in environ that are listed or named in extra, in their original order.
// It never returns nil, which would mean the caller's whole environment.
func of(environ, extra []string, tools bool) []string {
	kept := make([]string, 0, len(environ))
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		if measured(kv) || tools && isOneOf(name, forTools, toolPrefixes) || slices.Contains(extra, name) {
			kept = append(kept, kv)
		}
	}
	return kept
}

// measured reports whether measured code gets the variable kv of the form NAME=VALUE. Server
// addresses are withheld if they might contain a password.
func measured(kv string) bool {
	name, value, _ := strings.Cut(kv, "=")
	return isOneOf(name, forAll, prefixes) || slices.Contains(addresses, name) && !strings.Contains(value, "@")
}

func isOneOf(name string, names, prefixes []string) bool {
	return slices.Contains(names, name) ||
		slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) && !Credential(name)
}

// Credential reports whether a variable's name suggests a credential or identifies the user.
// perftrack.toml must not pass such a variable to a benchmark.
func Credential(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(forTools, name) || slices.ContainsFunc(credentialWords, func(word string) bool { return strings.Contains(name, word) }) ||
		strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_PAT")
}
