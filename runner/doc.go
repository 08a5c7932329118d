// Package runner measures targets: it builds them at a git revision, samples
// them in rounds, each sample in a fresh process, and hands every finished
// round on in the Go benchmark format.
//
// It is the second station of the flow engine -> runner -> store -> compare ->
// reports. It executes binaries and never links the engine: two commits are
// two builds, and a process boundary gives each sample a clean heap, clean
// vector registers and its own address layout.
//
// Begin with rounds.go: [Build] makes a [Measurement] of a [Plan], and its caller goes through
// the rounds; their types and the [Outcome] are in plan.go. Then read measure.go, and
// program.go: gotest.go, command.go and engine.go are the three kinds of program.
//
// The packages below it are its subjects, each of use alone: config says what to
// measure; gitrepo knows commits and checks them out; build runs build lines and gotool
// asks the go command; identity tells whether two builds are the same; proc runs
// processes that leave nothing behind; format reads what they print, and naming what
// their names mean; record has the words for what was measured; machine says what
// identifies a machine, and doctor what makes it noisy.
package runner
