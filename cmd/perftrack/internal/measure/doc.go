// Package measure measures a target and stores the runs. It checks out the sides, writes each round
// to a journal, stores the runs and cleans up.
//
// A [Spec] describes a measurement. [Spec.Measure] carries it out; with [Spec.Drive] a command
// iterates over the rounds of a [Measurement] itself. Begin with spec.go, then read measure.go and
// measurement.go. sides.go finds the sources, recording.go turns rounds into runs, flags.go has the
// settings from the command line, and run.go implements perftrack run.
package measure
