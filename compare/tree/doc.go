// Package tree analyses call trees. It finds the functions or scopes responsible for the difference
// between two sides, by themselves and together with their callees.
//
// A [Tree] is built from the scopes of one run. [Contributions] to the difference between two sides
// come from sampled stacks, from allocations or from scopes. Begin with contributors.go; owntime.go
// and objects.go attribute time and objects, cumulative.go adds callees, and scopes.go does the
// same for scopes. The tree of one run is in tree.go. Like package compare, the package does no I/O
// and depends only on its input.
package tree
