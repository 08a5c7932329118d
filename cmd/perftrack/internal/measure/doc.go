// Package measure takes a target from the configuration to its stored runs: check out the
// sides, record and journal each round, store, clean up.
//
// A [Measurement] says what is measured; its runs go into the database, as partial ones
// when it was cut off. Begin with run.go; checkout.go finds the sources of the sides,
// recorder.go turns rounds into runs.
package measure
