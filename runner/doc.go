// Package runner measures targets: it builds them at a git revision, samples
// them in rounds, each sample in a fresh process, and hands every finished
// round on in the Go benchmark format.
//
// It is the second station of the flow engine -> runner -> store -> compare ->
// reports. It executes binaries and never links the engine: two commits are
// two builds, and a process boundary gives each sample a clean heap, clean
// vector registers and its own address layout. runner/config says what to measure,
// runner/gitrepo checks revisions out, runner/proc runs processes that leave nothing
// behind, runner/format reads what they print, and runner/record has the words for what
// was measured.
//
// A Plan and Hooks go in (plan.go), rounds come out as they end, and an Outcome. Begin
// with measure.go, then program.go: gotest.go, command.go and engine.go are the three
// kinds of program. The packages runner/machine and runner/doctor say what the machine
// is, and what makes it noisy.
package runner
