// Package fault gives each error a kind, shown in JSON output as error.kind.
//
// Code wraps an error of a known kind with [Usage], [Git], [Data] and so on, and cmd/perftrack
// prints the kind. Two more functions shorten quoted text for messages.
package fault
