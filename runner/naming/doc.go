// Package naming interprets the names of benchmarks and scopes. It determines the nesting of rows,
// and the suite, model or kernel of the built-in engine in a name.
//
// [Nesting] returns the rows containing a row. It uses only their names, because no other
// information about nesting is stored. [EngineOf] returns the engine's own description of the names
// in a run. Start with nesting.go. engine.go also contains the meaning of names in reports and in
// old runs without this description; a new model or elementwise kernel must be added there too (a
// test checks this).
package naming
