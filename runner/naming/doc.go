// Package naming says what the names of benchmarks and scopes tell: which rows lie in
// which, and of the built-in engine which kernel, model and suite a name is of.
//
// Names go in, and nothing else: it is all that is stored of a nesting. Begin with
// nesting.go; engine.go has the engine's names.
package naming
