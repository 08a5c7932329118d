// Package tree takes call trees apart: which function, or which scope, makes the difference
// of two sides, by itself and with what it calls.
//
// A [Tree] is made of the scopes of one run. [Contributions] to the difference of two sides
// come from sampled stacks, from allocations or from scopes. Begin with contributors.go:
// owntime.go and objects.go say to whom time and objects belong, cumulative.go adds what is
// called, scopes.go does the same for scopes. The tree of one run is in tree.go. It is as
// pure as package compare.
package tree
