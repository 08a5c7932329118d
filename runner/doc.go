// Package runner measures targets. It builds them at a git revision, samples them in rounds, with a
// fresh process for each sample, and yields every finished round in the Go benchmark format.
//
// It is the second stage in the flow engine -> runner -> store -> compare -> reports. It executes
// binaries and never links the engine, because two commits need two builds, and a separate process
// gives each sample a clean heap, clean vector registers and its own address layout.
//
// Begin with rounds.go, where [Build] turns a [Plan] into a [Measurement], whose rounds the caller
// iterates over. plan.go defines the types for the plan, its rounds and the [Outcome]. Then read
// measure.go. Package program builds the sides and starts the processes.
//
// The packages in its subfolders can be used separately. config reads perftrack.toml, and gitrepo
// checks out commits. build runs build commands, and gotool queries the go command. gobench parses
// the text of Go benchmarks. identity compares two builds, and reach finds benchmarks that no
// change can affect. proc supervises processes, format reads their output, and naming parses the
// names of benchmarks. record defines the vocabulary for measurements. machine identifies a
// machine, and doctor finds the causes of its noise.
package runner
