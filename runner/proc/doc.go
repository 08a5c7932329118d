// Package proc executes every program that perftrack measures or builds, in a fresh process each
// time, and leaves no descendants running.
//
// It is at the bottom of the runner in the flow engine -> runner -> store -> compare -> reports. A
// process left over from a sample would keep a core busy and distort every later sample. A process
// left over after perftrack has ended could write into a work tree during its removal.
//
// A process group is not enough for that. A grandchild that called setsid has left the group, a
// leader that exits early leaves its children behind, and if perftrack itself is killed, the group
// lives on. [Run] therefore re-executes perftrack as a small supervisor between itself and the
// program:
//
//	perftrack --lifeline socket--> supervisor --fork--> program --> descendants
//	        <---status pipe-----
//	        <---------- stdout, stderr, directly -----------
//
// The supervisor is the subreaper of everything below it, so a descendant can neither hide nor be
// inherited by init. It kills all descendants when the program ends, when perftrack requests it,
// and when the lifeline breaks because perftrack is gone. [OnDeath] uses the same kind of lifeline
// to clean up directories.
//
// If a program ended by itself and left nothing running, its supervisor waits for the next program.
// Starting a supervisor takes longer than starting most programs, so reusing one leaves a check
// more time for measuring. The supervisor receives the pipes for each program's output over the
// lifeline.
//
// A process started by a daemon on request (docker, systemd-run, at) is not a descendant and is not
// covered. Unix systems other than Linux have no subreapers. There, the supervisor kills the
// program's process group in the same situations, but descendants outside that group survive.
// Systems without process groups, such as Windows, can only show stored results, so [Run] and
// [OnDeath] return an error.
//
// In every program using this package, main and TestMain must call [Supervise] before anything
// else, and [Dismiss] when they end.
//
// Begin with command.go and run.go. supervisor.go is perftrack's end of a supervisor, and
// supervise.go is the supervisor itself. guard.go contains [OnDeath]. capture.go and output.go
// limit how much output is kept.
package proc
