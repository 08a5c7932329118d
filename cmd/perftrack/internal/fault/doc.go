// Package fault gives each error a kind, which JSON output shows as error.kind.
//
// Code that knows the kind of an error wraps it with [Usage], [Git], [Data] and so on, and
// cmd/perftrack prints the kind. The package also has two functions that shorten quoted text for
// messages.
package fault
