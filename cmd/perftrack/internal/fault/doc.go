// Package fault gives an error its class, which stands in messages and in JSON as
// error.kind and which the commands turn into an exit code.
//
// All of it is in fault.go.
package fault
