// Package naming interprets the names of benchmarks and scopes: which rows contain which,
// and which suite, model or kernel of the built-in engine a name means.
//
// [Nesting] gives the rows that contain a row, from the names alone: no more is stored of a
// nesting. [EngineOf] gives what the engine of a run printed about its names. Begin with
// nesting.go. engine.go also has what the names mean in reports and in old runs, which do
// not say it: a new model or elementwise kernel is added there, too (a test says so).
package naming
