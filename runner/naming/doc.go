// Package naming interprets the names of benchmarks and scopes: which rows contain which,
// and which suite, model or kernel of the built-in engine a name means.
//
// Names go in, because no more is stored of a nesting; [Nesting] gives the rows that
// contain each, and [EngineOf] what the engine of a run printed about its names. Begin with
// nesting.go. engine.go also has what the names mean in reports and in old runs, which
// do not say it: a model or kernel whose meaning the engine prints needs no change here.
package naming
