// Package measure takes a target from the configuration to its stored runs: check out the
// sides, record and journal each round, store, clean up.
//
// A [Spec] says what is measured; [Spec.Measure] does it, and with [Spec.Drive] a command goes
// through the rounds of a [Measurement] itself. Begin with spec.go, then measure.go and
// measurement.go; sides.go finds the sources, recording.go turns
// rounds into runs, flags.go is what the command line says. run.go is perftrack run.
package measure
