// Package tree takes call trees apart: which function, or which scope, makes the difference
// of two sides, by itself and with what it calls.
//
// Sampled stacks, allocations or the scopes of a run go in; a [Tree] of one side comes out,
// or [Contributions] to the difference of two. Begin with contributors.go: owntime.go and
// objects.go say to whom time and objects belong, cumulative.go adds what is called,
// scopes.go does the same for scopes. The tree of one run is in tree.go. It is as pure as
// package compare.
package tree
