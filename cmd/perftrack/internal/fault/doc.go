// Package fault gives an error its class, which stands in JSON as error.kind.
//
// A use case wraps an error where it knows what kind it is ([Usage], [Git], [Data] ...);
// cmd/perftrack asks for the kind when it prints the error. All of it is in fault.go, with
// the two functions that shorten what messages quote.
package fault
