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
package runner
